/** Writes a directory whole or not at all: under another name, which takes its place when all of it is there. Used by builds. */
import { dirname } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { makeDirectory } from "./directories.ts"
import { OwnDirectory } from "./own-directory.ts"
import { directoryPlace, type Place, unwritable } from "./place.ts"

/**
 * Has a directory filled, and puts it in the place of one that is there.
 *
 * @throws FwError as `directoryPlace` does, and where the system refuses. Then everything is as it was.
 */
export async function fillDirectory<T>(
  place: Place,
  fill: (directory: OwnDirectory) => Promise<T>,
): Promise<T> {
  const path = await directoryPlace(place)
  const { undo } = await makeDirectory({ ...place, path: dirname(path) })
  let own: OwnDirectory | undefined
  try {
    own = await OwnDirectory.nextTo(path)
    const result = await fill(own)
    await own.replace(path)
    return result
  } catch (error) {
    await own?.remove()
    await undo()
    throw error instanceof FwError || !(error as NodeJS.ErrnoException).syscall
      ? error
      : unwritable(place, error)
  }
}

/**
 * Gives a directory of its own below `.fw/` to a piece of work, and removes it afterwards, however that ends.
 *
 * @throws FwError where `.fw` cannot be made, or leads out of the project by a link.
 */
export async function inWorkplace<T>(
  root: string,
  work: (directory: OwnDirectory) => Promise<T>,
): Promise<T> {
  const { path } = await makeDirectory({ root, path: ".fw" })
  const own = await OwnDirectory.nextTo(`${path}/work`)
  try {
    return await work(own)
  } finally {
    await own.remove()
  }
}
