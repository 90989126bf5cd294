/**
 * `combine`: builds middleware from middleware. One of several checks, all of them, or all requests except
 * some.
 */
import { errorAnswers, link } from "../chain.ts"
import { checkMiddleware } from "../checks.ts"
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import { fault } from "../fault.ts"
import { plainMatcher } from "../proxy-matchers.ts"
import { limitsOf } from "../router.ts"
import type { HandlerFunc, MiddlewareFunc, Next } from "../types.ts"
import { withLimits } from "./body-limit.ts"
import { middlewareFault } from "./fault.ts"

/**
 * Selects requests: path patterns as in a proxy's `matchers`, or a function.
 *
 * @example
 * const isPublic: Condition = ["/health", "/public/*"]
 * app.use(combine.except(isPublic, bearerAuth({ tokens: ["t0ken"] })))
 */
export type Condition = string | readonly string[] | ((c: Context) => boolean | Promise<boolean>)

/** Type that a middleware declares under a name; never if it declares none. */
type Declared<Guard, Name extends string> = Guard extends unknown
  ? Name extends keyof Guard
    ? Exclude<Guard[Name], undefined>
    : never
  : never
/** Security that a middleware requires, in the form of `@security`; `none` if its type does not declare it. */
type SecurityOf<Guard> = Guard extends unknown
  ? [Declared<Guard, "security">] extends [never]
    ? "none"
    : Extract<Declared<Guard, "security">, string>
  : never
/** Both requirements, each of which may be a union of alternatives. */
type Both<A extends string, B extends string> = A extends "none" ? B : B extends "none" ? A : `${A} & ${B}`
/** Security that several middleware require together. */
type AllOf<Guards> = Guards extends readonly [infer First, ...infer Rest]
  ? Both<SecurityOf<First>, AllOf<Rest>>
  : "none"
type LastOf<Guards> = Guards extends readonly [...unknown[], infer Last] ? Last : never
/** A middleware whose type declares, for the OpenAPI document, what it asks for and which errors it answers with. */
type Declaring<Security, Answers> = MiddlewareFunc &
  ([Security] extends ["none"] ? unknown : { readonly security?: Security }) &
  ([Answers] extends [never] ? unknown : { readonly answers?: Answers })

/**
 * Combines middleware.
 *
 * @example
 * const office = combine.every(ipRestriction({ allow: ["10.0.0.0/8"] }), basicAuth({ users: { ada: "let-me-in" } }))
 * app.use(combine.except("/health", combine.some(office, bearerAuth({ tokens: ["t0ken"] }))))
 * app.get("/health", (c) => c.string(200, "ok"))
 * const answer = await app.request("/health")
 * answer.status // → 200
 */
export const combine = {
  /**
   * Accepts a request that at least one of several guards accepts. They are tried in order. A guard that does
   * not call `next` has refused; the last refusal is sent. A bug in a guard is a 500, and no other guard is
   * tried.
   *
   * next` lets every request pass: signing in is optional then. => A last guard `(next) =>
   * next` accepts every request, so that signing in is optional. => next` lets every request pass: signing in
   * is optional then.
   *
   * @throws FwError `combine` without any guard, `middleware` for a value that is not a middleware.
   * @example api.use(combine.some(ipRestriction({ allow: ["10.0.0.0/8"] }), bearerAuth({ tokens })))
   */
  some<Guards extends readonly MiddlewareFunc[]>(
    ...guards: Guards
  ): Declaring<SecurityOf<Guards[number]>, Declared<LastOf<Guards>, "answers">> {
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
          // The refusal of an earlier guard is not an error of this request.
          c.error = before
          refusal = await refusalOf(handler, c, passed)
          const isBug = c.error !== before && !(c.error instanceof HttpError)
          if (passed.has(c) || isBug) break
        }
        return refusal as Response | HttpError
      }
    }
  },
  /**
   * Combines several middleware into one, the first outermost.
   *
   * @throws FwError `combine` without any, `middleware` for a value that is not a middleware.
   * @example api.use(combine.some(combine.every(fromOffice, basicAuth({ users })), bearerAuth({ tokens })))
   */
  every<Guards extends readonly MiddlewareFunc[]>(
    ...middleware: Guards
  ): Declaring<AllOf<Guards>, Declared<Guards[number], "answers">> {
    check(middleware, "combine.every()")
    const every = (next: Next): HandlerFunc => wrapAll(middleware, next, "combine.every()")
    const { bodyLimit, bufferedLimit } = limitsOf(middleware) ?? {}
    return bodyLimit === undefined ? every : withLimits(every, { bodyLimit, bufferedLimit })
  },
  /**
   * Applies middleware to all requests except some.
   *
   * @param condition one or several patterns, such as `/health` and `/public/*`, or a function. Patterns are
   * matched against `c.path`, in which a path has one spelling.
   * @throws FwError `combine` for an invalid condition or without any middleware, `pattern` or `proxy_config`
   * for a pattern that cannot be parsed.
   * @example app.use(combine.except(["/health", "/login"], jwt({ secret })))
   */
  except<Guards extends readonly MiddlewareFunc[]>(
    condition: Condition,
    ...middleware: Guards
  ): Declaring<AllOf<Guards> | "none", Declared<Guards[number], "answers">> {
    check(middleware, "combine.except()")
    const isExcepted = testOf(condition)
    return (next) => {
      const wrapped = wrapAll(middleware, next, "combine.except()")
      return async (c) => ((await isExcepted(c)) === true ? next(c) : wrapped(c))
    }
  },
} as const

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

function testOf(condition: Condition): (c: Context) => boolean | Promise<boolean> {
  if (typeof condition === "function") return condition
  const patterns: unknown[] = Array.isArray(condition) ? condition : [condition]
  const tests = patterns.map((pattern) => {
    const test = typeof pattern === "string" ? plainMatcher(pattern) : null
    if (test) return test
    throw middlewareFault("combine.condition", [pattern])
  })
  if (tests.length === 0) throw middlewareFault("combine.pattern")
  return (c) => tests.some((test) => test(c.path))
}
