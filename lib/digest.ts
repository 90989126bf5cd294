/** Computes digests of texts. */

/** Returns the SHA-256 digest of a text, as 32 bytes. */
export async function hashText(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
}

/** Returns the SHA-256 digest of a text, as 64 hexadecimal digits. */
export async function toHexDigest(text: string): Promise<string> {
  return [...(await hashText(text))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}
