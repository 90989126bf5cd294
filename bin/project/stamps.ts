/** Stamps, which differ between two states of a file. Files are not read for them. */
import { statSync } from "node:fs"

/** The stamp of a file as it is now; null for one that is not there. It is another one after every change. */
export function stampOf(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    // Two changes within a millisecond that leave the length as it is differ in the inode's change time.
    return found ? `${found.mtimeMs}:${found.ctimeMs}:${found.size}:${found.ino}` : null
  } catch {
    // A directory above it cannot be read.
    return null
  }
}
