/**
 * An index of routes for servers. It finds a route in one pass over the text of a path, without splitting it. Workers go
 * without it, because its code would be a twentieth of the smallest worker.
 */
import { encodeSegment } from "../../lib/path.ts"
import type { Pattern, Segment } from "../../lib/pattern.ts"
import type { Endpoint, Match, Route, RouteIndex } from "../../lib/router.ts"

/** A text in which patterns agree, and what may follow it. */
interface Node {
  /**
   * Static text, also across slashes, in the spelling of a canonical path, which is ASCII: a part of the index's codes. Empty for
   * the root, a parameter and a catch-all.
   */
  start: number
  end: number
  /** Nodes whose text follows, by the code of its first character less {@link first}. A list, because a search reads it at one place. */
  next: (Node | undefined)[]
  first: number
  param: Node | undefined
  rest: Node | undefined
  /** The endpoint of the pattern that ends here. */
  endpoint: Endpoint | undefined
  /**
   * The last match of it whose route was found by its own method, without values. It stays right, because no route is ever
   * replaced or removed. Without parameters it is the match of each search.
   */
  known: Match | undefined
}

/** Returns the route of an endpoint for a method. */
type RouteOf = (endpoint: Endpoint, method: string) => Route | undefined

const slash = 47
const noValues: readonly string[] = []
/** The list of a node without followers. It is of the kind that other lists are, so that V8 reads all of them with the same code. */
const nothing: (Node | undefined)[] = [undefined]
/** The start and the end of each parameter of the running search. A search is never interrupted. */
const places: number[] = []

/** Creates an index without routes. */
export function makeRouteIndex(routeOf: RouteOf): RouteIndex {
  return new RadixIndex(routeOf)
}

class RadixIndex implements RouteIndex {
  readonly #root = makeNode(0, 0)
  /**
   * The texts of all nodes, one after the other. To compare a path with these numbers takes half the time of a comparison with
   * another text, because V8 finds out for each character where a text is stored.
   */
  #codes = new Uint8Array(256)
  #used = 0
  /** The lengths of the paths without parameters, modulo 32, as bits. By the code of their last character. */
  readonly #lengths = new Int32Array(128)
  readonly #routeOf: RouteOf
  /** The first endpoint that the running search found without a route for the method. */
  #other: Match | null = null

  constructor(routeOf: RouteOf) {
    this.#routeOf = routeOf
  }

  add(endpoint: Endpoint): void {
    const { segments, names, text: path } = endpoint.pattern
    const node = this.#nodeOf(segments)
    node.endpoint = endpoint
    if (names.length > 0) return
    const last = path.charCodeAt(path.length - 1)
    this.#lengths[last] = (this.#lengths[last] as number) | (1 << path.length)
  }

  find(method: string, path: string): Match | null {
    const { length } = path
    const last = path.charCodeAt(length - 1)
    if (((this.#lengths[last] as number) & (1 << length)) !== 0) {
      const known = this.#knownOf(path)
      if (known?.route?.method === method) return known
    }
    const end = length > 2 && last === slash ? length - 1 : length
    this.#other = null
    return this.#walk(this.#root, method, path, 1, end, 0) ?? this.#other
  }

  /**
   * Returns what was found before for a path without parameters. It goes through the tree by the first character of each text,
   * and compares the path once, with the only one that it can be.
   */
  #knownOf(path: string): Match | undefined {
    const { length } = path
    let node = this.#root
    for (let at = 1; at < length; at += node.end - node.start) {
      const child = childOf(node, path.charCodeAt(at))
      if (child === undefined) return undefined
      node = child
    }
    const { known } = node
    const whole = known?.endpoint.pattern.text
    // Of two texts of one length, this is true only if they are equal. `===` takes longer.
    return whole?.length === length && whole.includes(path) ? known : undefined
  }

  /** Returns the match with the endpoint of a node if it has a route for the method. */
  #accept(node: Node, method: string, path: string, count: number): Match | null {
    const { known } = node
    const isKnown = known?.route?.method === method
    if (isKnown && count === 0) return known
    const endpoint = node.endpoint as Endpoint
    const route = isKnown ? known.route : this.#routeOf(endpoint, method)
    if (!route && this.#other) return null
    const match = {
      endpoint,
      route,
      values: count === 0 ? noValues : valuesOf(path, count, endpoint.pattern),
    }
    if (!route) {
      this.#other = match
      return null
    }
    // Without the values, which are parts of a request's target and would keep it in memory.
    if (!isKnown && route.method === method) node.known = { endpoint, route, values: noValues }
    return match
  }

  /**
   * Searches depth first: static text before parameters before catch-alls. Stops at the first endpoint that has the method.
   *
   * @param end the end of the path without a trailing slash.
   * @param count number of parameters before.
   */
  #walk(from: Node, method: string, path: string, start: number, end: number, count: number): Match | null {
    let node = from
    let at = start
    let found = count
    for (;;) {
      if (at === end) return node.endpoint ? this.#accept(node, method, path, found) : null
      const { param, rest } = node
      const code = path.charCodeAt(at)
      const child = childOf(node, code)
      if (child !== undefined && isAt(this.#codes, child, path, at, end)) {
        const after = at + child.end - child.start
        // The last way is a turn of this loop. Only a way that may be left again is a call.
        if (param === undefined && rest === undefined) {
          node = child
          at = after
          continue
        }
        const match = this.#walk(child, method, path, after, end, found)
        if (match) return match
      }
      if (code === slash) return null
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
        const match = this.#walk(param, method, path, stop, end, found + 1)
        if (match) return match
      }
      if (rest?.endpoint === undefined || path.includes("//", at)) return null
      places[2 * found] = at
      places[2 * found + 1] = end
      return this.#accept(rest, method, path, found + 1)
    }
  }

