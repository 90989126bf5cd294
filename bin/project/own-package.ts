/** Lists the files of the command's own package, and packs them into a tarball. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { packageDirectory } from "../system/package.ts"
import { type PackageFile, packTar } from "../system/tar.ts"

/** The fields of the command's own package.json that are used. */
export interface OwnManifest {
  readonly version: string
  readonly engines: Readonly<Record<string, string>>
  readonly bin: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly devDependencies: Readonly<Record<string, string>>
}

export async function readOwnManifest(root = packageDirectory): Promise<OwnManifest> {
  return JSON.parse(await readFile(join(root, "package.json"), "utf8")) as OwnManifest
}

/** Files that npm always includes. */
const alwaysIncludedPattern = /^(?:package\.json|(?:readme|licen[cs]e)(?:\.[^/]*)?)$/i
/** Files that npm never includes. */
const neverIncludedPattern = /(?:^|\/)(?:\.DS_Store|\._[^/]*|[^/]*\.orig|\..*\.swp|node_modules|\.git)(?:\/|$)/

/**
 * Returns the files that `npm pack` would include, sorted by path. In a checkout and in an installed package they
 * are the same.
 */
export async function listOwnFiles(root = packageDirectory): Promise<PackageFile[]> {
  const { files, bin } = await readOwnManifest(root)
  const includedEntries = files.filter((entry) => !entry.startsWith("!"))
  const excludedGlobs = files.filter((entry) => entry.startsWith("!")).map((entry) => toGlobPattern(entry.slice(1)))
  const found = (await readdir(root)).filter((name) => alwaysIncludedPattern.test(name))
  for (const entry of includedEntries) {
    const glob = toGlobPattern(entry)
    found.push(...listFilesBelow(root, entry.replace(/\/?[^/]*\*.*$/, "")).filter((path) => glob.test(path)))
  }
  const paths = [...new Set(found)].filter(
    (path) => !neverIncludedPattern.test(path) && !excludedGlobs.some((glob) => glob.test(path)),
  )
  const programs = Object.values(bin).map((path) => path.replace(/^\.\//, ""))
  // Reads synchronously, because for more than a thousand small files that is faster than waiting for each one.
  return paths.sort().map((path) => ({
    path,
    bytes: readFileSync(join(root, path)),
    executable: programs.includes(path),
  }))
}

/** Returns a file, or all files below a directory, relative to the root. */
function listFilesBelow(root: string, path: string): string[] {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats ? [path] : []
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = `${path}/${entry.name}`
    return entry.isFile() ? [inner] : listFilesBelow(root, inner)
  })
}

/** Converts a pattern with `*` and `**` to a regular expression. */
function toGlobPattern(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*|[^*]+/g, (part) => {
    if (part === "**/") return "(?:.*/)?"
    return part === "*" ? "[^/]*" : part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&")
  })
  return new RegExp(`^${source}(?:/|$)`)
}

/** Returns the tarball of the package. The same files always give the same bytes. */
export async function packOwnPackage(
  root = packageDirectory,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const { version } = await readOwnManifest(root)
  return { name: `fw-${version}.tgz`, bytes: packTar(await listOwnFiles(root)) }
}
