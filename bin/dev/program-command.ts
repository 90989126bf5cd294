/** Runs a command of the project's program, such as `db migrate` or `jobs list`, in a separate process. */
import type { Plugin } from "esbuild"
import type { CommandFailure } from "../../adapters/shared/program-command.ts"
import type { ToolIo } from "../cli/terminal.ts"
import { bundleError, isBuildFailure, loadEsbuild } from "../project/esbuild.ts"
import { jsxPlugin } from "../project/jsx.ts"
import { provideFramework } from "../project/local-copy.ts"
import { createServerEnv, type Project } from "../project/project.ts"
import { programFlags } from "../system/package.ts"
import { withWorkDirectory } from "../system/whole-directory.ts"
import { programFailedError, startProgram } from "../tools/program.ts"
import { createCommonOptions, readPackageOptions } from "./bundle/bundle-options.ts"

/** A command of a program. */
export interface ProgramCommand {
  /** Path of the module that runs the command, relative to the project. */
  readonly entry: string
  readonly args: readonly string[]
  /** The program's name in messages. */
  readonly name: string
  readonly plugins?: Plugin[]
}

/** The line with the result of the command. */
type Answer<Data> =
  | { readonly success: true; readonly data: Data }
  | { readonly success: false; readonly error: CommandFailure }

/**
 * Bundles a module of the project and runs it with arguments.
 *
 * @param say receives each line that the project's code prints.
 * @param toError returns the error for a failed command.
 * @throws FwError of the bundler or the command.
 */
export async function runProgramCommand<Data>(
  project: Project,
  { entry, args, name, plugins = [] }: ProgramCommand,
  { env, signal }: Pick<ToolIo, "env" | "signal">,
  say: (line: string) => void,
  toError: (failure: CommandFailure) => Error,
): Promise<Data> {
  const { root } = project
  await provideFramework(root, say)
  return withWorkDirectory(root, async (directory) => {
    const bundle = directory.resolve("program.mjs")
    await bundleEntry(root, entry, bundle, plugins)
    let answer: Answer<Data> | undefined
    const options = {
      program: process.execPath,
      args: [...programFlags, "--enable-source-maps", bundle, ...args],
      cwd: root,
      // A command runs in one process, even if the server has several workers.
      env: { ...createServerEnv(project, env), FW_WORKERS: "" },
      signal,
      name,
      // Lines of the program's log may come after the answer, because they are written in batches.
      onLine: (line: string) => {
        const found = parseAnswer<Data>(line)
        if (found) answer = found
        else if (line) say(line)
      },
    }
    const end = await startProgram(options).ended
    signal.throwIfAborted()
    if (!answer) throw programFailedError(options, end)
    if (answer.success) return answer.data
    throw toError(answer.error)
  })
}

async function bundleEntry(root: string, entry: string, outfile: string, plugins: Plugin[]): Promise<void> {
  const esbuild = await loadEsbuild(root)
  try {
    await esbuild.build({
      ...readPackageOptions(root),
      ...createCommonOptions(root),
      write: true,
      entryPoints: [entry],
      outfile,
      bundle: true,
      sourcemap: "linked",
      plugins: [jsxPlugin, ...plugins],
    })
  } catch (error) {
    throw isBuildFailure(error) ? bundleError(root, error) : error
  }
}

function parseAnswer<Data>(line: string): Answer<Data> | undefined {
  if (!line.startsWith('{"success":')) return undefined
  try {
    return JSON.parse(line) as Answer<Data>
  } catch {
    return undefined
  }
}
