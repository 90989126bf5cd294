/** Reads the imports between the sources of a checkout. */
import { readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { root } from "./tsc.ts"

/** One import of a file. */
export interface Arrow {
  readonly from: string
  readonly to: string
}

/** Returns the files below folders, relative to the checkout. */
export function listFiles(folders: readonly string[], end: string): string[] {
  return folders.flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[])
      .filter((name) => name.endsWith(end))
      .map((name) => posix.join(folder, name.replaceAll("\\", "/"))),
  )
}

/** Returns a text without comments. Strings stay, because the path of an import is one. */
function bare(text: string): string {
  return text.replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, "")
}

const statement = /^(?:import|export)\b[^"';]*?\bfrom\s*"([.#][^"]+)"|^import\s*"(\.[^"]+)"/gm
const call = /\bimport\(\s*"([.#][^"]+)"\s*\)/g

/**
 * Returns the file of an import by a relative path, or by another name in package.json. Undefined for `#platform`,
 * which has several files.
 */
function findFile(specifier: string, from: string): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier)
  if (specifier === "#bundle") return "adapters/disk/bundle-directory.ts"
  if (specifier.startsWith("#parts/")) return `lib/${specifier.slice(1)}.ts`
  return undefined
}

/** Returns every import of the sources: of values and of types, static and dynamic. */
export function importsOfSources(folders: readonly string[]): Arrow[] {
  return listFiles(folders, ".ts").flatMap((from) => {
    const text = bare(readFileSync(join(root, from), "utf8"))
    const found = [...text.matchAll(statement), ...text.matchAll(call)]
    return found.flatMap(([, one, other]) => {
      const to = findFile(one ?? other ?? "", from)
      return to === undefined ? [] : [{ from, to }]
    })
  })
}

/**
 * Returns the imports that run when a program starts, without types and `import()`.
 *
 * @param platform the file that `#platform` stands for; without one, it is not followed.
 */
export function importsAtStart(folders: readonly string[], platform?: string): Arrow[] {
  return listFiles(folders, ".ts").flatMap((from) => {
    const text = bare(readFileSync(join(root, from), "utf8"))
    return [...text.matchAll(statement)].flatMap(([whole, one, other]) => {
      if (/^(?:import|export) type\b/.test(whole)) return []
      const specifier = one ?? other ?? ""
      const to = specifier === "#platform" ? platform : findFile(specifier, from)
      return to === undefined ? [] : [{ from, to }]
    })
  })
}

/** Returns the groups of files that import each other in a circle, each sorted. */
export function findCircles(arrows: readonly Arrow[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of arrows) targets.set(from, [...(targets.get(from) ?? []), to])
  const reached = new Map<string, Set<string>>()
  const reach = (start: string): Set<string> => {
    const known = reached.get(start)
    if (known) return known
    const found = new Set<string>()
    const open = [...(targets.get(start) ?? [])]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (found.has(file)) continue
      found.add(file)
      open.push(...(targets.get(file) ?? []))
    }
    reached.set(start, found)
    return found
  }
  const inCircle = [...targets.keys()].filter((file) => reach(file).has(file))
  const groups = new Set(
    inCircle.map((file) =>
      inCircle
        .filter((other) => reach(file).has(other) && reach(other).has(file))
        .sort()
        .join(" "),
    ),
  )
  return [...groups].map((group) => group.split(" "))
}
