/**
 * Rules for caches (RFC 9111, RFC 9213): the headers of the context that an error and a 304 are sent without, and the answers
 * that a cache of several people may keep.
 */
import { addToVary, cacheDirectives, type Directive, readDate } from "../request/header-grammar.ts"

/** A header to add to a response: `append` keeps existing lines. */
export interface HeaderChange {
  readonly name: string
  readonly value: string
  readonly append: boolean
}

/**
 * Headers that a cache of one kind reads instead of `Cache-Control`, with the same directives: RFC 9213 §3.1, the names that
 * content delivery networks made after it, and the W3C note "Edge Architecture Specification".
 */
const targeted = [
  "cdn-cache-control",
  "cloudflare-cdn-cache-control",
  "netlify-cdn-cache-control",
  "vercel-cdn-cache-control",
  "surrogate-control",
]

/** Headers that describe a body, and so not the one that an error has (RFC 9110 §8, RFC 9530). */
const ofBody = /^(?:content-(?!security-).+|etag|last-modified|accept-ranges|digest|repr-digest)$/

/** Other headers for caches: RFC 9111 §5.1, and those of nginx and Akamai. */
const lifetimes = /^(?:age|x-accel-expires|edge-control)$/

/** Headers of a body that a 304 repeats, because the 200 would have had them (RFC 9110 §15.4.5). */
const repeated = /^(?:content-location|etag|last-modified)$/

/** Statuses that a cache may keep by default (RFC 9110 §15.1), and a 304, which changes what it keeps. */
const keepable = new Set([200, 203, 204, 206, 300, 301, 304, 308, 404, 405, 410, 414, 501])

/** Redirects that caches keep without a limit, and without a validator. */
const permanent = new Set([301, 308])

/** Directives that forbid something, or say that a cache must ask. */
const restrictive = new Set(["no-store", "no-cache", "private", "no-transform", "max-age", "s-maxage"])

/** Returns true for a directive that lets a cache answer without asking. */
function letsReuse({ name, argument }: Directive): boolean {
  if (name === "public" || name === "immutable") return true
  if (!/^(?:max-age|s-maxage|stale-while-revalidate|stale-if-error)$/.test(name)) return false
  return Number.parseInt(argument ?? "", 10) > 0
}

/** Returns what is left of `Cache-Control` for an error: only what forbids. */
function withoutReuse(value: string): string {
  const directives = cacheDirectives(value)
  if (!directives.some(letsReuse)) return value
  const left = directives.filter((directive) => !letsReuse(directive))
  // On its own, `must-revalidate` says nothing.
  return left.some(({ name }) => restrictive.has(name)) ? left.map(({ text }) => text).join(", ") : ""
}

function isControl(name: string): boolean {
  return name === "cache-control" || targeted.includes(name)
}

/**
 * Returns a header of the context as an error is sent with it; undefined without it. An error has its own body, and was not meant
 * to be kept: explicit freshness makes any status storable (RFC 9111 §3).
 */
export function forError(change: HeaderChange): HeaderChange | undefined {
  const { name, value } = change
  if (ofBody.test(name) || lifetimes.test(name)) return undefined
  if (name === "expires") return readDate(value) > Date.now() ? undefined : change
  if (!isControl(name)) return change
  const left = withoutReuse(value)
  return left === "" ? undefined : { ...change, value: left }
}

/** Removes what lets caches keep an answer that has become an error. Its body may be the same, with what describes it. */
export function forbidReuse(headers: Headers): void {
  for (const [name, value] of [...headers]) {
    if (ofBody.test(name)) continue
    const left = forError({ name, value, append: false })
    if (left === undefined) headers.delete(name)
    else if (left.value !== value) headers.set(name, left.value)
  }
}

/** Returns true for a header that describes a body, which a 304 does not have (RFC 9110 §15.4.5). */
export function isOfBody(name: string): boolean {
  return ofBody.test(name) && !repeated.test(name)
}

/** Returns a header by its name in lower case; `""` if missing. */
type Header = (name: string) => string

/** True if a header lets a cache that people share store the answer, false if it forbids that, undefined if it says neither. */
function storing(value: string): boolean | undefined {
  const directives = cacheDirectives(value)
  // With names, only these headers are private (RFC 9111 §5.2.2.7), and not every cache reads them.
  const forbids = ({ name, argument }: Directive) =>
    name === "no-store" || (name === "private" && argument === undefined)
  if (directives.some(forbids)) return false
  const allows = directives.some(
    (directive) => letsReuse(directive) || /^(?:no-cache|max-age|s-maxage)$/.test(directive.name),
  )
  return allows || undefined
}

/** Returns true if a cache that several people share may store an answer (RFC 9111 §3), also if it must ask before it uses it. */
export function isShareable(status: number, header: Header): boolean {
  if (targeted.some((name) => storing(header(name)))) return true
  const stated = storing(header("cache-control"))
  if (stated !== undefined) return stated
  if (header("expires") !== "" || permanent.has(status)) return true
  return keepable.has(status) && (header("etag") !== "" || header("last-modified") !== "")
}

/** Returns the changes after which only the cache of one person may keep an answer. */
export function toPrivate(status: number, header: Header): HeaderChange[] {
  if (!isShareable(status, header)) return []
  const shared = /^(?:public|private|s-maxage|proxy-revalidate)$/
  const kept = cacheDirectives(header("cache-control")).filter(({ name }) => !shared.test(name))
  const value = ["private", ...kept.map(({ text }) => text)].join(", ")
  const others = targeted.filter((name) => storing(header(name)))
  return [
    { name: "cache-control", value, append: false },
    ...others.map((name) => ({ name, value: "no-store", append: false })),
  ]
}

/** Makes a change of headers. `Vary` is a set. */
export function changeHeader(headers: Headers, { name, value, append }: HeaderChange): void {
  if (!append) headers.set(name, value)
  else if (name === "vary") headers.set(name, addToVary(headers.get(name) ?? "", value))
  else headers.append(name, value)
}
