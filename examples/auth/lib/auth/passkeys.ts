/** Passkeys of users: the public keys of their authenticators. */
import type { Row } from "@libsql/client"
import { db } from "./database.ts"

/** Passkeys that one user can have. */
export const mostPasskeys = 20

/** A passkey, as a signature is checked with it. */
export interface Passkey {
  /** The credential ID, in base64url. */
  readonly id: string
  readonly userID: string
  /** In COSE format, in base64url. */
  readonly publicKey: string
  /** Number of signatures of the authenticator; 0 if it does not count. */
  readonly counter: number
  /** Ways in which the browser reaches the authenticator: `internal`, `usb`, `hybrid` and the like. */
  readonly transports: readonly string[]
  /** True if the authenticator can copy it to other devices. */
  readonly mayBeBackedUp: boolean
  readonly isBackedUp: boolean
}

/** A passkey in the list of its owner. */
export interface ListedPasskey {
  readonly id: string
  readonly name: string
  readonly isBackedUp: boolean
  readonly createdAt: Date
  /** Null if nobody has signed in with it yet. */
  readonly usedAt: Date | null
}

/** Stores a passkey. Returns false if it is known already. */
export async function addPasskey(passkey: Passkey, name: string): Promise<boolean> {
  const { id, userID, publicKey, counter, transports, mayBeBackedUp, isBackedUp } = passkey
  const { rowsAffected } = await db.execute({
    sql: `INSERT INTO passkeys
        (id, user_id, public_key, counter, transports, may_be_backed_up, backed_up, name, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    args: [
      ...[id, userID, publicKey, counter, transports.join(" ")],
      ...[Number(mayBeBackedUp), Number(isBackedUp), name, Date.now()],
    ],
  })
  return rowsAffected > 0
}

/** Returns a passkey by its credential ID. */
export async function findPasskey(id: string): Promise<Passkey | null> {
  const { rows } = await db.execute({ sql: "SELECT * FROM passkeys WHERE id = ?", args: [id] })
  return rows[0] ? passkeyOf(rows[0]) : null
}

function passkeyOf(row: Row): Passkey {
  return {
    id: String(row.id),
    userID: String(row.user_id),
    publicKey: String(row.public_key),
    counter: Number(row.counter),
    transports: String(row.transports).split(" ").filter(Boolean),
    mayBeBackedUp: row.may_be_backed_up === 1,
    isBackedUp: row.backed_up === 1,
  }
}

/** Stores what the authenticator said when its user signed in. */
export async function notePasskeyUse(
  id: string,
  { counter, isBackedUp }: Pick<Passkey, "counter" | "isBackedUp">,
): Promise<void> {
  await db.execute({
    sql: "UPDATE passkeys SET counter = ?, backed_up = ?, used_at = ? WHERE id = ?",
    args: [counter, Number(isBackedUp), Date.now(), id],
  })
}

/** Returns a user's passkeys, newest first. */
export async function listPasskeys(userID: string): Promise<ListedPasskey[]> {
  const { rows } = await db.execute({
    sql: "SELECT * FROM passkeys WHERE user_id = ? ORDER BY created_at DESC, id",
    args: [userID],
  })
  return rows.map((row) => ({
    id: String(row.id),
    name: String(row.name),
    isBackedUp: row.backed_up === 1,
    createdAt: new Date(Number(row.created_at)),
    usedAt: row.used_at === null ? null : new Date(Number(row.used_at)),
  }))
}

/** Removes a user's own passkey. Returns false if the user has no such passkey. */
export async function removePasskey(userID: string, id: string): Promise<boolean> {
  const { rowsAffected } = await db.execute({
    sql: "DELETE FROM passkeys WHERE user_id = ? AND id = ?",
    args: [userID, id],
  })
  return rowsAffected > 0
}
