/**
 * Finds files of the route directory that look like convention files, but that no convention and no module reads.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { isWithinOneEdit } from "../../../lib/one-edit.ts"
import { type FileRole, findRole } from "../../../lib/scan/file-names.ts"
import { tryParseModule } from "../../project/read-module.ts"
import { isTestFile } from "../../project/test-file.ts"
import type { LinkSource } from "../links/project-links.ts"
import { createError, createWarning, type Finding } from "./finding.ts"
import { roleExports } from "./misplaced-files.ts"

/** The exports by which a file is recognized, whatever its name. */
const recognizedExports: readonly (readonly [role: FileRole, names: readonly string[]])[] = [
  ["route", [...roleExports.route, "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]],
  ["middleware", roleExports.middleware],
  ["proxy", [...roleExports.proxy, "ProxyConfig"]],
  ["page", roleExports.page],
  ["layout", roleExports.layout],
  ["not-found", ["NotFound"]],
  ["error", ["Failure"]],
]

/** A file that seems to have a role. */
interface Candidate {
  readonly file: string
  readonly name: string
  readonly role: FileRole
  /** The export by which it was recognized; undefined if only its name is similar. */
  readonly exportName: string | undefined
}

/** Returns the files that nothing reads, with the names that they should probably have. */
export function findUnreadFiles(root: string, appDir: string, sources: readonly LinkSource[]): Finding[] {
  const start = appDir === "." ? "" : `${appDir}/`
  const candidates = sources.flatMap((source) => {
    const isPrivate = source.file
      .slice(start.length)
      .split("/")
      .slice(0, -1)
      .some((name) => /^[_.]/.test(name))
    return source.file.startsWith(start) && !isPrivate ? (findCandidate(source) ?? []) : []
  })
  if (candidates.length === 0) return []
  const imported = findImportedNames(sources)
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

function findCandidate({ file, text }: LinkSource): Candidate | null {
  const name = file.slice(file.lastIndexOf("/") + 1)
  if (isTestFile(name) || findRole(name) !== null) return null
  const names = listExports(file, text)
  for (const [role, known] of recognizedExports) {
    const exportName = names.find((one) => known.includes(one))
    if (exportName) return { file, name, role, exportName }
  }
  const near = recognizedExports.find(([role]) => isWithinOneEdit(toStem(name).toLowerCase(), role))?.[0]
  const isRead = near !== undefined && (name.endsWith(".tpl") || !/^(?:not-found|error)$/.test(near))
  return isRead && names.length > 0 ? { file, name, role: near, exportName: undefined } : null
}

function listExports(file: string, text: string): string[] {
  if (file.endsWith(".tpl")) return [...text.matchAll(/^template\s+([\w$]+)/gm)].map(([, name]) => name as string)
  // A file without exports need not be parsed.
  if (!/\bexport\b/.test(text)) return []
  return tryParseModule(file, text)?.exports.map(({ name }) => name) ?? []
}

/** Returns the names, without extension, of all files that the sources import. */
function findImportedNames(sources: readonly LinkSource[]): ReadonlySet<string> {
  const imports = sources.flatMap(({ text }) => [...text.matchAll(/["'`][^"'`\n]*\/([^"'`/\n]+)["'`]/g)])
  return new Set(imports.map(([, path = ""]) => toStem(path)))
}

function toStem(name: string): string {
  return name.replace(/(?:\.tpl)?\.(?:[cm]?[jt]sx?|tpl)$/, "")
}
