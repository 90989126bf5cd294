/** `redisStore()`: a store in Redis or Valkey. */

import { readID } from "./checks.ts"
import { createStore } from "./create-store.ts"
import type { Engine, EngineCapabilities, Position } from "./engine.ts"
import { Reconnector } from "./reconnector.ts"
import {
  type CommandConnection,
  type Connector,
  createConnector,
  type RedisClient,
  redisDialect,
} from "./redis/client.ts"
import { createScripts } from "./redis/scripts.ts"
import { readServerOptions, type ServerStoreOptions } from "./server-options.ts"
import { type CallEffect, StoreCalls } from "./store-calls.ts"
import { TopicSubscriptions } from "./topic-subscriptions.ts"
import type { Capability, Store } from "./types.ts"

type Scripts = ReturnType<typeof createScripts>

/** A connection for commands, opened when it is needed, with the prefix for keys. */
class RedisConnection {
  readonly calls: StoreCalls
  readonly prefix: string
  readonly scripts: Scripts = createScripts()
  readonly #reconnector: Reconnector<CommandConnection>

  constructor(connector: Connector, prefix: string, timeoutMs: number) {
    this.prefix = prefix
    this.#reconnector = new Reconnector(connector.openCommands, timeoutMs, (lost, cause) =>
      this.calls.handleLostConnection(lost, cause),
    )
    this.calls = new StoreCalls(redisDialect, timeoutMs, (left, cause) =>
      this.#reconnector.drop(left as CommandConnection, cause),
    )
  }

  /** Sends a command. */
  send(call: string, effect: CallEffect, command: readonly string[]): Promise<unknown> {
    return this.calls.run(call, effect, async (task) => {
      const connection = await this.#reconnector.connect(task)
      if (task.isOver) throw new Error("the call was given up")
      task.connection = connection
      return connection.send(command)
    })
  }

  /** Runs a script. */
  run(
    call: string,
    effect: CallEffect,
    script: string,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    return this.send(call, effect, ["EVAL", script, String(keys.length), ...keys, ...values.map(String)])
  }

  close(): void {
    this.calls.close()
    this.#reconnector.close()
  }
}

function createKV(redis: RedisConnection): EngineCapabilities["kv"] {
  const name = (key: string) => `${redis.prefix}kv:${key}`
  const toFlagAndText = (text: string | undefined) => (text === undefined ? ["0", ""] : ["1", text])
  return {
    get: (key) => redis.send("kv.get()", "read", ["GET", name(key)]) as Promise<string | null>,
    set: (key, text, ttl) =>
      redis.send("kv.set()", "write", [...["SET", name(key), text], ...(ttl === undefined ? [] : ["PX", String(ttl)])]),
    delete: async (key) => (await redis.send("kv.delete()", "write", ["DEL", name(key)])) === 1,
    async compareAndSet(key, expected, text, ttl = 0) {
      const values = [...toFlagAndText(expected), ...toFlagAndText(text), ttl]
      const { compareAndSet } = redis.scripts
      return (await redis.run("kv.compareAndSet()", "write", compareAndSet, [name(key)], values)) === 1
    },
  }
}

function createCounter(redis: RedisConnection): EngineCapabilities["counter"] {
  return {
    async hit(key, window) {
      const name = `${redis.prefix}counter:${key}`
      const reply = await redis.run("counter.hit()", "write", redis.scripts.hit, [name], [window])
      return reply as [number, number]
    },
  }
}

function createLock(redis: RedisConnection): EngineCapabilities["lock"] {
  const { acquire, renew, release } = redis.scripts
  const name = (key: string) => `${redis.prefix}lock:${key}`
  return {
    async acquire(key, lease) {
      const keys = [name(key), `${redis.prefix}token`]
      const token = await redis.run("lock.acquire()", "write", acquire, keys, [lease])
      return token === null ? undefined : Number(token)
    },
    renew: async (key, token, lease) =>
      (await redis.run("lock.renew()", "write", renew, [name(key)], [token, lease])) === 1,
    release: async (key, token) => (await redis.run("lock.release()", "write", release, [name(key)], [token])) === 1,
  }
}

type RedisStreamEntry = readonly [id: string, fields: readonly [name: string, text: string]]
type RedisStreamReply = readonly [] | readonly [first: string, last: string, entries: readonly RedisStreamEntry[]]

function createLog(redis: RedisConnection): EngineCapabilities["log"] {
  const { append, read } = redis.scripts
  const position = (id: unknown) => readID(id) as Position
  const name = (key: string) => `${redis.prefix}log:${key}`
  return {
    append: async (key, text, maxEntries, ttl) =>
      position(await redis.run("log.append()", "write", append, [name(key)], [text, maxEntries, ttl])),
    async read(key, after, limit) {
      const values = [after.epoch, after.number + 1, limit]
      const reply = (await redis.run("log.read()", "read", read, [name(key)], values)) as RedisStreamReply
      if (reply.length === 0) return { stored: undefined, entries: [] }
      const [first, last, entries] = reply
      return {
        stored: { first: position(first), last: position(last) },
        entries: entries.map(([id, [, text]]) => [position(id).number, text] as const),
      }
    },
  }
}

function createTopic(redis: RedisConnection, topics: TopicSubscriptions): EngineCapabilities["topic"] {
  return {
    publish(name, text) {
      const [key, channel] = [`${redis.prefix}topic`, `${redis.prefix}topic:${name}`]
      return redis.run("topic.publish()", "write", redis.scripts.publish, [key], [channel, text])
    },
    subscribe: (name, subscriber) =>
      redis.calls.run("topic.subscribe()", "read", (task) => topics.add(name, subscriber, task)),
  }
}

/**
 * Creates a store in Redis or Valkey, for any number of processes. It opens two connections with the settings of the
 * given client; one of them is for `topic`. The client itself need not be connected, and its queues and retries are not
 * used.
 *
 * @param client a client of the package `redis` (version 4 or later) or of `ioredis` (version 5 or later). Clusters are
 * not supported.
 * @throws FwError `store` for a value that is not such a client, and for an option that is not valid.
 * @example
 * import { createClient } from "redis"
 * const store = redisStore(createClient({ url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" }))
 * app.use(rateLimit({ limit: 100, window: 60, store }))
 * await store.close()
 */
export function redisStore(client: RedisClient, options: ServerStoreOptions = {}): Store {
  const { prefix, timeoutMs } = readServerOptions("redisStore()", options, "fw:")
  const connector = createConnector(client, timeoutMs)
  const redis = new RedisConnection(connector, connector.prefix + prefix, timeoutMs)
  const channelPrefix = `${redis.prefix}topic:`
  const topics = new TopicSubscriptions(
    (receiver) => connector.openListener(receiver, channelPrefix),
    redisDialect,
    timeoutMs,
  )
  const engine: Engine<Capability> = {
    name: "redis",
    kv: createKV(redis),
    counter: createCounter(redis),
    lock: createLock(redis),
    topic: createTopic(redis, topics),
    log: createLog(redis),
    async close() {
      topics.close()
      redis.close()
    },
  }
  return createStore(engine)
}
