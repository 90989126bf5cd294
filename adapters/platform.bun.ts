/** `#platform` on Bun. */
import type { Platform } from "../lib/platform.ts"
import { disk, serving } from "./platform.disk.ts"

/** Bun's side of the core's one door. */
export const platform: Platform = serving({
  ...disk,
  serve: async (app, options) => (await import("./bun.ts")).serve(app, options),
})
