/** The command from arguments to exit code, with its environment as a parameter. */
import type { Group } from "./cli/spec.ts"
import type { Io } from "./cli/terminal.ts"

/**
 * Runs a command line.
 *
 * @returns the exit code: 0 done, 1 failed, 2 invalid command line, 130 stopped by Ctrl-C.
 */
export async function main(argv: readonly string[], io: Io, table?: Group): Promise<number> {
  const { runCommandLine } = await import("./cli/run.ts")
  return runCommandLine(argv, io, table ?? (await import("./table.ts")).commands)
}
