/** Limits how often a client may ask, by its address. It counts in the memory of this process; several processes each count for themselves. */
import { type Context, FwError, HttpError, type ProxyResult, proxy } from "fw"

export const ProxyConfig = { matcher: ["/api/:path*"] }

/** Requests that a client may make in a period, and the period's length in seconds. */
const limit = 100
const period = 60
/** Clients that are remembered; past that, the one whose period ends first is forgotten. */
const most = 10_000

/** In the order in which periods end. */
const clients = new Map<string, { count: number; ends: number }>()

/**
 * Behind a reverse proxy, name that in the App's `trustedProxies`: otherwise everyone is one client.
 *
 * @throws FwError where the host does not say who the client is: one count for everybody would lock out all.
 */
export function Proxy(c: Context): ProxyResult | HttpError {
  if (c.clientIP === "")
    throw new FwError(
      "rate_limit",
      'the rate limit cannot tell clients apart: c.clientIP is ""',
      "Let the host say who the client is: app.fetch(request, { clientIP }).",
    )
  const now = performance.now() / 1000
  const { count, ends } = hit(clientOf(c.clientIP), now)
  if (count <= limit) return proxy.continue()
  const seconds = Math.max(1, Math.ceil(ends - now))
  return new HttpError(429, `too many requests: try again in ${seconds} s`, {
    headers: { "Retry-After": String(seconds) },
  })
}

function hit(client: string, now: number): { count: number; ends: number } {
  const known = clients.get(client)
  if (known && known.ends > now) {
    known.count += 1
    return known
  }
  clients.delete(client)
  for (const [oldest, { ends }] of clients) {
    if (ends > now && clients.size < most) break
    clients.delete(oldest)
  }
  const fresh = { count: 1, ends: now + period }
  clients.set(client, fresh)
  return fresh
}

/** An IPv6 customer has a network of 64 bits at least, and with it any number of addresses: it counts as one client. */
function clientOf(address: string): string {
  if (!address.includes(":")) return address
  const [head = "", tail] = address.split("::")
  const groups = (text: string) => (text === "" ? [] : text.split(":"))
  const before = groups(head)
  const zeros = tail === undefined ? 0 : 8 - before.length - groups(tail).length
  return [...before, ...Array.from({ length: zeros }, () => "0"), ...groups(tail ?? "")].slice(0, 4).join(":")
}
