/** Passkeys of users: the public keys of their authenticators. */
import { db } from "../../db/index.ts"

/** The largest number of passkeys of a user. */
export const maxPasskeys = 20

/** A passkey with the data that is needed to check a signature. */
export interface Passkey {
  /** The credential ID, in base64url. */
  readonly id: string
  readonly userID: string
  /** The public key in COSE format, in base64url. */
  readonly publicKey: string
  /** Number of signatures of the authenticator; 0 if it does not count. */
  readonly counter: number
  /** Ways in which the browser reaches the authenticator: `internal`, `usb`, `hybrid` and the like. */
  readonly transports: readonly string[]
  /** True if the authenticator has copied the passkey to other devices. */
  readonly isBackedUp: boolean
}

/** A passkey in the list of its owner. */
export interface ListedPasskey extends Passkey {
  readonly name: string
  readonly createdAt: Date
  /** The time of the last sign-in with it; null if there was none. */
  readonly usedAt: Date | null
}

/** Stores a passkey. Returns false if it is known already. */
export async function addPasskey(passkey: Passkey, name: string): Promise<boolean> {
  const { id, userID, publicKey, counter, transports, isBackedUp } = passkey
  const rows = await db.sql`
    INSERT INTO passkeys (id, user_id, public_key, counter, transports, backed_up, name, created_at)
    VALUES (${id}, ${userID}, ${publicKey}, ${counter}, ${transports.join(" ")}, ${Number(isBackedUp)}, ${name}, ${Date.now()})
    ON CONFLICT (id) DO NOTHING RETURNING id`
  return rows.length > 0
}

/** Returns a passkey by its credential ID. */
export async function findPasskey(id: string): Promise<Passkey | null> {
  const [row] = await db.sql`SELECT * FROM passkeys WHERE id = ${id}`
  return row ? toPasskey(row) : null
}

function toPasskey(row: Readonly<Record<string, unknown>>): ListedPasskey {
  return {
    id: String(row.id),
    userID: String(row.user_id),
    publicKey: String(row.public_key),
    counter: Number(row.counter),
    transports: String(row.transports).split(" ").filter(Boolean),
    isBackedUp: Number(row.backed_up) === 1,
    name: String(row.name),
    createdAt: new Date(Number(row.created_at)),
    usedAt: row.used_at === null ? null : new Date(Number(row.used_at)),
  }
}

/** Stores the counter and the backup state that the authenticator sent at a sign-in. */
export async function notePasskeyUse(id: string, counter: number, isBackedUp: boolean): Promise<void> {
  await db.sql`UPDATE passkeys SET counter = ${counter}, backed_up = ${Number(isBackedUp)}, used_at = ${Date.now()}
    WHERE id = ${id}`
}

/** Returns a user's passkeys, newest first. */
export async function listPasskeys(userID: string): Promise<ListedPasskey[]> {
  const rows = await db.sql`SELECT * FROM passkeys WHERE user_id = ${userID} ORDER BY created_at DESC, id`
  return rows.map(toPasskey)
}

/** Removes a user's own passkey. Returns false if the user has no such passkey. */
export async function removePasskey(userID: string, id: string): Promise<boolean> {
  return (await db.sql`DELETE FROM passkeys WHERE user_id = ${userID} AND id = ${id} RETURNING id`).length > 0
}
