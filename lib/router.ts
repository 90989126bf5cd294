/** The router: patterns in a tree, with static segments before parameters before catch-alls. */

import { createUpgradeRequired, isUpgradeRequest, socketMethod } from "./answer/upgrade.ts"
import type { Link } from "./chain.ts"
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { fault } from "./errors/fault.ts"
import { HttpError } from "./errors.ts"
import type { Exchange } from "./exchange.ts"
import { encodeSegment, getLastSegment, hasSameEnd, splitSegments } from "./path.ts"
import type { Pattern } from "./pattern.ts"
import type { BodyLimits } from "./request/body.ts"
import { isToken } from "./request/header-grammar.ts"
import { shortenText } from "./text.ts"
import type { HandlerFunc, MiddlewareFunc } from "./types.ts"

/** A handler to register with a method and a pattern, and its middleware, outermost first. */
export interface RouteInit {
  readonly method: string
  readonly pattern: Pattern
  readonly handler: HandlerFunc
  readonly middleware: readonly MiddlewareFunc[]
  /** The part of `middleware` that is for every method of the path. Default: all of it. */
  readonly sharedMiddleware?: readonly MiddlewareFunc[]
  /** Origin of the route, for messages: a file, or a call such as `app.get`. */
  readonly source: string
}

/** A registered handler with its chain. */
export interface Route {
  readonly method: string
  readonly pattern: Pattern
  readonly source: string
  /** The handler in its middleware. */
  readonly run: Link
  /** Size limits of a body, if the chain sets them. */
  readonly limits: BodyLimits | undefined
}

/** All routes of one pattern. */
export interface Endpoint {
  /** By method; `*` matches any. */
  readonly routes: Map<string, Route>
  /** In the spelling of the first route. */
  readonly pattern: Pattern
  /**
   * Answers 405, OPTIONS and the redirect of a trailing slash, in the middleware that the first route shares.
   */
  readonly fallback: Link
}

/** Composes a handler and its middleware. */
export type ComposeChain = (middleware: readonly MiddlewareFunc[], handler: HandlerFunc, source: string) => Link

/** The match of a path. */
export interface RouteMatch {
  readonly endpoint: Endpoint
  /** The route for the method; undefined if there are only other methods. */
  readonly route: Route | undefined
  /** Decoded, in the order of the pattern's names. */
  readonly values: readonly string[]
}

/** A node of the tree. */
interface RouteNode {
  /** By segment, as a canonical path has it; parameters and catch-alls by keys that no segment can have. */
  readonly next: Map<string, RouteNode>
  endpoint: Endpoint | null
}

const segmentKeys = { param: "\0", rest: "\0*" } as const

const noValues: readonly string[] = []

/** The routes of an app: finds the one for a method and a path. Not exported from the package. */
export class RouteTable {
  /** @internal */
  readonly root = createNode()
  /**
   * Endpoints without parameters, by their path. Static segments come first everywhere, so these need no
   * search in the tree.
   */
  readonly #staticEndpoints = new Map<string, Endpoint>()
  readonly #composeChain: ComposeChain
  #isSealed = false
  /** Finds the socket route for a WebSocket request. Undefined if there are no socket routes. */
  declare findSocket: FindSocket | undefined

  /** @internal The app creates it, with its response to errors. */
  constructor(compile: ComposeChain) {
    this.#composeChain = compile
  }

