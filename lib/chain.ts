/**
 * Makes chains: a handler inside all its middleware, composed at registration. Each link turns errors into a response,
 * so `next` always resolves.
 */
import { removeHopByHopHeaders, toOwnResponse } from "./answer/foreign-response.ts"
import { isStandIn } from "./answer/stand-in.ts"
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { getDevHooks } from "./dev/hooks.ts"
import { fault, misuse } from "./errors/fault.ts"
import { HttpError } from "./errors.ts"
import { channels, type OperationChannel } from "./trace/operations.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "./types.ts"

/** A handler that never throws and never rejects. It returns a promise only if the program's handler does. */
export type Link = (c: Context) => Response | Promise<Response>

/** Returns the response to an error, and sets the error on the context. */
export type AnswerError = (c: Context, error: unknown) => Response | Promise<Response>

type MaybeStandIn = { readonly [isStandIn]?: true } | undefined

/** Returns true for a value that can be sent: a Response, even if its class is of another realm or package. */
export function isResponse(value: unknown): value is Response {
  return (value as MaybeStandIn)?.[isStandIn] || isLikeResponse(value)
}

/**
 * Converts a value that can be sent to the runtime's own Response, because a runtime accepts no other. Returns false
 * for a value that is not a response.
 */
export function toResponse(value: unknown): Response | false {
  if ((value as MaybeStandIn)?.[isStandIn]) return value as Response
  if (!isLikeResponse(value)) return false
  return value instanceof Response ? removeHopByHopHeaders(value) : toOwnResponse(value)
}

function isLikeResponse(value: unknown): value is Response {
  return typeof (value as Response | undefined)?.arrayBuffer === "function" && "status" in (value as Response)
}

/**
 * Runs a function of the program and makes a response of its result or its error. Returns a promise only if the
 * function does.
 */
export function attempt(
  run: (c: Context) => unknown,
  c: Context,
  settle: (c: Context, value: unknown) => Response | Promise<Response>,
  fail: AnswerError,
): Response | Promise<Response> {
  try {
    const value = run(c)
    if (typeof (value as Partial<PromiseLike<unknown>> | undefined)?.then !== "function") return settle(c, value)
    // The errors of `settle` are handled in the same `then()`: another one would cost a promise per request.
    return Promise.resolve(value).then(
      (settled) => attempt(() => settled, c, settle, fail),
      (error) => fail(c, error),
    )
  } catch (error) {
    return fail(c, error)
  }
}

/**
 * Makes a link from a handler.
 *
 * @param source the name of the handler in messages, such as its file.
 * @param channel the channel of `node:diagnostics_channel` that reports each run, under `name`.
 */
export function createLink(
  handler: HandlerFunc,
  source: string,
  onError: AnswerError,
  channel = channels.handler,
  name = source,
): Link {
  const settle = (c: Context, value: unknown) => {
    const response = toResponse(value)
    if (response) return access.addPendingHeaders(c, response)
    if (value instanceof HttpError) return onError(c, value)
    throw reportWrongResult(misuse("handler.result", source, value), handler)
  }
  const fail: AnswerError = (c, error) => {
    getDevHooks()?.onThrow?.(error, handler)
    return onError(c, error)
  }
  return (c) => {
    access.beginFunction(c)
    return attempt(channel.isWatched ? traceCalls(channel, name, handler) : handler, c, settle, fail)
  }
}

/** Returns a function that calls `run`, and reports each call on a channel under a name. */
export function traceCalls(
  channel: OperationChannel,
  name: string,
  run: (c: Context) => unknown,
): (c: Context) => unknown {
  return (c) => channel.run(name, () => run(c), c)
}

/**
 * Passes the error about a wrong result to `fw dev`, and returns it. @param culprit the function that returned the
 * result; it is not in the stack of the error.
 */
export function reportWrongResult(error: Error, culprit: object): Error {
  getDevHooks()?.onWrongResult?.(error, culprit)
  return error
}

/** The file of a middleware, or in `fw dev` the call that added it, for messages. */
export const middlewareFiles = new WeakMap<MiddlewareFunc, string>()

/**
 * In `fw dev`, names each middleware that has no name after the call that added it, such as `main.ts:7
 * app.use(csrf())`. Messages then say which one is meant.
 */
export function nameMiddleware(middleware: readonly MiddlewareFunc[]): void {
  const call = getDevHooks()?.findCall?.()
  if (call === undefined) return
  for (const [index, one] of middleware.entries()) {
    if (one.name || middlewareFiles.has(one)) continue
    middlewareFiles.set(one, middleware.length > 1 ? `${call}, number ${index + 1}` : call)
  }
}

/**
 * The function that answers errors of the links behind a `next`. Middleware that builds chains itself uses it for its
 * own links.
 */
export const errorHandlers = new WeakMap<Next, AnswerError>()

/**
 * Wraps a link in middleware, the first one outermost. Called once per route, and not per request.
 *
 * @throws FwError `middleware` if a middleware does not return a handler.
 */
export function compose(
  middleware: readonly MiddlewareFunc[],
  innerLink: Link,
  source: string,
  onError: AnswerError,
): Link {
  let chain = innerLink
  for (const wrap of middleware.toReversed()) {
    const innerChain = chain
    const next: Next = async (c) => innerChain(c)
    errorHandlers.set(next, onError)
    const handler = wrap(next)
    const name = middlewareFiles.get(wrap) ?? `a middleware of ${source}`
    if (typeof handler !== "function") throw fault("middleware.result", [name, handler])
    chain = createLink(handler, name, onError, channels.middleware, middlewareFiles.get(wrap) ?? (wrap.name || name))
  }
  return chain
}

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
