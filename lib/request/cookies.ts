/** Reads the header `Cookie` and writes `Set-Cookie` (RFC 6265bis). */

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
  /** Any text. Characters that a cookie cannot contain are encoded; `c.cookie()` decodes them again. */
  readonly value: string
  /** The path below which browsers send the cookie. Begins with a slash. Default: `/`. */
  readonly path?: string
  /**
   * The domain to whose hosts browsers send the cookie: this host's name, or one above it, such as `shop.example`.
   * Default: this host only.
   */
  readonly domain?: string
  /** Seconds until the cookie expires. 0 or less deletes it. Browsers use at most 400 days. */
  readonly maxAge?: number
  /** The time at which the cookie expires. Browsers use at most 400 days from now. */
  readonly expires?: Date
  readonly httpOnly?: boolean
  readonly secure?: boolean
  readonly sameSite?: "Strict" | "Lax" | "None"
  /**
   * True to add a signature with the first secret in the environment variable `FW_SECRETS`. Clients can still read the
   * value, but not change it. Read the cookie with `c.cookie(name, { signed: true })`.
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
/** Maximum number of bytes of a name and value together. Browsers drop a larger cookie (RFC 6265bis §5.6). */
export const maxCookieBytes = 4096

/**
 * Characters that are not `cookie-octet` (RFC 6265 §4.1.1), and the percent sign, because it begins the escapes of fw.
 */
const unsafeCharacters = /[^\x21\x23-\x24\x26-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+/g

/**
 * Returns the value of a cookie in a `Cookie` header; `""` if missing. If there are several of the same name, the first
 * one counts, because it has the longest path (RFC 6265 §5.4).
 */
export function readCookie(header: string, name: string): string {
  for (const [cookieName, value] of parseCookiePairs(header)) {
    if (value !== undefined && cookieName === name) return decodeValue(value)
  }
  return ""
}

function decodeValue(value: string): string {
  const unquotedValue = value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
  if (!unquotedValue.includes("%")) return unquotedValue
  try {
    return decodeURIComponent(unquotedValue)
  } catch {
    return unquotedValue
  }
}

/**
 * Returns the value of `Set-Cookie` for a cookie.
 *
 * @throws TypeError that names the field: for an unknown or invalid field, and for a cookie that browsers would drop.
 * These are a name and value of more than 4,096 bytes together, `SameSite=None` without `secure`, and a name that
 * begins with `__Host-`, `__Secure-`, `__Http-` or `__Host-Http-` without its conditions (RFC 6265bis §4.1.3, §5.6).
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
  // The equals sign does not count.
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
    // Browsers ignore other years, and would drop the cookie when they are closed (RFC 6265bis §5.1.1).
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

/** Maximum number of bytes of an attribute. Browsers ignore a longer one (RFC 6265bis §5.6). */
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
  // Browsers would remove the blank.
  if (path.endsWith(" ")) refuseCookie(cookie, "has a path that ends with a blank")
  return path
}

/**
 * A host name as browsers accept it in a cookie: labels with underscores allowed, and an optional dot before them,
 * which browsers ignore.
 */
const hostNamePattern = /^\.?(?!.{254})(?:(?!-)[\w-]{1,63}(?<!-)\.)*(?!-)[\w-]{1,63}(?<!-)$/

/** Returns true for a name or an address that browsers accept as the domain of a cookie. */
export function isCookieDomain(domain: string): boolean {
  // A text that ends with a number, even in hexadecimal, is an address and not a name (RFC 6265bis §5.1.3).
  const isAddress = /(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(domain)
  return hostNamePattern.test(domain) && (!isAddress || readAddress(domain) === domain)
}

function checkDomain(cookie: Cookie, text: string): string {
  const domain = checkAttribute(cookie, "domain", text)
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

function refuseCookie(cookie: Cookie, problem: string): never {
  throw new TypeError(`the cookie ${JSON.stringify(cookie.name)} ${problem}`)
}
