/** API keys: programs show one with every request. The database holds digests; a key is shown once, when it is made. */
import type { MiddlewareFunc } from "fw"
import { db } from "./database.ts"
import { digestOf, isSame, randomHex } from "./digest.ts"
import { apiKeysOf } from "./env-keys.ts"

/** A key in its owner's list. */
export interface ListedKey {
  readonly id: string
  readonly serviceName: string
  readonly createdAt: Date
}

/** Keys of the environment, by digest: for a service that has no page to make them on. */
const fixed = apiKeysOf("AUTH_API_KEYS").map(({ name, key }) => ({ name, digest: digestOf(key) }))

/** Makes a key for a service. What it gives is stored nowhere. */
export async function createKey(serviceName: string, userID: string | null = null): Promise<string> {
  const id = randomHex(8)
  const key = `ak_${id}_${randomHex(32)}`
  await db.execute({
    sql: "INSERT INTO api_keys (id, digest, service_name, user_id, created_at) VALUES (?, ?, ?, ?, ?)",
    args: [id, digestOf(key), serviceName, userID, Date.now()],
  })
  return key
}

/** The name of the service that has this key; null if none has. Takes the same time however much of it is right. */
export async function serviceOf(key: string): Promise<string | null> {
  const digest = digestOf(key)
  let found: string | null = null
  for (const { name, digest: known } of fixed) if (isSame(digest, known)) found = name
  // The first part says which one is meant. It is no secret, so looking it up tells nothing.
  const [, id = ""] = /^ak_([0-9a-f]{16})_/.exec(key) ?? []
  const { rows } = await db.execute({
    sql: "SELECT digest, service_name FROM api_keys WHERE id = ?",
    args: [id],
  })
  if (isSame(digest, String(rows[0]?.digest)) && rows[0]) found = String(rows[0].service_name)
  return found
}

/** Somebody's keys, the newest first. */
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

/** Takes a key of somebody's own away. False where they have none of that name. */
export async function revokeKey(userID: string, id: string): Promise<boolean> {
  const { rowsAffected } = await db.execute({
    sql: "DELETE FROM api_keys WHERE user_id = ? AND id = ?",
    args: [userID, id],
  })
  return rowsAffected > 0
}

/**
 * Lets requests pass that bring a key in `X-API-Key`, and sets `service_name`.
 *
 * @security apiKey
 */
export function requireKey(): MiddlewareFunc {
  return (next) => async (c) => {
    const key = c.header("x-api-key")
    if (key === "") return c.json(401, { error: "missing API key" })
    const service = await serviceOf(key)
    if (service === null) return c.json(401, { error: "invalid API key" })
    c.set("service_name", service)
    return next(c)
  }
}
