/**
 * API keys, which programs send with every request. The database stores only digests; a key is shown once,
 * when it is created.
 */
import { contextKey, FwError, HttpError, type MiddlewareFunc } from "fw"
import { db } from "../../db/index.ts"
import { readSetting } from "./env.ts"
import { identify } from "./identity.ts"
import { computeDigest, isSame, randomHex } from "./secrets.ts"
import { toUser, type User, type UserRow } from "./users.ts"
import type { Timestamp } from "./words.ts"

/** A key as its owner sees it in the list. */
export interface ListedKey {
  readonly id: string
  readonly service_name: string
  readonly created_at: Timestamp
}

/** The owner of a key, and the service that it is for. */
export interface Service {
  readonly name: string
  /** The user who created the key; null for a key from the environment. */
  readonly owner: User | null
}

/** The service of a request: `currentService.get(c)` behind `requireKey()`. */
export const currentService = contextKey<Service>("service")

/** Keys from the environment, for services that have no owner. */
const environmentKeys = parseAPIKeys("AUTH_API_KEYS")

/**
 * Parses `name=key,name=key`.
 *
 * @throws FwError for another format, and for keys that are so short that they can be guessed. The message contains
 * no key.
 */
export function parseAPIKeys(variable: string): { readonly name: string; readonly key: string }[] {
  const text = readSetting(variable)
  if (text === "") return []
  return text.split(",").map((pair, index) => {
    const [, name = "", key = ""] = /^([^=]+)=(.+)$/.exec(pair.trim()) ?? []
    if (name !== "" && key.length >= 32) return { name, key }
    throw new FwError(
      "api_keys",
      `${variable}, entry ${index + 1}: ${name === "" ? "it is not name=key" : `the key of ${name} has ${key.length} characters, and 32 is the least`}`,
      'Write name=key,name=key, each key made as by "openssl rand -hex 32".',
    )
  })
}

/** Creates a key of a user for a service. The key itself is not stored. */
export async function createKey(serviceName: string, userID: string): Promise<string> {
  const id = randomHex(8)
  const key = `ak_${id}_${randomHex(32)}`
  await db.sql`INSERT INTO api_keys (id, digest, service_name, user_id, created_at)
    VALUES (${id}, ${computeDigest(key)}, ${serviceName}, ${userID}, ${Date.now()})`
  return key
}

/**
 * Returns the service that has a key; null if there is none. The time does not depend on how much of the key is
 * right.
 */
export async function findService(key: string): Promise<Service | null> {
  const [environmentKey] = environmentKeys.filter((entry) => isSame(key, entry.key))
  if (environmentKey) return { name: environmentKey.name, owner: null }
  // The first part is an identifier, not a secret, so a lookup by it reveals nothing.
  const [, id = ""] = /^ak_([0-9a-f]{16})_/.exec(key) ?? []
  const [row] = await db.sql<UserRow>`SELECT users.*, digest, service_name
    FROM api_keys JOIN users ON users.id = user_id WHERE api_keys.id = ${id}`
  if (!row || !isSame(computeDigest(key), String(row.digest))) return null
  return { name: String(row.service_name), owner: toUser(row) }
}

/** Returns a user's keys, newest first. */
export function listKeys(userID: string): Promise<readonly ListedKey[]> {
  return db.sql`SELECT id, service_name, created_at FROM api_keys
    WHERE user_id = ${userID} ORDER BY created_at DESC, id`
}

/** Revokes a user's own key. Returns false if the user has no such key. */
export async function revokeKey(userID: string, id: string): Promise<boolean> {
  return (await db.sql`DELETE FROM api_keys WHERE user_id = ${userID} AND id = ${id} RETURNING id`).length > 0
}

/**
 * Requires an API key in `X-API-Key`, and sets `service_name`. For a key with an owner, it also sets `user_id`,
 * `user_email` and `user_role`.
 *
 * @security apiKey
 */
export function requireKey(): MiddlewareFunc {
  return (next) => async (c) => {
    const key = c.header("x-api-key")
    const service = key === "" ? null : await findService(key)
    if (service === null) {
      const problem = key === "" ? "missing API key" : "invalid API key"
      throw new HttpError(401, problem, { headers: { "WWW-Authenticate": "APIKey" } })
    }
    c.set("service_name", service.name)
    currentService.set(c, service)
    if (service.owner) identify(c, { ...service.owner, userID: service.owner.id })
    return next(c)
  }
}
