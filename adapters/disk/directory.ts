/** The route directory on disk. */
import { readdir, readFile, realpath, stat } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"
import { type DirectoryEntry, type DirectorySource, examine, type ScanResult, scan } from "../../lib/scan.ts"
import type { RouteTree } from "../../lib/tree.ts"

/**
 * Scans a route directory on disk.
 *
 * @param root the project's directory; the tree's files are relative to it.
 * @param appDir the route directory, relative to the root or absolute.
 * @param source the source to read from. Default: the disk.
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
 * Scans a route directory on disk, and returns the tree with its problems.
 *
 * @param source the source to read from. Default: the disk.
 * @throws FwError `app_dir` if it does not exist.
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
 * The directories below a project's root. A symbolic link to a file counts as that file; one to a directory is followed
 * only inside the project, and only if it does not lead back to a parent.
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
      // Reading a named pipe would never return.
      if (!(await stat(path)).isFile()) throw new Error("it is not an ordinary file")
      return readFile(path, "utf8")
    },
  }
}

async function readLinkKind(root: string, directory: string, name: string): Promise<DirectoryEntry["kind"]> {
  const path = join(root, directory, name)
  const found = await ignoreMissing(stat(path))
  if (found === null) return "dangling"
  if (!found.isDirectory()) return "file"
  const target = await realpath(path)
  // Each directory on the path, by the names that led here, because a link may have been followed before.
  const parts = directory.split("/")
  for (let length = parts.length; length > 0; length -= 1) {
    if (isWithin(await realpath(join(root, ...parts.slice(0, length))), target)) return "loop"
  }
  return isWithin(target, await realpath(root)) ? "directory" : "outside"
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
}

async function ignoreMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    // ELOOP: a link to itself leads nowhere.
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return null
    throw error
  }
}
