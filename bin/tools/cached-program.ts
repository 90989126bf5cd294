/** Puts a downloaded program into the cache, whole or not at all. Called by `css-binary.ts` and `node-binary.ts`. */
import { FwError } from "../../lib/errors.ts"
import { fillFile, type NewFile } from "../system/whole-file.ts"

/** A program to be cached. */
export interface CachedProgram {
  /** Writes it. An FwError of its own is passed on. */
  readonly fetch: (file: NewFile) => Promise<unknown>
  /** Whether the program is at its place, as it should be. */
  readonly isThere: () => Promise<boolean>
  /** The error where the system refuses. */
  readonly refused: (cause: unknown) => FwError
  readonly signal: AbortSignal
}

/** Installs a program at its place. @throws FwError of `fetch`, or `refused`; the signal's reason where that aborted. */
export async function cacheProgram(path: string, program: CachedProgram): Promise<void> {
  const { fetch, isThere, refused, signal } = program
  try {
    // Each install writes a file of its own and renames it: two at once end with one whole file.
    await fillFile({ root: null, path }, fetch, 0o755)
  } catch (error) {
    // The guarded writer's own error, which `refused` describes better.
    const isRefused = error instanceof FwError && error.code === "unwritable"
    if (signal.aborted || !isRefused) throw error
    // Windows renames onto no program that runs: then another install was first.
    if (!(await isThere())) throw refused(error.cause ?? error)
  }
}
