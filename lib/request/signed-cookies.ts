/** Cookies with a signature, by which a server knows the values that it set itself. */
import { platform } from "#platform"
import { isSealed } from "../answer/seal-response.ts"
import { misuse } from "../errors/fault.ts"
import { type Cookie, maxCookieBytes as most, writeCookie } from "./cookies.ts"
import { secretsVariable } from "./secrets.ts"
import { getSigning, setSigning } from "./signing.ts"
import { fromBase64URL, getSigningKeys, type SigningKey, toBase64URL } from "./signing-keys.ts"

/** 32 bytes in base64url without padding. The last character has two unused bits, which are 0. */
const signedValuePattern = /^(.*)\.([\w-]{42}[AEIMQUYcgkosw048])$/s

/** Characters of a signature in base64url. */
const signatureChars = 43

const encoder = new TextEncoder()

/** A context, which has the secrets in its environment. */
interface ContextWithEnv {
  readonly env: object
}

/**
 * Signs the value of a cookie, and passes the `Set-Cookie` header to a function.
 *
 * @param unsigned the header without a signature.
 * @throws FwError `secrets` if the environment has no valid secrets. TypeError for a cookie that is too large.
 */
export function signCookie(
  c: ContextWithEnv,
  cookie: Cookie,
  unsigned: string,
  write: (header: string) => void,
): Promise<void> {
  const { name, value, ...attributes } = cookie
  // Everything that can fail fails now, even in a program that does not await the promise.
  if (isSealed(c)) throw misuse("sealed", "c.setCookie()")
  // The dot before the signature takes the place of the equals sign, which does not count.
  if (unsigned.indexOf(";") + signatureChars > most) throw misuse("cookie.size", name, most)
  const keys = getKeys(c)
  const before = getSigning(c)
  const signing = (async () => {
    const [key] = await keys
    const signature = await crypto.subtle.sign("HMAC", key as SigningKey, toSignedBytes(name, value))
    // Cookies of one name are set in the order of the calls.
    await before
    write(writeCookie({ ...attributes, name, value: `${value}.${toBase64URL(new Uint8Array(signature))}` }))
  })()
  setSigning(c, signing)
  return signing
}

/**
 * Returns the value of a signed cookie; `""` if no secret fits its signature.
 *
 * @param text the value and its signature, as the client sent them.
 * @throws FwError `secrets` if the environment has no valid secrets. TypeError for other options: a misspelled one would
 *   be a missing check.
 */
export function verifyCookie(
  c: ContextWithEnv,
  name: string,
  text: string,
  options: { readonly signed: true },
): Promise<string> {
  const isKnown = Object.keys(Object(options)).every((option) => option === "signed")
  if (!isKnown || options?.signed !== true) throw misuse("cookie.options", options)
  return verifySignature(getKeys(c), name, text)
}

async function verifySignature(keys: Promise<readonly SigningKey[]>, name: string, text: string): Promise<string> {
  const [, value, signature] = (text.length <= most && signedValuePattern.exec(text)) || []
  if (value === undefined || signature === undefined) return ""
  const bytes = fromBase64URL(signature)
  const content = toSignedBytes(name, value)
  for (const key of await keys) if (await crypto.subtle.verify("HMAC", key, bytes, content)) return value
  return ""
}

/** The bytes that are signed. The name is part of them, so that a value is valid only for its own cookie. */
function toSignedBytes(name: string, value: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`cookie ${name}=${value}`)
}

/** Returns the keys of a request's environment. */
function getKeys(c: ContextWithEnv): Promise<readonly SigningKey[]> {
  const given = (c.env as Readonly<Partial<Record<string, unknown>>>)[secretsVariable]
  return getSigningKeys(given ?? platform.env.get(secretsVariable))
}
