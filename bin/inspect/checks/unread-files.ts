/** Files of the route directory that look like convention files, although no convention and no module reads them. */
import { type Dirent, existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { withinOneEdit } from "../../../lib/one-edit.ts"
import { type Role, roleOf } from "../../../lib/scan/file-names.ts"
import { isTestFile } from "../../project/test-file.ts"
import { isIgnoredDirectory, produced } from "../../system/watch.ts"
import { type Finding, failure, warning } from "./finding.ts"
import { moduleOf } from "./misplaced-files.ts"

/** The exports by which a file shows its role, whatever its name is. */
const shown: ReadonlyArray<readonly [role: Role, names: RegExp]> = [
  ["route", /^(?:Get|Post|Put|Patch|Delete|Head|Options|All|Socket|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/],
  ["middleware", /^Middleware$/],
  ["proxy", /^Proxy(?:Config)?$/],
  ["page", /^Page$/],
  ["layout", /^Layout$/],
  ["not-found", /^NotFound$/],
  ["error", /^Failure$/],
]

/** Text without this exports nothing. */
const mayExport = /\bexport\b/
const code = /\.(?:m?[jt]s|[jt]sx)$/
const readable = /\.(?:[cm]?[jt]sx?|tpl)$/
const generated = /\.tpl\.ts$|\.d\.[cm]?ts$/

/** A file that seems to have a role. */
interface Candidate {
  readonly file: string
  readonly name: string
  readonly role: Role
  /** The export that shows the role; undefined if only the file's name resembles one. */
  readonly shows: string | undefined
}

/** Returns the files that nothing reads, with the name that each probably should have. */
export async function unreadFiles(root: string, appDir: string): Promise<Finding[]> {
  const candidates: Candidate[] = []
  for await (const file of filesBelow(root, appDir, (name) => /^[_.]/.test(name))) {
    const candidate = await candidateOf(root, file)
    if (candidate) candidates.push(candidate)
  }
  if (candidates.length === 0) return []
  const imported = await importedNames(root)
  return candidates.filter(({ name }) => !imported.has(stemOf(name))).map((one) => findingOf(root, one))
}

function findingOf(root: string, { file, name, role, shows }: Candidate): Finding {
  const ending = name.endsWith(".tpl")
    ? "tpl"
    : /^(?:not-found|error)$/.test(role)
      ? "tpl"
      : name.split(".").at(-1)
  const right = `${role}.${ending}`
  const isTaken = existsSync(join(root, file.slice(0, -name.length), right))
  const helper = "A helper is fine once a module imports it."
  if (!shows)
    return warning(
      "unread",
      { file },
      `nothing reads ${name}. Did you mean ${right}?`,
      `Rename it to ${right}. ${helper}`,
    )
  const isPath = /^(?:route|page)$/.test(role) && !isUsual(name, role)
  const below = `${stemOf(name)}/${right}`
  const fix = isTaken
    ? `Move ${shows} to ${right}, which is in the same directory.`
    : isPath
      ? `Move it to ${below}: each path is a directory. Or rename it to ${right}.`
      : `Rename it to ${right}.`
  return failure(
    "unread",
    { file },
    `nothing reads ${name}: fw reads ${shows} from ${right}`,
    `${fix} ${helper}`,
  )
}

/** Returns true for a name of the file of its own directory, such as `post.ts`, and not for a further path. */
function isUsual(name: string, role: Role): boolean {
  const stem = stemOf(name).toLowerCase()
  const isKnown = /^(?:index|handlers?|get|post|put|patch|delete|head|options|all|socket|main|view|home)$/
  return isKnown.test(stem) || withinOneEdit(stem, role)
}

async function candidateOf(root: string, file: string): Promise<Candidate | null> {
  const name = file.slice(file.lastIndexOf("/") + 1)
  if (!readable.test(name) || generated.test(name) || isTestFile(name) || roleOf(name) !== null) return null
  const names = await exportsOf(root, file)
  for (const [role, pattern] of shown) {
    const shows = names.find((one) => pattern.test(one))
    if (shows) return { file, name, role, shows }
  }
  const near = shown.find(([role]) => withinOneEdit(stemOf(name).toLowerCase(), role))?.[0]
  const isRead = near !== undefined && (name.endsWith(".tpl") || !/^(?:not-found|error)$/.test(near))
  return isRead && names.length > 0 ? { file, name, role: near, shows: undefined } : null
}

async function exportsOf(root: string, file: string): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8").catch(() => "")
  // A file without exports needs no parser.
  if (code.test(file) && mayExport.test(text))
    return (await moduleOf(root, file))?.exports.map(({ name }) => name) ?? []
  return [...text.matchAll(/^template\s+([\w$]+)/gm)].map(([, name]) => name as string)
}

/** Returns the names, without their endings, of all files that modules of the project import. */
async function importedNames(root: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for await (const file of filesBelow(
    root,
    "",
    (name, isTop) => isIgnoredDirectory(name) || (isTop && produced.includes(name)),
  )) {
    if (!readable.test(file) || generated.test(file)) continue
    const text = await readFile(join(root, file), "utf8").catch(() => "")
    for (const [, path = ""] of text.matchAll(/["'`][^"'`\n]*\/([^"'`/\n]+)["'`]/g)) names.add(stemOf(path))
  }
  return names
}

function stemOf(name: string): string {
  return name.replace(/(?:\.tpl)?\.(?:[cm]?[jt]sx?|tpl)$/, "")
}

async function* filesBelow(
  root: string,
  directory: string,
  isLeftOut: (name: string, isTop: boolean) => boolean,
): AsyncGenerator<string> {
  const entries: Dirent[] = await readdir(join(root, directory), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = directory === "" || directory === "." ? entry.name : `${directory}/${entry.name}`
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && entry.name !== "node_modules" && !isLeftOut(entry.name, directory === ""))
      yield* filesBelow(root, path, isLeftOut)
  }
}
