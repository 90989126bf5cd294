/** Runs before routing. It can redirect, rewrite or answer requests. */
import { type Context, type ProxyResult, proxy } from "fw"

export const ProxyConfig = { matcher: ["/:path*"] }

export function Proxy(_c: Context): ProxyResult {
  return proxy.continue()
}
