/** The claims of a token (RFC 7519 §4), and the checks that the library does not make. */

/**
 * The claims of a token: the registered ones, and those of the application.
 *
 * @example
 * const isAdmin = (claims: JWTClaims) => claims.role === "admin"
 * app.use(jwt({ secret: "a secret of at least 32 bytes, here in clear", verify: isAdmin }))
 */
export interface JWTClaims {
  readonly iss?: string
  readonly sub?: string
  readonly aud?: string | readonly string[]
  /** Seconds since 1970, like `nbf` and `iat`. */
  readonly exp?: number
  readonly nbf?: number
  readonly iat?: number
  readonly jti?: string
  readonly [name: string]: unknown
}

/**
 * Returns true if the registered claims have the right types, and the token was not issued in the future.
 *
 * @param maxIssuedAt the latest `iat`, in seconds since 1970.
 */
export function isValidClaims(claims: Record<string, unknown>, maxIssuedAt: number): claims is JWTClaims {
  const { exp, nbf, iat = 0, iss, sub, aud, jti } = claims
  // If a program copied the claims, a field `__proto__` would set the prototype of the copy.
  if (Object.hasOwn(claims, "__proto__") || ![exp, nbf, iat].every(isOptionalTime)) return false
  return (iat as number) <= maxIssuedAt && [iss, sub, jti, ...[aud].flat()].every(isOptionalText)
}

/** Returns true for a NumericDate (RFC 7519 §2) that a number represents exactly to the second, and for undefined. */
function isOptionalTime(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER)
}

/** Returns true for a text, and for undefined. */
export function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string"
}
