/** Removes the symbols of a Node for Linux or macOS, with a `strip` that supports the target. */
import { stat } from "node:fs/promises"
import { FwError } from "../../../lib/errors.ts"
import type { Io } from "../../cli/terminal.ts"
import { startProgram } from "../../tools/program.ts"
import { isForMachine } from "../binary-format.ts"
import { getHostMachine, linuxTriples, type Machine } from "./node-release.ts"

/**
 * Returns the tools to try, in order. A `strip` of Linux supports one processor, that of macOS both, and `llvm-strip`
 * supports all systems.
 */
function listTools({ os, arch }: Machine): readonly string[] {
  const host = getHostMachine()
  const isForTarget = host.os === os && (os === "darwin" || host.arch === arch)
  const ownTools = isForTarget ? ["strip"] : []
  return [...ownTools, ...(os === "linux" ? [`${linuxTriples[arch]}-strip`] : []), "llvm-strip"]
}

/**
 * Writes a copy of a Node without symbols. On macOS only local symbols are removed, because Node looks up the others
 * in itself. The program is inserted afterwards, because `strip` would remove it.
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
    const args = [...(machine.os === "darwin" ? ["-x"] : []), "-o", target, source]
    const options = { program, args, cwd: ".", env, signal }
    try {
      const { code } = await startProgram(options).ended
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
 * Returns the number of bytes that a tool has saved; null if its output is larger, or is not a program for the
 * machine.
 */
async function countSavedBytes(target: string, source: string, machine: Machine): Promise<number | null> {
  const [after, before] = await Promise.all([stat(target).catch(() => null), stat(source)])
  if (!after || after.size > before.size) return null
  return isForMachine(target, machine) ? before.size - after.size : null
}
