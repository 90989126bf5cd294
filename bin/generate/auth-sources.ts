/** The sources of the reference application with their imports, adapted for another project. */
import { readdir, readFile } from "node:fs/promises"
import { join, posix } from "node:path"
import { toImportPath } from "../project/import-names.ts"
import { packageDirectory } from "../system/package.ts"
import type { NewFile } from "./files.ts"

/** The reference application, which the package contains as in the repository. */
export const referenceDirectory = join(packageDirectory, "examples/auth/")

/** A file of the reference application. */
export interface ReferenceSource extends NewFile {
  /** Packages that it imports. */
  readonly packages: readonly string[]
}

const importPattern = /(\bfrom |^import )"([^"]+)"/gm

/** Returns the listed files, the files below listed directories, and all their imports; sorted. */
export async function readReferenceSources(entries: readonly string[]): Promise<ReferenceSource[]> {
  const found = new Map<string, ReferenceSource>()
  const queue = (await Promise.all(entries.map(listFiles))).flat()
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue
    const text = await readFile(join(referenceDirectory, file), "utf8")
    const imported = [...text.matchAll(importPattern)].map(([, , name]) => name as string)
    const packages = imported.filter((name) => !/^(?:\.|node:|fw(?:\/|$))/.test(name))
    found.set(file, { file, text, packages })
    queue.push(...imported.flatMap((name) => resolveSource(file, name) ?? []))
  }
  return [...found.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Returns a file, or every file below a directory except generated ones. */
async function listFiles(entry: string): Promise<string[]> {
  if (/\.\w+$/.test(entry)) return [entry]
  const names = await readdir(join(referenceDirectory, entry), { recursive: true, withFileTypes: true })
  return names
    .filter((name) => name.isFile() && !name.name.endsWith(".tpl.ts"))
    .map(({ parentPath, name }) => toPosixPath(join(parentPath, name).slice(referenceDirectory.length)))
}

/**
 * Returns the source that a specifier names; null for a package. A template's compiled sibling stands for the
 * template.
 */
function resolveSource(file: string, name: string): string | null {
  return name.startsWith(".") ? posix.join(posix.dirname(file), name).replace(/\.tpl\.ts$/, ".tpl") : null
}

function toPosixPath(path: string): string {
  return path.replaceAll("\\", "/")
}

/** A project, whose directories may have other names than in the reference. */
export interface ProjectDirectories {
  readonly root: string
  readonly appDir: string
  readonly staticDir: string
  /** The module that exports `db`. */
  readonly databaseIndex: string
}

/** Returns the path of a file of the reference in a project. */
export function toProjectPath(path: string, { appDir, staticDir, databaseIndex }: ProjectDirectories): string {
  if (path === "db/index.ts") return databaseIndex
  if (path.startsWith("static/")) return posix.join(staticDir, path.slice(7))
  return path.startsWith("app/") ? posix.join(appDir, path.slice(4)) : path
}

/** Adapts a source for a project with other directories, and with aliases such as `#lib/*`. */
export function relocate({ file, text }: ReferenceSource, places: ProjectDirectories): NewFile {
  const from = toProjectPath(file, places)
  return {
    file: from,
    text: text.replace(importPattern, (whole, start: string, name: string) => {
      const target = name.startsWith(".") && toProjectPath(posix.join(posix.dirname(file), name), places)
      if (!target) return whole
      const relativePath = posix.relative(posix.dirname(from), target)
      const path = relativePath.startsWith("../") ? toImportPath(places.root, from, target) : `./${relativePath}`
      return `${start}"${path}"`
    }),
  }
}

/** Returns the packages of the reference application, with their versions. */
export async function readReferenceVersions(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(referenceDirectory, "package.json"), "utf8")
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies
}
