/** Makes signing keys from secrets, and writes signatures as text. */
import { parseSecrets } from "./secrets.ts"

export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The secrets that were read last, and their keys. */
let cachedKeys: { readonly text: string; readonly keys: Promise<readonly SigningKey[]> } | undefined

/**
 * Returns the keys for the secrets in a text. The first one signs, all of them verify. @throws FwError `secrets` for a
 * secret that is too short or can be guessed.
 */
export function getSigningKeys(secrets: unknown): Promise<readonly SigningKey[]> {
  const text = typeof secrets === "string" ? secrets : ""
  if (cachedKeys?.text !== text) cachedKeys = { text, keys: importKeys(parseSecrets(text)) }
  return cachedKeys.keys
}

function importKeys(secrets: readonly Uint8Array<ArrayBuffer>[]): Promise<SigningKey[]> {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  return Promise.all(
    secrets.map((secret) => crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"])),
  )
}

/** Returns bytes in base64url, without padding. */
export function toBase64URL(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}

/** Decodes the result of {@link toBase64URL}. @throws for characters that are not in base64url. */
export function fromBase64URL(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
}
