/** Bearer tokens: JSON Web Tokens signed with HMAC-SHA256, issued at login and verified on every request. */
import { type Context, type JWTClaims, jwt } from "fw"
import { SignJWT } from "jose"
import { readCount, readSecret, readSetting } from "./env.ts"
import { type Identity, identify, isRole } from "./identity.ts"

/** Lifetime of a token in seconds: a day. With refresh tokens, set 15 to 60 minutes. */
export const tokenLifetime = readCount("AUTH_TOKEN_SECONDS", 86_400, [60, 86_400])

/** Issuer of the tokens. A token of another application is refused, even if the secret is the same. */
const issuer = readSetting("AUTH_JWT_ISSUER") || "fw-auth"
const secret = readSecret("AUTH_JWT_SECRET")

/** Issues a token. */
export function signToken({ userID, email, role }: Identity): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ user_id: userID, email, role })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + tokenLifetime)
    .sign(secret)
}

/** Requires a bearer token, and sets `user_id`, `user_email`, `user_role` and `jwt`, which has all claims. */
export const bearer = () => jwt({ secret, issuer, verify: identifyByClaims })

/** Returns false for a token without a user. */
function identifyByClaims({ user_id, email, role }: JWTClaims, c: Context): boolean {
  if (typeof user_id !== "string" || user_id === "" || typeof email !== "string" || !isRole(role))
    return false
  identify(c, { userID: user_id, email, role })
  return true
}
