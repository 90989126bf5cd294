/** The parts of `#platform` that are the same on every runtime. */
import type { Platform, URLPatternConstructor } from "../../lib/platform.ts"
import { reportToConsole } from "../shared/console-report.ts"
import { decodesAll, usualCodings } from "../shared/decodes.ts"
import { findAssetFiles } from "../workerd/assets.ts"

/** A platform without the implementation of `app.fetch`. */
export const basePlatform: Omit<Platform, "fetch"> = {
  env: {
    get: () => undefined,
    vars: {},
    // If the runtime has no URLPattern, the first matcher that needs it reports that.
    loadURLPattern: async () => (globalThis as unknown as { URLPattern: URLPatternConstructor }).URLPattern,
  },
  report: reportToConsole,
  decodes: decodesAll(usualCodings),
  files: findAssetFiles,
}
