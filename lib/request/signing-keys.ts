/** Makes signing keys from secrets, and writes signatures as text. */
import { parseSecrets } from "./secrets.ts"

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The keys of all secrets. The first one signs, all of them verify. */
export type SigningKeys = Promise<readonly SigningKey[]>

const encoder = new TextEncoder()

/** The secrets that were read last, and their keys. */
let cachedKeys: { readonly text: string; readonly keys: SigningKeys } | undefined

/**
 * Returns the keys for the secrets in a text. @throws FwError `secrets` for a secret that is too short or can be
 * guessed.
 */
export function getSigningKeys(secrets: unknown): SigningKeys {
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

/** Signs a text with the first key. Returns the signature in base64url: 32 bytes without padding. */
export async function signText(keys: SigningKeys, text: string): Promise<string> {
  const [key] = await keys
  return toBase64URL(new Uint8Array(await crypto.subtle.sign("HMAC", key as SigningKey, encoder.encode(text))))
}

/** Returns true if the signature of a text was made with one of the keys. */
export async function isSignatureValid(keys: SigningKeys, signature: string, text: string): Promise<boolean> {
  // Two bits of the last character are unused and must be 0, so that a signature has one spelling.
  if (!/^[\w-]{42}[AEIMQUYcgkosw048]$/.test(signature)) return false
  const [bytes, signedBytes] = [fromBase64URL(signature), encoder.encode(text)]
  for (const key of await keys) if (await crypto.subtle.verify("HMAC", key, bytes, signedBytes)) return true
  return false
}

/** Returns bytes in base64url, without padding. */
export function toBase64URL(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}

/** Decodes the result of {@link toBase64URL}. @throws for characters that are not in base64url. */
function fromBase64URL(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
}
