/** Loads the project's esbuild, and converts its messages to problems. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { BuildFailure, Message } from "esbuild"
import type { FwError, Location } from "../../lib/errors.ts"
import { findImportFix } from "../../template/typescript-fixes.ts"
import { buildFault } from "../messages/build.ts"
import { readPackageName } from "../tools/npm.ts"
import { type ImportPlace, suggestImportFix } from "./import-fix.ts"
import { formatChangedFiles, locateProblem, type Problem } from "./problems.ts"
import { mapToTemplate } from "./template-problems.ts"

const unresolvedPattern = /^Could not resolve "([^"]+)"/
/**
 * Matches a message about a file in a package that cannot be bundled, and captures the package's name and the path
 * after it.
 */
const unreadablePattern = /^No loader is configured for .* files: (?:.*\/)?node_modules\/(.+)$/

/** The exports of esbuild. */
export type Esbuild = typeof import("esbuild")

/**
 * Imports the esbuild of a project.
 *
 * @throws FwError `esbuild_missing` if the project has none.
 */
export async function loadEsbuild(root: string): Promise<Esbuild> {
  try {
    const path = createRequire(join(root, "package.json")).resolve("esbuild")
    const module = (await import(pathToFileURL(path).href)) as { default: Esbuild }
    return module.default
  } catch (cause) {
    throw buildFault("esbuild_missing", [], { cause })
  }
}

/** Returns true for the error that esbuild throws for a failed build. */
export function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors)
}

/**
 * Converts a message to a problem with source lines. A message about a compiled template gets the position in the
 * template.
 */
export function toBuildProblem(root: string, { text, location, notes }: Message): Problem {
  const fix = findAdvice(text, { root, file: location?.file ?? "" }) ?? notes.map((note) => note.text).join(" ")
  const rest = { message: text, ...(fix ? { fix } : {}) }
  if (!location) return rest
  const { file, line, column, length } = location
  if (file.endsWith(".tpl.ts")) return { ...rest, ...mapToTemplate(root, file, { text, line, column }) }
  return locateProblem(root, file, { line, column: column + 1, length }, rest)
}

/**
 * Returns the problems of a failed build. If several files import a missing module, they are one problem that lists
 * all the files.
 */
export function toBuildProblems(root: string, { errors }: BuildFailure): Problem[] {
  const groups = new Map<string, Problem[]>()
  for (const [i, error] of errors.entries()) {
    const key = findMissingTarget(error) ?? String(i)
    groups.set(key, [...(groups.get(key) ?? []), toBuildProblem(root, error)])
  }
  return [...groups.values()].map(([first = { message: "" }, ...others]) => {
    const files = new Set(others.flatMap(({ file }) => (file && file !== first.file ? [file] : [])))
    if (files.size === 0) return first
    const more = files.size === 1 ? "Another file imports" : `${files.size} more files import`
    return { ...first, fix: `${first.fix ?? ""} ${more} it: ${formatChangedFiles(root, files)}.`.trim() }
  })
}

/**
 * Returns a text for the module or export that an import did not find. It is the same for all files that import it.
 */
function findMissingTarget({ text, location }: Message): string | undefined {
  if (text.startsWith("No matching export in ")) return text
  const [, name] = unresolvedPattern.exec(text) ?? []
  if (name === undefined) return undefined
  return name.startsWith(".") ? join(dirname(location?.file ?? ""), name) : name
}

/** Returns one error for a project that cannot be bundled, which lists each problem with its position. */
export function bundleError(root: string, failure: BuildFailure): FwError {
  const faults = toFaults(toBuildProblems(root, failure), (text, fix, at) => buildFault("bundle", [text, fix], at))
  return buildFault("bundle.several", [faults], { problems: faults })
}

/**
 * Returns an error for each problem, with the source lines around its position.
 *
 * @param create creates the error.
 */
export function toFaults(
  problems: readonly Problem[],
  create: (text: string, fix: string | undefined, options: { readonly at?: Location }) => FwError,
): FwError[] {
  return problems.map(({ message, frame, fix, file, line, column }) => {
    const at = file === undefined ? undefined : { file, ...(line && { line }), ...(column && { column }) }
    return create(frame ? `${message}\n\n${frame}\n` : message, fix, at ? { at } : {})
  })
}

function formatMissingAdvice(name: string): string {
  const setting = formatSetting("optional", name)
  return `Install it: npm install ${name}. Or correct its name. If the program runs without it, say so: ${setting}.`
}

function formatSetting(key: "external" | "optional", name: string): string {
  return `"fw": { ${JSON.stringify(key)}: [${JSON.stringify(name)}] } in package.json`
}

/**
 * Returns the fix for a message. esbuild's own advice is left out, because it is about options that users of fw do
 * not set.
 */
function findAdvice(message: string, place: ImportPlace): string | undefined {
  const [, name] = unresolvedPattern.exec(message) ?? []
  const owner = readPackageName(unreadablePattern.exec(message)?.[1] ?? "")
  if (owner !== null) return `Keep ${owner} outside of the bundle: ${formatSetting("external", owner)}.`
  const importFix = findImportFix(message) || suggestImportFix(place, message)
  if (name === undefined || importFix) return importFix || undefined
  return /^[./#]/.test(name)
    ? "Correct the path, or write the file."
    : formatMissingAdvice(readPackageName(name) ?? name)
}
