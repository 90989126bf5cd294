/**
 * Opens connections to Redis with either of two clients. They have the settings of the program's client, but no queues
 * and no retries.
 */

import { storeFault } from "../fault.ts"
import type { Destroyable, OpeningConnection } from "../reconnector.ts"
import type { Dialect } from "../store-calls.ts"
import type { Listener, Receiver } from "../topic-subscriptions.ts"

/**
 * A client of the package `redis` or `ioredis`. It need not be connected.
 *
 * @example
 * const client: RedisClient = { duplicate: () => undefined }
 */
export interface RedisClient {
  duplicate(...options: never[]): unknown
}

/** A connection for commands. */
export interface CommandConnection extends Destroyable {
  send(command: readonly string[]): Promise<unknown>
}

/** Opens connections with the settings of a client. */
export interface Connector {
  /** The prefix for keys that the client is configured with. The store uses it too. */
  readonly prefix: string
  openCommands(onEnd: (cause: unknown) => void): OpeningConnection<CommandConnection>
  /** @param prefix comes before the topic in the name of a channel. */
  openListener(receiver: Receiver, prefix: string): OpeningConnection<Listener>
}

type OnEvent = (event: string, listener: (...args: never[]) => void) => unknown

/** The members of a client of `redis` that fw uses. */
interface NodeRedis {
  readonly options?: { readonly socket?: object }
  readonly isReady: boolean
  readonly on: OnEvent
  connect(): Promise<unknown>
  /** Missing before version 5. */
  destroy?(): void
  disconnect(): Promise<unknown>
  duplicate(options: object): NodeRedis
  ping(): Promise<unknown>
  sendCommand(command: readonly string[]): Promise<unknown>
  subscribe(channel: string, listener: (text: string) => void): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
}

/** The members of a client of `ioredis` that fw uses. */
interface IORedis {
  readonly options: { readonly keyPrefix?: string }
  readonly on: OnEvent
  call(...command: readonly string[]): Promise<unknown>
  connect(): Promise<unknown>
  disconnect(): void
  duplicate(options: object): IORedis
  ping(): Promise<unknown>
  subscribe(channel: string): Promise<unknown>
  unsubscribe(channel: string): Promise<unknown>
}

const closedError = new Error("the connection was closed")

function createNodeRedisConnector(original: NodeRedis, timeoutMs: number): Connector {
  const open = (onEnd: (cause: unknown) => void) => {
    const client = original.duplicate({
      socket: { ...original.options?.socket, reconnectStrategy: false, connectTimeout: timeoutMs },
      disableOfflineQueue: true,
      commandOptions: {},
      clientSideCache: undefined,
      // With `legacyMode`, version 4 would expect callbacks.
      legacyMode: false,
    })
    client.on("error", onEnd)
    client.on("end", () => onEnd(closedError))
    const destroy = () => {
      try {
        if (client.destroy) client.destroy()
        else client.disconnect().catch(() => {})
      } catch {
        // In some versions these calls throw if the connection has already ended.
      }
    }
    return { client, destroy }
  }
  return {
    prefix: "",
    openCommands(onEnd) {
      const { client, destroy } = open(onEnd)
      const send = (command: readonly string[]) => client.sendCommand(command)
      return { connection: { send, destroy }, ready: client.connect() }
    },
    openListener(receiver, prefix) {
      const { client, destroy } = open(receiver.end)
      const connection: Listener = {
        listen: (topic) => client.subscribe(prefix + topic, (text) => receiver.message(topic, text)),
        unlisten: (topic) => client.unsubscribe(prefix + topic),
        ping: () => client.ping(),
        destroy,
      }
      return { connection, ready: client.connect() }
    },
  }
}

function createIoRedisConnector(original: IORedis, timeoutMs: number): Connector {
  const open = (onEnd: (cause: unknown) => void) => {
    const client = original.duplicate({
      ...{ lazyConnect: true, connectTimeout: timeoutMs, commandTimeout: undefined, keyPrefix: "" },
      ...{ retryStrategy: null, reconnectOnError: null, maxRetriesPerRequest: null },
      ...{ autoResendUnfulfilledCommands: false, autoResubscribe: false, enableOfflineQueue: false },
      stringNumbers: false,
    })
    client.on("error", onEnd)
    client.on("close", () => onEnd(closedError))
    return client
  }
  return {
    prefix: original.options.keyPrefix ?? "",
    openCommands(onEnd) {
      const client = open(onEnd)
      const send = (command: readonly string[]) => client.call(...command)
      return { connection: { send, destroy: () => client.disconnect() }, ready: client.connect() }
    },
    openListener(receiver, prefix) {
      const client = open(receiver.end)
      client.on("message", (channel: string, text: string) => receiver.message(channel.slice(prefix.length), text))
      const connection: Listener = {
        listen: (topic) => client.subscribe(prefix + topic),
        unlisten: (topic) => client.unsubscribe(prefix + topic),
        ping: () => client.ping(),
        destroy: () => client.disconnect(),
      }
      return { connection, ready: client.connect() }
    },
  }
}

/** Returns the connector for a client. @throws FwError `store` for a value that is not a client, such as a cluster. */
export function createConnector(client: unknown, timeoutMs: number): Connector {
  const parts = Object(client) as Partial<NodeRedis & IORedis> & { readonly isCluster?: boolean }
  if (typeof parts.duplicate === "function" && !parts.isCluster) {
    if (typeof parts.sendCommand === "function" && typeof parts.isReady === "boolean")
      return createNodeRedisConnector(client as NodeRedis, timeoutMs)
    if (typeof parts.call === "function" && typeof parts.disconnect === "function")
      return createIoRedisConnector(client as IORedis, timeoutMs)
  }
  throw storeFault("store.redis_client", [client])
}

/** The name of Redis for messages, and the meaning of its errors, such as `WRONGTYPE Operation against a key …`. */
export const redisDialect: Dialect = {
  engine: "Redis",
  classifyError(error) {
    const [, kind] = (error instanceof Error && /^-?([A-Z]{2,})(?: |$)/.exec(error.message)) || []
    if (kind === undefined) return undefined
    // Redis has just started and is still reading its file.
    if (kind === "LOADING") return "again"
    return kind === "READONLY" || kind === "MASTERDOWN" ? "elsewhere" : "refused"
  },
  strip(error) {
    // ioredis adds the arguments of the command to its errors. They may be values, or the password of AUTH.
    if (error instanceof Error) delete (error as { command?: unknown }).command
  },
}
