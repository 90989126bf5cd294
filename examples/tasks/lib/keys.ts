/** Finds the owner of an API key in a time that does not depend on how much of a guess is right. */

/** Returns a function that finds the name of a key's owner; null for an unknown key. */
export function createOwnerFinder(
  keys: ReadonlyMap<string, string>,
): (guess: string) => Promise<string | null> {
  // Digests have equal lengths, and an attacker cannot choose the first bytes of a guess's digest.
  const owners = Promise.all(
    [...keys].map(async ([name, key]) => ({ name, digest: await computeDigest(key) })),
  )
  return async (guess) => {
    const guessDigest = await computeDigest(guess)
    let owner: string | null = null
    // Compares with every key, also after a match.
    for (const { name, digest } of await owners) {
      let difference = 0
      for (let i = 0; i < guessDigest.length; i++)
        difference |= (guessDigest[i] as number) ^ (digest[i] as number)
      if (difference === 0) owner = name
    }
    return owner
  }
}

async function computeDigest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
}
