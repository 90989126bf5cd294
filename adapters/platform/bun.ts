/** `#platform` on Bun. */
import type { Platform } from "../../lib/platform.ts"
import { disk, serving } from "./disk.ts"

/** Bun keeps that type to itself. */
function keepType({ headers, body }: Response): void {
  if (body === null || headers.has("content-type")) return
  try {
    headers.set("content-type", "text/plain;charset=UTF-8")
  } catch {
    // From `fetch`: it has no more than it has.
  }
}

/** Bun's side of the core's one door. */
export const platform: Platform = serving({
  ...disk,
  keepType,
  serve: async (app, options) => (await import("../bun.ts")).serve(app, options),
})
