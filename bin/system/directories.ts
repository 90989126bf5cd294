/** Makes directories, one after the other, so that those that a failure leaves empty can be taken back. Used by everything that writes. */
import { lstat, mkdir, rmdir } from "node:fs/promises"
import { dirname } from "node:path"
import { directoryPlace, type Place, unwritable } from "./place.ts"

/** Takes a step back. */
export type Undo = () => Promise<unknown>

/** A directory that is there now. */
export interface MadeDirectory {
  /** Its absolute path, free of links. */
  readonly path: string
  /** Removes the directories that were made, where they are still empty. */
  readonly undo: Undo
}

/** Makes a directory and what is missing above it. @throws FwError as `directoryPlace` does, and where the system refuses. */
export async function makeDirectory(place: Place): Promise<MadeDirectory> {
  const path = await directoryPlace(place)
  const steps: Undo[] = []
  const undo = () => takeBack(steps)
  try {
    await makeMissing(path, steps)
    return { path, undo }
  } catch (cause) {
    await undo()
    throw unwritable(place, cause)
  }
}

/**
 * Makes the directories of a path that are missing. Not by `mkdir` with `recursive`: Node 20's never ends where the system
 * says ENOENT, as below /proc.
 */
export async function makeMissing(directory: string, undo: Undo[]): Promise<void> {
  const missing: string[] = []
  for (let at = directory; !(await lstat(at).catch(absent)); at = dirname(at)) missing.unshift(at)
  for (const path of missing) {
    // Another command may make the same one at the same time. Then it is not ours to remove.
    const made = await mkdir(path).then(() => true, ignoreExisting)
    if (made) undo.push(() => rmdir(path))
  }
}

/** Runs steps back, the last one first. What is in use by now stays. */
export async function takeBack(steps: Undo[]): Promise<void> {
  for (const step of steps.splice(0).reverse()) await step().catch(() => {})
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null
  throw error
}

function ignoreExisting(error: NodeJS.ErrnoException): false {
  if (error.code === "EEXIST") return false
  throw error
}
