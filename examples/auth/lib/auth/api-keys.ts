/**
 * API keys, which programs send with every request. The database stores only digests; a key is shown once,
 * when it is created.
 */
import type { MiddlewareFunc } from "fw"
import { db } from "./database.ts"
import { digestOf, isSame, randomHex } from "./digest.ts"
import { apiKeysOf } from "./env-keys.ts"

/** A key as its owner sees it in the list. */
export interface ListedKey {
  readonly id: string
  readonly serviceName: string
  readonly createdAt: Date
}

/** Keys from the environment, by digest, for services that have no page to create them. */
const fixed = apiKeysOf("AUTH_API_KEYS").map(({ name, key }) => ({ name, digest: digestOf(key) }))

/** Creates a key for a service. The key itself is not stored. */
export async function createKey(serviceName: string, userID: string | null = null): Promise<string> {
  const id = randomHex(8)
  const key = `ak_${id}_${randomHex(32)}`
  await db.execute({
    sql: "INSERT INTO api_keys (id, digest, service_name, user_id, created_at) VALUES (?, ?, ?, ?, ?)",
    args: [id, digestOf(key), serviceName, userID, Date.now()],
  })
  return key
}

/**
 * Returns the name of the service that has a key; null if there is none. The time does not depend on how much
 * of the key is right.
 */
export async function serviceOf(key: string): Promise<string | null> {
  const digest = digestOf(key)
  let found: string | null = null
  for (const { name, digest: known } of fixed) if (isSame(digest, known)) found = name
  // The first part is an identifier, not a secret, so a lookup by it reveals nothing.
  const [, id = ""] = /^ak_([0-9a-f]{16})_/.exec(key) ?? []
  const { rows } = await db.execute({
    sql: "SELECT digest, service_name FROM api_keys WHERE id = ?",
    args: [id],
  })
  if (isSame(digest, String(rows[0]?.digest)) && rows[0]) found = String(rows[0].service_name)
  return found
}

/** Returns a user's keys, newest first. */
export async function listKeys(userID: string): Promise<ListedKey[]> {
  const { rows } = await db.execute({
    sql: "SELECT id, service_name, created_at FROM api_keys WHERE user_id = ? ORDER BY created_at DESC, id",
    args: [userID],
  })
  return rows.map((row) => ({
    id: String(row.id),
    serviceName: String(row.service_name),
    createdAt: new Date(Number(row.created_at)),
  }))
}

/** Revokes a user's own key. Returns false if the user has no such key. */
export async function revokeKey(userID: string, id: string): Promise<boolean> {
  const { rowsAffected } = await db.execute({
    sql: "DELETE FROM api_keys WHERE user_id = ? AND id = ?",
    args: [userID, id],
  })
  return rowsAffected > 0
}

/**
 * Requires an API key in `X-API-Key`, and sets `service_name`.
 *
 * @security apiKey
 */
export function requireKey(): MiddlewareFunc {
  return (next) => async (c) => {
    const refuse = (error: string) => {
      const refusal = c.json(401, { error })
      // Not c.setHeader(): of combine.some(), the next guard may let the request pass.
      refusal.headers.set("WWW-Authenticate", "APIKey")
      return refusal
    }
    const key = c.header("x-api-key")
    if (key === "") return refuse("missing API key")
    const service = await serviceOf(key)
    if (service === null) return refuse("invalid API key")
    c.set("service_name", service)
    return next(c)
  }
}
