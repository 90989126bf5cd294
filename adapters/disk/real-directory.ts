/** Finds the real path of a directory, and recognizes the errors for a missing file. */
import { realpathSync, statSync } from "node:fs"

/**
 * Error codes for a name that is not a file: missing, too long, a loop, a socket, or malformed on this
 * system.
 */
export function isMissingFileError(error: unknown): boolean {
  const codes = "ENOENT ENOTDIR ENAMETOOLONG ELOOP ENXIO ENODEV EINVAL EISDIR EILSEQ"
  return codes.split(" ").includes((error as NodeJS.ErrnoException).code ?? "")
}

/** Returns the real path of a directory; null if it does not exist. */
export function findRealDirectory(dir: string): string | null {
  try {
    // Most servers have no directory for files, and this check costs less than an error.
    const isDirectory = statSync(dir, { throwIfNoEntry: false })?.isDirectory()
    return isDirectory ? realpathSync.native(dir) : null
  } catch (error) {
    if (isMissingFileError(error)) return null
    throw error
  }
}