  /**
   * Adds a route.
   *
   * @throws FwError `conflict` if the method and pattern have a route already, `sealed` after the first
   * request.
   */
  add(init: RouteInit): void {
    const { method, pattern, source, middleware, handler } = init
    if (this.#isSealed) throw fault("sealed", [`${source} for ${method} ${pattern.text}`])
    if (method === socketMethod) this.findSocket ??= createSocketFinder(this)
    const { routes } = this.#getEndpoint(init)
    const claimed = routes.get(method)
    if (claimed) throw fault("conflict", [`${method} ${pattern.text}`, claimed.source, source])
    const run = this.#composeChain(middleware, handler, source)
    routes.set(method, { method, pattern, source, run, limits: findLimits([...middleware, handler]) })
  }

  /** Stops the registration of routes. */
  seal(): void {
    this.#isSealed = true
  }

  /** Returns the best match of a canonical path, or null. A route for the method is preferred to others. */
  find(method: string, path: string): RouteMatch | null {
    const direct = this.#staticEndpoints.get(path)
    const route = direct && findRoute(direct, method)
    if (route) return { endpoint: direct, route, values: noValues }
    const values: string[] = []
    const endpoint =
      searchTree(this.root, path, values, (candidate) => findRoute(candidate, method) !== undefined) ??
      searchTree(this.root, path, values, () => true)
    return endpoint && { endpoint, route: findRoute(endpoint, method), values: decodeValues(values, endpoint) }
  }

  /** Returns every endpoint whose pattern matches a path, in order: the first one that has the method answers. */
  findAll(path: string): Endpoint[] {
    const all: Endpoint[] = []
    searchTree(this.root, path, [], (endpoint) => all.push(endpoint) === 0)
    return all
  }

  /** Returns the methods of a path, for `Allow`, sorted: GET includes HEAD, and OPTIONS is always there. */
  listMethods(path: string): string[] {
    const methods = new Set(["OPTIONS"])
    // An upgrade is requested with GET.
    for (const { routes } of this.findAll(path))
      for (const method of routes.keys()) methods.add(method === socketMethod ? "GET" : method)
    if (methods.has("GET")) methods.add("HEAD")
    return [...methods].sort()
  }

  #getEndpoint(init: RouteInit): Endpoint {
    const { pattern } = init
    let node = this.root
    for (const segment of pattern.segments) {
      const key = segment.kind === "static" ? encodeSegment(segment.value) : segmentKeys[segment.kind]
      const next = node.next.get(key) ?? createNode()
      node.next.set(key, next)
      node = next
    }
    node.endpoint ??= this.#createEndpoint(init)
    if (pattern.names.length === 0) this.#staticEndpoints.set(pattern.text, node.endpoint)
    return node.endpoint
  }

  #createEndpoint({ middleware, sharedMiddleware = middleware, pattern }: RouteInit): Endpoint {
    const fallback = this.#composeChain(sharedMiddleware, (c) => this.#answerFallback(c), pattern.text)
    return { routes: new Map(), pattern, fallback }
  }

  #answerFallback(c: Context): Response | HttpError {
    const { method, path } = c
    // A route with the method is here only because of its trailing slash. The reference is relative: see
    // createRelativeReference().
    if (this.find(method, path)?.route)
      return c.redirect(308, `..${getLastSegment(path).slice(0, -1)}${access.getExchange(c).search}`)
    const allowedMethods = this.listMethods(path)
    // RFC 9110 §10.2.1: a 405 and the response to OPTIONS (§9.3.7) have Allow.
    const allow = allowedMethods.join(", ")
    if (method !== "OPTIONS")
      return (
        access.getExchange(c).passToHost?.() ??
        (allowedMethods.includes(method) ? createUpgradeRequired(path) : createMethodNotAllowed(path, method, allow))
      )
    c.setHeader("Allow", allow)
    return c.noContent()
  }
}

/** Returns the error for a path that has only other methods (RFC 9110 §15.5.6). @param allow those methods. */
export function createMethodNotAllowed(path: string, method: string, allow: string): HttpError {
  return new HttpError(405, `${shortenText(path)} does not answer ${shortenText(method)}`, {
    headers: { allow },
  })
}

/** Returns true if there is a route or a mounted handler at or below a plain path. */
export function hasRouteBelow({ root }: RouteTable, path: string): boolean {
  let node: RouteNode | undefined = root
  for (const part of splitSegments(path) ?? []) node = node?.next.get(encodeSegment(part))
  return node !== undefined
}

