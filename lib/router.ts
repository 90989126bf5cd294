/** The router: patterns in a tree, static before parameter before catch-all. Filled by the app, asked once a request. */

import { type SocketFinder, socketFinder, socketMethod, upgradeRequired } from "./answer/upgrade.ts"
import type { Link } from "./chain.ts"
import type { Context } from "./context.ts"
import { access } from "./context-access.ts"
import { HttpError } from "./errors.ts"
import { fault } from "./fault.ts"
import { endsAlike, lastOf, segmentsOf } from "./path.ts"
import type { Pattern } from "./pattern.ts"
import { isToken } from "./request/headers.ts"
import type { HandlerFunc, MiddlewareFunc } from "./types.ts"

declare const FW_SOCKETS: boolean

/** A handler to register under a method and a pattern, with what wraps it, outermost first. */
export interface RouteInit {
  readonly method: string
  readonly pattern: Pattern
  readonly handler: HandlerFunc
  readonly middleware: readonly MiddlewareFunc[]
  /** The part of `middleware` that is for every method of the path. Default: all of it. */
  readonly shared?: readonly MiddlewareFunc[]
  /** What claimed it, for messages: a file, or a call such as `app.get`. */
  readonly source: string
}

/** A registered handler with its chain. */
export interface Route {
  readonly method: string
  readonly pattern: Pattern
  readonly source: string
  /** The handler in its middleware. */
  readonly run: Link
  /** Bytes that a body may have, where the chain says so. */
  readonly limit: number | undefined
}

/** All that answers one pattern. */
export interface Endpoint {
  /** By method; `*` answers any. */
  readonly routes: Map<string, Route>
  /** As the first route spells it. */
  readonly pattern: Pattern
  /** Answers 405, OPTIONS and the redirect of a trailing slash, in what the first route shares with others. */
  readonly fallback: Link
}

/** Makes a chain of a handler and its middleware. */
export type Compile = (middleware: readonly MiddlewareFunc[], handler: HandlerFunc, source: string) => Link

/** What was found for a path. */
export interface Match {
  readonly endpoint: Endpoint
  /** The route that answers the method, undefined when only other methods are answered. */
  readonly route: Route | undefined
  /** Decoded, in the order of the pattern's names. */
  readonly values: readonly string[]
}

/** A place in the tree. */
interface Node {
  /** By segment; parameters and catch-alls by what no segment can be. */
  readonly next: Map<string, Node>
  endpoint: Endpoint | null
}

const keys = { param: "\0", rest: "\0*" } as const

const noValues: readonly string[] = []

/** The routes of an app: finds the one for a method and a path. Not exported from the package. */
export class RouteTable {
  readonly #root = makeNode()
  /** Endpoints without parameters, by their path: static beats the rest in every segment, so these need no walk. */
  readonly #statics = new Map<string, Endpoint>()
  readonly #compile: Compile
  #sealed = false
  /** Finds the socket route that a request for a WebSocket means. Undefined where there are no socket routes. */
  declare findSocket: SocketFinder | undefined

  /** @internal Made by the app, which knows how errors are answered. */
  constructor(compile: Compile) {
    this.#compile = compile
  }

