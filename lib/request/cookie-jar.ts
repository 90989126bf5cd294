/** Stores cookies like a browser (RFC 6265bis §5). */
import { isLocalHost } from "./address.ts"
import { mostOfAttribute, mostOfCookie } from "./cookies.ts"
import { cookiePairs, readCookieDate } from "./header-grammar.ts"

interface Kept {
  readonly name: string
  readonly value: string
  readonly domain: string
  /** Only for the domain itself, not for hosts below it. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
  readonly httpOnly: boolean
  /** With `SameSite=None`. */
  readonly isCrossSite: boolean
  /** With a valid `Path`. */
  readonly hasPath: boolean
  /** Milliseconds since 1970; Infinity for a session cookie. */
  readonly expires: number
}

/** The cookies of one visitor. */
export class CookieJar {
  #cookies: Kept[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Stores the cookie of a `Set-Cookie` line, unless a browser would refuse it. */
  set(line: string, url: URL): void {
    const cookie = parse(line, url, this.#now())
    if (!cookie || !accepted(cookie, url)) return
    const { name, domain, path } = cookie
    const at = this.#cookies.findIndex(
      (kept) => kept.name === name && kept.domain === domain && kept.path === path,
    )
    // A page without TLS changes no cookie of one with it (§5.7).
    if (!isSecure(url) && this.#cookies.some((kept) => kept.secure && hides(kept, cookie))) return
    // An existing cookie keeps its position among those of equal age (§5.7).
    if (at >= 0) this.#cookies[at] = cookie
    else this.#cookies.push(cookie)
  }

  /** Returns the `Cookie` header of a request; `""` without any. */
  header(url: URL): string {
    return this.#matching(url)
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ")
  }

  /** Returns the value that a request would send. */
  value(name: string, url: URL): string {
    return this.#matching(url).find((cookie) => cookie.name === name)?.value ?? ""
  }

  clear(): void {
    this.#cookies = []
  }

  /** Returns matching cookies: longest paths first, then the oldest (§5.4). */
  #matching(url: URL): Kept[] {
    const now = this.#now()
    this.#cookies = this.#cookies.filter(({ expires }) => expires > now)
    return this.#cookies
      .filter(
        ({ domain, hostOnly, path, secure }) =>
          (hostOnly ? url.hostname === domain : inDomain(url.hostname, domain)) &&
          onPath(url.pathname, path) &&
          (!secure || isSecure(url)),
      )
      .sort((a, b) => b.path.length - a.path.length)
  }
}

function parse(line: string, url: URL, now: number): Kept | null {
  const [[cookieName, cookieValue] = [""], ...attributes] = cookiePairs(line)
  if (cookieName === "" || cookieValue === undefined) return null
  if (cookieName.length + cookieValue.length > mostOfCookie) return null
  const given = new Map(
    attributes.map(([name, value = ""]) => [name.toLowerCase(), value] as const).filter(isValid),
  )
  const domain = (given.get("domain") ?? "").replace(/^\./, "").toLowerCase()
  const path = given.get("path") ?? ""
  return {
    name: cookieName,
    value: cookieValue,
    domain: domain || url.hostname,
    hostOnly: domain === "",
    path: path.startsWith("/") ? path : defaultPath(url.pathname),
    secure: given.has("secure"),
    httpOnly: given.has("httponly"),
    isCrossSite: given.get("samesite")?.toLowerCase() === "none",
    hasPath: path.startsWith("/"),
    expires: expiry(given, now),
  }
}

/** Returns false for an attribute that is ignored, so that one of the same name before it counts (§5.6). */
function isValid([name, value]: readonly [name: string, value: string]): boolean {
  if (name === "max-age") return /^-?\d+$/.test(value)
  if (name === "expires") return !Number.isNaN(readCookieDate(value))
  return value.length <= mostOfAttribute
}

/** Returns the expiry time. Max-Age overrides Expires (§5.7). */
function expiry(given: ReadonlyMap<string, string>, now: number): number {
  const maxAge = given.get("max-age")
  if (maxAge !== undefined) return Number(maxAge) > 0 ? now + Number(maxAge) * 1000 : Number.NEGATIVE_INFINITY
  const date = readCookieDate(given.get("expires") ?? "")
  return Number.isNaN(date) ? Number.POSITIVE_INFINITY : date
}

function accepted(cookie: Kept, url: URL): boolean {
  const { name, domain, hostOnly, path, secure, httpOnly, isCrossSite, hasPath } = cookie
  if (!hostOnly && !inDomain(url.hostname, domain)) return false
  if (secure ? !isSecure(url) : isCrossSite) return false
  // RFC 6265bis §4.1.3.
  if (/^__(?:secure|http|host|host-http)-/i.test(name) && !secure) return false
  if (/^__(?:http|host-http)-/i.test(name) && !httpOnly) return false
  return !/^__host-/i.test(name) || (hostOnly && hasPath && path === "/")
}

/** Returns true for a cookie of the same name that a request would have together with another one. */
function hides(kept: Kept, { name, domain, path }: Kept): boolean {
  const isSameHost = inDomain(kept.domain, domain) || inDomain(domain, kept.domain)
  return kept.name === name && isSameHost && onPath(path, kept.path)
}

function inDomain(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host))
}

function onPath(path: string, cookiePath: string): boolean {
  return path === cookiePath || path.startsWith(cookiePath.endsWith("/") ? cookiePath : `${cookiePath}/`)
}

/** Returns the directory of the requested path (§5.1.4). */
function defaultPath(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/"
}

/** Returns true for HTTPS and for the local machine, which browsers trust without TLS. */
function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || isLocalHost(hostname)
}
