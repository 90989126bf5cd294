/**
 * Rules for caches (RFC 9111, RFC 9213): which headers of the context an error and a 304 leave out, and which answers a
 * shared cache may keep.
 */
import { addToVary, type CacheDirective, parseCacheDirectives, readDate } from "../request/header-grammar.ts"

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
const targetedHeaders = [
  "cdn-cache-control",
  "cloudflare-cdn-cache-control",
  "netlify-cdn-cache-control",
  "vercel-cdn-cache-control",
  "surrogate-control",
]

/** Headers that describe the body of the expected answer, and not that of an error (RFC 9110 §8, RFC 9530). */
const bodyHeader = /^(?:content-(?!security-).+|etag|last-modified|accept-ranges|digest|repr-digest)$/

/** Other headers for caches: RFC 9111 §5.1, and those of nginx and Akamai. */
const lifetimeHeader = /^(?:age|x-accel-expires|edge-control)$/

/** Headers of a body that a 304 repeats, because the 200 would have had them (RFC 9110 §15.4.5). */
const repeatedHeader = /^(?:content-location|etag|last-modified)$/

/** Statuses that a cache may keep by default (RFC 9110 §15.1), and a 304, which changes what it keeps. */
const cacheableStatuses = new Set([200, 203, 204, 206, 300, 301, 304, 308, 404, 405, 410, 414, 501])

/** Redirects that caches keep without a limit, and without a validator. */
const permanentRedirects = new Set([301, 308])

/** Directives that forbid something, or make a cache ask first. */
const restrictiveDirectives = new Set(["no-store", "no-cache", "private", "no-transform", "max-age", "s-maxage"])

/** Returns true for a directive that lets a cache answer without asking. */
function allowsReuse({ name, argument }: CacheDirective): boolean {
  if (name === "public" || name === "immutable") return true
  if (!/^(?:max-age|s-maxage|stale-while-revalidate|stale-if-error)$/.test(name)) return false
  return Number.parseInt(argument ?? "", 10) > 0
}

/** Returns the directives of `Cache-Control` that an error keeps: only those that restrict caches. */
function removeReuse(value: string): string {
  const directives = parseCacheDirectives(value)
  if (!directives.some(allowsReuse)) return value
  const remainingDirectives = directives.filter((directive) => !allowsReuse(directive))
  // On its own, `must-revalidate` has no effect.
  return remainingDirectives.some(({ name }) => restrictiveDirectives.has(name))
    ? remainingDirectives.map(({ text }) => text).join(", ")
    : ""
}

function isCacheControl(name: string): boolean {
  return name === "cache-control" || targetedHeaders.includes(name)
}

/**
 * Returns a header of the context in the form that an error keeps; undefined if an error leaves it out. An error has
 * its own body, and was not meant to be kept, but explicit freshness makes any status storable (RFC 9111 §3).
 */
export function toErrorHeader(change: HeaderChange): HeaderChange | undefined {
  const { name, value } = change
  if (bodyHeader.test(name) || lifetimeHeader.test(name)) return undefined
  if (name === "expires") return readDate(value) > Date.now() ? undefined : change
  if (!isCacheControl(name)) return change
  const remainingValue = removeReuse(value)
  return remainingValue === "" ? undefined : { ...change, value: remainingValue }
}

/**
 * Removes the headers that let caches keep an answer that has become an error. Headers of the body stay: it may be the
 * same.
 */
export function forbidReuse(headers: Headers): void {
  for (const [name, value] of [...headers]) {
    if (bodyHeader.test(name)) continue
    const errorHeader = toErrorHeader({ name, value, append: false })
    if (errorHeader === undefined) headers.delete(name)
    else if (errorHeader.value !== value) headers.set(name, errorHeader.value)
  }
}

/** Returns true for a header that describes a body, which a 304 does not have (RFC 9110 §15.4.5). */
export function isBodyHeader(name: string): boolean {
  return bodyHeader.test(name) && !repeatedHeader.test(name)
}

/** Returns a header by its name in lower case; `""` if missing. */
type ReadHeader = (name: string) => string

/** True if a header lets a cache that people share store the answer, false if it forbids that, undefined if it says neither. */
function allowsStoring(value: string): boolean | undefined {
  const directives = parseCacheDirectives(value)
  // If the directive names headers, only those are private (RFC 9111 §5.2.2.7), and not every cache reads the names.
  const forbids = ({ name, argument }: CacheDirective) =>
    name === "no-store" || (name === "private" && argument === undefined)
  if (directives.some(forbids)) return false
  const allows = directives.some(
    (directive) => allowsReuse(directive) || /^(?:no-cache|max-age|s-maxage)$/.test(directive.name),
  )
  return allows || undefined
}

/** Returns true if a cache that several people share may store an answer (RFC 9111 §3), also if it must ask before it uses it. */
export function isShareable(status: number, header: ReadHeader): boolean {
  if (targetedHeaders.some((name) => allowsStoring(header(name)))) return true
  const isStorable = allowsStoring(header("cache-control"))
  if (isStorable !== undefined) return isStorable
  if (header("expires") !== "" || permanentRedirects.has(status)) return true
  return cacheableStatuses.has(status) && (header("etag") !== "" || header("last-modified") !== "")
}

/** Returns the changes after which only the cache of one person may keep an answer. */
export function toPrivateChanges(status: number, header: ReadHeader): HeaderChange[] {
  if (!isShareable(status, header)) return []
  const sharedDirective = /^(?:public|private|s-maxage|proxy-revalidate)$/
  const keptDirectives = parseCacheDirectives(header("cache-control")).filter(({ name }) => !sharedDirective.test(name))
  const value = ["private", ...keptDirectives.map(({ text }) => text)].join(", ")
  const others = targetedHeaders.filter((name) => allowsStoring(header(name)))
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
