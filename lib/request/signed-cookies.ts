/** Signs cookies, so that the server can tell the values that it has set itself from others. */
import { platform } from "#platform"
import { getSigning, isSealed, setSigning } from "../answer/seal-response.ts"
import { misuse } from "../errors/fault.ts"
import { type Cookie, maxCookieBytes, writeCookie } from "./cookies.ts"
import { secretsVariable } from "./secrets.ts"
import { getSigningKeys, isSignatureValid, type SigningKeys, signText } from "./signing-keys.ts"

/** Length of a signature in base64url. */
const signatureChars = 43

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
    const signature = await signText(keys, toSignedText(name, value))
    // If a cookie is set several times, the last call wins.
    await earlierSigning
    write(writeCookie({ ...attributes, name, value: `${value}.${signature}` }))
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

async function verifySignature(keys: SigningKeys, name: string, text: string): Promise<string> {
  // A signature contains no dot.
  const dot = text.lastIndexOf(".")
  if (dot < 0 || text.length > maxCookieBytes) return ""
  const value = text.slice(0, dot)
  return (await isSignatureValid(keys, text.slice(dot + 1), toSignedText(name, value))) ? value : ""
}

/** Returns the text that is signed. It includes the name, so that a value is valid for its own cookie only. */
function toSignedText(name: string, value: string): string {
  return `cookie ${name}=${value}`
}

/** Returns the signing keys from the environment of a request. */
function getKeys(c: ContextWithEnv): SigningKeys {
  const secrets = (c.env as Readonly<Partial<Record<string, unknown>>>)[secretsVariable]
  return getSigningKeys(secrets ?? platform.env.get(secretsVariable))
}
