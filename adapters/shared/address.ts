/** Writes addresses of servers as text. */

/** Returns `host:port`. An IPv6 host is put in brackets. */
export function formatAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`
}

/** Returns the host at which a server can be reached from this machine, even if it listens on every interface. */
export function toReachableHost(host: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host
}
