/** `#platform` for a runtime that none of the others fits. `app.fetch` works; what needs a disk or a socket says so. */
import { fault } from "../lib/fault.ts"
import type { Platform, URLPatternConstructor } from "../lib/platform.ts"
import { report } from "./plain-logger.ts"

/** What can be done without knowing the runtime. */
export const platform: Platform = {
  env: {
    get: () => undefined,
    vars: {},
    async urlPattern() {
      const { URLPattern } = globalThis as { URLPattern?: URLPatternConstructor }
      if (!URLPattern) throw fault("platform", "URLPattern")
      return URLPattern
    },
  },
  report,
  features: {},
}
