/** `#platform` on Bun. */
import type { Platform } from "../../lib/platform.ts"
import { decodesOne, usualCodings } from "../shared/decodes.ts"
import { createServingPlatform, diskPlatform } from "./disk.ts"

/** Sets the content type. Bun has it, but does not show it in the headers. */
function keepContentType({ headers, body }: Response): void {
  if (body === null || headers.has("content-type")) return
  try {
    headers.set("content-type", "text/plain;charset=UTF-8")
  } catch {
    // The headers of a response from `fetch` cannot be changed, but they are complete.
  }
}

/** Bun's implementation of the platform. */
export const platform: Platform = createServingPlatform({
  ...diskPlatform,
  decodes: decodesOne(usualCodings),
  keepContentType,
  serve: async (app, options) => (await import("../bun.ts")).serve(app, options),
})
