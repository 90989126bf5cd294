/** Requires a valid bearer token for /example and below: a JSON Web Token that is signed with AUTH_JWT_SECRET. */
import { FwError, type MiddlewareFunc } from "fw"
import { errors, type JWTPayload, jwtVerify } from "jose"

const roles = ["user", "admin", "super"] as const

/** The content of a token. */
export interface Claims extends JWTPayload {
  readonly user_id: string
  readonly email: string
  readonly role: (typeof roles)[number]
}

function exampleMiddleware(key: Uint8Array): MiddlewareFunc {
  return (next) => async (c) => {
    const refuse = (error: string) => {
      const refusal = c.json(401, { error })
      refusal.headers.set("WWW-Authenticate", "Bearer")
      return refusal
    }
    const header = c.header("Authorization")
    if (header === "") return refuse("missing authorization header")
    const [scheme, token, ...more] = header.split(" ")
    if (scheme !== "Bearer" || !token || more.length > 0) return refuse("invalid authorization format")
    const claims = await verifyToken(token, key)
    if (!claims) return refuse("invalid token")
    c.set("user_id", claims.user_id)
    c.set("user_email", claims.email)
    c.set("user_role", claims.role)
    c.set("claims", claims)
    return next(c)
  }
}

/** Returns the claims of a token; null if it is invalid for any reason. */
async function verifyToken(token: string, key: Uint8Array): Promise<Claims | null> {
  try {
    // Other algorithms are refused, and so are tokens without a signature ("none", RFC 8725 §3.1).
    const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], requiredClaims: ["exp"] })
    return areClaims(payload) ? payload : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

function areClaims(payload: JWTPayload): payload is Claims {
  const { user_id, email, role, exp, iat = 0, nbf = 0 } = payload
  // JSON.parse turns 1e400 into Infinity, and a token with that time would never expire.
  if (![exp, iat, nbf].every(Number.isSafeInteger)) return false
  return typeof user_id === "string" && typeof email === "string" && roles.some((known) => known === role)
}

/** Reads the secret. @throws FwError if it is missing, or so short that it could be guessed (RFC 7518 §3.2). */
function readSecret(): Uint8Array {
  const key = new TextEncoder().encode(process.env.AUTH_JWT_SECRET)
  if (key.length >= 32) return key
  throw new FwError(
    "secret",
    key.length === 0
      ? "AUTH_JWT_SECRET is not set"
      : `AUTH_JWT_SECRET has ${key.length} bytes: it needs at least 32`,
    'Set it to a random value, the same as in the program that signs tokens: AUTH_JWT_SECRET="$(openssl rand -base64 48)"',
  )
}

export function Middleware(): MiddlewareFunc {
  return exampleMiddleware(readSecret())
}
