/** Finds the files that the imports of a project refer to. */
import { posix } from "node:path"
import { readManifest } from "./manifest.ts"

/** The field `imports` of package.json, which gives files names such as `#lib/*`. */
export type ImportNames = Readonly<Record<string, unknown>>

/** Returns the `imports` of a project's package.json; an empty object if it cannot be read. */
export function readImportNames(root: string): ImportNames {
  const { imports } = readManifest(root)
  return { ...Object(imports) }
}

/**
 * Returns the files that an import may refer to, relative to the project's root; an empty list if it imports a
 * package.
 *
 * @param path the specifier, such as `./a.ts` or `#lib/a.ts`.
 * @param from the file that contains the import, relative to the root.
 */
export function listImportedFiles(names: ImportNames, from: string, path: string): string[] {
  if (/^\.\.?\//.test(path)) return [posix.join(posix.dirname(from), path)]
  if (!path.startsWith("#")) return []
  return Object.entries(names).flatMap(([name, target]) => {
    if (typeof target !== "string") return []
    const [start = "", end] = name.split("*")
    if (end === undefined) return name === path ? [posix.normalize(target)] : []
    if (!path.startsWith(start) || !path.endsWith(end)) return []
    const middle = path.slice(start.length, path.length - end.length)
    return [posix.normalize(target.replace("*", () => middle))]
  })
}

/**
 * Returns the specifier with which a file imports another one: a name in package.json, such as `#lib/*`, or a
 * relative path.
 */
export function toImportPath(root: string, from: string, to: string): string {
  const target = to.endsWith(".tpl") ? `${to}.ts` : to
  for (const [key, value] of Object.entries(readImportNames(root))) {
    const [start = "", end] = key.split("*")
    const [directory = "", rest] = typeof value === "string" ? value.replace(/^\.\//, "").split("*") : []
    if (end === "" && rest === "" && directory !== "" && target.startsWith(directory))
      return `${start}${target.slice(directory.length)}`
  }
  const path = posix.relative(posix.dirname(from), target)
  return path.startsWith("../") ? path : `./${path}`
}

/** Returns the `imports` of package.json, with all possible targets of each name. */
export function listImportTargets(root: string): Record<string, readonly string[]> {
  return Object.fromEntries(Object.entries(readImportNames(root)).map(([name, target]) => [name, collectTexts(target)]))
}

function collectTexts(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(collectTexts) : []
}
