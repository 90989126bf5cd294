/** Downloads a program into the cache, completely or not at all. */
import { FwError } from "../../lib/errors.ts"
import { fillFile, type NewFile } from "../system/whole-file.ts"

/** A program to cache. */
export interface CachedProgram {
  /** Writes it. Its FwErrors are passed on. */
  readonly fetch: (file: NewFile) => Promise<unknown>
  /** Returns true if the program is in the cache and valid. */
  readonly isInstalled: () => Promise<boolean>
  /** Returns the error for a refusal of the system. */
  readonly toWriteError: (cause: unknown) => FwError
  readonly signal: AbortSignal
}

/** Installs a program. @throws FwError of `fetch`, or `refused`; the signal's reason if it aborted. */
export async function cacheProgram(path: string, program: CachedProgram): Promise<void> {
  const { fetch, isInstalled, toWriteError, signal } = program
  try {
    // Each install writes its own file and renames it, so two at once end with one complete file.
    await fillFile({ root: null, path }, fetch, 0o755)
  } catch (error) {
    // An error of the file writer itself, which `refused` describes better.
    const isRefused = error instanceof FwError && error.code === "unwritable"
    if (signal.aborted || !isRefused) throw error
    // Windows cannot replace a running program: another install was first.
    if (!(await isInstalled())) throw toWriteError(error.cause ?? error)
  }
}
