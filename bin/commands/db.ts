/** The commands of `fw db` that run the database of the project. */
import { type DatabaseResult, formatResult } from "../../adapters/db/program.ts"
import { FwError } from "../../lib/errors.ts"
import { choose } from "../cli/prompt.ts"
import type { CommandModule } from "../cli/spec.ts"
import { runDatabaseCommand } from "../dev/database.ts"

interface Options {
  readonly force?: boolean
  readonly again?: boolean
}

/**
 * Returns the command that runs a database command of the project's program.
 *
 * @param name the command's name in the program.
 */
export function createDatabaseCommand(name: string): CommandModule<Options, DatabaseResult> {
  return {
    async run({ force, again }, io) {
      const project = { root: io.cwd, appDir: "app" }
      const run = (isForced: boolean | undefined) => {
        const args = [name, ...(isForced ? ["--force"] : []), ...(again ? ["--again"] : [])]
        return runDatabaseCommand(project, args, io, (line) => io.stderr.write(`${line}\n`))
      }
      try {
        return await run(force)
      } catch (error) {
        if (!(error instanceof FwError && error.code === "database_force" && io.interactive)) throw error
        const answers = [
          { value: "no", label: "No", hint: "leave everything as it is" },
          { value: "yes", label: "Yes", hint: "do it" },
        ] as const
        if ((await choose(`${error.message}. Go on?`, answers, io)) === "no") throw error
        return run(true)
      }
    },
    print: formatResult,
    exitCode: ({ conflicts = [] }) => (conflicts.length > 0 ? 1 : 0),
  }
}
