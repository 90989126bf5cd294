/** Downloads a program into the cache, completely or not at all. */
import { FwError } from "../../lib/errors.ts"
import { fillFile, type NewFile } from "../system/whole-file.ts"

/** A program to cache. */
export interface CachedProgram {
  /** Downloads the program into a file. Its FwErrors are not changed. */
  readonly fetch: (file: NewFile) => Promise<unknown>
  /** Returns true if a valid program is in the cache. */
  readonly isInstalled: () => Promise<boolean>
  /** Returns the error if the system refuses to write. */
  readonly toWriteError: (cause: unknown) => FwError
  readonly signal: AbortSignal
}

/**
 * Downloads a program, unless another process has done so meanwhile.
 *
 * @throws FwError of `fetch`, or the error of `toWriteError`; the signal's reason if it aborted.
 */
export async function cacheProgram(path: string, program: CachedProgram): Promise<void> {
  const { fetch, isInstalled, toWriteError, signal } = program
  try {
    // Every process writes its own file and renames it, so two at the same time leave one complete file.
    await fillFile({ root: null, path }, fetch, 0o755)
  } catch (error) {
    // Only errors of writing the file are replaced. `toWriteError` describes them better.
    const isRefused = error instanceof FwError && error.code === "unwritable"
    if (signal.aborted || !isRefused) throw error
    // Windows cannot replace a program that is running. Then another process has installed it.
    if (!(await isInstalled())) throw toWriteError(error.cause ?? error)
  }
}
