/** Compares the origin of a request (RFC 6454) with those that a program allows. */
import type { Context } from "../context.ts"
import type { FwErrorCode } from "../errors/error-codes.ts"
import { fault } from "../errors/fault.ts"

/**
 * Origins such as `https://shop.example`, or a function that decides.
 *
 * @example
 * const origins: Origins = (origin) => origin.endsWith(".shop.example")
 * app.use(cors({ origins }))
 */
export type Origins = readonly string[] | ((origin: string, c: Context) => boolean | Promise<boolean>)

/**
 * Checks the origins in an option. @throws FwError `code` for a value that is neither a list of origins nor a function.
 */
export function checkOrigins(origins: unknown, code: FwErrorCode, subject: string): asserts origins is Origins {
  if (typeof origins === "function") return
  if (!Array.isArray(origins)) throw fault("cors.origins", [subject], { code })
  for (const origin of origins) {
    // With a path, a slash at the end or a capital letter, it would be an origin that no browser sends.
    if (typeof origin === "string" && URL.canParse(origin) && new URL(origin).origin === origin) continue
    throw fault("cors.origin", [subject, origin], { code })
  }
}

/** Returns true if the origin in an `Origin` header is allowed. */
export async function isOriginAllowed(origins: Origins, origin: string, c: Context): Promise<boolean> {
  return typeof origins === "function" ? origins(origin, c) : origins.includes(origin)
}

/**
 * Returns true if a page of another origin has made the request. Browsers say so: in `Sec-Fetch-Site` on HTTPS and
 * localhost, in `Origin` everywhere. A request without both is not from a browser, so it has no cookies of another
 * person.
 *
 * @param origins further origins whose pages are allowed.
 */
export async function isCrossOrigin(c: Context, origins: Origins): Promise<boolean> {
  const origin = c.header("origin")
  if (origin !== "" && (await isOriginAllowed(origins, origin, c))) return false
  const site = c.header("sec-fetch-site")
  // `none` means that the user has typed the address or used a bookmark.
  if (site !== "") return site !== "same-origin" && site !== "none"
  return origin !== "" && !isOwnOrigin(origin, c.origin)
}

/**
 * Returns true if an origin has the host of the server. The scheme is ignored: behind a proxy that ends TLS, the server
 * may not know whether the browser uses http or https.
 */
export function isOwnOrigin(origin: string, ownOrigin: string): boolean {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  return host === new URL(ownOrigin.replace(/^\w+:/, protocol)).host
}
