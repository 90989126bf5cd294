/** Links of a chain: each turns what goes wrong in it into an answer, so that `next` always resolves. Composed when routes are registered. */
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { HttpError } from "./errors.ts"
import { fault, misuse } from "./fault.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "./types.ts"

/** A handler that never throws and never rejects. It stays synchronous where the handler is. */
export type Link = (c: Context) => Response | Promise<Response>

/** Makes the answer to an error, and tells the context of it. */
export type ErrorAnswer = (c: Context, error: unknown) => Response | Promise<Response>

/** Whether a value can be sent: a Response, also one of another realm or package. */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || isForeign(value)
}

/** A value that can be sent as the runtime's own Response: it takes no other. */
export function responseOf(value: unknown): Response | undefined {
  if (value instanceof Response) return value
  return isForeign(value) ? new Response(value.body, value) : undefined
}

function isForeign(value: unknown): value is Response {
  return (
    typeof (value as Partial<Response> | undefined)?.arrayBuffer === "function" && "status" in Object(value)
  )
}

/** Runs a function of the program and makes an answer of what it gives, or of what went wrong in either. Stays synchronous where that is. */
export function attempt(
  run: (c: Context) => unknown,
  c: Context,
  settle: (c: Context, value: unknown) => Response | Promise<Response>,
  fail: ErrorAnswer,
): Response | Promise<Response> {
  try {
    const value = run(c)
    if (!isThenable(value)) return settle(c, value)
    return Promise.resolve(value)
      .then((settled) => settle(c, settled))
      .catch((error) => fail(c, error))
  } catch (error) {
    return fail(c, error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | undefined)?.then === "function"
}

/**
 * Makes a link of a handler.
 *
 * @param source what a message calls it, such as its file.
 */
export function link(handler: HandlerFunc, source: string, onError: ErrorAnswer): Link {
  const settle = (c: Context, value: unknown) => {
    const response = responseOf(value)
    if (response) return access.flush(c, response)
    if (value instanceof HttpError) return onError(c, value)
    throw misuse("handler.result", source, value)
  }
  return (c) => attempt(handler, c, settle, onError)
}

/** The files of middleware, where it came out of one: messages name them rather than the route. */
export const middlewareFiles = new WeakMap<MiddlewareFunc, string>()

/** What answers errors behind a `next`, for middleware that makes chains itself. */
export const errorAnswers = new WeakMap<Next, ErrorAnswer>()

/**
 * Wraps a link in middleware, the first outermost. Called once for each route, never per request.
 *
 * @throws FwError `middleware` when a middleware gives no handler.
 */
export function compose(
  middleware: readonly MiddlewareFunc[],
  inner: Link,
  source: string,
  onError: ErrorAnswer,
): Link {
  let chain = inner
  for (const wrap of middleware.toReversed()) {
    const further = chain
    const next: Next = async (c) => further(c)
    errorAnswers.set(next, onError)
    const handler = wrap(next)
    const name = middlewareFiles.get(wrap) ?? `a middleware of ${source}`
    if (typeof handler !== "function") throw fault("middleware.result", name, handler)
    chain = link(handler, name, onError)
  }
  return chain
}
