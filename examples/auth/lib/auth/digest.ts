/** Random secrets, their digests, and comparing them. Used by whatever hands out or checks one. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** So many random bytes as lower-case hexadecimal digits, two a byte. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex")
}

/**
 * What is stored in a secret's place. SHA-256 without salt is enough for 32 random bytes, which nobody can guess; a
 * password needs `passwords.ts`.
 */
export function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}

/** Whether two texts are the same, without telling by the time it takes how much of them is. */
export function isSame(a: string, b: string): boolean {
  // Digests are equally long, which timingSafeEqual asks for.
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest())
}
