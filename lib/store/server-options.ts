/** Reads the options of stores that are on a server. */
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
  /**
   * The beginning of the names of keys and channels in Redis, and of tables in PostgreSQL. If several programs share a
   * server, each needs its own. Default: `fw:` in Redis, `fw_` in PostgreSQL.
   */
  readonly prefix?: string
  /** Maximum number of seconds for a call, including the time to connect. Default: 2. */
  readonly timeout?: number
}

/** Characters of a prefix. */
const maxPrefixLength = 128

/** Returns the prefix, and the time limit in milliseconds. @throws FwError `store` */
export function readServerOptions(
  call: string,
  options: ServerStoreOptions,
  defaultPrefix: string,
): { readonly prefix: string; readonly timeoutMs: number } {
  checkKeys(options, ["prefix", "timeout"], "store", call, { prefix: "string" })
  const { prefix = defaultPrefix, timeout = 2 } = options
  if (!isValidKey(prefix) || prefix.length > maxPrefixLength)
    throw storeFault("store.argument", [call, "the prefix", prefix, "prefix"])
  // A timer cannot wait for more than 24 days.
  return { prefix, timeoutMs: Math.min(toMilliseconds(call, "timeout", timeout), 2_147_483_647) }
}
