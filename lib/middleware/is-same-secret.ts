/** Compares secrets in a time that does not depend on how much of a guess is right. */
import { hashText } from "../digest.ts"

/**
 * Returns true if two texts are equal. It compares digests. A guess that is almost right has a completely different
 * digest, so the time tells nothing about the secret.
 */
export async function isSameSecret(secret: string, expected: string): Promise<boolean> {
  const [digest, expectedDigest] = await Promise.all([hashText(secret), hashText(expected)])
  let difference = 0
  for (const [i, byte] of digest.entries()) difference |= byte ^ (expectedDigest[i] as number)
  return difference === 0
}
