/** Passwords: Argon2id, computed on a separate thread. */
import { hash, type Options, verify } from "@node-rs/argon2"

/**
 * The minimum that OWASP recommends for Argon2id: 19 MiB, two passes, one lane. Takes about 20 ms of one
 * core. Hashes with a higher cost are verified too.
 */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Length of a password in characters. Other rules lead to worse passwords (NIST SP 800-63B §3.1.1). */
export const passwordLength = { min: 8, max: 256 } as const

/** Returns true for a password with an allowed number of characters. */
export function isPasswordLength(password: string): boolean {
  const length = [...password].length
  return length >= passwordLength.min && length <= passwordLength.max
}

/** Returns the hash to store, which contains its parameters and salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost)
}

// Verified in place of a missing hash, so that the response takes as long as for an existing account.
const missingAccountHash = hashPassword(crypto.randomUUID())

/** Verifies a password. `null` stands for a missing account, or one without a password. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const isMatch = await verify(stored ?? (await missingAccountHash), password.normalize("NFKC"))
  return isMatch && stored !== null
}

/** Returns true if a hash was computed at a lower cost than `cost`. */
export function isWeak(stored: string): boolean {
  const [, memory, time] = /\$m=(\d+),t=(\d+),/.exec(stored) ?? []
  return Number(memory) < (cost.memoryCost ?? 0) || Number(time) < (cost.timeCost ?? 0)
}
