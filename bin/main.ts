/** The command from arguments to exit code, with its world as a parameter. Called by `bin/fw.ts` and by tests. */
import type { Group } from "./cli/spec.ts"
import type { Io } from "./cli/terminal.ts"
import { readVersion } from "./cli/version.ts"

/**
 * Runs one command line.
 *
 * @returns the exit code: 0 done, 1 failed, 2 not understood, 130 stopped by Ctrl-C.
 */
export async function main(argv: readonly string[], io: Io, table?: Group): Promise<number> {
  // Editors and scripts ask this often: it must cost no more than Node itself, so neither parser nor table is loaded.
  if (argv.length === 1 && argv[0] === "--version") {
    io.stdout.write(`fw ${readVersion()}\n`)
    return 0
  }
  const { runLine } = await import("./cli/run.ts")
  return runLine(argv, io, table ?? (await import("./table.ts")).commands)
}
