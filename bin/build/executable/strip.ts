/** Removes the symbols of a Node for Linux, with a `strip` that supports the target. */
import { stat } from "node:fs/promises"
import { FwError } from "../../../lib/errors.ts"
import type { Io } from "../../cli/terminal.ts"
import { startProgram } from "../../tools/program.ts"
import { readFileMachines } from "../binary-format.ts"
import { hostMachine, type Machine } from "./node-release.ts"

const triples = { amd64: "x86_64-linux-gnu", arm64: "aarch64-linux-gnu" } as const

/** Returns the tools to try, in order. A `strip` supports one processor, `llvm-strip` supports all of them. */
function listTools({ os, arch }: Machine): readonly string[] {
  const here = hostMachine()
  const own = here.os === os && here.arch === arch ? ["strip"] : []
  return [...own, `${triples[arch]}-strip`, "llvm-strip"]
}

/**
 * Writes a copy of a Node for Linux without symbols. The program is inserted afterwards, because `strip` would
 * remove it.
 *
 * @returns the number of bytes saved; null if no tool on this machine can do it.
 */
export async function strip(
  source: string,
  target: string,
  machine: Machine,
  { env, signal }: Pick<Io, "env" | "signal">,
): Promise<number | null> {
  for (const program of listTools(machine)) {
    const order = { program, args: ["-o", target, source], cwd: ".", env, signal }
    try {
      const { code } = await startProgram(order).ended
      signal.throwIfAborted()
      const saved = code === 0 ? await countSavedBytes(target, source, machine) : null
      if (saved !== null) return saved
    } catch (error) {
      // The tool is not installed or did not start, but the next one may work.
      if (!(error instanceof FwError)) throw error
    }
  }
  return null
}

/**
 * Returns the number of bytes that a tool has saved; null if its output is not a smaller program for the machine.
 */
async function countSavedBytes(target: string, source: string, { os, arch }: Machine): Promise<number | null> {
  const [after, before] = await Promise.all([stat(target).catch(() => null), stat(source)])
  if (!after || after.size > before.size) return null
  const fits = readFileMachines(target)?.some((found) => found.os === os && found.arch === arch) ?? false
  return fits ? before.size - after.size : null
}
