/** Runs the commands of a project's database, in a process of its own. */
import { databaseFault } from "../../adapters/db/fault.ts"
import type { DatabaseFailure, DatabaseResult } from "../../adapters/db/program.ts"
import type { ToolIo } from "../cli/terminal.ts"
import { databaseModule, generateDatabaseFiles, readDatabase } from "../project/database-files.ts"
import { bundleError, isBuildFailure, loadEsbuild } from "../project/esbuild.ts"
import { provideFramework } from "../project/local-copy.ts"
import { createServerEnv, type Project } from "../project/project.ts"
import { programFlags } from "../system/package.ts"
import { withWorkDirectory } from "../system/whole-directory.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import { programFailedError, startProgram } from "../tools/program.ts"
import { createCommonOptions, readPackageOptions } from "./bundle/bundle-options.ts"

/** The last line of the process. */
type Answer =
  | { readonly success: true; readonly data: DatabaseResult }
  | { readonly success: false; readonly error: DatabaseFailure }

/**
 * Runs a command of the database with the code of the project: `db/index.ts`, the migrations and `db/seed.ts`.
 *
 * @param say gets each line that this code prints.
 * @throws FwError `no_database`, those of the bundler and of the command.
 */
export async function runDatabaseCommand(
  project: Project,
  args: readonly string[],
  { env, signal }: Pick<ToolIo, "env" | "signal">,
  say: (line: string) => void,
): Promise<DatabaseResult> {
  const { root } = project
  const database = await readDatabase(root)
  if (!database) throw databaseFault("no_database")
  for (const { file, text } of generateDatabaseFiles(database)) await writeIfChanged({ root, path: file }, text)
  await provideFramework(root, say)
  return withWorkDirectory(root, async (directory) => {
    const bundle = directory.resolve("db.mjs")
    await bundleDatabase(root, bundle)
    let last = ""
    const options = {
      program: process.execPath,
      args: [...programFlags, "--enable-source-maps", bundle, "db", ...args, "--json"],
      cwd: root,
      env: createServerEnv(project, env),
      signal,
      name: "the program of the database",
      onLine: (line: string) => {
        if (last) say(last)
        last = line
      },
    }
    const end = await startProgram(options).ended
    signal.throwIfAborted()
    const answer = parseAnswer(last)
    if (!answer) throw programFailedError(options, end)
    if (answer.success) return answer.data
    const { code, message, fix, at } = answer.error
    throw databaseFault("database.answer", [message, fix], { code, ...(at && { at }) })
  })
}

async function bundleDatabase(root: string, outfile: string): Promise<void> {
  const esbuild = await loadEsbuild(root)
  try {
    await esbuild.build({
      ...readPackageOptions(root),
      ...createCommonOptions(root),
      write: true,
      entryPoints: [databaseModule],
      outfile,
      bundle: true,
      sourcemap: "linked",
    })
  } catch (error) {
    throw isBuildFailure(error) ? bundleError(root, error) : error
  }
}

function parseAnswer(line: string): Answer | undefined {
  if (!line.startsWith('{"success":')) return undefined
  try {
    return JSON.parse(line) as Answer
  } catch {
    return undefined
  }
}
