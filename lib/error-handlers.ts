/** Answers errors with the handler and the pages that a program has for them. */
import { platform } from "#platform"
import { responseOf } from "./chain.ts"
import type { Context } from "./context.ts"
import { plainError, sendError, shownError } from "./error-response.ts"
import { HttpError } from "./errors.ts"
import { missingFrom } from "./exchange.ts"
import { misuse } from "./fault.ts"
import type { ErrorPages } from "./mount/pages.ts"
import type { HandlerResult } from "./types.ts"

/** The handler and the pages that a program has for errors. */
export interface ErrorHandlers {
  readonly onError: ((c: Context, error: unknown) => HandlerResult) | undefined
  readonly errorPages: ErrorPages | undefined
}

/**
 * Returns the program's own response to an error, otherwise the page for it if the client is a browser,
 * otherwise `{error, message}`. What the program throws or returns in place of a response decides which error that is.
 */
export async function shapedError(
  c: Context,
  error: unknown,
  { onError, errorPages }: ErrorHandlers,
): Promise<Response> {
  let shown = shownError(error)
  // A function or a page that fails itself leaves the answer to the next one, so that the request ends.
  const failed = (again: unknown) => {
    if (again !== error && !(again instanceof HttpError)) platform.report(again)
    shown = shownError(again)
    return shown
  }
  try {
    const own = await onError?.(c, error)
    const answer = responseOf(own)
    if (answer) return sendError(c, shown, answer, missingFrom)
    if (own instanceof HttpError) shown = own
    else if (onError) platform.report(misuse("error.result", own))
  } catch (again) {
    failed(again)
  }
  try {
    const page = await errorPages?.(c, shown, failed)
    if (page) return sendError(c, shown, page)
  } catch (again) {
    failed(again)
  }
  return plainError(c, shown)
}
