/**
 * `combine` makes one middleware of several. A request must pass one of them (`some`) or all of them (`every`).
 * `except` and `only` apply middleware to some requests only.
 */
import type { Context } from "../context.ts"
import type { MiddlewareFunc } from "../types.ts"
import { createConditional, createEvery, createSome } from "./combinations.ts"

/**
 * Selects requests, by patterns of paths as in a proxy's `matchers`, or by a function.
 *
 * @example
 * const isPublic: Condition = ["/health", "/public/*"]
 * app.use(combine.except(isPublic, bearerAuth({ tokens: ["t0ken"] })))
 */
export type Condition = string | readonly string[] | ((c: Context) => boolean | Promise<boolean>)

/** The type of a property that a middleware declares; never if it does not declare it. */
type DeclaredType<Guard, Name extends string> = Guard extends unknown
  ? Name extends keyof Guard
    ? Exclude<Guard[Name], undefined>
    : never
  : never
/** The security that the type of a middleware declares, in the form of `@security`; `none` if it declares none. */
type GuardSecurity<Guard> = Guard extends unknown
  ? [DeclaredType<Guard, "security">] extends [never]
    ? "none"
    : Extract<DeclaredType<Guard, "security">, string>
  : never
/** Two requirements together. Each may be a union of alternatives. */
type BothSecurity<A extends string, B extends string> = A extends "none" ? B : B extends "none" ? A : `${A} & ${B}`
/** The security that several middleware require together. */
type AllSecurity<Guards> = Guards extends readonly [infer First, ...infer Rest]
  ? BothSecurity<GuardSecurity<First>, AllSecurity<Rest>>
  : "none"
type LastItem<Guards> = Guards extends readonly [...unknown[], infer Last] ? Last : never
/**
 * A middleware whose type declares for the OpenAPI document which security it requires and which errors it answers
 * with.
 */
type DeclaringMiddleware<Security, Answers> = MiddlewareFunc &
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
   * Accepts a request if at least one of several guards does. They are tried in order. A guard that does not call
   * `next` has refused; if all refuse, the last refusal is sent. A bug in a guard is a 500, and no further guard is
   * tried.
   *
   * With `(next) => next` as the last guard, every request passes, so that signing in is optional.
   *
   * @throws FwError `combine` if there are no guards, `middleware` for a value that is not a middleware.
   * @example api.use(combine.some(ipRestriction({ allow: ["10.0.0.0/8"] }), bearerAuth({ tokens })))
   */
  some<Guards extends readonly MiddlewareFunc[]>(
    ...guards: Guards
  ): DeclaringMiddleware<GuardSecurity<Guards[number]>, DeclaredType<LastItem<Guards>, "answers">> {
    return createSome(guards)
  },
  /**
   * Combines several middleware into one, the first outermost.
   *
   * @throws FwError `combine` if there is no middleware, `middleware` for a value that is not a middleware.
   * @example api.use(combine.some(combine.every(fromOffice, basicAuth({ users })), bearerAuth({ tokens })))
   */
  every<Guards extends readonly MiddlewareFunc[]>(
    ...middleware: Guards
  ): DeclaringMiddleware<AllSecurity<Guards>, DeclaredType<Guards[number], "answers">> {
    return createEvery(middleware)
  },
  /**
   * Applies middleware to all requests except some.
   *
   * @param condition one or several patterns, such as `/health` and `/public/*`, or a function. Patterns are compared
   * with `c.path`, in which every path has one spelling.
   * @throws FwError `combine` for an invalid condition, or if there is no middleware; `pattern` or `proxy_config` for a
   * pattern that cannot be parsed.
   * @example app.use(combine.except(["/health", "/login"], jwt({ secret })))
   */
  except<Guards extends readonly MiddlewareFunc[]>(
    condition: Condition,
    ...middleware: Guards
  ): DeclaringMiddleware<AllSecurity<Guards> | "none", DeclaredType<Guards[number], "answers">> {
    return createConditional("combine.except()", true, condition, middleware)
  },
  /**
   * Applies middleware to some requests only, including those that no route answers, such as requests for static files.
   * For the routes of a group, use the group's own middleware.
   *
   * @param condition one or several patterns, such as `/admin/*`, which includes `/admin`, or a function. Requests for
   * which the function returns `false` are skipped. Patterns are compared with `c.path`, in which every path has one
   * spelling.
   * @throws FwError `combine` for an invalid condition, or if there is no middleware; `pattern` or `proxy_config` for a
   * pattern that cannot be parsed.
   * @example app.use(combine.only("/admin/*", basicAuth({ users: { ada: "let-me-in" } })))
   */
  only<Guards extends readonly MiddlewareFunc[]>(
    condition: Condition,
    ...middleware: Guards
  ): DeclaringMiddleware<AllSecurity<Guards> | "none", DeclaredType<Guards[number], "answers">> {
    return createConditional("combine.only()", false, condition, middleware)
  },
} as const
