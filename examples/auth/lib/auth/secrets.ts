/** Random secrets, their digests, and their comparison. The database has only digests. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** Returns random bytes as lower-case hexadecimal digits, two per byte. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex")
}

/**
 * Returns the digest to store instead of a secret. SHA-256 without salt is enough for 32 random bytes, which
 * cannot be guessed; a password needs `passwords.ts`.
 */
export function computeDigest(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}

/** Compares two texts in a time that does not depend on how much of them is equal. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(computeDigest(a)), Buffer.from(computeDigest(b)))
}
