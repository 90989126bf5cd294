/**
 * Limits the number of requests per client address. The count is kept in this process; several processes
 * count separately.
 */
import { type Context, FwError, HttpError, type ProxyResult, proxy } from "fw"

export const ProxyConfig = { matcher: ["/api/:path*"] }

/** Requests that a client may send per period, and the length of a period in seconds. */
const limit = 100
const period = 60
/** Most clients to count. When there are more, the one whose period ends first is dropped. */
const most = 10_000

/** Sorted by the end of their periods. */
const clients = new Map<string, { count: number; ends: number }>()

/**
 * Behind a reverse proxy, list its address in the App's `trustedProxies`; otherwise all clients share one
 * count.
 *
 * @throws FwError if the host does not report client addresses, because one count for all clients would lock
 * everyone out.
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

/**
 * Returns the key of a client. An IPv6 customer has a network of at least 64 bits and so any number of
 * addresses, which count as one client.
 */
function clientOf(address: string): string {
  if (!address.includes(":")) return address
  const [head = "", tail] = address.split("::")
  const groups = (text: string) => (text === "" ? [] : text.split(":"))
  const before = groups(head)
  const zeros = tail === undefined ? 0 : 8 - before.length - groups(tail).length
  return [...before, ...Array.from({ length: zeros }, () => "0"), ...groups(tail ?? "")].slice(0, 4).join(":")
}
