/**
 * Compile-time flags: a bundler that defines `FW_SSE` and the like as `false` leaves a part of fw out. Each
 * use of a part is guarded at its place, `typeof FW_SSE === "undefined" || FW_SSE ? use() : leftOut("SSE")`:
 * bundlers drop an import only if its use is in a branch that they know is dead. `docs/operations/runtimes.md` lists the
 * flags.
 */
import { faultsOf } from "./catalogue.ts"
import { leftOutMessages } from "./messages/left-out.ts"

const leftOutFault = /* @__PURE__ */ faultsOf(leftOutMessages)

/**
 * Throws for a part that was left out. @throws FwError `left_out`, always. A console may show only the
 * message, so it says how to keep the part.
 */
export function leftOut(flag: string): never {
  throw leftOutFault("left_out", [flag])
}
