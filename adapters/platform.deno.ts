/** `#platform` on Deno. */
import type { Platform } from "../lib/platform.ts"
import { polyfill } from "./env.node.ts"
import { disk, serving } from "./platform.disk.ts"

/** Deno's side of the core's one door. */
export const platform: Platform = serving({
  ...disk,
  // Deno's own has no lookahead.
  env: { ...disk.env, urlPattern: polyfill },
  serve: async (app, options) => (await import("./deno.ts")).serve(app, options),
})
