/**
 * Sign-ins in progress at a provider. The values that the callback needs are stored here, not in the browser,
 * and used once.
 */
import { randomBytes } from "node:crypto"
import { db } from "./database.ts"
import { digestOf, randomHex } from "./digest.ts"

/** Seconds that a user may spend at the provider. */
export const flowLifetime = 300

/** A sign-in in progress. */
export interface Flow {
  /** Sent to the provider and back: 16 random bytes in hexadecimal. */
  readonly state: string
  /** The secret of PKCE: a stolen code is useless without it (RFC 7636). */
  readonly verifier: string
  readonly nonce: string
}

export async function startFlow(): Promise<Flow> {
  const flow = { state: randomHex(16), verifier: randomBytes(32).toString("base64url"), nonce: randomHex(16) }
  const now = Date.now()
  await db.batch(
    [
      { sql: "DELETE FROM oauth_flows WHERE expires_at <= ?", args: [now] },
      {
        sql: "INSERT INTO oauth_flows (state_digest, verifier, nonce, expires_at) VALUES (?, ?, ?, ?)",
        args: [digestOf(flow.state), flow.verifier, flow.nonce, now + flowLifetime * 1000],
      },
    ],
    "write",
  )
  return flow
}

/** Returns the flow of a state, once. Null if it is unknown, was used, or has expired. */
export async function takeFlow(state: string): Promise<Flow | null> {
  const { rows } = await db.execute({
    sql: "DELETE FROM oauth_flows WHERE state_digest = ? AND expires_at > ? RETURNING verifier, nonce",
    args: [digestOf(state), Date.now()],
  })
  const row = rows[0]
  return row ? { state, verifier: String(row.verifier), nonce: String(row.nonce) } : null
}
