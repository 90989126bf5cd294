/** `#platform` on Node. */
import type { Platform } from "../../lib/platform.ts"
import { decodesAll, usualCodings } from "../shared/decodes.ts"
import { createServingPlatform, diskPlatform } from "./disk.ts"

const { undici = "", zstd } = process.versions

/**
 * True if `fetch()` of this Node decodes Zstandard. Node must have been built with it, and undici must be version 7 or
 * later.
 */
const decodesZstd = zstd !== undefined && Number.parseInt(undici, 10) >= 7

/** Node's implementation of the platform. */
export const platform: Platform = createServingPlatform({
  ...diskPlatform,
  decodes: decodesAll(decodesZstd ? usualCodings : usualCodings.filter((coding) => coding !== "zstd")),
  serve: async (app, options) => (await import("../node.ts")).serve(app, options),
})
