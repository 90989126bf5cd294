/** The keys that are made of secrets, and signatures as text. */
import { parseSecrets } from "./secrets.ts"

export type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The secrets that were read last. */
let knownKeys: { readonly text: string; readonly keys: Promise<readonly SigningKey[]> } | undefined

/** Returns the keys of secrets: the first signs, all verify. @throws FwError `secrets` for secrets that are short or can be guessed. */
export function getSigningKeys(given: unknown): Promise<readonly SigningKey[]> {
  const text = typeof given === "string" ? given : ""
  if (knownKeys?.text !== text) knownKeys = { text, keys: importKeys(parseSecrets(text)) }
  return knownKeys.keys
}

function importKeys(secrets: readonly Uint8Array<ArrayBuffer>[]): Promise<SigningKey[]> {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  return Promise.all(
    secrets.map((secret) => crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"])),
  )
}

/** Returns bytes as text, without the padding of a 32 bytes long signature. */
export function toBase64URL(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "")
}

/** Returns the bytes of a text that {@link toBase64URL} made. @throws for characters that are not of base64url. */
export function fromBase64URL(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
}
