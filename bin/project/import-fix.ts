/** Finds fixes for imports that lack the extension of a file, or name an export that does not exist. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { readModule } from "../../lib/scan/exports.ts"
import { findNearest } from "../cli/find-nearest.ts"
import { listImportedFiles, readImportNames, toImportPath } from "./import-names.ts"

/** The module that contains the import. */
export interface ImportPlace {
  readonly root: string
  /** Relative to the root. */
  readonly file: string
}

/** Matches messages of TypeScript and esbuild about a module that was not found. */
const missingModulePattern = /^(?:Cannot find module '([^']+)'|Could not resolve "([^"]+)")/
/** Matches messages about an export that does not exist. esbuild names the file, TypeScript the specifier. */
const missingNamePattern =
  /^(?:No matching export in "([^"]+)" for import "([^"]+)"|Module '"([^"]+)"' has no exported member '([^']+)')/
const missingExtensionPattern = /^Relative import paths need explicit file extensions/

/**
 * Returns the fix for a message of TypeScript or esbuild about an import; empty for any other message, or if no fix
 * is known.
 */
export function suggestImportFix({ root, file }: ImportPlace, message: string): string {
  if (missingExtensionPattern.test(message)) return 'Add ".ts" to the path.'
  const [, typeScriptPath, esbuildPath] = missingModulePattern.exec(message) ?? []
  const path = typeScriptPath ?? esbuildPath
  if (path !== undefined) {
    if (findImportedPaths(root, file, `${path}.ts`).some(existsSync)) return `Add ".ts" to the path: "${path}.ts"`
    return explainRootAlias({ root, file }, path)
  }
  const [, inner, name, module, member] = missingNamePattern.exec(message) ?? []
  const word = name ?? member
  if (word === undefined) return ""
  const paths = inner === undefined ? findImportedPaths(root, file, module ?? "") : [join(root, inner)]
  const fix = paths.map((path) => explainUnexported(root, path, word)).find((one) => one)
  if (fix) return fix
  const suggestion = findNearest(word, paths.flatMap(listExports))
  return suggestion ? `Did you mean ${suggestion}?` : ""
}

/**
 * Returns the fix for `@/lib/a`, which other frameworks use for files of the project; empty if there is no such
 * file.
 */
function explainRootAlias({ root, file }: ImportPlace, path: string): string {
  const [, start, rest] = /^([@~]\/)(.+)$/.exec(path) ?? []
  const found = ["", ".ts", ".tpl.ts", "/index.ts"]
    .map((end) => `${rest}${end}`)
    .find((name) => isFile(join(root, name)))
  if (rest === undefined || found === undefined) return ""
  return `Write "${toImportPath(root, file, found)}". The names of a project are in imports of package.json, and ${start} is none of them.`
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/**
 * Returns the fix for a name that a file declares but does not export, or exports as CommonJS; empty for other
 * names.
 */
function explainUnexported(root: string, path: string, name: string): string {
  const word = name.replaceAll("$", "\\$")
  const text = existsSync(path) ? readFileSync(path, "utf8") : ""
  const file = relative(root, path).split(sep).join("/")
  const declaration = new RegExp(
    `^(?:(?:async|abstract|declare)\\s+)*(?:function\\*?|const|let|var|class|enum|interface|type)\\s+${word}(?![\\w$])`,
    "m",
  ).exec(text)
  if (declaration) return `Write export before "${declaration[0].replace(/\s+/g, " ")}" in ${file}.`
  return new RegExp(`(?<![.\\w$])(?:module\\.)?exports\\.${word}\\b|^module\\.exports\\b`, "m").test(text)
    ? `Modules use export: write export const ${name} = … in ${file}.`
    : ""
}

/** Returns the paths that an import of a project file may refer to. */
function findImportedPaths(root: string, file: string, path: string): string[] {
  return listImportedFiles(readImportNames(root), file, path).map((found) => join(root, found))
}

function listExports(path: string): string[] {
  try {
    return readModule(readFileSync(path, "utf8"), { file: path, allowsJSX: /x$/.test(path) }).exports.map(
      ({ name }) => name,
    )
  } catch {
    return []
  }
}
