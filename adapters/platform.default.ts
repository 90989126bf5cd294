/** `#platform` for a runtime that none of the others fits. `app.fetch` works; what needs a disk or a socket says so. */
import type { Platform, URLPatternConstructor } from "../lib/platform.ts"
import { report } from "./console-report.ts"

/** What can be done without knowing the runtime. */
export const platform: Platform = {
  env: {
    get: () => undefined,
    vars: {},
    // Where there is none, the first matcher that needs it says so.
    urlPattern: async () => (globalThis as unknown as { URLPattern: URLPatternConstructor }).URLPattern,
  },
  report,
  features: {},
}
