/**
 * The rules for caches (RFC 9111, RFC 9213): which headers an error and a 304 must not have, and which answers a shared
 * cache may keep.
 */
import {
  addToVary,
  type CacheDirective,
  parseCacheDirectives,
  type ReadHeader,
  readDate,
} from "../request/header-grammar.ts"

/** A header to set on a response. With `append`, lines that the response already has under this name stay. */
export interface HeaderChange {
  readonly name: string
  readonly value: string
  readonly append: boolean
}

/**
 * Headers with the directives of `Cache-Control` that only one kind of cache reads, in place of `Cache-Control`. They
 * are from RFC 9213 §3.1, from content delivery networks, and from the W3C note "Edge Architecture Specification".
 */
const targetedHeaders = [
  "cdn-cache-control",
  "cloudflare-cdn-cache-control",
  "netlify-cdn-cache-control",
  "vercel-cdn-cache-control",
  "surrogate-control",
]

/**
 * Headers that describe a body (RFC 9110 §8, RFC 9530). If a handler sets them and then fails, they are wrong for the
 * body of the error.
 */
const bodyHeader = /^(?:content-(?!security-).+|etag|last-modified|accept-ranges|digest|repr-digest)$/

/** Other headers that say how long a cache may keep an answer: `Age` (RFC 9111 §5.1), and those of nginx and Akamai. */
const lifetimeHeader = /^(?:age|x-accel-expires|edge-control)$/

/** Headers of a body that a 304 has too, because the 200 in its place would have had them (RFC 9110 §15.4.5). */
const notModifiedHeader = /^(?:content-location|etag|last-modified)$/

/**
 * Statuses that a cache may keep without being told (RFC 9110 §15.1). A 304 is here because its headers change the
 * answer that a cache keeps.
 */
const cacheableStatuses = new Set([200, 203, 204, 206, 300, 301, 304, 308, 404, 405, 410, 414, 501])

/** Redirects that caches keep without a limit, even if the answer has neither `ETag` nor `Last-Modified`. */
const permanentRedirects = new Set([301, 308])

/** Directives that forbid something, or make a cache ask the server first. */
const restrictiveDirectives = new Set(["no-store", "no-cache", "private", "no-transform", "max-age", "s-maxage"])

/** Returns true for a directive that lets a cache answer without asking the server. */
function allowsReuse({ name, argument }: CacheDirective): boolean {
  if (name === "public" || name === "immutable") return true
  if (!/^(?:max-age|s-maxage|stale-while-revalidate|stale-if-error)$/.test(name)) return false
  return Number.parseInt(argument ?? "", 10) > 0
}

/** Returns a value of `Cache-Control` for an error: without the directives that let a cache answer by itself. */
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
 * Returns a header that was set on the context as an error is sent with it; undefined if the error must not have it.
 * Headers are set for the answer that the handler had in mind. A cache would store an error of any status if the
 * headers say how long (RFC 9111 §3).
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
 * Removes the headers that let caches keep an answer that has become an error. Headers that describe the body stay,
 * because it may be the same body.
 */
export function forbidReuse(headers: Headers): void {
  for (const [name, value] of [...headers]) {
    if (bodyHeader.test(name)) continue
    const errorHeader = toErrorHeader({ name, value, append: false })
    if (errorHeader === undefined) headers.delete(name)
    else if (errorHeader.value !== value) headers.set(name, errorHeader.value)
  }
}

/** Returns true for a header that describes a body and that a 304, which has no body, leaves out (RFC 9110 §15.4.5). */
export function isBodyHeader(name: string): boolean {
  return bodyHeader.test(name) && !notModifiedHeader.test(name)
}

/**
 * Returns true if the value of a header lets a shared cache store the answer, false if it forbids that, and undefined
 * if it says nothing about it.
 */
function allowsStoring(value: string): boolean | undefined {
  const directives = parseCacheDirectives(value)
  // `private="set-cookie"` makes only that header private (RFC 9111 §5.2.2.7), so the answer may still be stored.
  const forbids = ({ name, argument }: CacheDirective) =>
    name === "no-store" || (name === "private" && argument === undefined)
  if (directives.some(forbids)) return false
  const allows = directives.some(
    (directive) => allowsReuse(directive) || /^(?:no-cache|max-age|s-maxage)$/.test(directive.name),
  )
  return allows || undefined
}

/** Returns true if a shared cache may store an answer (RFC 9111 §3), even if it must ask the server before each use. */
export function isShareable(status: number, readHeader: ReadHeader): boolean {
  if (targetedHeaders.some((name) => allowsStoring(readHeader(name)))) return true
  const isStorable = allowsStoring(readHeader("cache-control"))
  if (isStorable !== undefined) return isStorable
  if (readHeader("expires") !== "" || permanentRedirects.has(status)) return true
  return cacheableStatuses.has(status) && (readHeader("etag") !== "" || readHeader("last-modified") !== "")
}

/** Returns the header changes that keep an answer out of shared caches. The cache of a browser may still keep it. */
export function toPrivateChanges(status: number, readHeader: ReadHeader): HeaderChange[] {
  if (!isShareable(status, readHeader)) return []
  const sharedDirective = /^(?:public|private|s-maxage|proxy-revalidate)$/
  const keptDirectives = parseCacheDirectives(readHeader("cache-control")).filter(
    ({ name }) => !sharedDirective.test(name),
  )
  const value = ["private", ...keptDirectives.map(({ text }) => text)].join(", ")
  const permissiveHeaders = targetedHeaders.filter((name) => allowsStoring(readHeader(name)))
  return [
    { name: "cache-control", value, append: false },
    ...permissiveHeaders.map((name) => ({ name, value: "no-store", append: false })),
  ]
}

/** Applies a change to headers. A name that `Vary` has already is not added again. */
export function changeHeader(headers: Headers, { name, value, append }: HeaderChange): void {
  if (!append) headers.set(name, value)
  else if (name === "vary") headers.set(name, addToVary(headers.get(name) ?? "", value))
  else headers.append(name, value)
}
