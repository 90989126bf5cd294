/** Puts a downloaded program into the cache, whole or not at all. Called by `css-binary.ts` and `node-binary.ts`. */
import { chmod, rename, rm } from "node:fs/promises"
import { FwError } from "../../lib/errors.ts"
import { makeRoom, partialOf } from "./partial.ts"

/** A program to be cached. */
export interface CachedProgram {
  /** Writes it to a file that is not there yet. An FwError of its own is passed on. */
  readonly fetch: (partial: string) => Promise<void>
  /** Whether the program is at its place, as it should be. */
  readonly isThere: () => Promise<boolean>
  /** The error where the system refuses. */
  readonly refused: (cause: unknown) => FwError
  readonly signal: AbortSignal
}

/** Installs a program at its place. @throws FwError of `fetch`, or `refused`; the signal's reason where that aborted. */
export async function cacheProgram(path: string, program: CachedProgram): Promise<void> {
  const { fetch, isThere, refused, signal } = program
  await makeRoom(path, refused)
  // Each install writes a file of its own and renames it: two at once end with one whole file.
  const partial = partialOf(path)
  try {
    await fetch(partial)
    await chmod(partial, 0o755)
    await rename(partial, path)
  } catch (error) {
    if (error instanceof FwError || signal.aborted) throw error
    // Windows renames onto no program that runs: then another install was first.
    if (!(await isThere())) throw refused(error)
  } finally {
    await rm(partial, { force: true })
  }
}
