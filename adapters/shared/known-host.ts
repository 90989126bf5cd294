/**
 * Checks Host on servers, where most requests have the same one. It is a file of its own, so that bundles for workers
 * leave it out.
 */
import { isValidHost } from "./request-line.ts"

let lastValidHost = ""

/** Returns true for a valid host. The last valid one is stored, so that it is not checked again. */
export function isKnownOrValidHost(value: string): boolean {
  if (value === lastValidHost) return true
  const isValid = isValidHost(value)
  if (isValid) lastValidHost = value
  return isValid
}
