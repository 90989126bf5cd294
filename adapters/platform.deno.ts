/** `#platform` on Deno. */
import type { Platform } from "../lib/platform.ts"
import { disk } from "./platform.disk.ts"

/** Deno's side of the core's one door. */
export const platform: Platform = {
  ...disk,
  serve: async (app, options) => (await import("./deno.ts")).serve(app, options),
}
