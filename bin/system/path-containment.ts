/** Whether a path stays in a directory, whatever links are on the way. Used wherever a path that was given decides where something is read or written. */
import { lstat, realpath } from "node:fs/promises"
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"

/** Whether a path, as it is written, is a directory or lies below it. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Whether what is at a path, or would be, really lies in a directory: the nearest thing that is there is followed
 * through its links. A link that leads to nothing lies nowhere.
 */
export async function staysInside(path: string, directory: string): Promise<boolean> {
  const top = resolve(directory)
  const full = resolve(top, path)
  if (full.includes("\0") || !isInside(full, top)) return false
  const [real, nearest] = await Promise.all([
    realpath(top).catch(() => null),
    existing(full).then((found) => realpath(found).catch(() => null)),
  ])
  return real !== null && nearest !== null && isInside(nearest, real)
}

/** What is there of a path: itself or the nearest above. A link counts, also one that leads to nothing. */
async function existing(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null)
  return found || dirname(path) === path ? path : existing(dirname(path))
}
