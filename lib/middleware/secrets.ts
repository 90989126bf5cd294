/** Comparing secrets without telling by the time it takes how much of a guess is right. Used by `basicAuth()` and `bearerAuth()`. */

/** Whether two texts are the same. What is compared are digests, of which nobody can guess a part: their length and place tell nothing. */
export async function sameSecret(given: string, expected: string): Promise<boolean> {
  const [one, other] = await Promise.all([digest(given), digest(expected)])
  let difference = 0
  for (const [i, byte] of one.entries()) difference |= byte ^ (other[i] as number)
  return difference === 0
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
}
