/** Writes a directory completely or not at all: under another name, and renamed at the end. */
import { dirname } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { makeDirectory } from "./directories.ts"
import { OwnDirectory } from "./own-directory.ts"
import { resolveDirectoryPath, unwritableError, type WritePlace } from "./write-place.ts"

/**
 * Fills a directory, which replaces an existing one.
 *
 * @throws FwError as `resolveDirectoryPath` does, and for errors of the system. All changes are undone then.
 */
export async function fillDirectory<T>(place: WritePlace, fill: (directory: OwnDirectory) => Promise<T>): Promise<T> {
  const path = await resolveDirectoryPath(place)
  const { undo } = await makeDirectory({ ...place, path: dirname(path) })
  let directory: OwnDirectory | undefined
  try {
    directory = await OwnDirectory.createNextTo(path)
    const result = await fill(directory)
    await directory.replace(path)
    return result
  } catch (error) {
    await directory?.remove()
    await undo()
    throw error instanceof FwError || !(error as NodeJS.ErrnoException).syscall ? error : unwritableError(place, error)
  }
}

/**
 * Creates a temporary directory below `.fw/`, calls a function with it, and removes it afterwards, also after an
 * error.
 *
 * @throws FwError if `.fw` cannot be created, or is a link to outside the project.
 */
export async function withWorkDirectory<T>(root: string, work: (directory: OwnDirectory) => Promise<T>): Promise<T> {
  const { path } = await makeDirectory({ root, path: ".fw" })
  const directory = await OwnDirectory.createNextTo(`${path}/work`)
  try {
    return await work(directory)
  } finally {
    await directory.remove()
  }
}
