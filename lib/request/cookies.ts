/** Reading the `Cookie` header and writing `Set-Cookie` (RFC 6265bis). */

import { describeType } from "../text.ts"
import { readAddress } from "./address.ts"
import { isToken, parseCookiePairs } from "./header-grammar.ts"

/**
 * A cookie to set. Only `name` and `value` are required.
 *
 * @example
 * const session: Cookie = { name: "session_id", value: "8f14e4", httpOnly: true, secure: true, maxAge: 86_400 }
 * app.get("/login", (c) => {
 *   c.setCookie(session)
 *   return c.noContent()
 * })
 */
export interface Cookie {
  readonly name: string
  /** Encoded if a cookie cannot contain it; `c.cookie()` decodes it again. */
  readonly value: string
  /** Begins with a slash. Default: `/`. */
  readonly path?: string
  /** The host's own name, or one above it, such as `shop.example`: also for all hosts below it. Default: this host only. */
  readonly domain?: string
  /** Seconds. 0 or less deletes the cookie. Browsers shorten more than 400 days to 400. */
  readonly maxAge?: number
  /** Browsers shorten more than 400 days to 400. */
  readonly expires?: Date
  readonly httpOnly?: boolean
  readonly secure?: boolean
  readonly sameSite?: "Strict" | "Lax" | "None"
  /**
   * Adds a signature by the first secret in the environment variable `FW_SECRETS`. Clients can read the value, but not
   * change it. Read it with `c.cookie(name, { signed: true })`.
   */
  readonly signed?: boolean
}

const cookieFields = new Set([
  "name",
  "value",
  "path",
  "domain",
  "maxAge",
  "expires",
  "httpOnly",
  "secure",
  "sameSite",
  "signed",
])
/** Maximum number of bytes of a name and a value together (RFC 6265bis §5.6): browsers drop a larger cookie. */
export const maxCookieBytes = 4096

