/** Creates directories one after the other, so that empty ones can be removed after an error. */
import { rmdir } from "node:fs/promises"
import { makeDirectory as createDirectory } from "../../adapters/shared/make-directory.ts"
import { resolveDirectoryPath, unwritableError, type WritePlace } from "./write-place.ts"

/** Reverts a step. */
export type Undo = () => Promise<unknown>

/** A directory that exists now. */
export interface MadeDirectory {
  /** Its absolute path, with links resolved. */
  readonly path: string
  /** Removes the created directories if they are still empty. */
  readonly undo: Undo
}

/**
 * Creates a directory and its missing parents. @throws FwError as `resolveDirectoryPath` does, and for errors of
 * the system.
 */
export async function makeDirectory(place: WritePlace): Promise<MadeDirectory> {
  const path = await resolveDirectoryPath(place)
  const steps: Undo[] = []
  const undo = () => undoSteps(steps)
  try {
    createDirectory(path, { onMade: (made) => steps.push(() => rmdir(made)) })
    return { path, undo }
  } catch (cause) {
    await undo()
    throw unwritableError(place, cause)
  }
}

/** Reverts steps, the last one first. Directories that are in use stay. */
export async function undoSteps(steps: Undo[]): Promise<void> {
  for (const step of steps.splice(0).reverse()) await step().catch(() => {})
}
