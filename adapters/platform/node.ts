/** `#platform` on Node. */
import type { Platform } from "../../lib/platform.ts"
import { disk, serving } from "./disk.ts"

/** Node's implementation of the platform. */
export const platform: Platform = serving({
  ...disk,
  serve: async (app, options) => (await import("../node.ts")).serve(app, options),
})
