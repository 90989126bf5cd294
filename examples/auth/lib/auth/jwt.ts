/** Bearer tokens: JSON Web Tokens signed with HMAC-SHA256, issued at login and verified on every request. */
import type { MiddlewareFunc } from "fw"
import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose"
import { readCount, readSecret, readSetting } from "./env.ts"
import { type Identity, identify, isRole, type Role } from "./identity.ts"

/** The content of a token. */
export interface Claims {
  readonly user_id: string
  readonly email: string
  readonly role: Role
  /** Seconds since 1970. */
  readonly exp: number
  readonly iat: number
  readonly iss: string
}

/** Lifetime of a token in seconds: a day. With refresh tokens, set 15 to 60 minutes. */
export const tokenLifetime = readCount("AUTH_TOKEN_SECONDS", 86_400, [60, 86_400])

/** Issuer of the tokens. A token of another application is refused, even if the secret is the same. */
const issuer = readSetting("AUTH_JWT_ISSUER") || "fw-auth"
const key = readSecret("AUTH_JWT_SECRET")

/** Issues a token. */
export function signToken({ userID, email, role }: Identity): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ user_id: userID, email, role })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + tokenLifetime)
    .sign(key)
}

/** Returns the claims of a token; null if it is invalid for any reason. */
export async function verifyToken(token: string): Promise<Claims | null> {
  if (!isCompact(token)) return null
  try {
    const { payload } = await jwtVerify(token, key, {
      // Only listed algorithms are accepted, which excludes `none` (RFC 8725 §3.1).
      algorithms: ["HS256"],
      issuer,
      requiredClaims: ["exp", "iat"],
    })
    return areClaims(payload) ? payload : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/**
 * Checks that a token consists of exactly three parts in base64url. Decoders skip spaces and unused bits, which
 * would give a token several spellings, and a list of revoked tokens would contain only one of them.
 */
export function isCompact(token: string): boolean {
  const parts = token.split(".")
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part)
  )
}

function areClaims(payload: JWTPayload): payload is JWTPayload & Claims {
  const { user_id, email, role, exp, iat, nbf = 0 } = payload
  // JSON.parse reads 1e400 as Infinity, which never expires.
  if (![exp, iat, nbf].every(Number.isSafeInteger)) return false
  return typeof user_id === "string" && user_id !== "" && typeof email === "string" && isRole(role)
}

/** Returns the token of an `Authorization` header; null if there is none. */
export function readBearerToken(header: string): string | null {
  const parts = header.split(" ")
  return parts.length === 2 && parts[0] === "Bearer" && parts[1] ? parts[1] : null
}

/**
 * Requires a bearer token, and sets `user_id`, `user_email`, `user_role` and `claims`.
 *
 * @security bearer
 */
export function bearer(): MiddlewareFunc {
  return (next) => async (c) => {
    const refuse = (error: string, challenge = "Bearer") => {
      const response = c.json(401, { error })
      // RFC 6750 §3: a request without a token gets no error code. The header is not set on the context, because
      // inside combine.some() the next guard may still let the request pass.
      response.headers.set("WWW-Authenticate", challenge)
      return response
    }
    const header = c.header("authorization")
    if (header === "") return refuse("missing authorization header")
    const token = readBearerToken(header)
    if (token === null) return refuse("invalid authorization format")
    const claims = await verifyToken(token)
    if (!claims) return refuse("invalid token", 'Bearer error="invalid_token"')
    identify(c, { userID: claims.user_id, email: claims.email, role: claims.role })
    c.set("claims", claims)
    return next(c)
  }
}