/** Returns the limits of a body that the innermost middleware with a limit sets, or a handler in `bodyLimit()`. */
export function findLimits(chain: readonly (MiddlewareFunc | HandlerFunc)[]): BodyLimits | undefined {
  return (chain as readonly Partial<BodyLimits>[]).findLast((one): one is BodyLimits => one.bodyLimit !== undefined)
}

/**
 * Returns true if a route is redirected to its path without the trailing slash. A mounted handler and a
 * socket are not, because they get the path as it is. Neither is a path that a proxy rewrote to another name,
 * because the client never requested it.
 *
 * @param method method of the route.
 * @param originalPath the path before a proxy's rewrite.
 */
export function isRedirected(method: string, path: string, originalPath: string): boolean {
  return path !== "/" && path.endsWith("/") && hasSameEnd(path, originalPath) && (method === "GET" || method === "HEAD")
}

/**
 * Returns the method as the router stores it. Tokens are case-sensitive (RFC 9110 §9.1), so only the usual
 * ones are converted to upper case.
 *
 * @throws FwError `method` for a value that is not a token.
 */
export function toMethodName(method: string): string {
  if (!isToken(method)) throw fault("method", [method])
  return /^(?:get|head|post|put|patch|delete|options)$/i.test(method) ? method.toUpperCase() : method
}

function createNode(): RouteNode {
  return { next: new Map(), endpoint: null }
}

function findRoute(endpoint: Endpoint, method: string): Route | undefined {
  const { routes } = endpoint
  return routes.get(method) ?? (method === "HEAD" ? routes.get("GET") : undefined) ?? routes.get("*")
}

/**
 * Searches depth first: static segments before parameters before catch-alls. `values` contains the parameters
 * of the current path, as the path has them. One trailing slash is no segment, and an empty segment matches nothing.
 */
function searchTree(
  root: RouteNode,
  path: string,
  values: string[],
  accept: (endpoint: Endpoint) => boolean,
): Endpoint | null {
  const end = path.endsWith("/") ? path.length - 1 : path.length
  const search = (node: RouteNode, at: number): Endpoint | null => {
    if (at > end) return node.endpoint && accept(node.endpoint) ? node.endpoint : null
    const slash = path.indexOf("/", at)
    const stop = slash < 0 ? end : slash
    if (stop === at) return null
    const part = path.slice(at, stop)
    const staticNode = node.next.get(part)
    const staticMatch = staticNode && search(staticNode, stop + 1)
    if (staticMatch) return staticMatch
    const param = node.next.get(segmentKeys.param)
    if (param) {
      values.push(part)
      const deeper = search(param, stop + 1)
      if (deeper) return deeper
      values.pop()
    }
    const rest = node.next.get(segmentKeys.rest)?.endpoint
    if (!rest || path.includes("//", at) || !accept(rest)) return null
    values.push(path.slice(at, end))
    return rest
  }
  return search(root, 1)
}

/** Returns the values of parameters. A slash in a catch-all's segment stays encoded, unlike those between segments. */
function decodeValues(values: readonly string[], { pattern }: Endpoint): readonly string[] {
  const hasRest = pattern.segments.at(-1)?.kind === "rest"
  return values.map((value, i) => {
    if (!value.includes("%")) return value
    return decodeURIComponent(hasRest && i === values.length - 1 ? value.replaceAll("%2F", "%252F") : value)
  })
}

/**
 * Finds the socket route of an upgrade request. Without one, it is handled like any other request (RFC 9110
 * §7.8).
 */
type FindSocket = (exchange: Exchange, path: string) => RouteMatch | null

/** Returns a function that searches the socket routes of a router. */
function createSocketFinder(router: RouteTable): FindSocket {
  return (exchange, path) => {
    const match = isUpgradeRequest(exchange) ? router.find(socketMethod, path) : null
    // A handler of every method answers it as a GET, like any other handler.
    return match?.route?.method === socketMethod ? match : null
  }
}
