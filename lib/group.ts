/** Route groups: routes below a prefix that share middleware. The app itself is the outermost group. */

import { createSocketRoute } from "#parts/live"
import { type SocketFunc, socketMethod } from "./answer/upgrade.ts"
import { nameMiddleware } from "./chain.ts"
import { checkFunction, checkMiddleware } from "./checks.ts"
import { fault } from "./errors/fault.ts"
import { joinPatterns, type ParamNames, parsePattern } from "./pattern.ts"
import { type RouteTable, toMethodName } from "./router.ts"
import type { HandlerFunc, MiddlewareFunc } from "./types.ts"

/** The names of all parameters in the prefix of a group and in the path of a route. */
export type GroupParams<Prefix extends string, Path extends string> = ParamNames<Prefix> | ParamNames<Path>

/**
 * Two or more middleware, and then their handler. The first middleware is outermost, but inside the middleware of the
 * groups. {@link RegisterHandler} has overloads of its own for less middleware: with one list for all cases, the
 * compiler would report an error in a handler at the wrong place.
 */
export type WrappedHandlers<Params extends string> = readonly [
  outermost: MiddlewareFunc,
  second: MiddlewareFunc,
  ...middleware: MiddlewareFunc[],
  handler: HandlerFunc<Params>,
]

/** A method of a group that registers the handler of a pattern for one HTTP method. */
export interface RegisterHandler<Prefix extends string> {
  <Path extends string>(pattern: Path, handler: HandlerFunc<GroupParams<Prefix, Path>>): void
  <Path extends string>(pattern: Path, wrap: MiddlewareFunc, handler: HandlerFunc<GroupParams<Prefix, Path>>): void
  <Path extends string>(pattern: Path, ...handlers: WrappedHandlers<GroupParams<Prefix, Path>>): void
}

/**
 * Registers routes below a prefix. `Prefix` adds its parameters to the handlers' types.
 *
 * @example
 * function addHealth(group: RouteGroup) {
 *   group.get("/health", (c) => c.json(200, { status: "ok" }))
 * }
 * app.group("/api", addHealth)
 * const answer = await app.request("/api/health")
 * await answer.json() // → { status: "ok" }
 */
export class RouteGroup<Prefix extends string = string> {
  readonly #router: RouteTable
  readonly #prefix: string
  readonly #middleware: MiddlewareFunc[]
  #isUsed = false

  /** Only `app.group()` creates groups. */
  protected constructor(router: RouteTable, prefix: string, outerMiddleware: readonly MiddlewareFunc[]) {
    this.#router = router
    this.#prefix = prefix
    this.#middleware = [...outerMiddleware]
  }

