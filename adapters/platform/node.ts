/** `#platform` on Node. */
import type { Platform } from "../../lib/platform.ts"
import { disk, serving } from "./disk.ts"

/** Node's side of the core's one door. */
export const platform: Platform = serving({
  ...disk,
  serve: async (app, options) => (await import("../node.ts")).serve(app, options),
})
