/** Signs cookies, so that the server can tell the values that it has set itself from others. */
import { platform } from "#platform"
import { isSealed } from "../answer/seal-response.ts"
import { misuse } from "../errors/fault.ts"
import { type Cookie, maxCookieBytes, writeCookie } from "./cookies.ts"
import { secretsVariable } from "./secrets.ts"
import { getSigning, setSigning } from "./signing.ts"
import { fromBase64URL, getSigningKeys, type SigningKey, toBase64URL } from "./signing-keys.ts"

/**
 * A value and its signature: 32 bytes in base64url without padding. Two bits of the last character are unused and must
 * be 0.
 */
const signedValuePattern = /^(.*)\.([\w-]{42}[AEIMQUYcgkosw048])$/s

/** Length of a signature in base64url. */
const signatureChars = 43

const encoder = new TextEncoder()

/** A context. Its environment contains the secrets. */
interface ContextWithEnv {
  readonly env: object
}

/**
 * Signs the value of a cookie, and passes the value of `Set-Cookie` to a function.
 *
 * @param unsignedHeader the value of `Set-Cookie` without a signature.
 * @throws FwError `secrets` if the environment has no valid secrets. TypeError for a cookie that is too large.
 */
export function signCookie(
  c: ContextWithEnv,
  cookie: Cookie,
  unsignedHeader: string,
  write: (header: string) => void,
): Promise<void> {
  const { name, value, ...attributes } = cookie
  // What can fail is checked before the first await, so that it throws even if the program does not await the promise.
  if (isSealed(c)) throw misuse("sealed", "c.setCookie()")
  // The signature adds a dot, but the equals sign does not count. So the two cancel out.
  if (unsignedHeader.indexOf(";") + signatureChars > maxCookieBytes) throw misuse("cookie.size", name, maxCookieBytes)
  const keys = getKeys(c)
  const earlierSigning = getSigning(c)
  const signing = (async () => {
    const [key] = await keys
    const signature = await crypto.subtle.sign("HMAC", key as SigningKey, toSignedBytes(name, value))
    // If a cookie is set several times, the last call wins.
    await earlierSigning
    write(writeCookie({ ...attributes, name, value: `${value}.${toBase64URL(new Uint8Array(signature))}` }))
  })()
  setSigning(c, signing)
  return signing
}

/**
 * Returns the value of a signed cookie; `""` if the signature was not made with one of the secrets.
 *
 * @param text the value and its signature, as the client has sent them.
 * @throws FwError `secrets` if the environment has no valid secrets. TypeError for other options, because a misspelled
 * option could be a missing check.
 */
export function verifyCookie(
  c: ContextWithEnv,
  name: string,
  text: string,
  options: { readonly signed: true },
): Promise<string> {
  const hasOnlySigned = Object.keys(Object(options)).every((option) => option === "signed")
  if (!hasOnlySigned || options?.signed !== true) throw misuse("cookie.options", options)
  return verifySignature(getKeys(c), name, text)
}

async function verifySignature(keys: Promise<readonly SigningKey[]>, name: string, text: string): Promise<string> {
  const [, value, signature] = (text.length <= maxCookieBytes && signedValuePattern.exec(text)) || []
  if (value === undefined || signature === undefined) return ""
  const bytes = fromBase64URL(signature)
  const content = toSignedBytes(name, value)
  for (const key of await keys) if (await crypto.subtle.verify("HMAC", key, bytes, content)) return value
  return ""
}

/** Returns the bytes that are signed. They include the name, so that a value is valid for its own cookie only. */
function toSignedBytes(name: string, value: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`cookie ${name}=${value}`)
}

/** Returns the signing keys from the environment of a request. */
function getKeys(c: ContextWithEnv): Promise<readonly SigningKey[]> {
  const secrets = (c.env as Readonly<Partial<Record<string, unknown>>>)[secretsVariable]
  return getSigningKeys(secrets ?? platform.env.get(secretsVariable))
}
