/** Runs a command line. Everything that it needs of the process is a parameter. */
import type { Group } from "./cli/spec.ts"
import type { Io } from "./cli/terminal.ts"

/**
 * Runs a command line.
 *
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line, 130 after Ctrl-C.
 */
export async function main(argv: readonly string[], io: Io, table?: Group): Promise<number> {
  const { runCommandLine } = await import("./cli/run.ts")
  return runCommandLine(argv, io, table ?? (await import("./table.ts")).commands)
}
