/** Scans the route directory on disk. */
import { readdir, readFile, realpath, stat } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"
import { type DirectoryEntry, type DirectorySource, examine, type ScanResult, scan } from "../../lib/scan.ts"
import type { RouteTree } from "../../lib/tree.ts"

/**
 * Scans a route directory on disk.
 *
 * @param root the directory of the project. The files in the tree are relative to it.
 * @param appDir the route directory, relative to the root or absolute.
 * @param source where files are read from. Default: the disk.
 * @throws FwError as {@link scan} does.
 */
export function scanDirectory(
  root: string,
  appDir: string,
  source: DirectorySource = createDirectorySource(root),
): Promise<RouteTree> {
  return scan(source, toRelativePath(root, appDir))
}

/**
 * Scans a route directory on disk. Returns the tree together with the problems.
 *
 * @param source where files are read from. Default: the disk.
 * @throws FwError `app_dir` if the directory does not exist.
 */
export function examineDirectory(
  root: string,
  appDir: string,
  source: DirectorySource = createDirectorySource(root),
): Promise<ScanResult> {
  return examine(source, toRelativePath(root, appDir))
}

/** Returns a path relative to the root, with forward slashes. */
function toRelativePath(root: string, directory: string): string {
  return relative(root, resolve(root, directory)).split(sep).join("/")
}

/**
 * Reads the directories of a project. A symbolic link to a file counts as that file. A link to a directory is followed
 * only inside of the project, and only if it does not lead to one of its own parents.
 */
export function createDirectorySource(root: string): DirectorySource {
  return {
    async list(directory) {
      const entries = await ignoreMissing(readdir(join(root, directory), { withFileTypes: true }))
      if (entries === null) return null
      return Promise.all(
        entries.map(async (entry): Promise<DirectoryEntry> => {
          const { name } = entry
          if (entry.isSymbolicLink()) return { name, kind: await readLinkKind(root, directory, name) }
          return { name, kind: entry.isDirectory() ? "directory" : "file" }
        }),
      )
    },
    async read(file) {
      const path = join(root, file)
      // Reading a named pipe would never end.
      if (!(await stat(path)).isFile()) throw new Error("it is not an ordinary file")
      return readFile(path, "utf8")
    },
  }
}

async function readLinkKind(root: string, directory: string, name: string): Promise<DirectoryEntry["kind"]> {
  const path = join(root, directory, name)
  const stats = await ignoreMissing(stat(path))
  if (stats === null) return "dangling"
  if (!stats.isDirectory()) return "file"
  const target = await realpath(path)
  // The directories on the path are compared by name, because a link may already have been followed.
  const parts = directory.split("/")
  for (let length = parts.length; length > 0; length -= 1) {
    if (isWithin(await realpath(join(root, ...parts.slice(0, length))), target)) return "loop"
  }
  return isWithin(target, await realpath(root)) ? "directory" : "outside"
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}

async function ignoreMissing<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    // ELOOP: the link leads to itself.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return null
    throw error
  }
}
