/** Finds the real path of a directory, and recognises errors about missing files. */
import { realpathSync, statSync } from "node:fs"

/**
 * Returns true for errors about a name that is not a file: it is missing, too long, a loop of links, a socket, or not
 * valid on this system.
 */
export function isMissingFileError(error: unknown): boolean {
  const codes = "ENOENT ENOTDIR ENAMETOOLONG ELOOP ENXIO ENODEV EINVAL EISDIR EILSEQ"
  return codes.split(" ").includes((error as NodeJS.ErrnoException).code ?? "")
}

/** Returns the real path of a directory; null if it does not exist. */
export function findRealDirectory(dir: string): string | null {
  try {
    // Most programs have no such directory. This check is cheaper than the error of realpath.
    const isDirectory = statSync(dir, { throwIfNoEntry: false })?.isDirectory()
    return isDirectory ? realpathSync.native(dir) : null
  } catch (error) {
    if (isMissingFileError(error)) return null
    throw error
  }
}
