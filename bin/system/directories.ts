/** Creates directories, and removes the empty ones again after an error. */
import { rmdir } from "node:fs/promises"
import { makeDirectory as createDirectory } from "../../adapters/shared/make-directory.ts"
import { resolveDirectoryPath, unwritableError, type WritePlace } from "./write-place.ts"

/** Undoes a step. */
export type Undo = () => Promise<unknown>

/** A directory that was created or existed before. */
export interface MadeDirectory {
  /** Absolute path with links resolved. */
  readonly path: string
  /** Removes the directories that were created, if they are still empty. */
  readonly undo: Undo
}

/**
 * Creates a directory and its missing parents.
 *
 * @throws FwError as `resolveDirectoryPath` does, and for errors of the system.
 */
export async function makeDirectory(place: WritePlace): Promise<MadeDirectory> {
  const path = await resolveDirectoryPath(place)
  const steps: Undo[] = []
  const undo = () => undoSteps(steps)
  try {
    createDirectory(path, { onCreate: (made) => steps.push(() => rmdir(made)) })
    return { path, undo }
  } catch (cause) {
    await undo()
    throw unwritableError(place, cause)
  }
}

/** Undoes steps in reverse order. Directories that are not empty stay. */
export async function undoSteps(steps: Undo[]): Promise<void> {
  for (const step of steps.splice(0).reverse()) await step().catch(() => {})
}
