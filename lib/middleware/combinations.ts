/** The middleware that `combine` builds. */
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

/** Returns what `combine.some()` returns. */
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
      const { error: before } = c
      let refusal: Awaited<ReturnType<HandlerFunc>> | undefined
      const challenges = new Set<string>()
      for (const handler of handlers) {
        // An earlier guard's refusal is not sent, and is not an error of this request.
        c.error = before
        if (isResponse(refusal)) cancelBody(c, refusal)
        refusal = await runGuard(handler, c, passedContexts)
        const isBug = c.error !== before && !(c.error instanceof HttpError)
        if (passedContexts.has(c) || isBug) return refusal
        if (refusal.status === 401) challenges.add(readChallenge(c, refusal))
      }
      const last = refusal as Response | HttpError
      return last.status === 401 ? addChallenges(c, last, challenges) : last
    }
  }
}

/** Returns what `combine.every()` returns. */
export function createEvery(middleware: readonly MiddlewareFunc[]): MiddlewareFunc {
  checkMiddlewareList(middleware, "combine.every()")
  const every = (next: Next): HandlerFunc => composeAll(middleware, next, "combine.every()")
  const { bodyLimit, bufferedLimit, decompresses } = findLimits(middleware) ?? {}
  return bodyLimit === undefined ? every : addLimits(every, { bodyLimit, bufferedLimit, decompresses })
}

/**
 * Returns what `combine.except()` and `combine.only()` return.
 *
 * @param isInverted the result of the condition that leaves them out.
 */
export function createConditional(
  call: "combine.except()" | "combine.only()",
  isInverted: boolean,
  condition: Condition,
  middleware: readonly MiddlewareFunc[],
): MiddlewareFunc {
  checkMiddlewareList(middleware, call)
  const test = createConditionTest(call, condition)
  return (next) => {
    const wrapped = composeAll(middleware, next, call)
    return async (c) => ((await test(c)) === isInverted ? next(c) : wrapped(c))
  }
}

/** Returns the challenge of a refusal; `""` without one. */
function readChallenge(c: Context, refusal: Response | HttpError): string {
  if (isResponse(refusal)) return peekResponse(c, refusal).header("www-authenticate") ?? ""
  return new Headers(refusal.headers).get("www-authenticate") ?? ""
}

/** Returns a 401 that names every way in, also those of the guards before the last one (RFC 9110 §11.6.1). */
function addChallenges(c: Context, last: Response | HttpError, all: ReadonlySet<string>): Response | HttpError {
  const value = [...all].filter(Boolean).join(", ")
  if (value === readChallenge(c, last)) return last
  if (!isResponse(last)) {
    // The error keeps its class for onError(). It may be one object for many requests, so it is not changed.
    return Object.create(last, { headers: { value: { ...last.headers, "WWW-Authenticate": value } } })
  }
  c.setHeader("WWW-Authenticate", value)
  return last
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
 * Returns a guard's response if it refuses, otherwise the response of the rest of the chain. @throws the
 * errors of both.
 */
async function runGuard(handler: HandlerFunc, c: Context, passed: WeakSet<Context>): Promise<Response | HttpError> {
  try {
    return await handler(c)
  } catch (error) {
    if (passed.has(c) || !(error instanceof HttpError)) throw error
    return error
  }
}

/** Builds a chain like that of a route: an error in a link becomes a response for the links around it. */
function composeAll(middleware: readonly MiddlewareFunc[], next: Next, call: string): HandlerFunc {
  const fail = errorHandlers.get(next)
  let chain: Next = next
  let handler: HandlerFunc = next
  for (const one of middleware.toReversed()) {
    const further = chain
    const inner: Next = async (c) => further(c)
    if (fail) errorHandlers.set(inner, fail)
    handler = createHandler(one, inner, call)
    // If a middleware is called by hand, as in member(handler), nothing turns errors into responses, so they are thrown
    // again.
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
