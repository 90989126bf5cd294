/**
 * An index of routes for servers. It finds a route in one pass over the text of a path, without splitting it. Workers go
 * without it, because its code would be a twentieth of the smallest worker.
 */
import { encodeSegment } from "../../lib/path.ts"
import type { Pattern, Segment } from "../../lib/pattern.ts"
import type { Endpoint, Match, Route, RouteIndex } from "../../lib/router.ts"

/** A text in which patterns agree, and what may follow it. */
interface Node {
  /** Static text, also across slashes, in the spelling of a canonical path. `""` for the root, a parameter and a catch-all. */
  text: string
  /** Nodes whose text follows, by the code of its first character less {@link first}. A list, because a search reads it at one place. */
  next: (Node | undefined)[]
  first: number
  param: Node | undefined
  rest: Node | undefined
  /** The endpoint of the pattern that ends here. */
  endpoint: Endpoint | undefined
}

/** Returns the route of an endpoint for a method. */
type RouteOf = (endpoint: Endpoint, method: string) => Route | undefined

const slash = 47
const noValues: readonly string[] = []
/** The start and the end of each parameter of the running search. A search is never interrupted. */
const places: number[] = []

/** Creates an index without routes. */
export function makeRouteIndex(routeOf: RouteOf): RouteIndex {
  return new RadixIndex(routeOf)
}

class RadixIndex implements RouteIndex {
  readonly #root = makeNode("")
  readonly #routeOf: RouteOf
  /** Endpoints without parameters, which are also in the tree. */
  readonly #statics = new Map<string, Endpoint>()
  /** The {@link lookOf} of these paths. Others are not looked up, because the hash of a text takes time. */
  readonly #looks = new Uint8Array(1024)

  constructor(routeOf: RouteOf) {
    this.#routeOf = routeOf
  }

