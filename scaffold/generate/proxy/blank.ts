/** Runs before a route is chosen. It can redirect, rewrite or answer a request. */
import { type Context, type ProxyResult, proxy } from "fw"

export const ProxyConfig = { matcher: ["/:path*"] }

export function Proxy(_c: Context): ProxyResult {
  return proxy.continue()
}
