/** Stores cookies as a browser does (RFC 6265bis §5). */
import { isLocalHost } from "./address.ts"
import { maxAttributeBytes, maxCookieBytes } from "./cookies.ts"
import { parseCookiePairs, readCookieDate } from "./header-grammar.ts"

interface StoredCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  /** True if the cookie is only for its own host, not for hosts below it. */
  readonly isHostOnly: boolean
  readonly path: string
  readonly isSecure: boolean
  readonly isHttpOnly: boolean
  /** True with `SameSite=None`. */
  readonly isCrossSite: boolean
  /** True with a valid `Path`. */
  readonly hasPath: boolean
  /** Milliseconds since 1970; Infinity for a cookie that ends with the browser. */
  readonly expires: number
}

/** The cookies of one browser. */
export class CookieJar {
  #cookies: StoredCookie[] = []
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Stores the cookie of a `Set-Cookie` line, unless a browser would refuse it. */
  set(line: string, url: URL): void {
    const cookie = parseCookie(line, url, this.#now())
    if (!cookie || !isAcceptable(cookie, url)) return
    const { name, domain, path } = cookie
    const index = this.#cookies.findIndex(
      (stored) => stored.name === name && stored.domain === domain && stored.path === path,
    )
    // A page without TLS cannot change a cookie that a page with TLS has set (§5.7).
    if (!isSecureURL(url) && this.#cookies.some((stored) => stored.isSecure && isOverlapping(stored, cookie))) return
    // A cookie that is set again keeps its position in the order of cookies (§5.7).
    if (index >= 0) this.#cookies[index] = cookie
    else this.#cookies.push(cookie)
  }

  /** Returns the `Cookie` header for a request; `""` if no cookie fits. */
  header(url: URL): string {
    return this.#findMatching(url)
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ")
  }

  /** Returns the value of a cookie that a request would send; `""` if there is none. */
  value(name: string, url: URL): string {
    return this.#findMatching(url).find((cookie) => cookie.name === name)?.value ?? ""
  }

  clear(): void {
    this.#cookies = []
  }

  /** Returns the cookies for a URL: longer paths first, then older cookies (§5.4). */
  #findMatching(url: URL): StoredCookie[] {
    const now = this.#now()
    this.#cookies = this.#cookies.filter(({ expires }) => expires > now)
    return this.#cookies
      .filter(
        ({ domain, isHostOnly, path, isSecure }) =>
          (isHostOnly ? url.hostname === domain : isInDomain(url.hostname, domain)) &&
          isOnPath(url.pathname, path) &&
          (!isSecure || isSecureURL(url)),
      )
      .sort((a, b) => b.path.length - a.path.length)
  }
}

function parseCookie(line: string, url: URL, now: number): StoredCookie | null {
  const [[cookieName, cookieValue] = [""], ...attributes] = parseCookiePairs(line)
  if (cookieName === "" || cookieValue === undefined) return null
  if (cookieName.length + cookieValue.length > maxCookieBytes) return null
  const attributesByName = new Map(
    attributes.map(([name, value = ""]) => [name.toLowerCase(), value] as const).filter(isValidAttribute),
  )
  const domain = (attributesByName.get("domain") ?? "").replace(/^\./, "").toLowerCase()
  const path = attributesByName.get("path") ?? ""
  return {
    name: cookieName,
    value: cookieValue,
    domain: domain || url.hostname,
    isHostOnly: domain === "",
    path: path.startsWith("/") ? path : getDefaultPath(url.pathname),
    isSecure: attributesByName.has("secure"),
    isHttpOnly: attributesByName.has("httponly"),
    isCrossSite: attributesByName.get("samesite")?.toLowerCase() === "none",
    hasPath: path.startsWith("/"),
    expires: findExpiry(attributesByName, now),
  }
}

/**
 * Returns false for an attribute that browsers ignore. An earlier attribute of the same name then stays valid (§5.6).
 */
function isValidAttribute([name, value]: readonly [name: string, value: string]): boolean {
  if (name === "max-age") return /^-?\d+$/.test(value)
  if (name === "expires") return !Number.isNaN(readCookieDate(value))
  return value.length <= maxAttributeBytes
}

/** Returns the time at which a cookie expires. `Max-Age` takes precedence over `Expires` (§5.7). */
function findExpiry(attributes: ReadonlyMap<string, string>, now: number): number {
  const maxAge = attributes.get("max-age")
  if (maxAge !== undefined) return Number(maxAge) > 0 ? now + Number(maxAge) * 1000 : Number.NEGATIVE_INFINITY
  const date = readCookieDate(attributes.get("expires") ?? "")
  return Number.isNaN(date) ? Number.POSITIVE_INFINITY : date
}

function isAcceptable(cookie: StoredCookie, url: URL): boolean {
  const { name, domain, isHostOnly, path, isSecure, isHttpOnly, isCrossSite, hasPath } = cookie
  if (!isHostOnly && !isInDomain(url.hostname, domain)) return false
  if (isSecure ? !isSecureURL(url) : isCrossSite) return false
  // The conditions of these prefixes: RFC 6265bis §4.1.3.
  if (/^__(?:secure|http|host|host-http)-/i.test(name) && !isSecure) return false
  if (/^__(?:http|host-http)-/i.test(name) && !isHttpOnly) return false
  return !/^__host-/i.test(name) || (isHostOnly && hasPath && path === "/")
}

/** Returns true if two cookies have the same name and some request would send both. */
function isOverlapping(stored: StoredCookie, { name, domain, path }: StoredCookie): boolean {
  const isSameHost = isInDomain(stored.domain, domain) || isInDomain(domain, stored.domain)
  return stored.name === name && isSameHost && isOnPath(path, stored.path)
}

function isInDomain(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host))
}

function isOnPath(path: string, cookiePath: string): boolean {
  return path === cookiePath || path.startsWith(cookiePath.endsWith("/") ? cookiePath : `${cookiePath}/`)
}

/** Returns the default path of a cookie, which is the directory of the requested path (§5.1.4). */
function getDefaultPath(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/"
}

/** Returns true for HTTPS, and for this machine, which browsers trust without TLS. */
function isSecureURL({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || isLocalHost(hostname)
}
