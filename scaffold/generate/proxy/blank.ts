/** Looks at requests before they are routed: it may redirect, rewrite or answer them. */
import { type Context, type ProxyResult, proxy } from "fw"

export const ProxyConfig = { matcher: ["/:path*"] }

export function Proxy(_c: Context): ProxyResult {
  return proxy.continue()
}
