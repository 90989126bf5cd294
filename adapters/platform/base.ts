/** The parts of a platform that work on every runtime. */
import type { Platform, URLPatternConstructor } from "../../lib/platform.ts"
import { report } from "../shared/console-report.ts"
import { decodesAll, usualCodings } from "../shared/decodes.ts"
import { assetFiles } from "../workerd/assets.ts"

/** A platform without the function that answers a Request. */
export const base: Omit<Platform, "fetch"> = {
  env: {
    get: () => undefined,
    vars: {},
    // If it is missing, the first matcher that needs it reports that.
    urlPattern: async () => (globalThis as unknown as { URLPattern: URLPatternConstructor }).URLPattern,
  },
  report,
  decodes: decodesAll(usualCodings),
  files: assetFiles,
}
