/** Looks at requests before they are routed: old addresses, and the notice while something is being mended. */
import { type Context, type ProxyResult, proxy } from "fw"
import { store } from "../lib/store.ts"

export const ProxyConfig = {
  matcher: ["/api/:path*", "/todos/:path*"],
  // Whoever watches the process must not take maintenance for an outage.
  excludes: ["/api/health"],
}

// biome-ignore lint/suspicious/noShadowRestrictedNames: fw finds the function by this name.
export function Proxy(c: Context): ProxyResult {
  // What tasks were called until 2025. 308 keeps the method: an old script may still POST there.
  if (c.path.startsWith("/todos")) {
    return proxy.redirect(`/api/tasks${c.path.slice("/todos".length)}${new URL(c.request.url).search}`, 308)
  }
  // The phone app of version 1 cannot follow redirects.
  const path = c.path.replace(/^\/api\/v1(?=\/|$)/, "/api")
  if (store.settings.maintenance && path !== "/api/settings") {
    c.setHeader("Retry-After", "300")
    return proxy.responseJSON(503, {
      error: "maintenance",
      message: "we are mending something: try again soon",
    })
  }
  return path === c.path ? proxy.continue() : proxy.rewrite(path)
}
