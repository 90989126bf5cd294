/**
 * Limits how many requests a client address may send. The requests are counted in this process, so each process of an
 * application counts separately.
 */
import { type Context, FwError, HttpError, type ProxyResult, proxy } from "fw"

export const ProxyConfig = { matcher: ["/api/:path*"] }

/** How many requests a client may send per period, and how many seconds a period lasts. */
const limit = 100
const period = 60
/** Limits the number of clients that are counted. When there are more, the one whose period ends first is dropped. */
const maxClients = 10_000

/** The clients by address. The one whose period ends first comes first. */
const clients = new Map<string, { count: number; ends: number }>()

/**
 * Behind a reverse proxy, list the address of that proxy in the App's `trustedProxies`. Otherwise all clients are counted as
 * one.
 *
 * @throws FwError if the host does not report client addresses. Then all clients would be counted as one, and a few of them
 * could lock everyone out.
 */
export function Proxy(c: Context): ProxyResult | HttpError {
  if (c.clientIP === "")
    throw new FwError(
      "rate_limit",
      'the rate limit cannot tell clients apart: c.clientIP is ""',
      "Let the host say who the client is: app.fetch(request, { clientIP }).",
    )
  const now = performance.now() / 1000
  const { count, ends } = hit(getClientKey(c.clientIP), now)
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
    if (ends > now && clients.size < maxClients) break
    clients.delete(oldest)
  }
  const fresh = { count: 1, ends: now + period }
  clients.set(client, fresh)
  return fresh
}

/**
 * Returns the key under which a client is counted. A customer with IPv6 has at least 64 bits of addresses to choose from, so
 * all addresses with the same first 64 bits count as one client.
 */
function getClientKey(address: string): string {
  if (!address.includes(":")) return address
  const [head = "", tail] = address.split("::")
  const groups = (text: string) => (text === "" ? [] : text.split(":"))
  const before = groups(head)
  const zeros = tail === undefined ? 0 : 8 - before.length - groups(tail).length
  return [...before, ...Array.from({ length: zeros }, () => "0"), ...groups(tail ?? "")].slice(0, 4).join(":")
}
