/**
 * Helpers of the authentication middleware: for the header `Authorization` and the challenge (RFC 9110 §11).
 */
import type { FwErrorCode } from "../errors/error-codes.ts"
import { HttpError } from "../errors.ts"
import { isToken, quoteText, trimBlanks } from "../request/header-grammar.ts"
import { middlewareFault } from "./fault.ts"

/**
 * Returns the credentials in an `Authorization` header; `""` if there is no header, null if it has another scheme. The
 * name of a scheme may be in any case (RFC 9110 §11.1).
 *
 * @param credentials an expression for valid credentials.
 */
export function readCredentials(header: string, scheme: string, credentials: RegExp): string | null {
  if (header === "") return ""
  const space = header.indexOf(" ")
  if (space < 0 || header.slice(0, space).toLowerCase() !== scheme) return null
  const rest = trimBlanks(header.slice(space))
  return credentials.test(rest) ? rest : null
}

/**
 * Returns a 401 with a challenge.
 *
 * @param parameters parameters of the challenge, such as `realm="shop"`. Empty ones are left out.
 */
export function createChallenge(message: string, scheme: string, parameters: readonly string[]): HttpError<401> {
  const list = parameters.filter(Boolean).join(", ")
  const value = list === "" ? scheme : `${scheme} ${list}`
  return new HttpError(401, message, { headers: { "WWW-Authenticate": value } })
}

/**
 * Returns a realm as a quoted string (RFC 9110 §5.6.4). @throws FwError `code` for text that a header cannot contain.
 */
export function quoteRealm(realm: unknown, code: FwErrorCode, subject: string): string {
  if (typeof realm === "string" && /^[\x20-\x7e]+$/.test(realm)) return quoteText(realm)
  throw middlewareFault("basic_auth.realm", [subject], { code })
}

/**
 * Checks that exactly one of two options is set: a list, or the function `verify`. @throws FwError `code` otherwise.
 */
export function checkEither(options: object, list: string, code: FwErrorCode, subject: string): void {
  const { verify } = options as { readonly verify?: unknown }
  const hasList = (options as Record<string, unknown>)[list] !== undefined
  if (hasList !== (verify !== undefined) && (verify === undefined || typeof verify === "function")) return
  throw middlewareFault("basic_auth.either", [subject, list], { code })
}

/**
 * The security that a middleware for tokens declares for the OpenAPI document. Only the scheme `Bearer` is that of RFC
 * 6750. Any other scheme is declared as a key in a header, with its format in the description.
 */
export type TokenSecurity<Prefix extends string, Bearer extends string> = string extends Prefix
  ? "header Authorization"
  : Lowercase<Prefix> extends "bearer"
    ? Bearer
    : `header Authorization The word ${Prefix}, a space and the token.`

/**
 * Returns the value for {@link TokenSecurity}. @throws FwError `code` if the prefix is not a valid name of a scheme.
 */
export function createTokenSecurity<Prefix extends string, Bearer extends string>(
  prefix: Prefix,
  bearer: Bearer,
  code: FwErrorCode,
  subject: string,
): TokenSecurity<Prefix, Bearer> {
  if (!isToken(prefix)) throw middlewareFault("bearer_auth.prefix", [subject], { code })
  const isBearer = prefix.toLowerCase() === "bearer"
  const text = isBearer ? bearer : `header Authorization The word ${prefix}, a space and the token.`
  return text as TokenSecurity<Prefix, Bearer>
}
