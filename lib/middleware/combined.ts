/** The middleware that `combine` builds. */
import { peekResponse } from "../answer/response.ts"
import { errorAnswers, isResponse, link } from "../chain.ts"
import { checkMiddleware } from "../checks.ts"
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import { fault } from "../fault.ts"
import { plainMatcher } from "../proxy-matchers.ts"
import { limitsOf } from "../router.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "../types.ts"
import { withLimits } from "./body-limit.ts"
import type { Condition } from "./combine.ts"
import { middlewareFault } from "./fault.ts"

/** Returns what `combine.some()` returns. */
export function someOf(guards: readonly MiddlewareFunc[]): MiddlewareFunc {
  check(guards, "combine.some()")
  return (next) => {
    const passed = new WeakSet<Context>()
    const pass: Next = (c) => {
      passed.add(c)
      return next(c)
    }
    const fail = errorAnswers.get(next)
    if (fail) errorAnswers.set(pass, fail)
    const handlers = guards.map((guard) => handlerOf(guard, pass, "combine.some()"))
    return async (c) => {
      const { error: before } = c
      let refusal: Awaited<ReturnType<HandlerFunc>> | undefined
      for (const handler of handlers) {
        // The refusal of an earlier guard is not an error of this request, and it is not sent.
        c.error = before
        if (isResponse(refusal)) cancelBody(c, refusal)
        refusal = await refusalOf(handler, c, passed)
        const isBug = c.error !== before && !(c.error instanceof HttpError)
        if (passed.has(c) || isBug) break
      }
      return refusal as Response | HttpError
    }
  }
}

/** Returns what `combine.every()` returns. */
export function everyOf(middleware: readonly MiddlewareFunc[]): MiddlewareFunc {
  check(middleware, "combine.every()")
  const every = (next: Next): HandlerFunc => wrapAll(middleware, next, "combine.every()")
  const { bodyLimit, bufferedLimit, decompresses } = limitsOf(middleware) ?? {}
  return bodyLimit === undefined ? every : withLimits(every, { bodyLimit, bufferedLimit, decompresses })
}

/** Returns what `combine.except()` and `combine.only()` return. @param skips the result of the condition for which they are left out. */
export function choiceOf(
  call: "combine.except()" | "combine.only()",
  skips: boolean,
  condition: Condition,
  middleware: readonly MiddlewareFunc[],
): MiddlewareFunc {
  check(middleware, call)
  const test = testOf(call, condition)
  return (next) => {
    const wrapped = wrapAll(middleware, next, call)
    return async (c) => ((await test(c)) === skips ? next(c) : wrapped(c))
  }
}

function cancelBody(c: Context, response: Response): void {
  const { content, size } = peekResponse(c, response)
  if (content === null && size !== 0 && !response.body?.locked) response.body?.cancel().catch(() => {})
}

function check(middleware: readonly unknown[], call: string): void {
  if (middleware.length === 0) throw middlewareFault("combine.none", [call])
  for (const one of middleware) checkMiddleware(one, call)
}

function handlerOf(middleware: MiddlewareFunc, next: Next, call: string): HandlerFunc {
  const handler: unknown = middleware(next)
  if (typeof handler === "function") return handler as HandlerFunc
  throw fault("middleware.result", [`a middleware of ${call}`, handler])
}

/**
 * Returns a guard's response if it refuses, otherwise the response of the rest of the chain. @throws the
 * errors of both.
 */
async function refusalOf(
  handler: HandlerFunc,
  c: Context,
  passed: WeakSet<Context>,
): Promise<Response | HttpError> {
  try {
    return await handler(c)
  } catch (error) {
    if (passed.has(c) || !(error instanceof HttpError)) throw error
    return error
  }
}

/** Builds a chain like that of a route: an error in a link becomes a response for the links around it. */
function wrapAll(middleware: readonly MiddlewareFunc[], next: Next, call: string): HandlerFunc {
  const fail = errorAnswers.get(next)
  let chain: Next = next
  let handler: HandlerFunc = next
  for (const one of middleware.toReversed()) {
    const further = chain
    const inner: Next = async (c) => further(c)
    if (fail) errorAnswers.set(inner, fail)
    handler = handlerOf(one, inner, call)
    // If a middleware is called by hand, as in member(handler), nothing turns errors into responses, so they
    // are thrown on.
    chain = fail ? link(handler, `a middleware of ${call}`, fail) : (handler as Next)
  }
  return handler
}

function testOf(call: string, condition: Condition): (c: Context) => boolean | Promise<boolean> {
  if (typeof condition === "function") return condition
  const patterns: unknown[] = Array.isArray(condition) ? condition : [condition]
  const tests = patterns.map((pattern) => {
    const test = typeof pattern === "string" ? plainMatcher(pattern) : null
    if (test) return test
    throw middlewareFault("combine.condition", [call, pattern])
  })
  if (tests.length === 0) throw middlewareFault("combine.pattern", [call])
  return (c) => tests.some((test) => test(c.path))
}
