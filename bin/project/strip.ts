/** Takes the symbols off a Node for Linux, with a tool of this machine that knows the target. Called by `executable.ts`. */
import { stat } from "node:fs/promises"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../terminal.ts"
import { machinesOf } from "./binary-format.ts"
import { hostMachine, type Machine } from "./node-release.ts"
import { startProgram } from "./program.ts"

const triples = { amd64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" } as const

/** The tools to try, the machine's own first. `strip` knows one processor, `llvm-strip` all of them. */
function toolsFor({ os, arch }: Machine): readonly string[] {
  // What Apple's and Microsoft's linkers keep is little, and a signature is over it.
  if (os !== "linux") return []
  const here = hostMachine()
  const own = here.os === os && here.arch === arch ? ["strip"] : []
  return [...own, `${triples[arch]}-strip`, "llvm-strip"]
}

/**
 * Writes a stripped copy. Before anything is put into it: what is put in afterwards is no section that `strip` keeps.
 *
 * @returns whether there was a tool that could.
 */
export async function strip(
  source: string,
  target: string,
  machine: Machine,
  { env, signal }: Pick<Io, "env" | "signal">,
): Promise<boolean> {
  for (const program of toolsFor(machine)) {
    const order = { program, args: ["-o", target, source], cwd: ".", env, signal }
    try {
      const { code } = await startProgram(order).ended
      signal.throwIfAborted()
      if (code === 0 && (await isSmaller(target, source, machine))) return true
    } catch (error) {
      // Not installed: then the next.
      if (!(error instanceof FwError)) throw error
    }
  }
  return false
}

async function isSmaller(target: string, source: string, { os, arch }: Machine): Promise<boolean> {
  const [after, before] = await Promise.all([stat(target).catch(() => null), stat(source)])
  if (!after || after.size > before.size) return false
  return machinesOf(target)?.some((found) => found.os === os && found.arch === arch) ?? false
}
