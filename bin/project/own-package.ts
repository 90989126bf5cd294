/** The package of this command: its files, and a tarball of them. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { packageDirectory } from "../system/package.ts"
import { type PackageFile, packTar } from "../system/tar.ts"

/** Fields of its package.json. */
export interface OwnManifest {
  readonly version: string
  readonly engines: Readonly<Record<string, string>>
  readonly bin: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Reads its package.json. */
export async function readOwnManifest(root = packageDirectory): Promise<OwnManifest> {
  return JSON.parse(await readFile(join(root, "package.json"), "utf8")) as OwnManifest
}

/** npm includes these whatever `files` contains … */
const alwaysIncludedPattern = /^(?:package\.json|(?:readme|licen[cs]e)(?:\.[^/]*)?)$/i
/** … and excludes these. */
const neverIncludedPattern = /(?:^|\/)(?:\.DS_Store|\._[^/]*|[^/]*\.orig|\..*\.swp|node_modules|\.git)(?:\/|$)/

/** Returns the files of `npm pack`, sorted by path: the same in a checkout and in an installed package. */
export async function listOwnFiles(root = packageDirectory): Promise<PackageFile[]> {
  const { files, bin } = await readOwnManifest(root)
  const wanted = files.filter((entry) => !entry.startsWith("!"))
  const unwanted = files.filter((entry) => entry.startsWith("!")).map((entry) => toGlobPattern(entry.slice(1)))
  const found = (await readdir(root)).filter((name) => alwaysIncludedPattern.test(name))
  for (const entry of wanted) {
    const glob = toGlobPattern(entry)
    found.push(...listFilesBelow(root, entry.replace(/\/?[^/]*\*.*$/, "")).filter((path) => glob.test(path)))
  }
  const paths = [...new Set(found)].filter(
    (path) => !neverIncludedPattern.test(path) && !unwanted.some((glob) => glob.test(path)),
  )
  const programs = Object.values(bin).map((path) => path.replace(/^\.\//, ""))
  // More than a thousand small files: waiting for each one takes longer than reading it.
  return paths.sort().map((path) => ({
    path,
    bytes: readFileSync(join(root, path)),
    executable: programs.includes(path),
  }))
}

/** Returns a file, or every file below a directory, relative to the root. */
function listFilesBelow(root: string, path: string): string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [path] : []
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = `${path}/${entry.name}`
    return entry.isFile() ? [inner] : listFilesBelow(root, inner)
  })
}

/** Converts a pattern with `*` and `**` to an expression. */
function toGlobPattern(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*|[^*]+/g, (part) => {
    if (part === "**/") return "(?:.*/)?"
    return part === "*" ? "[^/]*" : part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&")
  })
  return new RegExp(`^${source}(?:/|$)`)
}

/** Returns the tarball of the package, identical for identical files. */
export async function packOwnPackage(
  root = packageDirectory,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const { version } = await readOwnManifest(root)
  return { name: `fw-${version}.tgz`, bytes: packTar(await listOwnFiles(root)) }
}
