/**
 * The router: a tree of patterns. At each segment, static text comes before a parameter, and a parameter before a
 * catch-all.
 */

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

/** What is needed to register a handler for a method and a pattern. Its middleware is in order, outermost first. */
export interface RouteInit {
  readonly method: string
  readonly pattern: Pattern
  readonly handler: HandlerFunc
  readonly middleware: readonly MiddlewareFunc[]
  /** The part of `middleware` that applies to every method of the path. Default: all of it. */
  readonly sharedMiddleware?: readonly MiddlewareFunc[]
  /** The place where the route was registered, for messages: a file, or a call such as `app.get`. */
  readonly source: string
}

/** A registered handler with its chain. */
export interface Route {
  readonly method: string
  readonly pattern: Pattern
  readonly source: string
  /** Runs the handler inside its middleware. */
  readonly run: Link
  /** The size limits for bodies, if a middleware of the chain sets them. */
  readonly limits: BodyLimits | undefined
}

/** All routes of one pattern. */
export interface Endpoint {
  /** The routes by method; `*` stands for any method. */
  readonly routes: Map<string, Route>
  /** The pattern as the first route has spelled it. */
  readonly pattern: Pattern
  /**
   * Answers OPTIONS, other methods with a 405, and a trailing slash with a redirect. It runs in the middleware that the
   * first route shares.
   */
  readonly fallback: Link
}

/** Composes a handler and its middleware to a chain. */
export type ComposeChain = (middleware: readonly MiddlewareFunc[], handler: HandlerFunc, source: string) => Link

/** The result of looking for a path. */
export interface RouteMatch {
  readonly endpoint: Endpoint
  /** The route for the method; undefined if the path has routes for other methods only. */
  readonly route: Route | undefined
  /** The decoded values of the parameters, in the order of the pattern's names. */
  readonly values: readonly string[]
}

/** A node of the tree. */
interface RouteNode {
  /**
   * The next nodes, by segment as in a canonical path. Parameters and catch-alls have keys that no segment can have.
   */
  readonly next: Map<string, RouteNode>
  endpoint: Endpoint | null
}

const segmentKeys = { param: "\0", rest: "\0*" } as const

const noValues: readonly string[] = []

/** The routes of an app. Finds the route for a method and a path. Not exported from the package. */
export class RouteTable {
  /** @internal */
  readonly root = createNode()
  /**
   * Endpoints without parameters, by their path. They take precedence over all others, so they need no search in the
   * tree.
   */
  readonly #staticEndpoints = new Map<string, Endpoint>()
  readonly #composeChain: ComposeChain
  #isSealed = false
  /** Finds the socket route for a request that asks for a WebSocket. Undefined if there are no socket routes. */
  declare findSocket: FindSocket | undefined

  /** @internal Only an app creates it. */
  constructor(composeChain: ComposeChain) {
    this.#composeChain = composeChain
  }

