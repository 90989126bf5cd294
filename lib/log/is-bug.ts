/** Telling a bug from an answer. Asked by the pipeline and by whatever logs. */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { HttpError } from "../errors.ts"

/** Whether an error is a bug: neither an answer that the program chose, nor the client's going away. */
export function isBug(c: Context, error: unknown): boolean {
  if (error === undefined || error instanceof HttpError) return false
  // Who has not left is not asked for the reason: that would make the signal.
  if (!access.aborted(c)) return true
  return error !== c.signal.reason && !(error instanceof Error && error.name === "AbortError")
}