  /**
   * Adds middleware to every route of this group that is registered later. The first middleware is outermost.
   *
   * @throws FwError `middleware` for a value that is not a function; `use_late` after the group's first route, which
   * the middleware would not wrap.
   * @example
   * app.group("/admin", (admin) => {
   *   admin.use(basicAuth({ users: { ada: "let-me-in" } }))
   *   admin.get("/", (c) => c.string(200, "hello"))
   * })
   * const answer = await app.request("/admin")
   * answer.status // → 401
   */
  use(first: MiddlewareFunc, ...more: MiddlewareFunc[]): void {
    const middleware = [first, ...more]
    for (const one of middleware) checkMiddleware(one, "group.use()")
    if (this.#isUsed) throw fault("use_late.group", [this.#prefix])
    nameMiddleware(middleware)
    this.#middleware.push(...middleware)
  }

  /**
   * Registers a handler for GET, and for HEAD unless HEAD has its own handler.
   *
   * @param pattern a path such as `/users/{id}`. The first slash may be omitted; `""` is the path of the group itself.
   * @param handlers the handler. Middleware for this route only may come before it; the first is outermost.
   * @throws FwError `pattern`, `middleware`, `handler` or `conflict`.
   * @example
   * app.get("/reports/{id}", etag(), (c) => c.json(200, { id: c.param("id") }))
   * const answer = await app.request("/reports/7")
   * await answer.json() // → { id: "7" }
   */
  readonly get: RegisterHandler<Prefix> = this.#createMethod("GET")

  /**
   * Registers a handler for POST. @throws as {@link get} does.
   *
   * @example app.post("/users", async (c) => c.json(201, await c.bind<{ name: string }>()))
   */
  readonly post: RegisterHandler<Prefix> = this.#createMethod("POST")

  /**
   * Registers a handler for PUT. @throws as {@link get} does.
   *
   * @example app.put("/users/{id}", (c) => c.json(200, { saved: c.param("id") }))
   */
  readonly put: RegisterHandler<Prefix> = this.#createMethod("PUT")

  /**
   * Registers a handler for PATCH. @throws as {@link get} does.
   *
   * @example app.patch("/users/{id}", (c) => c.json(200, { changed: c.param("id") }))
   */
  readonly patch: RegisterHandler<Prefix> = this.#createMethod("PATCH")

  /** Registers a handler for DELETE. @throws as {@link get} does. @example app.delete("/users/{id}", (c) => c.noContent()) */
  readonly delete: RegisterHandler<Prefix> = this.#createMethod("DELETE")

  /**
   * Registers a handler for HEAD, in place of the handler for GET. @throws as {@link get} does.
   *
   * @example app.head("/files/{name}", (c) => c.noContent())
   */
  readonly head: RegisterHandler<Prefix> = this.#createMethod("HEAD")

  /**
   * Registers a handler for OPTIONS, in place of the answer with `Allow`. @throws as {@link get} does.
   *
   * @example app.options("/files", (c) => c.noContent())
   */
  readonly options: RegisterHandler<Prefix> = this.#createMethod("OPTIONS")

  /**
   * Registers a handler for every method that has no handler of its own for this pattern, including HEAD and OPTIONS.
   * `c.method` is the method of the request. @throws as {@link get} does.
   *
   * @example
   * app.get("/hook", (c) => c.string(200, "ready"))
   * app.all("/hook", (c) => c.string(200, c.method))
   * const answer = await app.request("/hook", { method: "PURGE" })
   * await answer.text() // → "PURGE"
   */
  readonly all: RegisterHandler<Prefix> = this.#createMethod("*", "all")

  /**
   * Registers a handler for WebSockets. Other requests are answered by the GET handler of the same pattern.
   * @throws as {@link get} does.
   *
   * @example app.socket("/echo", () => ({ message: (socket, data) => socket.send(data) }))
   */
  socket<Path extends string>(pattern: Path, handler: SocketFunc<GroupParams<Prefix, Path>>): void {
    this.#register(socketMethod, pattern, [createSocketRoute(handler as SocketFunc, pattern)], "socket")
  }

  /**
   * Registers a handler for any method. `"*"` stands for all methods, as {@link all} does.
   *
   * @throws FwError `method`, `pattern`, `middleware`, `handler` or `conflict`.
   * @example
   * app.registerRoute("PURGE", "/cache/{key}", (c) => c.noContent())
   * const answer = await app.request("/cache/a", { method: "PURGE" })
   * answer.status // → 204
   */
  registerRoute<Path extends string>(
    method: string,
    pattern: Path,
    handler: HandlerFunc<GroupParams<Prefix, Path>>,
  ): void
  registerRoute<Path extends string>(
    method: string,
    pattern: Path,
    wrap: MiddlewareFunc,
    handler: HandlerFunc<GroupParams<Prefix, Path>>,
  ): void
  registerRoute<Path extends string>(
    method: string,
    pattern: Path,
    ...handlers: WrappedHandlers<GroupParams<Prefix, Path>>
  ): void
  registerRoute(method: string, pattern: string, ...handlers: readonly unknown[]): void {
    this.#register(toMethodName(method), pattern, handlers, "registerRoute")
  }

  /**
   * Registers a group below this one. The middleware of this group is outermost.
   *
   * @throws FwError `pattern` for a prefix that is not valid, `handler` for a value that is not a function.
   * @example
   * app.group("/api/v1", (api) => api.group("/users", (users) => users.get("/{id}", (c) => c.string(200, c.param("id")))))
   * const answer = await app.request("/api/v1/users/7")
   * await answer.text() // → "7"
   */
  group<Path extends string>(pattern: Path, fill: (group: RouteGroup<`${Prefix}/${Path}`>) => void): void {
    this.#isUsed = true
    const prefix = joinPatterns(this.#prefix, pattern)
    parsePattern(prefix || "/")
    checkFunction(fill, `group(${JSON.stringify(pattern)})`)
    fill(new RouteGroup(this.#router, prefix, this.#middleware))
  }

  #createMethod(method: string, call?: string): RegisterHandler<Prefix> {
    return (pattern: string, ...handlers: readonly unknown[]) => this.#register(method, pattern, handlers, call)
  }

  #register(method: string, path: string, handlers: readonly unknown[], call = method.toLowerCase()): void {
    this.#isUsed = true
    const pattern = parsePattern(joinPatterns(this.#prefix, path))
    const source = `${call}(${JSON.stringify(pattern.text)})`
    const routeMiddleware = handlers.slice(0, -1) as MiddlewareFunc[]
    for (const wrap of routeMiddleware) checkMiddleware(wrap, source)
    // After the first route, use() throws. So the list is complete, and the routes can share it.
    const middleware = routeMiddleware.length > 0 ? [...this.#middleware, ...routeMiddleware] : this.#middleware
    // The cast is safe: the router passes each handler the parameters of its own pattern.
    const handler = handlers.at(-1) as HandlerFunc
    checkFunction(handler, source)
    this.#router.add({ method, pattern, handler, middleware, sharedMiddleware: this.#middleware, source })
  }
}
