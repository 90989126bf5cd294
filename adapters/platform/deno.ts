/** `#platform` on Deno. */
import type { Platform } from "../../lib/platform.ts"
import { loadURLPattern } from "../disk/env.ts"
import { createServingPlatform, diskPlatform } from "./disk.ts"

/** Deno's implementation of the platform. */
export const platform: Platform = createServingPlatform({
  ...diskPlatform,
  // In upper and lower case, but not if another coding or a comma is next to it.
  decodes: (contentEncoding) => ["gzip", "br"].includes(contentEncoding.toLowerCase()),
  // Deno's own URLPattern has no lookahead.
  env: { ...diskPlatform.env, urlPattern: loadURLPattern },
  serve: async (app, options) => (await import("../deno.ts")).serve(app, options),
})
