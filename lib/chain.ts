/** Links of a chain: each turns what goes wrong in it into an answer, so that `next` always resolves. Composed when routes are registered. */
import { access, type Context } from "./context.ts"
import { HttpError } from "./errors.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "./types.ts"

/** A handler that never throws and never rejects. It stays synchronous where the handler is. */
export type Link = (c: Context) => Response | Promise<Response>

/** Makes the answer to an error, and tells the context of it. */
export type ErrorAnswer = (c: Context, error: unknown) => Response | Promise<Response>

/** Whether a value can be sent: a Response, also one of another realm or package. */
export function isResponse(value: unknown): value is Response {
  if (value instanceof Response) return true
  return (
    typeof value === "object" &&
    value !== null &&
    "status" in value &&
    "headers" in value &&
    "arrayBuffer" in value
  )
}

/**
 * Makes a link of a handler.
 *
 * @param source what a message calls it, such as its file.
 */
export function link(handler: HandlerFunc, source: string, onError: ErrorAnswer): Link {
  const settle = (c: Context, value: unknown): Response | Promise<Response> => {
    if (isResponse(value)) return access.flush(c, value)
    if (value instanceof HttpError) return onError(c, value)
    return onError(
      c,
      new TypeError(`${source} returned ${describe(value)}, not a Response: did it forget to return one?`),
    )
  }
  return (c) => {
    try {
      const value = handler(c)
      if (!(value instanceof Promise)) {
        if (!isThenable(value)) return settle(c, value)
        return Promise.resolve(value)
          .then((v) => settle(c, v))
          .catch((error) => onError(c, error))
      }
      return value.then((v) => settle(c, v)).catch((error) => onError(c, error))
    } catch (error) {
      return onError(c, error)
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"
}

function describe(value: unknown): string {
  if (value === undefined) return "nothing"
  return value === null ? "null" : typeof value === "object" ? "an object" : `a ${typeof value}`
}

/**
 * Wraps a link in middleware, the first outermost. Called once for each route, never per request.
 *
 * @throws TypeError when a middleware gives no handler.
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
    const handler = wrap(next)
    if (typeof handler !== "function") {
      throw new TypeError(
        `a middleware of ${source} gave ${describe(handler)}, not a handler: write (next) => (c) => next(c)`,
      )
    }
    chain = link(handler, `a middleware of ${source}`, onError)
  }
  return chain
}