  /** Returns the node at which a pattern ends, and creates it if it is missing. */
  #nodeOf(segments: readonly Segment[]): Node {
    let node = this.#root
    let text = ""
    for (let i = 0; i < segments.length; i++) {
      const segment = segments[i] as Segment
      if (i > 0) text += "/"
      if (segment.kind === "static") text += encodeSegment(segment.value)
      else {
        const before = this.#extend(node, text)
        before[segment.kind] ??= makeNode(0, 0)
        node = before[segment.kind] as Node
        text = ""
      }
    }
    return this.#extend(node, text)
  }

  /** Returns the node that a text after a node ends at, and creates it if it is missing. */
  #extend(from: Node, text: string): Node {
    if (text === "") return from
    const child = from.next[text.charCodeAt(0) - from.first]
    if (!child) {
      const start = this.#used
      this.#write(text)
      const made = makeNode(start, this.#used)
      this.#put(from, made)
      return made
    }
    const length = child.end - child.start
    let same = 1
    while (same < length && this.#codes[child.start + same] === text.charCodeAt(same)) same++
    if (same === length) return this.#extend(child, text.slice(same))
    // The texts differ before the end of the child's, which is split there.
    const upper = makeNode(child.start, child.start + same)
    this.#put(from, upper)
    child.start += same
    this.#put(upper, child)
    return this.#extend(upper, text.slice(same))
  }

  /** Adds a text to the codes. */
  #write(text: string): void {
    if (this.#used + text.length > this.#codes.length) {
      const longer = new Uint8Array(2 * (this.#used + text.length))
      longer.set(this.#codes)
      this.#codes = longer
    }
    for (let i = 0; i < text.length; i++) this.#codes[this.#used++] = text.charCodeAt(i)
  }

  /** Adds a node, or replaces the one with the same first character. */
  #put(parent: Node, child: Node): void {
    const code = this.#codeOf(child)
    if (parent.next === nothing) {
      parent.next = [child]
      parent.first = code
      return
    }
    const { next } = parent
    for (; parent.first > code; parent.first--) next.unshift(undefined)
    const index = code - parent.first
    while (next.length < index) next.push(undefined)
    next[index] = child
  }

  #codeOf({ start }: Node): number {
    return this.#codes[start] as number
  }
}

/** Returns the node after a node whose text begins with a character. */
function childOf({ first, next }: Node, code: number): Node | undefined {
  const index = code - first
  // A list that is read outside of its bounds is slow for V8.
  return index >= 0 && index < next.length ? next[index] : undefined
}

/** Returns the end of the segment at an index. */
function stopOf(path: string, at: number, end: number): number {
  let stop = at
  while (stop < end && path.charCodeAt(stop) !== slash) stop++
  return stop
}

/** Returns true if a path continues with the text of a node, whose first character is known to be equal. */
function isAt(codes: Uint8Array, { start, end: stop }: Node, path: string, at: number, end: number): boolean {
  const less = at - start
  if (stop + less > end) return false
  for (let i = start + 1; i < stop; i++) if (codes[i] !== path.charCodeAt(i + less)) return false
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

function makeNode(start: number, end: number): Node {
  return {
    start,
    end,
    next: nothing,
    first: 0,
    param: undefined,
    rest: undefined,
    endpoint: undefined,
    known: undefined,
  }
}
