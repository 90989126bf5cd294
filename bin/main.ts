/** The command from arguments to exit code, with its environment as a parameter. */
import type { Group } from "./cli/spec.ts"
import type { Io } from "./cli/terminal.ts"
import { readVersion } from "./cli/version.ts"

/**
 * Runs a command line.
 *
 * @returns the exit code: 0 done, 1 failed, 2 invalid command line, 130 stopped by Ctrl-C.
 */
export async function main(argv: readonly string[], io: Io, table?: Group): Promise<number> {
  // Editors and scripts call this often, so it loads neither parser nor table and takes no longer than Node
  // itself.
  if (argv.length === 1 && argv[0] === "--version") {
    io.stdout.write(`fw ${readVersion()}\n`)
    return 0
  }
  const { runLine } = await import("./cli/run.ts")
  return runLine(argv, io, table ?? (await import("./table.ts")).commands)
}
