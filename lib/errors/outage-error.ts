/**
 * Answers errors of stores and files that no handler has caught. A bundle for workers leaves this module out if it has
 * no store.
 */
import { HttpError } from "../errors.ts"

/**
 * Returns a 503 if a store or files failed, because the same request may work later. Returns undefined for any other
 * error.
 */
export function toOutageError(error: unknown): HttpError | undefined {
  if (!/^(?:store_un(?:available|known)|files_unavailable)$/.test(Object(error).code)) return undefined
  return new HttpError(503, "the service is not available at the moment: try again", {
    headers: { "Retry-After": "1" },
  })
}
