/** The check of Host for servers, where most requests have the same. A bundle for workers has no byte for it. */
import { validHost } from "./target.ts"

let last = ""

/** Returns true for a valid host. Caches the latest one. */
export function isHost(value: string): boolean {
  if (value === last) return true
  const valid = validHost(value)
  if (valid) last = value
  return valid
}