  /**
   * Adds a route.
   *
   * @throws FwError `conflict` when the method and pattern are claimed already, `sealed` once requests are served.
   */
  add(init: RouteInit): void {
    const { method, pattern, source } = init
    if (this.#sealed) throw fault("sealed", [`${source} for ${method} ${pattern.text}`])
    if ((typeof FW_SOCKETS === "undefined" || FW_SOCKETS) && method === socketMethod)
      this.findSocket ??= socketFinder(this)
    const { routes } = this.#endpoint(init)
    const claimed = routes.get(method)
    if (claimed) throw fault("conflict", [`${method} ${pattern.text}`, claimed.source, source])
    const run = this.#compile(init.middleware, init.handler, source)
    const limit = limitOf(init.middleware)
    routes.set(method, { method, pattern, source, run, limit })
  }

  /** Whether a route or a mounted handler stands at or below a plain path. */
  claims(path: string): boolean {
    let node: Node | undefined = this.#root
    for (const part of segmentsOf(path) ?? []) node = node?.next.get(part)
    return node !== undefined
  }

  /** No route is added from here on. */
  seal(): void {
    this.#sealed = true
  }

  /** The best match of a canonical path, or null. A route that answers the method beats one that does not. */
  find(method: string, path: string): Match | null {
    const direct = this.#statics.get(path)
    const route = direct && routeOf(direct, method)
    if (route) return { endpoint: direct, route, values: noValues }
    const parts = segmentsOf(path)
    if (parts === null) return null
    const values: string[] = []
    const first = (accept: (endpoint: Endpoint) => boolean) => walk(this.#root, parts, 0, values, accept)
    const endpoint = first((candidate) => routeOf(candidate, method) !== undefined) ?? first(() => true)
    return endpoint && { endpoint, route: routeOf(endpoint, method), values }
  }

  /** Every endpoint whose pattern covers a path, in the order they are asked: the first that answers the method wins. */
  covering(path: string): Endpoint[] {
    const all: Endpoint[] = []
    const parts = segmentsOf(path)
    if (parts) walk(this.#root, parts, 0, [], (endpoint) => all.push(endpoint) === 0)
    return all
  }

  /** The methods that a path answers, for `Allow`: GET brings HEAD, and OPTIONS is always there. Sorted. */
  allowed(path: string): string[] {
    const methods = new Set(["OPTIONS"])
    // An upgrade is asked for by GET.
    for (const { routes } of this.covering(path))
      for (const method of routes.keys()) methods.add(method === socketMethod ? "GET" : method)
    if (methods.has("GET")) methods.add("HEAD")
    return [...methods].sort()
  }

  #endpoint(init: RouteInit): Endpoint {
    const { pattern } = init
    let node = this.#root
    for (const segment of pattern.segments) {
      const key = segment.kind === "static" ? segment.value : keys[segment.kind]
      const next = node.next.get(key) ?? makeNode()
      node.next.set(key, next)
      node = next
    }
    node.endpoint ??= this.#makeEndpoint(init)
    if (pattern.names.length === 0) this.#statics.set(pattern.text, node.endpoint)
    return node.endpoint
  }

  #makeEndpoint({ middleware, shared = middleware, pattern }: RouteInit): Endpoint {
    const fallback = this.#compile(shared, (c) => this.#answerFallback(c), pattern.text)
    return { routes: new Map(), pattern, fallback }
  }

  #answerFallback(c: Context): Response | HttpError {
    const { method, path } = c
    // A route that answers the method comes here for its trailing slash alone. Relative: see relativeReference().
    if (this.find(method, path)?.route)
      return c.redirect(308, `..${lastOf(path).slice(0, -1)}${access.exchange(c).search}`)
    const allowed = this.allowed(path)
    // RFC 9110 §10.2.1: Allow goes with 405, and is what an answer to OPTIONS is for (§9.3.7).
    const allow = allowed.join(", ")
    if (method !== "OPTIONS")
      return (
        access.exchange(c).pass?.() ??
        ((typeof FW_SOCKETS === "undefined" || FW_SOCKETS) && allowed.includes(method)
          ? upgradeRequired(path)
          : new HttpError(405, `${path} does not answer ${method}`, { headers: { allow } }))
      )
    c.setHeader("Allow", allow)
    return c.noContent()
  }
}

/** Bytes that a body may have, as the innermost middleware that says so says. */
export function limitOf(middleware: readonly MiddlewareFunc[]): number | undefined {
  return middleware.findLast((wrap) => wrap.bodyLimit !== undefined)?.bodyLimit
}

/**
 * Whether a found route is redirected to its path without the trailing slash. A mounted handler and a socket are not:
 * they see the path as it is. Neither is a path that a proxy rewrote to another name, which the client has never asked for.
 *
 * @param method of the route. @param asked the path before a proxy's rewrite.
 */
export function isRedirected(method: string, path: string, asked: string): boolean {
  return (
    path !== "/" && path.endsWith("/") && endsAlike(path, asked) && (method === "GET" || method === "HEAD")
  )
}

/**
 * The method in the form that the router keeps. Tokens are case-sensitive (RFC 9110 §9.1), so only the usual ones are
 * put in upper case.
 *
 * @throws FwError `method` for what is not a token.
 */
export function methodName(method: string): string {
  if (!isToken(method)) throw fault("method", [method])
  return /^(?:get|head|post|put|patch|delete|options)$/i.test(method) ? method.toUpperCase() : method
}

function makeNode(): Node {
  return { next: new Map(), endpoint: null }
}

function routeOf(endpoint: Endpoint, method: string): Route | undefined {
  const { routes } = endpoint
  return routes.get(method) ?? (method === "HEAD" ? routes.get("GET") : undefined) ?? routes.get("*")
}

/** Depth first, static before parameter before catch-all; `values` holds the parameters of the way that was taken. */
function walk(
  node: Node,
  parts: readonly string[],
  at: number,
  values: string[],
  accept: (endpoint: Endpoint) => boolean,
): Endpoint | null {
  if (at === parts.length) return node.endpoint && accept(node.endpoint) ? node.endpoint : null
  const part = parts[at] as string
  const fixed = node.next.get(part)
  const found = fixed && walk(fixed, parts, at + 1, values, accept)
  if (found) return found
  const param = node.next.get(keys.param)
  if (param) {
    values.push(part)
    const deeper = walk(param, parts, at + 1, values, accept)
    if (deeper) return deeper
    values.pop()
  }
  const rest = node.next.get(keys.rest)?.endpoint
  if (!rest || !accept(rest)) return null
  // A slash that was encoded stays so: otherwise it could not be told from one that parts segments.
  values.push(
    parts
      .slice(at)
      .map((rest) => rest.replaceAll("/", "%2F"))
      .join("/"),
  )
  return rest
}
