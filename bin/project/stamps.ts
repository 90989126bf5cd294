/** Stamps, which differ between two states of a file. Files are not read for them. */
import { statSync } from "node:fs"

/** The stamp of a file as it is now, another one after every change; null for one that is not there. */
export function stampOf(path: string): string | null {
  try {
    // Two changes within a millisecond that leave the length as it is differ in the inode's change time.
    const { mtimeMs, ctimeMs, size, ino } = statSync(path)
    return `${mtimeMs}:${ctimeMs}:${size}:${ino}`
  } catch {
    return null
  }
}
