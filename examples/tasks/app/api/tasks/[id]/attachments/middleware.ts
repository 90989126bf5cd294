import { bodyLimit, type MiddlewareFunc } from "fw"
import { limits } from "../../../../../lib/store.ts"

/** Allows larger bodies than for tasks. A form adds some lines around its file. */
export function Middleware(): MiddlewareFunc {
  return bodyLimit(limits.attachmentBytes + 4096)
}
