/** The answer to errors of stores and files that no handler has caught. Workers without a store leave it out. */
import { HttpError } from "../errors.ts"

/** Returns 503 for a call that a store or files could not do, because the same request may work later; else undefined. */
export function toOutageError(error: unknown): HttpError | undefined {
  if (!/^(?:store_un(?:available|known)|files_unavailable)$/.test(Object(error).code)) return undefined
  return new HttpError(503, "the service is not available at the moment: try again", {
    headers: { "Retry-After": "1" },
  })
}
