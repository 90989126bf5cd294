/** Removes the symbols of a Node for Linux, with a `strip` that supports the target. */
import { stat } from "node:fs/promises"
import { FwError } from "../../../lib/errors.ts"
import type { Io } from "../../cli/terminal.ts"
import { startProgram } from "../../tools/program.ts"
import { isForMachine } from "../binary-format.ts"
import { getHostMachine, linuxTriples, type Machine } from "./node-release.ts"

/** Returns the tools to try, in order. A `strip` supports one processor, `llvm-strip` supports all of them. */
function listTools({ os, arch }: Machine): readonly string[] {
  const host = getHostMachine()
  const hostTools = host.os === os && host.arch === arch ? ["strip"] : []
  return [...hostTools, `${linuxTriples[arch]}-strip`, "llvm-strip"]
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
    const options = { program, args: ["-o", target, source], cwd: ".", env, signal }
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
