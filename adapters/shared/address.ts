/** Addresses of servers as text. */

/** Formats `host:port`, with an IPv6 host in brackets. */
export function formatAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`
}

/** Returns the host that reaches a server on this machine, also if it listens on every interface. */
export function toReachableHost(host: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host
}
