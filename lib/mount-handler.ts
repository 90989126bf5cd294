/** Other handlers of requests below a prefix. Called by `app.router.mount()`. */
import { checkFunction } from "./checks.ts"
import { parsePattern } from "./pattern.ts"
import type { Router } from "./router.ts"
import type { HandlerFunc, RequestHandler } from "./types.ts"

/** See {@link Router.mount}. */
export function mountHandler(router: Router, prefix: string, handler: RequestHandler): void {
  const source = `router.mount(${JSON.stringify(prefix)})`
  checkFunction(handler, source)
  const base = prefix.replace(/\/+$/, "")
  const skip = parsePattern(base || "/").segments.length
  const mounted: HandlerFunc = (c) => {
    const url = new URL(c.request.url)
    url.pathname = `/${c.path
      .split("/")
      .slice(skip + 1)
      .join("/")}`
    url.search = c.search
    return handler(new Request(url, c.request))
  }
  for (const pattern of [base || "/", `${base}/*`])
    router.add({ method: "*", pattern: parsePattern(pattern), handler: mounted, middleware: [], source })
}