  /**
   * Adds a route.
   *
   * @throws FwError `conflict` if there is already a route for the method and the pattern, `sealed` after the first
   * request.
   */
  add(init: RouteInit): void {
    const { method, pattern, source, middleware, handler } = init
    if (this.#isSealed) throw fault("sealed", [`${source} for ${method} ${pattern.text}`])
    if (method === socketMethod) this.findSocket ??= createSocketFinder(this)
    const { routes } = this.#getEndpoint(init)
    const existingRoute = routes.get(method)
    if (existingRoute) throw fault("conflict", [`${method} ${pattern.text}`, existingRoute.source, source])
    const run = this.#composeChain(middleware, handler, source)
    routes.set(method, { method, pattern, source, run, limits: findLimits([...middleware, handler]) })
  }

  /** Forbids further routes. */
  seal(): void {
    this.#isSealed = true
  }

  /**
   * Returns the best match for a canonical path, or null. A pattern that has a route for the method takes precedence
   * over others.
   */
  find(method: string, path: string): RouteMatch | null {
    const staticEndpoint = this.#staticEndpoints.get(path)
    const route = staticEndpoint && findRoute(staticEndpoint, method)
    if (route) return { endpoint: staticEndpoint, route, values: noValues }
    const values: string[] = []
    const endpoint =
      searchTree(this.root, path, values, (candidate) => findRoute(candidate, method) !== undefined) ??
      searchTree(this.root, path, values, () => true)
    return endpoint && { endpoint, route: findRoute(endpoint, method), values: decodeValues(values, endpoint) }
  }

  /** Returns all endpoints whose patterns match a path, the best first. */
  findAll(path: string): Endpoint[] {
    const endpoints: Endpoint[] = []
    searchTree(this.root, path, [], (endpoint) => endpoints.push(endpoint) === 0)
    return endpoints
  }

  /** Returns the methods of a path for `Allow`, sorted. With GET there is also HEAD, and OPTIONS is always included. */
  listMethods(path: string): string[] {
    const methods = new Set(["OPTIONS"])
    // Clients ask for a WebSocket with GET.
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
    // There is a route for this method, so the only problem is the trailing slash. Why the redirect is relative:
    // createRelativeReference().
    if (this.find(method, path)?.route)
      return c.redirect(308, `..${getLastSegment(path).slice(0, -1)}${access.getExchange(c).search}`)
    const allowedMethods = this.listMethods(path)
    // A 405 and the answer to OPTIONS have `Allow` (RFC 9110 §10.2.1, §9.3.7).
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

/**
 * Returns the error for a path that has no route for the method (RFC 9110 §15.5.6). @param allow the methods that it
 * has.
 */
export function createMethodNotAllowed(path: string, method: string, allow: string): HttpError {
  return new HttpError(405, `${shortenText(path)} does not answer ${shortenText(method)}`, {
    headers: { allow },
  })
}

/** Returns true if there is a route or a mounted handler at a path without parameters, or below it. */
export function hasRouteBelow({ root }: RouteTable, path: string): boolean {
  let node: RouteNode | undefined = root
  for (const part of splitSegments(path) ?? []) node = node?.next.get(encodeSegment(part))
  return node !== undefined
}

/** Returns the size limits that the innermost middleware with limits sets, or the handler itself. */
export function findLimits(chain: readonly (MiddlewareFunc | HandlerFunc)[]): BodyLimits | undefined {
  return (chain as readonly Partial<BodyLimits>[]).findLast((one): one is BodyLimits => one.bodyLimit !== undefined)
}

/**
 * Returns true if a request is redirected to the same path without its trailing slash. Mounted handlers and sockets get
 * the path as it is. A path that a proxy has rewritten to another name is not redirected either, because the client
 * does not know it.
 *
 * @param method the method of the request.
 * @param originalPath the path before a proxy has rewritten it.
 */
export function isRedirected(method: string, path: string, originalPath: string): boolean {
  return path !== "/" && path.endsWith("/") && hasSameEnd(path, originalPath) && (method === "GET" || method === "HEAD")
}

/**
 * Returns a method as the router stores it. Methods are case-sensitive (RFC 9110 §9.1), so only the common ones are
 * converted to capitals.
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
 * Searches the tree depth first: static text, then a parameter, then a catch-all. `values` collects the parameters of
 * the current path, still encoded. One trailing slash is ignored, and an empty segment matches nothing.
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
      const paramMatch = search(param, stop + 1)
      if (paramMatch) return paramMatch
      values.pop()
    }
    const rest = node.next.get(segmentKeys.rest)?.endpoint
    if (!rest || path.includes("//", at) || !accept(rest)) return null
    values.push(path.slice(at, end))
    return rest
  }
  return search(root, 1)
}

/**
 * Decodes the values of parameters. In a catch-all, `%2F` stays encoded, because it is not a slash between segments.
 */
function decodeValues(values: readonly string[], { pattern }: Endpoint): readonly string[] {
  const hasRest = pattern.segments.at(-1)?.kind === "rest"
  return values.map((value, i) => {
    if (!value.includes("%")) return value
    return decodeURIComponent(hasRest && i === values.length - 1 ? value.replaceAll("%2F", "%252F") : value)
  })
}

/**
 * Finds the socket route for a request that asks for a WebSocket. Without one, the request is answered like any other
 * (RFC 9110 §7.8).
 */
type FindSocket = (exchange: Exchange, path: string) => RouteMatch | null

/** Returns a function that finds socket routes in a router. */
function createSocketFinder(router: RouteTable): FindSocket {
  return (exchange, path) => {
    const match = isUpgradeRequest(exchange) ? router.find(socketMethod, path) : null
    // A handler for every method may match too. It answers the request as a GET.
    return match?.route?.method === socketMethod ? match : null
  }
}
