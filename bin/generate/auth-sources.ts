/** The sources of the reference application with their imports, adapted for another project. */
import { readdir, readFile } from "node:fs/promises"
import { join, posix } from "node:path"
import { packageDirectory } from "../system/package.ts"
import type { NewFile } from "./files.ts"

/** The reference application, which the package contains as in the repository. */
export const reference = join(packageDirectory, "examples/auth/")

/** A file of the reference application. */
export interface Source extends NewFile {
  /** Packages that it imports. */
  readonly packages: readonly string[]
}

const specifier = /(\bfrom |^import )"([^"]+)"/gm

/** Returns the listed files, the files below listed directories, and all their imports; sorted. */
export async function readSources(entries: readonly string[]): Promise<Source[]> {
  const found = new Map<string, Source>()
  const queue = (await Promise.all(entries.map(filesOf))).flat()
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue
    const text = await readFile(join(reference, file), "utf8")
    const imported = [...text.matchAll(specifier)].map(([, , name]) => name as string)
    const packages = imported.filter((name) => !/^(?:\.|node:|fw(?:\/|$))/.test(name))
    found.set(file, { file, text, packages })
    queue.push(...imported.flatMap((name) => sourceOf(file, name) ?? []))
  }
  return [...found.values()].sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Returns a file, or every file below a directory except generated ones. */
async function filesOf(entry: string): Promise<string[]> {
  if (/\.\w+$/.test(entry)) return [entry]
  const names = await readdir(join(reference, entry), { recursive: true, withFileTypes: true })
  return names
    .filter((name) => name.isFile() && !name.name.endsWith(".tpl.ts"))
    .map(({ parentPath, name }) => posixPath(join(parentPath, name).slice(reference.length)))
}

/**
 * Returns the source that a specifier names; null for a package. A template's compiled sibling stands for the
 * template.
 */
function sourceOf(file: string, name: string): string | null {
  return name.startsWith(".") ? posix.join(posix.dirname(file), name).replace(/\.tpl\.ts$/, ".tpl") : null
}

function posixPath(path: string): string {
  return path.replaceAll("\\", "/")
}

/** The directories of a project that may have other names than in the reference. */
export interface Places {
  readonly appDir: string
  readonly staticDir: string
}

/** Returns the path of a file of the reference in a project. */
export function moved(path: string, { appDir, staticDir }: Places): string {
  if (path.startsWith("static/")) return posix.join(staticDir, path.slice(7))
  return path.startsWith("app/") ? posix.join(appDir, path.slice(4)) : path
}

/** Adapts a source for a project with other directories. */
export function relocate({ file, text }: Source, places: Places): NewFile {
  const from = posix.dirname(moved(file, places))
  return {
    file: moved(file, places),
    text: text.replace(specifier, (whole, start: string, name: string) => {
      const target = name.startsWith(".") && posix.join(posix.dirname(file), name)
      if (!target) return whole
      const way = posix.relative(from, moved(target, places))
      return `${start}"${way.startsWith("../") ? way : `./${way}`}"`
    }),
  }
}

/** Returns the packages of the reference application, with their versions. */
export async function referenceVersions(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(join(reference, "package.json"), "utf8")
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies
}
