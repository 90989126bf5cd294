/** Stamps, which differ between two states of a file. Files are not read for them. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs"

/** The stamp of a file as it is now; null for one that is not there. It is another one after every change. */
export function stampOf(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? stampIn(found) : null
  } catch {
    // A directory above it cannot be read.
    return null
  }
}

/** Two changes within a millisecond that leave the length as it is differ in the inode's change time. */
function stampIn({ mtimeMs, ctimeMs, size, ino }: Stats): string {
  return `${mtimeMs}:${ctimeMs}:${size}:${ino}`
}

/**
 * Reads a text file without waiting: of many small files, that takes a fraction of the time.
 *
 * @returns the text, and the stamp of the file that has it: null if the file changed while it was read. Undefined for
 *   what cannot be read, and for what is not an ordinary file: a named pipe would never end.
 */
export function readStamped(
  path: string,
): { readonly text: string; readonly stamp: string | null } | undefined {
  let file: number
  try {
    // Opening a named pipe without this waits for a program that writes to it. Windows does not have it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch {
    return undefined
  }
  try {
    const before = fstatSync(file)
    if (!before.isFile()) return undefined
    const text = readFileSync(file, "utf8")
    const stamp = stampIn(before)
    return { text, stamp: stampIn(fstatSync(file)) === stamp ? stamp : null }
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}
