/** Reads the files of the reference application with their imports, and adapts them to a project. */
import { readdir, readFile } from "node:fs/promises"
import { join, posix } from "node:path"
import { toImportPath } from "../project/import-names.ts"
import { packageDirectory } from "../system/package.ts"
import type { NewFile } from "./files.ts"

/** The reference application, which is a part of the package. */
export const referenceDirectory = join(packageDirectory, "examples/auth/")

/** A file of the reference application. */
export interface ReferenceSource extends NewFile {
  /** The packages that the file imports. */
  readonly packages: readonly string[]
}

const importPattern = /(\bfrom |^import )"([^"]+)"/gm

/** Returns the listed files, all files in listed directories, and everything that these import, sorted. */
export async function readReferenceSources(entries: readonly string[]): Promise<ReferenceSource[]> {
  const sourcesByFile = new Map<string, ReferenceSource>()
  const queue = (await Promise.all(entries.map(listFiles))).flat()
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (sourcesByFile.has(file)) continue
    const text = await readFile(join(referenceDirectory, file), "utf8")
    const specifiers = [...text.matchAll(importPattern)].map(([, , name]) => name as string)
    const packages = specifiers.filter((name) => !/^(?:\.|node:|fw(?:\/|$))/.test(name))
    sourcesByFile.set(file, { file, text, packages })
    queue.push(...specifiers.flatMap((name) => resolveSource(file, name) ?? []))
  }
  return [...sourcesByFile.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Returns a file, or all files in a directory except generated ones. */
async function listFiles(entry: string): Promise<string[]> {
  if (/\.\w+$/.test(entry)) return [entry]
  const names = await readdir(join(referenceDirectory, entry), { recursive: true, withFileTypes: true })
  return names
    .filter((name) => name.isFile() && !name.name.endsWith(".tpl.ts"))
    .map(({ parentPath, name }) => toPosixPath(join(parentPath, name).slice(referenceDirectory.length)))
}

/**
 * Returns the path of an imported source; null for a package. For the compiled module of a template, returns the
 * template.
 */
function resolveSource(file: string, name: string): string | null {
  return name.startsWith(".") ? posix.join(posix.dirname(file), name).replace(/\.tpl\.ts$/, ".tpl") : null
}

function toPosixPath(path: string): string {
  return path.replaceAll("\\", "/")
}

/** The directories of a project, which may have other names than in the reference application. */
export interface ProjectDirectories {
  readonly root: string
  readonly appDir: string
  readonly staticDir: string
  /** The module that exports `db`. */
  readonly databaseIndex: string
}

/** Returns the path in a project for a file of the reference application. */
export function toProjectPath(path: string, { appDir, staticDir, databaseIndex }: ProjectDirectories): string {
  if (path === "db/index.ts") return databaseIndex
  if (path.startsWith("static/")) return posix.join(staticDir, path.slice(7))
  return path.startsWith("app/") ? posix.join(appDir, path.slice(4)) : path
}

/** Adapts a source to the directories and aliases (`#lib/*`) of a project. */
export function relocate({ file, text }: ReferenceSource, directories: ProjectDirectories): NewFile {
  const from = toProjectPath(file, directories)
  return {
    file: from,
    text: text.replace(importPattern, (whole, start: string, name: string) => {
      const target = name.startsWith(".") && toProjectPath(posix.join(posix.dirname(file), name), directories)
      if (!target) return whole
      const relativePath = posix.relative(posix.dirname(from), target)
      const path = relativePath.startsWith("../") ? toImportPath(directories.root, from, target) : `./${relativePath}`
      return `${start}"${path}"`
    }),
  }
}

/** Returns the package versions of the reference application. */
export async function readReferenceVersions(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(referenceDirectory, "package.json"), "utf8")
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies
}
