/** Answers errors with the handler and the pages that a program has for them. */
import { platform } from "#platform"
import { toResponse } from "../chain.ts"
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import { findMissingChanges } from "../exchange.ts"
import type { ErrorPages } from "../mount/pages.ts"
import type { HandlerResult } from "../types.ts"
import { sendError, sendPlainError, toVisibleError } from "./error-response.ts"
import { misuse } from "./fault.ts"

/** The handler and the pages that a program has for errors. */
export interface ErrorHandlers {
  readonly onError: ((c: Context, error: unknown) => HandlerResult) | undefined
  readonly errorPages: ErrorPages | undefined
}

/**
 * Returns the program's own response to an error, otherwise the page for it if the client is a browser, otherwise
 * `{error, message}`. If the program throws or returns another error instead of a response, that one is answered.
 */
export async function answerError(
  c: Context,
  error: unknown,
  { onError, errorPages }: ErrorHandlers,
): Promise<Response> {
  let visibleError = toVisibleError(error)
  // A function or a page that fails itself leaves the answer to the next one, so that the request ends.
  const replaceError = (again: unknown) => {
    if (again !== error && !(again instanceof HttpError)) platform.report(again)
    visibleError = toVisibleError(again)
    return visibleError
  }
  try {
    const own = await onError?.(c, error)
    const answer = toResponse(own)
    if (answer) return sendError(c, visibleError, answer, findMissingChanges)
    if (own instanceof HttpError) visibleError = own
    else if (onError) platform.report(misuse("error.result", own))
  } catch (again) {
    replaceError(again)
  }
  try {
    const page = await errorPages?.(c, visibleError, replaceError)
    if (page) return sendError(c, visibleError, page)
  } catch (again) {
    replaceError(again)
  }
  return sendPlainError(c, visibleError)
}
