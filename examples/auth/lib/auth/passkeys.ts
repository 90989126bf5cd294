/** Passkeys of users: the public keys of their authenticators. */
import type { VerifiedRegistrationResponse, WebAuthnCredential } from "@simplewebauthn/server"
import { db } from "../../db/index.ts"
import type { Timestamp } from "./words.ts"

/** The largest number of passkeys of a user. */
export const maxPasskeys = 20

/** A passkey in the list of its owner. */
export interface ListedPasskey {
  readonly id: string
  readonly name: string
  /** 1 if the authenticator has copied the passkey to other devices. */
  readonly backed_up: number
  readonly created_at: Timestamp
  /** The time of the last sign-in with it; null if there was none. */
  readonly used_at: Timestamp | null
}

type NewPasskey = NonNullable<VerifiedRegistrationResponse["registrationInfo"]>

/** Stores a passkey. Returns false if it is known already. */
export async function addPasskey(userID: string, name: string, passkey: NewPasskey): Promise<boolean> {
  const { id, publicKey, counter } = passkey.credential
  const rows = await db.sql`
    INSERT INTO passkeys (id, user_id, public_key, counter, backed_up, name, created_at)
    VALUES (${id}, ${userID}, ${Buffer.from(publicKey).toString("base64url")}, ${counter},
      ${Number(passkey.credentialBackedUp)}, ${name}, ${Date.now()})
    ON CONFLICT (id) DO NOTHING RETURNING id`
  return rows.length > 0
}

/** Returns the data with which a signature of a passkey is checked, and its user. */
export async function findPasskey(
  id: string,
): Promise<{ readonly userID: string; readonly credential: WebAuthnCredential } | null> {
  const [row] = await db.sql`SELECT user_id, public_key, counter FROM passkeys WHERE id = ${id}`
  if (!row) return null
  const publicKey = Buffer.from(String(row.public_key), "base64url")
  return { userID: String(row.user_id), credential: { id, publicKey, counter: Number(row.counter) } }
}

/** Stores the counter and the backup state that the authenticator sent at a sign-in. */
export async function notePasskeyUse(id: string, counter: number, isBackedUp: boolean): Promise<void> {
  await db.sql`UPDATE passkeys SET counter = ${counter}, backed_up = ${Number(isBackedUp)}, used_at = ${Date.now()}
    WHERE id = ${id}`
}

/** Returns a user's passkeys, newest first. */
export function listPasskeys(userID: string): Promise<readonly ListedPasskey[]> {
  return db.sql`SELECT id, name, backed_up, created_at, used_at FROM passkeys
    WHERE user_id = ${userID} ORDER BY created_at DESC, id`
}

/** Removes a user's own passkey. Returns false if the user has no such passkey. */
export async function removePasskey(userID: string, id: string): Promise<boolean> {
  return (await db.sql`DELETE FROM passkeys WHERE user_id = ${userID} AND id = ${id} RETURNING id`).length > 0
}
