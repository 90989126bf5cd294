/** Stores for state that several processes share, exported as `fw/store`. */
export type { EventLog } from "../lib/answer/sse.ts"
export {
  type Broadcaster,
  broadcaster,
  type DeliveryOptions,
  type Recipient,
} from "../lib/store/broadcast.ts"
export { type EventLogOptions, eventLog } from "../lib/store/event-log.ts"
export { memoryStore } from "../lib/store/memory.ts"
export type { PostgresPool } from "../lib/store/postgres/client.ts"
export { postgresStore } from "../lib/store/postgres.ts"
export type { RedisClient } from "../lib/store/redis/client.ts"
export { redisStore } from "../lib/store/redis.ts"
export type { ServerStoreOptions } from "../lib/store/server-options.ts"
export type {
  Capabilities,
  Capability,
  Counter,
  KV,
  Lifetime,
  Lock,
  Log,
  LogBounds,
  LogEntry,
  LogPart,
  LogRange,
  Store,
  Subscriber,
  Topic,
} from "../lib/store/types.ts"
export { sqliteStore } from "./store/sqlite.ts"