  add(endpoint: Endpoint): void {
    const { text, segments, names } = endpoint.pattern
    nodeOf(this.#root, segments).endpoint = endpoint
    if (names.length > 0) return
    this.#statics.set(text, endpoint)
    this.#looks[lookOf(text)] = 1
  }

  find(method: string, path: string): Match | null {
    if (this.#looks[lookOf(path)] === 1) {
      const endpoint = this.#statics.get(path)
      const route = endpoint && this.#routeOf(endpoint, method)
      if (route) return { endpoint, route, values: noValues }
    }
    const search = new Search(path, method, this.#routeOf)
    search.walk(this.#root, 1, 0)
    return search.endpoint ? (search as Match) : null
  }
}

/** Returns a number that few paths share. */
function lookOf(path: string): number {
  return ((path.length << 5) ^ path.charCodeAt(path.length - 1)) & 1023
}

/** A search for a method and a path. */
class Search {
  endpoint: Endpoint | undefined = undefined
  route: Route | undefined = undefined
  values: readonly string[] = noValues
  readonly #path: string
  /** The end of the path without a trailing slash. */
  readonly #end: number
  readonly #method: string
  readonly #routeOf: RouteOf

  constructor(path: string, method: string, routeOf: RouteOf) {
    this.#path = path
    const { length } = path
    this.#end = length > 2 && path.charCodeAt(length - 1) === slash ? length - 1 : length
    this.#method = method
    this.#routeOf = routeOf
  }

  /** Takes the first endpoint with the method; without one, the first. Returns true if it has the method. */
  #accept(endpoint: Endpoint, count: number): boolean {
    const route = this.#routeOf(endpoint, this.#method)
    if (!route && this.endpoint) return false
    this.endpoint = endpoint
    this.route = route
    this.values = count === 0 ? noValues : valuesOf(this.#path, count, endpoint.pattern)
    return route !== undefined
  }

  /**
   * Searches depth first: static text before parameters before catch-alls. Returns true if an endpoint has the method.
   *
   * @param count number of parameters before.
   */
  walk(from: Node, start: number, count: number): boolean {
    const path = this.#path
    const end = this.#end
    let node = from
    let at = start
    let found = count
    for (;;) {
      if (at === end) return node.endpoint !== undefined && this.#accept(node.endpoint, found)
      const { param, rest } = node
      const child = childOf(node, path, at, end)
      if (child !== undefined) {
        const after = at + child.text.length
        // The last way is a turn of this loop. Only a way that may be left again is a call.
        if (param === undefined && rest === undefined) {
          node = child
          at = after
          continue
        }
        if (this.walk(child, after, found)) return true
      }
      if (path.charCodeAt(at) === slash) return false
      if (param !== undefined) {
        const stop = stopOf(path, at, end)
        places[2 * found] = at
        places[2 * found + 1] = stop
        if (rest === undefined) {
          node = param
          at = stop
          found++
          continue
        }
        if (this.walk(param, stop, found + 1)) return true
      }
      if (rest?.endpoint === undefined || path.includes("//", at)) return false
      places[2 * found] = at
      places[2 * found + 1] = end
      return this.#accept(rest.endpoint, found + 1)
    }
  }
}

/** Returns the end of the segment at an index. */
function stopOf(path: string, at: number, end: number): number {
  let stop = at
  while (stop < end && path.charCodeAt(stop) !== slash) stop++
  return stop
}

/** Returns the node whose text a path continues with. */
function childOf({ first, next }: Node, path: string, at: number, end: number): Node | undefined {
  const index = path.charCodeAt(at) - first
  const child = index >= 0 && index < next.length ? next[index] : undefined
  return child !== undefined && isAt(child.text, path, at, end) ? child : undefined
}

/** Returns true if a path continues with a text, whose first character is known to be equal. */
function isAt(text: string, path: string, at: number, end: number): boolean {
  const { length } = text
  if (at + length > end) return false
  // For the few characters of a segment, this loop takes less time than startsWith().
  for (let i = 1; i < length; i++) if (text.charCodeAt(i) !== path.charCodeAt(at + i)) return false
  return true
}

/** Returns the decoded values of the last search's parameters. */
function valuesOf(path: string, count: number, { segments }: Pattern): readonly string[] {
  const values = new Array<string>(count)
  for (let i = 0; i < count; i++) values[i] = path.slice(places[2 * i], places[2 * i + 1])
  if (!path.includes("%")) return values
  // An encoded slash in a catch-all stays encoded; otherwise it would look like one that separates segments.
  const hasRest = segments.at(-1)?.kind === "rest"
  return values.map((value, i) =>
    decodeURIComponent(hasRest && i === count - 1 ? value.replaceAll("%2F", "%252F") : value),
  )
}

function makeNode(text: string): Node {
  return { text, next: [], first: 0, param: undefined, rest: undefined, endpoint: undefined }
}

/** Returns the node at which a pattern ends, and creates it if it is missing. */
function nodeOf(root: Node, segments: readonly Segment[]): Node {
  let node = root
  let text = ""
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as Segment
    if (i > 0) text += "/"
    if (segment.kind === "static") text += encodeSegment(segment.value)
    else {
      const before = extend(node, text)
      before[segment.kind] ??= makeNode("")
      node = before[segment.kind] as Node
      text = ""
    }
  }
  return extend(node, text)
}

/** Returns the node that a text after a node ends at, and creates it if it is missing. */
function extend(from: Node, text: string): Node {
  if (text === "") return from
  const child = from.next[text.charCodeAt(0) - from.first]
  if (!child) {
    const made = makeNode(text)
    put(from, made)
    return made
  }
  let same = 1
  while (same < child.text.length && child.text[same] === text[same]) same++
  if (same === child.text.length) return extend(child, text.slice(same))
  // The texts differ before the end of the child's, which is split there.
  const upper = makeNode(text.slice(0, same))
  put(from, upper)
  child.text = child.text.slice(same)
  put(upper, child)
  return extend(upper, text.slice(same))
}

/** Adds a node, or replaces the one with the same first character. */
function put(parent: Node, child: Node): void {
  const { next } = parent
  const code = child.text.charCodeAt(0)
  if (next.length === 0) parent.first = code
  for (; parent.first > code; parent.first--) next.unshift(undefined)
  const index = code - parent.first
  while (next.length < index) next.push(undefined)
  next[index] = child
}
