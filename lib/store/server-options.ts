/** Options of stores on a server. */
import { checkKeys } from "../checks.ts"
import { isValidKey, toMilliseconds } from "./checks.ts"
import { storeFault } from "./fault.ts"

/**
 * Options of `redisStore()` and `postgresStore()`.
 *
 * @example
 * const options: ServerStoreOptions = { prefix: "shop_", timeout: 1 }
 */
export interface ServerStoreOptions {
  /** Beginning of the names of keys and channels in Redis, and of tables in PostgreSQL. Programs that share a server need different ones. Default: `fw:` or `fw_`. */
  readonly prefix?: string
  /** Seconds that a call may take, with the time for a connection. Default: 2. */
  readonly timeout?: number
}

/** Characters of a prefix. */
const maxPrefixLength = 128

/** Returns the prefix, and the limit in milliseconds. @throws FwError `store` */
export function readServerOptions(
  call: string,
  given: ServerStoreOptions,
  usualPrefix: string,
): { readonly prefix: string; readonly limit: number } {
  checkKeys(given, ["prefix", "timeout"], "store", call, { prefix: "string" })
  const { prefix = usualPrefix, timeout = 2 } = given
  if (!isValidKey(prefix) || prefix.length > maxPrefixLength)
    throw storeFault("store.argument", [call, "the prefix", prefix, "prefix"])
  // A timer waits for at most 24 days.
  return { prefix, limit: Math.min(toMilliseconds(call, "timeout", timeout), 2_147_483_647) }
}
