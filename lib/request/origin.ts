/** Where a request comes from: origins (RFC 6454) that a program names, and the request's own. Used by `cors()`, `csrf()` and sockets. */
import type { Context } from "../context.ts"
import type { FwErrorCode } from "../error-codes.ts"
import { fault } from "../fault.ts"

/**
 * Origins such as `https://shop.example`, or a function that decides.
 *
 * @example
 * const origins: Origins = (origin) => origin.endsWith(".shop.example")
 * app.use(cors({ origins }))
 */
export type Origins = readonly string[] | ((origin: string, c: Context) => boolean | Promise<boolean>)

/** @throws FwError `code` for what is neither a list of origins nor a function. */
export function checkOrigins(origins: unknown, code: FwErrorCode, what: string): asserts origins is Origins {
  if (typeof origins === "function") return
  if (!Array.isArray(origins)) throw fault("cors.origins", [what], { code })
  for (const origin of origins) {
    // A path, a slash at the end or a capital would make it an origin that no browser ever sends.
    if (typeof origin === "string" && URL.canParse(origin) && new URL(origin).origin === origin) continue
    throw fault("cors.origin", [what, origin], { code })
  }
}

/** Whether an `Origin` header's value is one of the origins. */
export async function originAllowed(origins: Origins, origin: string, c: Context): Promise<boolean> {
  return typeof origins === "function" ? origins(origin, c) : origins.includes(origin)
}

/**
 * Whether a page of another origin made the request. Browsers say so themselves: `Sec-Fetch-Site` on HTTPS and
 * localhost, `Origin` everywhere. A request with neither comes from no browser, so it carries nobody's cookies but its own.
 *
 * @param origins whose pages may all the same.
 */
export async function isForeign(c: Context, origins: Origins): Promise<boolean> {
  const origin = c.header("origin")
  if (origin !== "" && (await originAllowed(origins, origin, c))) return false
  const site = c.header("sec-fetch-site")
  // `none`: the person did it, by the address bar or a bookmark.
  if (site !== "") return site !== "same-origin" && site !== "none"
  return origin !== "" && !isOwn(origin, c.origin)
}

/** Hosts decide: behind a proxy that ends TLS, the server need not know the scheme that the browser sees. */
function isOwn(origin: string, own: string): boolean {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false
  const { protocol, host } = new URL(origin)
  return host === new URL(own.replace(/^\w+:/, protocol)).host
}
