/** Tells bugs from errors that are an answer to the client. */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { getDevHooks } from "../dev/hooks.ts"
import { HttpError } from "../errors.ts"

/**
 * Returns true if an error is a bug: it is neither an answer that the program chose, nor caused by a client that has
 * disconnected.
 */
export function isBug(c: Context, error: unknown): boolean {
  if (error === undefined || error instanceof HttpError) return false
  // The reason is read only after the client has disconnected, because reading it creates the signal.
  if (!access.isAborted(c)) return true
  return error !== c.signal.reason && !(error instanceof Error && error.name === "AbortError")
}

/** Returns true if the error of a request is a bug that `fw dev` has not printed. */
export function isUnprintedBug(c: Context): boolean {
  return isBug(c, c.error) && !getDevHooks()?.hasPrinted?.(c)
}
