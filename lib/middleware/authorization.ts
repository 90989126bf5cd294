/** What both authentication schemes share: the `Authorization` header, and the challenge (RFC 9110 §11). Used by `basic-auth.ts` and `bearer-auth.ts`. */
import { FwError, HttpError } from "../errors.ts"

/**
 * The credentials of a scheme, whose name is in any case (RFC 9110 §11.1): `""` without the header, null for what is
 * not of the scheme.
 *
 * @param credentials what may follow the scheme.
 */
export function credentialsOf(header: string, scheme: string, credentials: RegExp): string | null {
  if (header === "") return ""
  const [name = "", ...words] = header.split(" ")
  if (name.toLowerCase() !== scheme) return null
  const rest = words.join(" ").trim()
  return credentials.test(rest) ? rest : null
}

/** 401 with its challenge. */
export function challenge(message: string, value: string): HttpError<401> {
  return new HttpError(401, message, { headers: { "WWW-Authenticate": value } })
}

/** A realm as a quoted string (RFC 9110 §5.6.4). @throws FwError `code` for what no header can hold. */
export function quotedRealm(realm: unknown, code: string, what: string): string {
  if (typeof realm === "string" && /^[\x20-\x7e]+$/.test(realm)) return `"${realm.replace(/["\\]/g, "\\$&")}"`
  throw new FwError(
    code,
    `${what} was given a realm that no header can hold`,
    'Write realm: "Reports", in ASCII.',
  )
}

/** @throws FwError `code` unless exactly one of two options is there, and `verify` is a function. */
export function checkEither(options: object, list: string, code: string, what: string): void {
  const { verify } = options as { readonly verify?: unknown }
  const hasList = (options as Record<string, unknown>)[list] !== undefined
  if (hasList !== (verify !== undefined) && (verify === undefined || typeof verify === "function")) return
  throw new FwError(
    code,
    `${what} needs either ${list} or a function verify`,
    "Without one, nobody could come in; with both, it is not clear who may.",
  )
}
