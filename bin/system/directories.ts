/** Creates directories one after the other, so that empty ones can be removed after an error. */
import { lstat, mkdir, rmdir } from "node:fs/promises"
import { dirname } from "node:path"
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
    await createMissingDirectories(path, steps)
    return { path, undo }
  } catch (cause) {
    await undo()
    throw unwritableError(place, cause)
  }
}

/**
 * Creates the missing directories of a path. Not with `recursive` of `mkdir`, which in Node 20 never ends if
 * the system reports ENOENT, as below /proc.
 */
export async function createMissingDirectories(directory: string, undo: Undo[]): Promise<void> {
  const missing: string[] = []
  for (let at = directory; !(await lstat(at).catch(ignoreMissing)); at = dirname(at)) missing.unshift(at)
  for (const path of missing) {
    // If another command creates the same one at the same time, it must not be removed.
    const isNew = await mkdir(path).then(() => true, ignoreExisting)
    if (isNew) undo.push(() => rmdir(path))
  }
}

/** Reverts steps, the last one first. Directories that are in use stay. */
export async function undoSteps(steps: Undo[]): Promise<void> {
  for (const step of steps.splice(0).reverse()) await step().catch(() => {})
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null
  throw error
}

function ignoreExisting(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false
  throw error
}
