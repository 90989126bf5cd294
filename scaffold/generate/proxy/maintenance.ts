/**
 * Answers 503 while MAINTENANCE is "true". The addresses in MAINTENANCE_ALLOW are still served, such as
 * "203.0.113.7,10.0.0.0/8, 2001:db8::/32". Both variables are read when the application starts.
 */
import { BlockList, isIP } from "node:net"
import { type Context, FwError, HttpError, type ProxyResult, proxy } from "fw"

// Health checks must not report maintenance as an outage.
export const ProxyConfig = { excludes: ["/api/health"] }
/** The paths of app.health(). */
const healthChecks = ["/health/live", "/health/ready"]

/** IPv4 addresses that are written as IPv6 addresses. */
const mappedIPv4 = new BlockList()
mappedIPv4.addSubnet("::ffff:0.0.0.0", 96, "ipv6")

const isDown = process.env.MAINTENANCE === "true"
const allowed = readRanges(process.env.MAINTENANCE_ALLOW ?? "")
/** After how many seconds clients should try again. */
const retryAfter = 600

/**
 * Behind a reverse proxy, list the address of that proxy in the App's `trustedProxies`. Otherwise every client seems to have
 * that address.
 */
export function Proxy(c: Context): ProxyResult | HttpError {
  if (!isDown || healthChecks.includes(c.path) || isAllowed(c.clientIP)) return proxy.continue()
  return new HttpError(503, "down for maintenance", { headers: { "Retry-After": String(retryAfter) } })
}

function isAllowed(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && allowed.check(address, family === 6 ? "ipv6" : "ipv4")
}

/** Parses addresses and ranges. @throws FwError for an invalid one. */
function readRanges(text: string): BlockList {
  const list = new BlockList()
  for (const range of text.split(",").map((part) => part.trim())) {
    if (range === "") continue
    const [address = "", prefix, ...more] = range.split("/")
    const version = isIP(address)
    const bits = version === 6 ? 128 : 32
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    // A prefix shorter than /96 would include all IPv4 addresses.
    const isTooWide = version === 6 && length < 96 && mappedIPv4.check(address, "ipv6")
    if (version === 0 || more.length > 0 || length < 0 || length > bits || isTooWide) {
      const fix = 'Write addresses and ranges with commas between them: "203.0.113.7,10.0.0.0/8".'
      throw new FwError(
        "maintenance",
        `MAINTENANCE_ALLOW holds ${JSON.stringify(range)}, which is neither`,
        fix,
      )
    }
    list.addSubnet(address, length, version === 6 ? "ipv6" : "ipv4")
  }
  return list
}
