/** `redisStore()`: state in Redis or Valkey. */
import { Calls, type Effect, type Task } from "./calls.ts"
import { readID } from "./checks.ts"
import type { Engine, EngineParts, Position } from "./engine.ts"
import { Link } from "./link.ts"
import { type Commands, type Connector, connectorOf, type RedisClient, redisDialect } from "./redis/client.ts"
import { makeScripts, type Script } from "./redis/scripts.ts"
import { type ServerStoreOptions, serverOptions } from "./server-options.ts"
import { storeOf } from "./store.ts"
import { Topics } from "./topics.ts"
import type { Capability, Store } from "./types.ts"

type Scripts = ReturnType<typeof makeScripts>

/** A connection for commands, which is opened when it is needed, and the names of keys. */
class Redis {
  readonly calls: Calls
  readonly prefix: string
  readonly scripts: Scripts = makeScripts()
  readonly #link: Link<Commands>

  constructor(connector: Connector, prefix: string, limit: number) {
    this.prefix = prefix
    this.#link = new Link(connector.commands, limit, (lost, cause) => this.calls.lose(lost, cause))
    this.calls = new Calls(redisDialect, limit, (left, cause) => this.#link.drop(left as Commands, cause))
  }

  /** Sends a command. */
  send(call: string, effect: Effect, command: readonly string[]): Promise<unknown> {
    return this.calls.run(call, effect, (task) => {
      const connection = this.#link.ready
      // A promise less for nearly every call.
      return connection
        ? sendOn(connection, task, command)
        : this.#link.connect(task).then((later) => sendOn(later, task, command))
    })
  }

  /** Runs a script on keys, by its digest if Redis has it already. */
  run(
    call: string,
    effect: Effect,
    script: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...values.map(String)]
    const whole = ["EVAL", script.text, ...rest]
    return this.calls.run(call, effect, async (task) => {
      const connection = await this.#link.connect(task)
      if (script.digest === undefined) return sendOn(connection, task, whole)
      try {
        return await sendOn(connection, task, ["EVALSHA", script.digest, ...rest])
      } catch (error) {
        // Redis forgets scripts when it starts again. It has run nothing, so this does not repeat the call.
        if (!/^NOSCRIPT/.test((error as Error).message)) throw error
        return sendOn(connection, task, whole)
      }
    })
  }

  close(): void {
    this.calls.close()
    this.#link.close()
  }
}

/** Sends a command, unless the time of its call is over. */
function sendOn(connection: Commands, task: Task, command: readonly string[]): Promise<unknown> {
  if (task.isOver) return Promise.reject(new Error("the call was given up"))
  task.sentTo = connection
  return connection.send(command)
}

function kv(redis: Redis): EngineParts["kv"] {
  const name = (key: string) => `${redis.prefix}kv:${key}`
  const flagged = (text: string | undefined) => (text === undefined ? ["0", ""] : ["1", text])
  return {
    get: (key) => redis.send("kv.get()", "read", ["GET", name(key)]) as Promise<string | null>,
    set: (key, text, ttl) =>
      redis.send("kv.set()", "write", [
        ...["SET", name(key), text],
        ...(ttl === undefined ? [] : ["PX", String(ttl)]),
      ]),
    delete: async (key) => (await redis.send("kv.delete()", "write", ["DEL", name(key)])) === 1,
    async compareAndSet(key, expected, text, ttl = 0) {
      const values = [...flagged(expected), ...flagged(text), ttl]
      const { compareAndSet } = redis.scripts
      return (await redis.run("kv.compareAndSet()", "write", compareAndSet, [name(key)], values)) === 1
    },
  }
}

function counter(redis: Redis): EngineParts["counter"] {
  return {
    async hit(key, window) {
      const name = `${redis.prefix}counter:${key}`
      const reply = await redis.run("counter.hit()", "write", redis.scripts.hit, [name], [window])
      return reply as [number, number]
    },
  }
}

function lock(redis: Redis): EngineParts["lock"] {
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
    release: async (key, token) =>
      (await redis.run("lock.release()", "write", release, [name(key)], [token])) === 1,
  }
}

type StreamEntry = readonly [id: string, fields: readonly [name: string, text: string]]
type StreamReply = readonly [] | readonly [first: string, last: string, entries: readonly StreamEntry[]]

function log(redis: Redis): EngineParts["log"] {
  const { append, read } = redis.scripts
  const position = (id: unknown) => readID(id) as Position
  const name = (key: string) => `${redis.prefix}log:${key}`
  return {
    append: async (key, text, maxEntries, ttl) =>
      position(await redis.run("log.append()", "write", append, [name(key)], [text, maxEntries, ttl])),
    async read(key, after, limit) {
      const values = [after.epoch, after.number + 1, limit]
      const reply = (await redis.run("log.read()", "read", read, [name(key)], values)) as StreamReply
      if (reply.length === 0) return { stored: undefined, entries: [] }
      const [first, last, entries] = reply
      return {
        stored: { first: position(first), last: position(last) },
        entries: entries.map(([id, [, text]]) => [position(id).number, text] as const),
      }
    },
  }
}

function topic(redis: Redis, topics: Topics): EngineParts["topic"] {
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
 * Creates a store in Redis or Valkey, for any number of processes. It opens two connections of its own, with the settings of
 * the client: the client need not be connected, and its queues and retries do not apply. The second one is for `topic`.
 *
 * @param client a client of the package `redis` from version 4, or of `ioredis` from version 5. Not a cluster.
 * @throws FwError `store` for another object, and for an option that is not valid.
 * @example
 * import { createClient } from "redis"
 * const store = redisStore(createClient({ url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" }))
 * app.use(rateLimit({ limit: 100, window: 60, store }))
 * await store.close()
 */
export function redisStore(client: RedisClient, options: ServerStoreOptions = {}): Store {
  const { prefix, limit } = serverOptions("redisStore()", options, "fw:")
  const connector = connectorOf(client, limit)
  const redis = new Redis(connector, connector.prefix + prefix, limit)
  const channels = `${redis.prefix}topic:`
  const topics = new Topics((receiver) => connector.listener(receiver, channels), redisDialect, limit)
  const engine: Engine<Capability> = {
    name: "redis",
    kv: kv(redis),
    counter: counter(redis),
    lock: lock(redis),
    topic: topic(redis, topics),
    log: log(redis),
    async close() {
      topics.close()
      redis.close()
    },
  }
  return storeOf(engine)
}
