/** Builds the middleware that `combine` returns. */
import { peekResponse } from "../answer/response.ts"
import { createLink, errorHandlers, isResponse } from "../chain.ts"
import { checkMiddleware } from "../checks.ts"
import type { Context } from "../context.ts"
import { fault } from "../errors/fault.ts"
import { HttpError } from "../errors.ts"
import { createPlainMatcher } from "../proxy-matchers.ts"
import { findLimits } from "../router.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "../types.ts"
import { addLimits } from "./body-limit.ts"
import type { Condition } from "./combine.ts"
import { middlewareFault } from "./fault.ts"

/** Returns the middleware of `combine.some()`, which tries guards until one lets the request pass. */
export function createSome(guards: readonly MiddlewareFunc[]): MiddlewareFunc {
  checkMiddlewareList(guards, "combine.some()")
  return (next) => {
    const passedContexts = new WeakSet<Context>()
    const pass: Next = (c) => {
      passedContexts.add(c)
      return next(c)
    }
    const fail = errorHandlers.get(next)
    if (fail) errorHandlers.set(pass, fail)
    const handlers = guards.map((guard) => createHandler(guard, pass, "combine.some()"))
    return async (c) => {
      const { error: earlierError } = c
      let refusal: Awaited<ReturnType<HandlerFunc>> | undefined
      const challenges = new Set<string>()
      for (const handler of handlers) {
        // The refusal of an earlier guard is not sent. So it is not an error of this request.
        c.error = earlierError
        if (isResponse(refusal)) cancelBody(c, refusal)
        refusal = await runGuard(handler, c, passedContexts)
        const isBug = c.error !== earlierError && !(c.error instanceof HttpError)
        if (passedContexts.has(c) || isBug) return refusal
        if (refusal.status === 401) challenges.add(readChallenge(c, refusal))
      }
      const lastRefusal = refusal as Response | HttpError
      return lastRefusal.status === 401 ? addChallenges(c, lastRefusal, challenges) : lastRefusal
    }
  }
}

/** Returns the middleware of `combine.every()`, which also sets the size limit that one of the middleware sets. */
export function createEvery(middleware: readonly MiddlewareFunc[]): MiddlewareFunc {
  checkMiddlewareList(middleware, "combine.every()")
  const every = (next: Next): HandlerFunc => composeAll(middleware, next, "combine.every()")
  const { bodyLimit, bufferedLimit, decompresses } = findLimits(middleware) ?? {}
  return bodyLimit === undefined ? every : addLimits(every, { bodyLimit, bufferedLimit, decompresses })
}

/**
 * Returns the middleware of `combine.except()` or `combine.only()`.
 *
 * @param skipResult the result of the condition for which the middleware is skipped.
 */
export function createConditional(
  call: "combine.except()" | "combine.only()",
  skipResult: boolean,
  condition: Condition,
  middleware: readonly MiddlewareFunc[],
): MiddlewareFunc {
  checkMiddlewareList(middleware, call)
  const test = createConditionTest(call, condition)
  return (next) => {
    const wrappedHandler = composeAll(middleware, next, call)
    return async (c) => ((await test(c)) === skipResult ? next(c) : wrappedHandler(c))
  }
}

/** Returns the `WWW-Authenticate` of a refusal; `""` if it has none. */
function readChallenge(c: Context, refusal: Response | HttpError): string {
  if (isResponse(refusal)) return peekResponse(c, refusal).header("www-authenticate") ?? ""
  return new Headers(refusal.headers).get("www-authenticate") ?? ""
}

/**
 * Adds the challenges of all guards to the 401 of the last one, so that clients know every way to sign in (RFC 9110
 * §11.6.1).
 */
function addChallenges(
  c: Context,
  lastRefusal: Response | HttpError,
  challenges: ReadonlySet<string>,
): Response | HttpError {
  const value = [...challenges].filter(Boolean).join(", ")
  if (value === readChallenge(c, lastRefusal)) return lastRefusal
  if (!isResponse(lastRefusal)) {
    // The result inherits from the error, so that onError() still sees its class. The error itself is not changed,
    // because the program may throw the same object for every request.
    return Object.create(lastRefusal, { headers: { value: { ...lastRefusal.headers, "WWW-Authenticate": value } } })
  }
  c.setHeader("WWW-Authenticate", value)
  return lastRefusal
}

function cancelBody(c: Context, response: Response): void {
  const { content, size } = peekResponse(c, response)
  if (content === null && size !== 0 && !response.body?.locked) response.body?.cancel().catch(() => {})
}

function checkMiddlewareList(middleware: readonly unknown[], call: string): void {
  if (middleware.length === 0) throw middlewareFault("combine.none", [call])
  for (const one of middleware) checkMiddleware(one, call)
}

function createHandler(middleware: MiddlewareFunc, next: Next, call: string): HandlerFunc {
  const handler: unknown = middleware(next)
  if (typeof handler === "function") return handler as HandlerFunc
  throw fault("middleware.result", [`a middleware of ${call}`, handler])
}

/**
 * Returns the response of a guard that refuses, otherwise the response of the handler behind it. @throws the errors of
 * both, except an HttpError with which the guard refuses.
 */
async function runGuard(
  handler: HandlerFunc,
  c: Context,
  passedContexts: WeakSet<Context>,
): Promise<Response | HttpError> {
  try {
    return await handler(c)
  } catch (error) {
    if (passedContexts.has(c) || !(error instanceof HttpError)) throw error
    return error
  }
}

/** Builds a chain as for a route: an error in one middleware becomes a response for those around it. */
function composeAll(middleware: readonly MiddlewareFunc[], next: Next, call: string): HandlerFunc {
  const fail = errorHandlers.get(next)
  let chain: Next = next
  let handler: HandlerFunc = next
  for (const one of middleware.toReversed()) {
    const innerChain = chain
    const innerNext: Next = async (c) => innerChain(c)
    if (fail) errorHandlers.set(innerNext, fail)
    handler = createHandler(one, innerNext, call)
    // If a program calls the middleware itself, as in member(handler), nothing turns errors into responses. Then they
    // are thrown on.
    chain = fail ? createLink(handler, `a middleware of ${call}`, fail) : (handler as Next)
  }
  return handler
}

function createConditionTest(call: string, condition: Condition): (c: Context) => boolean | Promise<boolean> {
  if (typeof condition === "function") return condition
  const patterns: unknown[] = Array.isArray(condition) ? condition : [condition]
  const tests = patterns.map((pattern) => {
    const test = typeof pattern === "string" ? createPlainMatcher(pattern) : null
    if (test) return test
    throw middlewareFault("combine.condition", [call, pattern])
  })
  if (tests.length === 0) throw middlewareFault("combine.pattern", [call])
  return (c) => tests.some((test) => test(c.path))
}
