/**
 * Redirects to the host name in SITE_URL: from www.shop.example to "https://shop.example", or from shop.example to
 * "https://www.shop.example". Without SITE_URL, as in development, nothing is redirected.
 */
import { type Context, FwError, type ProxyResult, proxy } from "fw"

const site = readSite(process.env.SITE_URL ?? "")

export function Proxy(c: Context): ProxyResult {
  // The client's Host header only decides whether to redirect. It is never the target, which an attacker could choose
  // then.
  if (!site || c.header("Host").toLowerCase() !== site.other) return proxy.continue()
  return proxy.redirect(site.origin + c.path + c.search, 308)
}

/** Parses the URL of the site. @throws FwError for an invalid one. */
function readSite(text: string): { origin: string; other: string } | null {
  if (text === "") return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    const fix = 'Write scheme and host: SITE_URL="https://shop.example".'
    throw new FwError("site_url", `SITE_URL is ${JSON.stringify(text)}, which is not a site's address`, fix)
  }
  const { host, origin } = url
  return { origin, other: host.startsWith("www.") ? host.slice(4) : `www.${host}` }
}
