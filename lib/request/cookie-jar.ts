/** Stores cookies like a browser (RFC 6265 §5). */
import { isLocalHost } from "./address.ts"
import { cookiePairs } from "./header-grammar.ts"

interface Kept {
  readonly name: string
  readonly value: string
  readonly domain: string
  /** Only for the domain itself, not for hosts below it. */
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
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
    // An existing cookie keeps its position among those of equal age (§5.3).
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
  const given = new Map(attributes.map(([name, value = ""]) => [name.toLowerCase(), value]))
  const domain = (given.get("domain") ?? "").replace(/^\./, "").toLowerCase()
  const path = given.get("path") ?? ""
  return {
    name: cookieName,
    value: cookieValue,
    domain: domain || url.hostname,
    hostOnly: domain === "",
    path: path.startsWith("/") ? path : defaultPath(url.pathname),
    secure: given.has("secure"),
    expires: expiry(given, now),
  }
}

/** Returns the expiry time. Max-Age overrides Expires; an invalid one is ignored (§5.2). */
function expiry(given: ReadonlyMap<string, string>, now: number): number {
  const maxAge = given.get("max-age") ?? ""
  if (/^-?\d+$/.test(maxAge))
    return Number(maxAge) > 0 ? now + Number(maxAge) * 1000 : Number.NEGATIVE_INFINITY
  const date = Date.parse(given.get("expires") ?? "")
  return Number.isNaN(date) ? Number.POSITIVE_INFINITY : date
}

function accepted({ name, domain, hostOnly, path, secure }: Kept, url: URL): boolean {
  if (!hostOnly && !inDomain(url.hostname, domain)) return false
  if (secure && !isSecure(url)) return false
  // RFC 6265bis §4.1.3.
  if (/^__secure-/i.test(name) && !secure) return false
  return !/^__host-/i.test(name) || (secure && hostOnly && path === "/")
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