/** `cookie-octet` of RFC 6265 §4.1.1, without the percent sign, which marks our own encoding. */
const unsafeCharacters = /[^\x21\x23-\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+/g

/**
 * Returns the value of a cookie in a `Cookie` header; `""` if missing. The first of several counts, because
 * the longest path comes first (RFC 6265 §5.4).
 */
export function readCookie(header: string, name: string): string {
  for (const [given, value] of parseCookiePairs(header)) {
    if (value !== undefined && given === name) return decodeValue(value)
  }
  return ""
}

function decodeValue(value: string): string {
  const bare = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
  if (!bare.includes("%")) return bare
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

/**
 * Returns the `Set-Cookie` header of a cookie.
 *
 * @throws TypeError that names the field, for an unknown or invalid one, and for what browsers drop: a name and value of
 * more than 4,096 bytes together, `SameSite=None` without `secure`, and a name that begins with `__Host-`, `__Secure-`,
 * `__Http-` or `__Host-Http-` if its conditions are not met (RFC 6265bis §4.1.3, §5.6).
 */
export function writeCookie(cookie: Cookie): string {
  if (typeof cookie !== "object" || cookie === null)
    throw new TypeError(
      `c.setCookie() takes an object such as { name: "theme", value: "dark" }, not ${describeType(cookie)}`,
    )
  for (const field of Object.keys(cookie)) {
    if (!cookieFields.has(field)) refuseCookie(cookie, `has an unknown field ${JSON.stringify(field)}`)
  }
  if (!isToken(cookie.name)) {
    throw new TypeError(
      `${JSON.stringify(cookie.name)} is not a valid cookie name: use letters, digits and ! # $ % & ' * + - . ^ _ \` | ~`,
    )
  }
  if (typeof cookie.value !== "string")
    refuseCookie(cookie, `has ${describeType(cookie.value)} as its value, not a string`)
  if (/[\ud800-\udfff]/u.test(cookie.value)) refuseCookie(cookie, "has a value with half a surrogate pair")
  checkPrefix(cookie)
  readFlag(cookie, "signed")
  const pair = `${cookie.name}=${cookie.value.replace(unsafeCharacters, encodeURIComponent)}`
  // The equals sign is not part of the name or of the value.
  if (pair.length - 1 > maxCookieBytes)
    refuseCookie(
      cookie,
      `has a name and value of more than ${maxCookieBytes} bytes together: browsers drop such a cookie`,
    )
  return `${pair}; Path=${checkPath(cookie)}${formatLifetime(cookie)}${formatScope(cookie)}`
}

function formatLifetime(cookie: Cookie): string {
  let text = ""
  if (cookie.maxAge !== undefined) {
    if (!Number.isSafeInteger(cookie.maxAge))
      refuseCookie(cookie, `has a maxAge of ${cookie.maxAge}, which is not whole seconds`)
    text += `; Max-Age=${cookie.maxAge}`
  }
  if (cookie.expires !== undefined) {
    if (!(cookie.expires instanceof Date) || Number.isNaN(cookie.expires.getTime())) {
      refuseCookie(cookie, "has an expires that is not a valid Date")
    }
    const year = cookie.expires.getUTCFullYear()
    // RFC 6265bis §5.1.1: browsers ignore other years, and the cookie would end with the browser.
    if (year < 1601 || year > 9999)
      refuseCookie(cookie, `expires in the year ${year}, which is not one from 1601 to 9999`)
    text += `; Expires=${cookie.expires.toUTCString()}`
  }
  return text
}

function formatScope(cookie: Cookie): string {
  const { sameSite } = cookie
  let text = ""
  if (cookie.domain !== undefined) text += `; Domain=${checkDomain(cookie, cookie.domain)}`
  if (readFlag(cookie, "httpOnly")) text += "; HttpOnly"
  if (readFlag(cookie, "secure")) text += "; Secure"
  if (sameSite === undefined) return text
  if (sameSite !== "Strict" && sameSite !== "Lax" && sameSite !== "None") {
    refuseCookie(cookie, 'has a sameSite that is not "Strict", "Lax" or "None"')
  }
  if (sameSite === "None" && !cookie.secure) {
    refuseCookie(cookie, 'has sameSite "None" without secure: browsers drop such a cookie')
  }
  return `${text}; SameSite=${sameSite}`
}

function readFlag(cookie: Cookie, field: "httpOnly" | "secure" | "signed"): boolean {
  const value = cookie[field]
  if (value !== undefined && typeof value !== "boolean") refuseCookie(cookie, `has a ${field} that is not a boolean`)
  return value === true
}

/** Maximum number of bytes of an attribute (RFC 6265bis §5.6): browsers ignore a longer one. */
export const maxAttributeBytes = 1024

function checkAttribute(cookie: Cookie, field: "path" | "domain", value: string): string {
  if (typeof value !== "string" || !/^[\x20-\x3a\x3c-\x7e]+$/.test(value)) {
    refuseCookie(cookie, `has a ${field} with characters that a cookie cannot hold`)
  }
  if (value.length > maxAttributeBytes) refuseCookie(cookie, `has a ${field} of more than ${maxAttributeBytes} bytes`)
  return value
}

function checkPath(cookie: Cookie): string {
  const path = checkAttribute(cookie, "path", cookie.path ?? "/")
  if (!path.startsWith("/")) refuseCookie(cookie, "has a path that does not start with a slash")
  // Browsers remove the blank.
  if (path.endsWith(" ")) refuseCookie(cookie, "has a path that ends with a blank")
  return path
}

/** Labels as browsers accept them in hosts, with the underscore, and one dot before them, which browsers ignore. */
const hostNamePattern = /^\.?(?!.{254})(?:(?!-)[\w-]{1,63}(?<!-)\.)*(?!-)[\w-]{1,63}(?<!-)$/

/** Returns true for a name or an address that browsers take as the domain of a cookie. */
export function isCookieDomain(domain: string): boolean {
  // A name does not end with a number, also not in hexadecimal, and an address has no hosts below it (RFC 6265bis §5.1.3).
  const isAddress = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(domain)
  return hostNamePattern.test(domain) && (!isAddress || readAddress(domain) === domain)
}

function checkDomain(cookie: Cookie, given: string): string {
  const domain = checkAttribute(cookie, "domain", given)
  if (!isCookieDomain(domain))
    refuseCookie(
      cookie,
      'has a domain that is neither a name such as "shop.example" nor an address such as "127.0.0.1", without a scheme, a port and blanks, and in ASCII',
    )
  return domain
}

function checkPrefix(cookie: Cookie): void {
  const name = cookie.name.toLowerCase()
  const isHost = name.startsWith("__host-")
  const isHttp = name.startsWith("__http-") || name.startsWith("__host-http-")
  if ((isHost || isHttp || name.startsWith("__secure-")) && !cookie.secure)
    refuseCookie(cookie, "needs secure because of its name")
  if (isHttp && !cookie.httpOnly) refuseCookie(cookie, "needs httpOnly because of its name")
  if (isHost && (cookie.domain !== undefined || (cookie.path ?? "/") !== "/")) {
    refuseCookie(cookie, 'needs path "/" and no domain because of its name')
  }
}

function refuseCookie(cookie: Cookie, what: string): never {
  throw new TypeError(`the cookie ${JSON.stringify(cookie.name)} ${what}`)
}
