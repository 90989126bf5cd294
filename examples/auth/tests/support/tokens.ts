/** Creates tokens by hand that a library refuses to create. */
import { createHmac } from "node:crypto"
import { jwtSecret } from "./env.ts"

/** Encodes JSON, or a text as it is, as base64url. */
export function part(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")
}

/** Signs with an HMAC hash. */
export function forge(
  header: unknown,
  payload: unknown,
  { hash = "sha256", key = jwtSecret }: { hash?: string; key?: string | Uint8Array } = {},
): string {
  const input = `${part(header)}.${part(payload)}`
  return `${input}.${createHmac(hash, key).update(input).digest("base64url")}`
}

export const header = { alg: "HS256", typ: "JWT" }

/** Returns valid claims with some changes. Undefined removes a claim. */
export function claims(changed: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000)
  return {
    user_id: "5c2b1f9a",
    email: "ada@example.com",
    role: "user",
    iat: now,
    exp: now + 3600,
    iss: "fw-auth",
    ...changed,
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
