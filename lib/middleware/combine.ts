/**
 * `combine`: builds middleware from middleware. One of several checks, all of them, all requests except some, or only
 * some requests.
 */
import type { Context } from "../context.ts"
import type { MiddlewareFunc } from "../types.ts"
import { createConditional, createEvery, createSome } from "./combinations.ts"

/**
 * Selects requests: path patterns as in a proxy's `matchers`, or a function.
 *
 * @example
 * const isPublic: Condition = ["/health", "/public/*"]
 * app.use(combine.except(isPublic, bearerAuth({ tokens: ["t0ken"] })))
 */
export type Condition = string | readonly string[] | ((c: Context) => boolean | Promise<boolean>)

/** Type that a middleware declares under a name; never if it declares none. */
type DeclaredType<Guard, Name extends string> = Guard extends unknown
  ? Name extends keyof Guard
    ? Exclude<Guard[Name], undefined>
    : never
  : never
/** Security that a middleware requires, in the form of `@security`; `none` if its type does not declare it. */
type GuardSecurity<Guard> = Guard extends unknown
  ? [DeclaredType<Guard, "security">] extends [never]
    ? "none"
    : Extract<DeclaredType<Guard, "security">, string>
  : never
/** Both requirements, each of which may be a union of alternatives. */
type BothSecurity<A extends string, B extends string> = A extends "none" ? B : B extends "none" ? A : `${A} & ${B}`
/** Security that several middleware require together. */
type AllSecurity<Guards> = Guards extends readonly [infer First, ...infer Rest]
  ? BothSecurity<GuardSecurity<First>, AllSecurity<Rest>>
  : "none"
type LastItem<Guards> = Guards extends readonly [...unknown[], infer Last] ? Last : never
/** A middleware whose type declares, for the OpenAPI document, what it asks for and which errors it answers with. */
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
   * Accepts a request that at least one of several guards accepts. They are tried in order. A guard that does
   * not call `next` has refused; the last refusal is sent. A bug in a guard is a 500, and no other guard is
   * tried.
   *
   * A last guard `(next) => next` lets every request pass, so that signing in is optional.
   *
   * @throws FwError `combine` without any guard, `middleware` for a value that is not a middleware.
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
   * @throws FwError `combine` without any, `middleware` for a value that is not a middleware.
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
   * @param condition one or several patterns, such as `/health` and `/public/*`, or a function. Patterns are
   * matched against `c.path`, in which a path has one spelling.
   * @throws FwError `combine` for an invalid condition or without any middleware, `pattern` or `proxy_config`
   * for a pattern that cannot be parsed.
   * @example app.use(combine.except(["/health", "/login"], jwt({ secret })))
   */
  except<Guards extends readonly MiddlewareFunc[]>(
    condition: Condition,
    ...middleware: Guards
  ): DeclaringMiddleware<AllSecurity<Guards> | "none", DeclaredType<Guards[number], "answers">> {
    return createConditional("combine.except()", true, condition, middleware)
  },
  /**
   * Applies middleware only to some requests, also to those that no route answers, such as static files. A group has
   * middleware for its own routes.
   *
   * @param condition one or several patterns, such as `/admin/*`, which includes `/admin`, or a function: only for `false` the
   * request is left out. Patterns are matched against `c.path`, in which a path has one spelling.
   * @throws FwError `combine` for an invalid condition or without any middleware, `pattern` or `proxy_config`
   * for a pattern that cannot be parsed.
   * @example app.use(combine.only("/admin/*", basicAuth({ users: { ada: "let-me-in" } })))
   */
  only<Guards extends readonly MiddlewareFunc[]>(
    condition: Condition,
    ...middleware: Guards
  ): DeclaringMiddleware<AllSecurity<Guards> | "none", DeclaredType<Guards[number], "answers">> {
    return createConditional("combine.only()", false, condition, middleware)
  },
} as const
