/** Cleans up what the compiler writes next to programs: keeps source maps with a target, and declarations that an entry reaches. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { filesBelow, root } from "./common.mjs"

/** Folders whose sources are part of the package: their maps lead there. */
const withSources = ["lib", "adapters", "tests"]

/**
 * Removes the source maps of programs whose sources are not in the package, with the comments that name them. A comment
 * that names a file which is not there is a warning in bundlers and browsers.
 *
 * @param {string} dist
 */
export function dropMaps(dist) {
  for (const name of filesBelow(dist)) {
    if (withSources.includes(name.split("/")[0])) continue
    const file = join(dist, name)
    if (name.endsWith(".map")) rmSync(file)
    else if (/\.m?js$|\.d\.m?ts$/.test(name)) {
      const text = readFileSync(file, "utf8")
      const bare = text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, "\n")
      if (bare !== text) writeFileSync(file, bare)
    }
  }
}

/**
 * Removes declarations that no entry of package.json reaches: nobody can import what they declare.
 *
 * @param {string} dist
 */
export function dropDeclarations(dist) {
  const reached = reachedDeclarations(dist)
  for (const name of filesBelow(dist)) {
    const declaration = name.replace(/\.map$/, "")
    if (!/\.d\.m?ts$/.test(declaration) || name.startsWith("tests/") || reached.has(declaration)) continue
    rmSync(join(dist, name))
  }
}

/**
 * The declarations that the entries of package.json reach, relative to `dist`.
 *
 * @param {string} dist
 * @returns {Set<string>}
 */
export function reachedDeclarations(dist) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const aliases = Object.entries(manifest.imports).map(([name, { types }]) => [name, inDist(types)])
  const open = Object.values({ ...manifest.exports, ...manifest.imports })
    .flatMap((entry) => (typeof entry === "object" ? [inDist(entry.types)] : []))
    .flatMap((path) => (path.includes("*") ? matching(dist, path) : [path]))
  const reached = new Set()
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path) || !existsSync(join(dist, path))) continue
    reached.add(path)
    for (const specifier of specifiersOf(readFileSync(join(dist, path), "utf8"))) {
      const alias = aliases.find(([name]) => name === specifier)?.[1]
      if (alias) open.push(alias)
      else if (specifier.startsWith(".")) open.push(join(dirname(path), declarationOf(specifier)))
    }
  }
  return reached
}

/** @param {string} path */
function inDist(path) {
  return path.replace(/^\.\/dist\//, "")
}

/** @param {string} dist @param {string} pattern with one `*` */
function matching(dist, pattern) {
  const [before, after] = pattern.split("*")
  return filesBelow(dist).filter((name) => name.startsWith(before) && name.endsWith(after))
}

/** @param {string} specifier as the compiler writes it: with the extension of the source, or of the program */
function declarationOf(specifier) {
  return specifier.replace(/\.(m?)[jt]s$/, ".d.$1ts")
}

/** @param {string} text */
function specifiersOf(text) {
  return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g)].map(([, specifier]) => specifier)
}
