/**
 * The hooks for errors of requests in a server process of `fw dev`. The explanation of a bug replaces the program's
 * response, and an answer with a status from 400 to 499 gets a header with a note. The process and the program have
 * different copies of fw, so this file uses no class of fw.
 */
import type { Context } from "../../../lib/context.ts"
import type { DevHooks } from "../../../lib/dev/hooks.ts"
import type { HttpError } from "../../../lib/errors.ts"

/** The request in which an error occurred. Headers and query are left out, because they may contain secrets. */
export interface FailedRequest {
  readonly method: string
  readonly path: string
  /** Pattern of the route; `""` if no route matched. */
  readonly pattern: string
  /** Returns a request header, from which the format of the answer is chosen. */
  header(name: string): string
}

/** The body that replaces the program's response to a bug. */
export interface BugAnswer {
  readonly type: string
  readonly body: string
}

/** The functions that show errors of requests. */
export interface ErrorViewer {
  /**
   * Shows a bug.
   *
   * @param culprit the function that returned a wrong result, because it is not in the stack.
   * @param thrower the handler that threw the error.
   * @returns null to send the program's own response.
   */
  readonly show: (
    error: unknown,
    request: FailedRequest,
    culprit: object | undefined,
    thrower: object | undefined,
  ) => BugAnswer | null
  /**
   * Explains an error that was answered with a status from 400 to 499.
   *
   * @param data the data that the error is about, if any.
   * @returns the text for the header {@link noteHeader}; empty if there is nothing to explain.
   */
  readonly explain: (error: HttpError, request: FailedRequest, data: unknown) => string
}

/** The header in which a server process sends the explanation of an answer to its parent. */
export const noteHeader = "x-fw-note"

/** Returns the hooks for requests. */
export function createErrorHooks({ show, explain }: ErrorViewer) {
  const bugAnswers = new WeakMap<Context, BugAnswer | null>()
  /** The explanation of the last answer with a status from 400 to 499. */
  const notes = new WeakMap<Context, string>()
  const culprits = new WeakMap<object, object>()
  const throwers = new WeakMap<object, object>()
  const invalidData = new WeakMap<object, unknown>()

  return {
    onError(c: Context, isBug) {
      const { method, originalPath: path, pattern, error } = c
      const request = { method, path, pattern, header: (name: string) => c.header(name) }
      if (isBug) {
        const key = Object(error)
        c.reported = true
        bugAnswers.set(c, show(error, request, culprits.get(key), throwers.get(key)))
      } else if (isClientError(error)) notes.set(c, explain(error, request, invalidData.get(error)))
    },
    hasPrinted: (c: Context) => bugAnswers.has(c),
    onResponse(c: Context, response, exchange) {
      if (response.status < 400) return response
      const note = response.status > 499 ? "" : notes.get(c)
      if (note) return exchange.addHeaders(response, [{ name: noteHeader, value: note, append: false }])
      const answer = !c.reported || response.status < 500 ? undefined : bugAnswers.get(c)
      return answer && !response.bodyUsed ? replaceBody(response, answer) : response
    },
    onWrongResult: (error, culprit) => void culprits.set(error, culprit),
    onThrow(error, handler) {
      if (error instanceof Object && !throwers.has(error)) throwers.set(error, handler)
    },
    onInvalid: (error, data) => void invalidData.set(error, data),
  } satisfies DevHooks
}

/** Returns true for an HttpError with a status from 400 to 499. */
function isClientError(error: unknown): error is HttpError {
  const status = error instanceof Error && "status" in error ? error.status : undefined
  return typeof status === "number" && status < 500
}

/** Returns a response whose body is the explanation of a bug. */
function replaceBody(response: Response, { type, body }: BugAnswer): Response {
  const headers = new Headers(response.headers)
  // These headers describe the original body, and its policy would block the style of the page.
  for (const name of [...headers.keys()]) {
    if (/^(?:content-|etag$|last-modified$)/.test(name)) headers.delete(name)
  }
  headers.set("content-type", type)
  headers.set("cache-control", "no-store")
  response.body?.cancel().catch(() => {})
  return new Response(body, { status: response.status, headers })
}
