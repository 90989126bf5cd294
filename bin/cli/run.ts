/** Parses, runs and prints one command line. */

import { UsageError, usageError } from "../messages/usage.ts"
import { type CommandRequest, parseCommandLine, refuseEmptyValues, wantsJSON } from "./args.ts"
import { findNearest } from "./find-nearest.ts"
import { isAboveProject, moveToProject } from "./project-root.ts"
import type { Group } from "./spec.ts"
import { createView, type Io } from "./terminal.ts"
import { readVersion } from "./version.ts"

/** Runs the command line and returns the exit code, which `main` documents. */
export async function runCommandLine(argv: readonly string[], io: Io, table: Group): Promise<number> {
  const printsJSON = wantsJSON(argv)
  try {
    const result =
      (await explainError(argv, table)) ?? (await runRequest(parseCommandLine(argv, table, io.env), io, printsJSON))
    if (result) io.stdout.write(printsJSON ? formatJSON({ success: true, data: result.data ?? null }) : result.text())
    return result?.code ?? 0
  } catch (error) {
    return await printFailure(error, io, printsJSON)
  }
}

/** Prints why a command failed, and returns the exit code. */
export async function printFailure(error: unknown, io: Io, printsJSON: boolean): Promise<number> {
  if (error instanceof Error && isInterrupt(error, io)) return 130
  const { toFailureData, formatFailure } = await import("./failure.ts")
  if (printsJSON) io.stdout.write(formatJSON({ success: false, error: toFailureData(error) }))
  else io.stderr.write(formatFailure(error, io))
  return error instanceof UsageError ? 2 : 1
}

/** The output of a command: its result as data and as text, and the exit code. Default of the exit code: 0. */
interface CommandOutput {
  readonly data: unknown
  readonly text: () => string
  readonly code?: number
}

/**
 * Returns the entry of the error reference for `fw help <code>`; null for any other command line. A command with
 * that name comes first.
 *
 * @throws UsageError for a word that is probably a mistyped code.
 */
async function explainError(argv: readonly string[], table: Group): Promise<CommandOutput | null> {
  const [first, code, ...more] = argv.filter((token) => token !== "--json")
  if (first !== "help" || code === undefined || more.length > 0) return null
  if (Object.hasOwn(table.commands, code) || Object.hasOwn(table.commands, "help")) return null
  const { formatEntry, readErrorReference } = await import("../docs/errors.ts")
  const { errors, answers } = await readErrorReference()
  const entry =
    errors.find((error) => error.code === code) ??
    answers.find((answer) => answer.code === code || String(answer.status) === code)
  if (entry) return { data: entry, text: () => formatEntry(entry) }
  const codes = errors.map((error) => error.code)
  const suggestion = findNearest(code, Object.keys(table.commands)) ? undefined : findNearest(code, codes)
  if (suggestion) throw usageError("unknown_command.help", [code, suggestion])
  return null
}

async function runRequest(request: CommandRequest, io: Io, printsJSON: boolean): Promise<CommandOutput | null> {
  if (request.kind === "version") {
    const version = readVersion()
    return { data: { version }, text: () => `fw ${version}\n` }
  }
  if (request.kind === "help") {
    const { describeCommand, printHelp } = await import("./help.ts")
    const data = describeCommand(request.path, request.entry)
    return { data, text: () => printHelp(data, createView(io.stdout, io.env)) }
  }
  refuseEmptyValues(request)
  const { spec } = request.command
  const { cwd, options } = moveToProject(spec, { cwd: io.cwd, options: request.options }, request.optionNames)
  if (isAboveProject(cwd, options.appDir)) {
    const { projectFault } = await import("../messages/project.ts")
    throw projectFault("app_dir.above", [String(options.appDir)])
  }
  const projectIo: Io = cwd === io.cwd ? io : Object.create(io, { cwd: { value: cwd, enumerable: true } })
  const module = await request.command.load()
  if (spec.ownsStdout) {
    await module.run(options, projectIo)
    return null
  }
  // With --json, progress goes to stderr, because stdout must contain only the JSON document.
  const result = await module.run(options, printsJSON ? toJSONIo(projectIo) : projectIo)
  const data = printsJSON && module.data ? module.data(result) : result
  const text = () => module.print?.(result, createView(io.stdout, io.env)) ?? ""
  return { data, text, code: module.exitCode?.(result) ?? 0 }
}

/**
 * Returns true if the user ended the command with Ctrl-C. The class of the error would load the module for questions.
 */
function isInterrupt({ name }: Error, io: Io): boolean {
  return name === "Interrupted" || (name === "AbortError" && io.signal.aborted)
}

/**
 * Returns an `Io` for JSON output, which asks no questions. The getters are kept: reading the signal installs the
 * handler of Ctrl-C.
 */
function toJSONIo(io: Io): Io {
  return Object.create(io, {
    stdout: { value: io.stderr, enumerable: true },
    interactive: { value: false, enumerable: true },
  })
}

function formatJSON(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
