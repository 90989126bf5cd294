/** Runs the project's own `tsc`. Errors in compiled templates get their positions in the `.tpl`. */

import { existsSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { compareByCodeUnit } from "../../lib/order.ts"
import { type Diagnostic, mapMessages, type OutputMessage } from "../../template/index.ts"
import { startProgram } from "../tools/program.ts"
import { findTypeScript } from "./find-typescript.ts"
import { readSettings } from "./settings.ts"
import { compileFile } from "./templates.ts"
import { isTestFile } from "./test-file.ts"

/** The result of a check. `checked` is false if the project has no TypeScript or no fw of its own. */
export interface TypeCheck {
  readonly checked: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** An error in a module that a developer wrote. */
export interface ModuleError {
  /** Relative to the project. */
  readonly file: string
  readonly text: string
  readonly line: number
  readonly column: number
}

/** The result of a check with the errors of all modules except tests. */
export interface ProjectCheck extends TypeCheck {
  readonly modules: readonly ModuleError[]
}

/** Options for a project without a `tsconfig.json`. */
const fallbackOptions = [
  "--strict",
  "--module",
  "nodenext",
  "--target",
  "es2022",
  "--allowImportingTsExtensions",
  "--skipLibCheck",
]

const templateModuleEnding = ".tpl.ts"

/**
 * The error that content mappers may not run. It is ignored: the compiled modules are checked instead, and have the
 * same errors at the same positions.
 */
const mapperNotRunCode = "TS18068"

/** Matches a line of `tsc --pretty false` with an error. */
const errorLinePattern = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/

/**
 * Runs the project's own `tsc` and returns only the errors in templates. The project's own type check reports the
 * others.
 *
 * @param outputs the compiled templates, relative to the project.
 */
export async function checkTemplateTypes(
  root: string,
  outputs: readonly string[],
  signal?: AbortSignal,
): Promise<TypeCheck> {
  if (outputs.length === 0) return { checked: findTsc(root) !== null, diagnostics: [] }
  const { checked, diagnostics } = await checkTypes(root, outputs, signal)
  return { checked, diagnostics }
}

/**
 * Runs the project's own `tsc`. Without a `tsconfig.json`, it checks the templates and the modules that they
 * import.
 *
 * @param outputs the compiled templates, relative to the project.
 */
export async function checkTypes(
  root: string,
  outputs: readonly string[],
  signal?: AbortSignal,
): Promise<ProjectCheck> {
  const tsc = findTsc(root)
  const hasConfig = existsSync(join(root, "tsconfig.json"))
  if (!tsc || !(hasConfig || outputs.length > 0)) return { checked: tsc !== null, diagnostics: [], modules: [] }
  const config = hasConfig ? ["-p", "tsconfig.json"] : [...fallbackOptions, ...outputs]
  const args = [tsc, "--noEmit", "--pretty", "false", ...config]
  const errors = await runTsc(root, args, signal)
  return { checked: true, diagnostics: await mapToDiagnostics(root, errors), modules: toModuleErrors(errors) }
}

async function runTsc(
  root: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, TypeMessage[]>> {
  const programOptions = { program: process.execPath, args, cwd: root, name: "tsc" }
  const { stdout } = await startProgram(signal ? { ...programOptions, signal } : programOptions).ended
  signal?.throwIfAborted()
  return readErrors(root, stdout)
}

function toModuleErrors(errors: ReadonlyMap<string, readonly TypeMessage[]>): ModuleError[] {
  const modules = [...errors].flatMap(([file, messages]) =>
    isOwnModule(file) ? messages.map(({ text, line, column }) => ({ file, text, line, column: column + 1 })) : [],
  )
  return modules.sort((a, b) => compareByCodeUnit(a.file, b.file))
}

/**
 * Runs the project's own `tsc` with the `tsconfig.json` of the browser code.
 *
 * @returns the errors; none for a project without that file.
 */
export async function checkBrowserTypes(root: string, signal?: AbortSignal): Promise<readonly ModuleError[]> {
  const config = join(readSettings(root).assets, "tsconfig.json")
  const tsc = findTsc(root)
  if (!tsc || !existsSync(join(root, config))) return []
  const errors = await runTsc(root, [tsc, "--noEmit", "--pretty", "false", "-p", config], signal)
  return toModuleErrors(errors)
}

/**
 * Returns the path of `tsc`. Returns null if the project has no fw of its own, because the checker would not find
 * it, or would find another package of that name.
 */
function findTsc(root: string): string | null {
  return existsSync(join(root, ".fw/node_modules/fw")) ? null : findTypeScript(root)
}

/** Returns true for a module that the project's developers wrote. */
function isOwnModule(file: string): boolean {
  return !file.endsWith(templateModuleEnding) && !/^(?:\.\.|\.fw|node_modules|tests?)\//.test(file) && !isTestFile(file)
}

/** An error that `tsc` printed. */
interface TypeMessage extends OutputMessage {
  text: string
  readonly line: number
  readonly column: number
}

/** Returns the errors by file. Indented lines belong to the error above them. */
function readErrors(root: string, text: string): Map<string, TypeMessage[]> {
  const errors = new Map<string, TypeMessage[]>()
  let last: TypeMessage | undefined
  for (const line of text.split(/\r?\n/)) {
    const found = errorLinePattern.exec(line)
    if (!found) {
      if (last && /^\s/.test(line)) last.text += `\n${line}`
      continue
    }
    const [, path = "", row, column, code, message] = found
    last = { text: `${message} (${code})`, line: Number(row), column: Number(column) - 1, unit: "utf16" }
    if (isMissingFw(code, message) || code === mapperNotRunCode) continue
    const file = relative(root, join(root, path)).split(sep).join("/")
    errors.set(file, [...(errors.get(file) ?? []), last])
  }
  return errors
}

/** Returns true for the error that fw is not installed, which is not a mistake in a template. */
function isMissingFw(code = "", message = ""): boolean {
  return code === "TS2307" && /^Cannot find module 'fw(?:\/\w+)?'/.test(message)
}

async function mapToDiagnostics(root: string, errors: Map<string, TypeMessage[]>): Promise<Diagnostic[]> {
  const all: Diagnostic[] = []
  for (const [file, messages] of errors) {
    if (!file.endsWith(templateModuleEnding)) continue
    all.push(...mapMessages(await compileFile(root, file.slice(0, -".ts".length)), messages))
  }
  return all.sort((a, b) => compareByCodeUnit(a.file, b.file) || a.offset - b.offset)
}
