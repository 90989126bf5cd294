/** Runs before routing: old URLs, and the maintenance notice. */
import { type Context, type ProxyResult, proxy } from "fw"
import { store } from "../lib/store.ts"

export const ProxyConfig = {
  matcher: ["/api/:path*", "/todos/:path*"],
  // Health checks must not report maintenance as an outage.
  excludes: ["/api/health"],
}

// biome-ignore lint/suspicious/noShadowRestrictedNames: fw finds the function by this name.
export function Proxy(c: Context): ProxyResult {
  // The path of tasks until 2025. 308 keeps the method, because old scripts may still POST there.
  if (c.path.startsWith("/todos")) {
    return proxy.redirect(`/api/tasks${c.path.slice("/todos".length)}${new URL(c.request.url).search}`, 308)
  }
  // The phone app of version 1 cannot follow redirects.
  const path = c.path.replace(/^\/api\/v1(?=\/|$)/, "/api")
  if (store.settings.maintenance && path !== "/api/settings") {
    c.setHeader("Retry-After", "300")
    return proxy.responseJSON(503, {
      error: "maintenance",
      message: "closed for maintenance: try again soon",
    })
  }
  return path === c.path ? proxy.continue() : proxy.rewrite(path)
}
