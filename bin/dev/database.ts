/** Runs database commands of a project in a separate process. */
import { databaseFault } from "../../adapters/db/fault.ts"
import type { DatabaseResult } from "../../adapters/db/program.ts"
import type { ToolIo } from "../cli/terminal.ts"
import { databaseModule, generateDatabaseFiles, readDatabase } from "../project/database-files.ts"
import type { Project } from "../project/project.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import { runProgramCommand } from "./program-command.ts"

/**
 * Runs a database command with the project's `db/index.ts`, migrations and `db/seed.ts`.
 *
 * @param say receives each line that the code of the project prints.
 * @throws FwError `no_database`, and the errors of the bundler and of the command.
 */
export async function runDatabaseCommand(
  project: Project,
  args: readonly string[],
  io: Pick<ToolIo, "env" | "signal">,
  say: (line: string) => void,
): Promise<DatabaseResult> {
  const { root } = project
  const database = await readDatabase(root)
  if (!database) throw databaseFault("no_database")
  for (const { file, text } of generateDatabaseFiles(database)) await writeIfChanged({ root, path: file }, text)
  const command = { entry: databaseModule, args: ["db", "--json", ...args], name: "the program of the database" }
  return runProgramCommand(project, command, io, say, ({ code, message, fix, at }) =>
    databaseFault("database.answer", [message, fix], { code: code as never, ...(at && { at }) }),
  )
}
