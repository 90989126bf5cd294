/** Distinguishes a bug from a response. */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { devHooks } from "../dev/hooks.ts"
import { HttpError } from "../errors.ts"

/**
 * Returns true if an error is a bug: neither a response that the program chose, nor a client that
 * disconnected.
 */
export function isBug(c: Context, error: unknown): boolean {
  if (error === undefined || error instanceof HttpError) return false
  // While the client is connected, the reason is not read, because that would create the signal.
  if (!access.isAborted(c)) return true
  return error !== c.signal.reason && !(error instanceof Error && error.name === "AbortError")
}

/** Returns true if the error of a request is a bug that `fw dev` has not shown yet. */
export function isUnseenBug(c: Context): boolean {
  return isBug(c, c.error) && !devHooks()?.isShown?.(c)
}
