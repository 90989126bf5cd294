/** `#platform` on Bun. */
import type { Platform } from "../lib/platform.ts"
import { disk } from "./platform.disk.ts"

/** Bun's side of the core's one door. */
export const platform: Platform = {
  ...disk,
  serve: async (app, options) => (await import("./bun.ts")).serve(app, options),
}
