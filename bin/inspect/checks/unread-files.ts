/**
 * Finds files of the route directory that look like convention files, but that no convention and no module reads.
 */
import { type Dirent, existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { isWithinOneEdit } from "../../../lib/one-edit.ts"
import { type FileRole, findRole } from "../../../lib/scan/file-names.ts"
import { isTestFile } from "../../project/test-file.ts"
import { isIgnoredDirectory, outputDirectories } from "../../system/watch.ts"
import { createError, createWarning, type Finding } from "./finding.ts"
import { tryReadModule } from "./misplaced-files.ts"

/** The exports by which a file is recognized, whatever its name. */
const roleExports: ReadonlyArray<readonly [role: FileRole, names: RegExp]> = [
  ["route", /^(?:Get|Post|Put|Patch|Delete|Head|Options|All|Socket|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/],
  ["middleware", /^Middleware$/],
  ["proxy", /^Proxy(?:Config)?$/],
  ["page", /^Page$/],
  ["layout", /^Layout$/],
  ["not-found", /^NotFound$/],
  ["error", /^Failure$/],
]

/** Matches a word without which a module has no exports. */
const exportWord = /\bexport\b/
const codeFile = /\.(?:m?[jt]s|[jt]sx)$/
const readableFile = /\.(?:[cm]?[jt]sx?|tpl)$/
const generatedFile = /\.tpl\.ts$|\.d\.[cm]?ts$/

/** A file that seems to have a role. */
interface Candidate {
  readonly file: string
  readonly name: string
  readonly role: FileRole
  /** The export by which it was recognized; undefined if only its name is similar. */
  readonly exportName: string | undefined
}

/** Returns the files that nothing reads, with the names that they should probably have. */
export async function findUnreadFiles(root: string, appDir: string): Promise<Finding[]> {
  const candidates: Candidate[] = []
  for await (const file of listFilesBelow(root, appDir, (name) => /^[_.]/.test(name))) {
    const candidate = await findCandidate(root, file)
    if (candidate) candidates.push(candidate)
  }
  if (candidates.length === 0) return []
  const imported = await readImportedNames(root)
  return candidates.filter(({ name }) => !imported.has(toStem(name))).map((one) => toFinding(root, one))
}

function toFinding(root: string, { file, name, role, exportName }: Candidate): Finding {
  const ending = name.endsWith(".tpl") ? "tpl" : /^(?:not-found|error)$/.test(role) ? "tpl" : name.split(".").at(-1)
  const suggestion = `${role}.${ending}`
  const isTaken = existsSync(join(root, file.slice(0, -name.length), suggestion))
  const helper = "A helper is fine once a module imports it."
  if (!exportName)
    return createWarning(
      "unread",
      { file },
      `nothing reads ${name}. Did you mean ${suggestion}?`,
      `Rename it to ${suggestion}. ${helper}`,
    )
  const isPath = /^(?:route|page)$/.test(role) && !isUsualName(name, role)
  const below = `${toStem(name)}/${suggestion}`
  const fix = isTaken
    ? `Move ${exportName} to ${suggestion}, which is in the same directory.`
    : isPath
      ? `Move it to ${below}: each path is a directory. Or rename it to ${suggestion}.`
      : `Rename it to ${suggestion}.`
  return createError(
    "unread",
    { file },
    `nothing reads ${name}: fw reads ${exportName} from ${suggestion}`,
    `${fix} ${helper}`,
  )
}

/**
 * Returns true if a file with this name, such as `post.ts`, is probably for its own directory. Other names, such as
 * `users.ts`, are meant as a segment of the path.
 */
function isUsualName(name: string, role: FileRole): boolean {
  const stem = toStem(name).toLowerCase()
  const usualStem = /^(?:index|handlers?|get|post|put|patch|delete|head|options|all|socket|main|view|home)$/
  return usualStem.test(stem) || isWithinOneEdit(stem, role)
}

async function findCandidate(root: string, file: string): Promise<Candidate | null> {
  const name = file.slice(file.lastIndexOf("/") + 1)
  if (!readableFile.test(name) || generatedFile.test(name) || isTestFile(name) || findRole(name) !== null) return null
  const names = await readExports(root, file)
  for (const [role, pattern] of roleExports) {
    const exportName = names.find((one) => pattern.test(one))
    if (exportName) return { file, name, role, exportName }
  }
  const near = roleExports.find(([role]) => isWithinOneEdit(toStem(name).toLowerCase(), role))?.[0]
  const isRead = near !== undefined && (name.endsWith(".tpl") || !/^(?:not-found|error)$/.test(near))
  return isRead && names.length > 0 ? { file, name, role: near, exportName: undefined } : null
}

async function readExports(root: string, file: string): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8").catch(() => "")
  // A file without exports need not be parsed.
  if (codeFile.test(file) && exportWord.test(text))
    return (await tryReadModule(root, file))?.exports.map(({ name }) => name) ?? []
  return [...text.matchAll(/^template\s+([\w$]+)/gm)].map(([, name]) => name as string)
}

/** Returns the names, without extension, of all files that modules of the project import. */
async function readImportedNames(root: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for await (const file of listFilesBelow(
    root,
    "",
    (name, isTop) => isIgnoredDirectory(name) || (isTop && outputDirectories.includes(name)),
  )) {
    if (!readableFile.test(file) || generatedFile.test(file)) continue
    const text = await readFile(join(root, file), "utf8").catch(() => "")
    for (const [, path = ""] of text.matchAll(/["'`][^"'`\n]*\/([^"'`/\n]+)["'`]/g)) names.add(toStem(path))
  }
  return names
}

function toStem(name: string): string {
  return name.replace(/(?:\.tpl)?\.(?:[cm]?[jt]sx?|tpl)$/, "")
}

async function* listFilesBelow(
  root: string,
  directory: string,
  isExcluded: (name: string, isTop: boolean) => boolean,
): AsyncGenerator<string> {
  const entries: Dirent[] = await readdir(join(root, directory), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = directory === "" || directory === "." ? entry.name : `${directory}/${entry.name}`
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && entry.name !== "node_modules" && !isExcluded(entry.name, directory === ""))
      yield* listFilesBelow(root, path, isExcluded)
  }
}
