/** Checks that a path stays in a directory, with links resolved. */
import { lstat, realpath } from "node:fs/promises"
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"

/** Returns true if a path, as written, is a directory or below it. */
export function isInside(path: string, directory: string): boolean {
  const relativePath = relative(directory, path)
  return (
    relativePath === "" || (relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
  )
}

/**
 * Returns true if the entry at a path, existing or not, is really in a directory: the nearest existing parent
 * is resolved. A dangling link is nowhere.
 */
export async function staysInside(path: string, directory: string): Promise<boolean> {
  const top = resolve(directory)
  const full = resolve(top, path)
  if (full.includes("\0") || !isInside(full, top)) return false
  const [real, nearest] = await Promise.all([
    realpath(top).catch(() => null),
    findNearestExisting(full).then((found) => realpath(found).catch(() => null)),
  ])
  return real !== null && nearest !== null && isInside(nearest, real)
}

/** Returns the nearest existing part of a path: itself or a parent. A link counts, also a dangling one. */
async function findNearestExisting(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null)
  return found || dirname(path) === path ? path : findNearestExisting(dirname(path))
}
