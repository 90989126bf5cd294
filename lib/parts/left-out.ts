/**
 * The error of a part that a bundle leaves out. The core imports each part by a name such as `#parts/forms`. The package
 * condition `fw-without-forms` makes that `without-forms.ts`, whose functions throw this error.
 */
import { createFaults } from "../errors/catalogue.ts"
import { leftOutMessages } from "../messages/left-out.ts"

const leftOutFault = /* @__PURE__ */ createFaults(leftOutMessages)

/** Returns a function in place of one of a part. @throws FwError `left_out`, when it is called. */
export function createLeftOut(part: string): () => never {
  return () => {
    throw leftOutFault("left_out", [part])
  }
}
