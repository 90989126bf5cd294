/** `#platform` on Deno. */
import type { Platform } from "../../lib/platform.ts"
import { polyfill } from "../disk/env.ts"
import { disk, serving } from "./disk.ts"

/** Deno's implementation of the platform. */
export const platform: Platform = serving({
  ...disk,
  // In any case, but not if another coding or a comma is next to it.
  decodes: (contentEncoding) => ["gzip", "br"].includes(contentEncoding.toLowerCase()),
  // Deno's own URLPattern has no lookahead.
  env: { ...disk.env, urlPattern: polyfill },
  serve: async (app, options) => (await import("../deno.ts")).serve(app, options),
})
