/** `#platform` on Deno. */
import type { Platform } from "../../lib/platform.ts"
import { loadURLPattern } from "../disk/env.ts"
import { createServingPlatform, diskPlatform } from "./disk.ts"

/** Deno's implementation of the platform. */
export const platform: Platform = createServingPlatform({
  ...diskPlatform,
  // Deno accepts these codings in any case, but only alone, without another coding or a comma.
  decodes: (contentEncoding) => ["gzip", "br"].includes(contentEncoding.toLowerCase()),
  // Deno's own URLPattern does not support lookahead.
  env: { ...diskPlatform.env, loadURLPattern },
  serve: async (app, options) => (await import("../deno.ts")).serve(app, options),
})
