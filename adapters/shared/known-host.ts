/** Checks Host for servers, where most requests have the same one. A bundle for workers does not contain this file. */
import { isValidHost } from "./request-line.ts"

let lastValidHost = ""

/** Returns true for a valid host. Caches the latest one. */
export function isKnownOrValidHost(value: string): boolean {
  if (value === lastValidHost) return true
  const valid = isValidHost(value)
  if (valid) lastValidHost = value
  return valid
}
