/** Computes digests of texts. */

/** Returns the SHA-256 digest of a text, as 64 hexadecimal digits. */
export async function toHexDigest(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}
