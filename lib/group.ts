/** Route groups: handlers registered below a prefix, in middleware of their own. Made by `app.group`; the app itself is the outermost. */
import { checkFunction, checkMiddleware } from "./checks.ts"
import { fault } from "./fault.ts"
import { feature } from "./features.ts"
import { joinPatterns, type ParamNames, parsePattern } from "./pattern.ts"
import { methodName, type Router } from "./router.ts"
import type { HandlerFunc, MiddlewareFunc } from "./types.ts"
import { type SocketFunc, socketMethod } from "./upgrade.ts"

/** The pattern of a route in a group. */
export type Joined<Prefix extends string, Path extends string> = ParamNames<Prefix> | ParamNames<Path>

/** Registers routes below a prefix. `Prefix` brings its parameters into the handlers' types. */
export class RouteGroup<Prefix extends string = string> {
  readonly #router: Router
  readonly #prefix: string
  readonly #middleware: MiddlewareFunc[]
  #used = false

  /** @internal Use `app.group()`. */
  constructor(router: Router, prefix: string, outer: readonly MiddlewareFunc[]) {
    this.#router = router
    this.#prefix = prefix
    this.#middleware = [...outer]
  }

  /**
   * Wraps every route of this group, in the order added.
   *
   * @throws FwError `use_late` after the group's first route, which it would not wrap.
   */
  use(middleware: MiddlewareFunc): void {
    checkMiddleware(middleware, "group.use()")
    if (this.#used) throw fault("use_late.group", this.#prefix)
    this.#middleware.push(middleware)
  }

  /** Registers a handler for GET, and for HEAD where nothing else does. @throws FwError `pattern` or `conflict`. */
  get<Path extends string>(pattern: Path, handler: HandlerFunc<Joined<Prefix, Path>>): void {
    this.#add("GET", pattern, handler)
  }

  /** Registers a handler for POST. @throws FwError `pattern` or `conflict`. */
  post<Path extends string>(pattern: Path, handler: HandlerFunc<Joined<Prefix, Path>>): void {
    this.#add("POST", pattern, handler)
  }

  /** Registers a handler for PUT. @throws FwError `pattern` or `conflict`. */
  put<Path extends string>(pattern: Path, handler: HandlerFunc<Joined<Prefix, Path>>): void {
    this.#add("PUT", pattern, handler)
  }

  /** Registers a handler for PATCH. @throws FwError `pattern` or `conflict`. */
  patch<Path extends string>(pattern: Path, handler: HandlerFunc<Joined<Prefix, Path>>): void {
    this.#add("PATCH", pattern, handler)
  }

  /** Registers a handler for DELETE. @throws FwError `pattern` or `conflict`. */
  delete<Path extends string>(pattern: Path, handler: HandlerFunc<Joined<Prefix, Path>>): void {
    this.#add("DELETE", pattern, handler)
  }

  /** Registers a handler for HEAD, instead of GET's. @throws FwError `pattern` or `conflict`. */
  head<Path extends string>(pattern: Path, handler: HandlerFunc<Joined<Prefix, Path>>): void {
    this.#add("HEAD", pattern, handler)
  }

  /** Registers a handler for OPTIONS, instead of the one that answers with `Allow`. @throws FwError `pattern` or `conflict`. */
  options<Path extends string>(pattern: Path, handler: HandlerFunc<Joined<Prefix, Path>>): void {
    this.#add("OPTIONS", pattern, handler)
  }

  /** Registers what answers upgrades to WebSocket. A GET handler of the same pattern answers the others. @throws FwError `pattern` or `conflict`. */
  socket<Path extends string>(pattern: Path, handler: SocketFunc<Joined<Prefix, Path>>): void {
    const run = handler as SocketFunc
    this.#add(socketMethod, pattern, feature("sockets").socketRoute(run, pattern), "socket")
  }

  /** Registers a handler for any method. @throws FwError `method`, `pattern` or `conflict`. */
  registerRoute<Path extends string>(
    method: string,
    pattern: Path,
    handler: HandlerFunc<Joined<Prefix, Path>>,
  ): void {
    this.#add(methodName(method), pattern, handler, "registerRoute")
  }

  /** A group below this one, with this one's middleware outermost. */
  group<Path extends string>(pattern: Path, fill: (group: RouteGroup<`${Prefix}/${Path}`>) => void): void {
    this.#used = true
    const prefix = joinPatterns(this.#prefix, pattern)
    parsePattern(prefix || "/")
    fill(new RouteGroup(this.#router, prefix, this.#middleware))
  }

  #add<Params extends string>(
    method: string,
    path: string,
    handler: HandlerFunc<Params>,
    call = method.toLowerCase(),
  ): void {
    this.#used = true
    const pattern = parsePattern(joinPatterns(this.#prefix, path))
    const source = `${call}(${JSON.stringify(pattern.text)})`
    checkFunction(handler, source)
    // The router gives each handler the parameters of its own pattern, which is what `Params` says.
    this.#router.add({
      method,
      pattern,
      handler: handler as HandlerFunc,
      // Complete: use() throws from here on.
      middleware: this.#middleware,
      source,
    })
  }
}
