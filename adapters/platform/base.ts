/** What can be done without knowing the runtime. */
import type { Platform, URLPatternConstructor } from "../../lib/platform.ts"
import { report } from "../shared/console-report.ts"
import { assetFiles } from "../workerd/assets.ts"

declare const FW_STATIC: boolean

/** A platform but for answering a Request. */
export const base: Omit<Platform, "fetch"> = {
  env: {
    get: () => undefined,
    vars: {},
    // Where there is none, the first matcher that needs it says so.
    urlPattern: async () => (globalThis as unknown as { URLPattern: URLPatternConstructor }).URLPattern,
  },
  report,
  files: typeof FW_STATIC === "undefined" || FW_STATIC ? assetFiles : undefined,
}
