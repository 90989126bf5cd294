/** Checks that a path is inside a directory, with links resolved. */
import { lstat, realpath } from "node:fs/promises"
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"

/** Returns true if a path is a directory or below it. Links are not resolved. */
export function isInside(path: string, directory: string): boolean {
  const relativePath = relative(directory, path)
  return (
    relativePath === "" || (relativePath !== ".." && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath))
  )
}

/**
 * Returns true if a path, which need not exist, is really inside a directory. The nearest existing parent is
 * resolved. A link without a target is outside.
 */
export async function staysInside(path: string, directory: string): Promise<boolean> {
  const directoryPath = resolve(directory)
  const fullPath = resolve(directoryPath, path)
  if (fullPath.includes("\0") || !isInside(fullPath, directoryPath)) return false
  const [realDirectory, nearest] = await Promise.all([
    realpath(directoryPath).catch(() => null),
    findNearestExisting(fullPath).then((found) => realpath(found).catch(() => null)),
  ])
  return realDirectory !== null && nearest !== null && isInside(nearest, realDirectory)
}

/**
 * Returns the path itself if it exists, otherwise its nearest existing parent. A link exists even without its
 * target.
 */
async function findNearestExisting(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null)
  return found || dirname(path) === path ? path : findNearestExisting(dirname(path))
}
