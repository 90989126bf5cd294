/** Answers errors with the handler of `app.onError()` and with the error pages of a program. */
import { platform } from "#platform"
import { toResponse } from "../chain.ts"
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import { findMissingChanges } from "../exchange.ts"
import type { ErrorPages } from "../mount/pages.ts"
import type { HandlerResult } from "../types.ts"
import { addErrorHeaders, createErrorResponse, toVisibleError } from "./error-response.ts"
import { misuse } from "./fault.ts"

/** The functions of a program that answer errors. */
export interface ErrorHandlers {
  readonly onError: ((c: Context, error: unknown) => HandlerResult) | undefined
  readonly errorPages: ErrorPages | undefined
}

/**
 * Answers an error: with the response of `onError`; without one, with the error page if the client is a browser;
 * otherwise with `{error, message}`. If the program throws or returns another error instead of a response, that error
 * is answered.
 */
export async function answerError(
  c: Context,
  error: unknown,
  { onError, errorPages }: ErrorHandlers,
): Promise<Response> {
  let visibleError = toVisibleError(error)
  // If `onError` or a page fails itself, the next one in this order answers, so that the request always ends.
  const replaceError = (nextError: unknown) => {
    if (nextError !== error && !(nextError instanceof HttpError)) platform.report(nextError)
    visibleError = toVisibleError(nextError)
    return visibleError
  }
  try {
    const result = await onError?.(c, error)
    const answer = toResponse(result)
    if (answer) return addErrorHeaders(c, visibleError, answer, findMissingChanges)
    if (result instanceof HttpError) visibleError = result
    else if (onError) platform.report(misuse("error.result", result))
  } catch (nextError) {
    replaceError(nextError)
  }
  try {
    const page = await errorPages?.(c, visibleError, replaceError)
    if (page) return addErrorHeaders(c, visibleError, page)
  } catch (nextError) {
    replaceError(nextError)
  }
  return createErrorResponse(c, visibleError)
}
