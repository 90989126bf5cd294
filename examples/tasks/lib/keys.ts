/** Finds the owner of an API key in a time that does not depend on how much of a guess is right. */

/** Returns a function that returns the name of a key's owner, or null. */
export function keyring(keys: ReadonlyMap<string, string>): (given: string) => Promise<string | null> {
  // Digests have equal lengths, and an attacker cannot choose the first bytes of a guess's digest.
  const known = Promise.all([...keys].map(async ([name, key]) => ({ name, digest: await digest(key) })))
  return async (given) => {
    const mine = await digest(given)
    let owner: string | null = null
    // Compares with every key, also after a match.
    for (const { name, digest } of await known) {
      let difference = 0
      for (let i = 0; i < mine.length; i++) difference |= (mine[i] as number) ^ (digest[i] as number)
      if (difference === 0) owner = name
    }
    return owner
  }
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
}
