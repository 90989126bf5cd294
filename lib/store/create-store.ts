/** Makes a store of an engine: checks arguments, encodes values, and finds gaps in logs. */
import { platform } from "#platform"
import { channels } from "../trace/operations.ts"
import { checkCount, checkKey, checkToken, encodeValue, readID, toMilliseconds, writeID } from "./checks.ts"
import type { Engine, EngineCapabilities, LogSlice, Position, TextSubscriber } from "./engine.ts"
import { storeFault } from "./fault.ts"
import type { Capabilities, Capability, Counter, KV, Lock, Log, Store, Subscriber, Topic } from "./types.ts"

const daySeconds = 86_400
const defaultEntries = 1_000

function createKV(raw: EngineCapabilities["kv"]): KV {
  const lifetime = (call: string, ttl: number | undefined) =>
    ttl === undefined ? undefined : toMilliseconds(call, "ttl", ttl)
  return {
    async get<T>(key: string) {
      checkKey("kv.get()", key)
      const text = await raw.get(key)
      return text == null ? undefined : (JSON.parse(text) as T)
    },
    async set(key, value, { ttl } = {}) {
      checkKey("kv.set()", key)
      await raw.set(key, encodeValue("kv.set()", value), lifetime("kv.set()", ttl))
    },
    async delete(key) {
      checkKey("kv.delete()", key)
      return raw.delete(key)
    },
    async compareAndSet(key, expected, value, { ttl } = {}) {
      const call = "kv.compareAndSet()"
      checkKey(call, key)
      const text = (one: unknown) => (one === undefined ? undefined : encodeValue(call, one))
      return raw.compareAndSet(key, text(expected), text(value), lifetime(call, ttl))
    },
  }
}

function createCounter(raw: EngineCapabilities["counter"]): Counter {
  return {
    async hit(key, window) {
      checkKey("counter.hit()", key)
      const [count, rest] = await raw.hit(key, toMilliseconds("counter.hit()", "window", window))
      return { count, reset: rest / 1000 }
    },
  }
}

function createLock(raw: EngineCapabilities["lock"]): Lock {
  return {
    async acquire(key, lease) {
      checkKey("lock.acquire()", key)
      return raw.acquire(key, toMilliseconds("lock.acquire()", "lease", lease))
    },
    async renew(key, token, lease) {
      checkKey("lock.renew()", key)
      checkToken("lock.renew()", token)
      return raw.renew(key, token, toMilliseconds("lock.renew()", "lease", lease))
    },
    async release(key, token) {
      checkKey("lock.release()", key)
      checkToken("lock.release()", token)
      return raw.release(key, token)
    },
  }
}

/**
 * Returns a subscriber for encoded messages. If a function of the program throws, the error is reported, and further
 * messages still arrive.
 */
function createTextSubscriber(subscriber: Subscriber): TextSubscriber {
  const attempt = (run: () => unknown) => {
    try {
      // The types do not allow async functions here. But if one rejects, the process must not end.
      void Promise.resolve(run()).catch((error) => platform.report(error))
    } catch (error) {
      platform.report(error)
    }
  }
  return {
    message: (text) => attempt(() => subscriber.message(JSON.parse(text))),
    gap: () => attempt(() => subscriber.gap()),
  }
}

function createTopic(raw: EngineCapabilities["topic"]): Topic {
  return {
    async publish(topic, data) {
      checkKey("topic.publish()", topic)
      await raw.publish(topic, encodeValue("topic.publish()", data))
    },
    async subscribe(topic, subscriber) {
      checkKey("topic.subscribe()", topic)
      const { message, gap } = Object(subscriber) as Partial<Subscriber>
      if (typeof message !== "function" || typeof gap !== "function") throw storeFault("store.subscriber", [subscriber])
      return raw.subscribe(topic, createTextSubscriber(subscriber))
    },
  }
}

/** Returns true if entries are missing between a position and the first entry of a slice. */
function hasGap(after: Position, { stored }: LogSlice): boolean {
  if (!stored || stored.first.epoch !== after.epoch) return true
  return stored.first.number > after.number + 1 || after.number > stored.last.number
}

function createLog(raw: EngineCapabilities["log"]): Log {
  return {
    async append(log, data, { maxEntries = defaultEntries, ttl = daySeconds } = {}) {
      const call = "log.append()"
      checkKey(call, log)
      checkCount(call, "maxEntries", maxEntries)
      const position = await raw.append(log, encodeValue(call, data), maxEntries, toMilliseconds(call, "ttl", ttl))
      return writeID(position)
    },
    async read(log, { after, limit = defaultEntries } = {}) {
      checkKey("log.read()", log)
      checkCount("log.read()", "limit", limit)
      // No log has the epoch 0. So the read begins with the first entry.
      const position = readID(after) ?? { epoch: 0, number: 0 }
      const slice = await raw.read(log, position, limit)
      const epoch = slice.stored?.first.epoch ?? 0
      return {
        entries: slice.entries.map(([number, text]) => ({
          id: writeID({ epoch, number }),
          data: JSON.parse(text) as unknown,
        })),
        gap: after !== undefined && hasGap(position, slice),
      }
    },
  }
}

const factories = {
  kv: createKV,
  counter: createCounter,
  lock: createLock,
  topic: createTopic,
  log: createLog,
} as const
const capabilityNames = Object.keys(factories) as Capability[]

/** A call of a capability. */
type Call = (...args: unknown[]) => Promise<unknown>

/** Returns the part of a key before its first colon, which says what is stored. The rest may be a secret. */
function getPrefix(key: unknown): string {
  const text = String(key)
  return text.slice(0, Math.max(0, text.indexOf(":")))
}

/**
 * Returns a capability whose calls are published for tracing. Only the operation and the beginning of the key are
 * published, and no values.
 */
function traceCalls(engine: string, capability: Capability, calls: Capabilities[Capability]): object {
  const system = engine === "postgres" ? "postgresql" : engine
  const tracedCalls: Record<string, Call> = {}
  for (const [name, call] of Object.entries(calls) as [string, Call][]) {
    const operation = `${capability}.${name}`
    tracedCalls[name] = (...args) => {
      if (!channels.store.isWatched) return call(...args)
      const attributes = {
        "db.system.name": system,
        "db.operation.name": operation,
        "fw.store.prefix": getPrefix(args[0]),
      }
      return channels.store.run(operation, () => call(...args), undefined, attributes)
    }
  }
  return tracedCalls
}

/** Creates the store of an engine. Reading a capability that the engine does not have throws. */
export function createStore<Has extends Capability>(engine: Engine<Has>): Store<Has> {
  const parts = engine as Partial<EngineCapabilities>
  const store = {
    engine: engine.name,
    capabilities: capabilityNames.filter((name) => parts[name] !== undefined),
    close: () => engine.close(),
  }
  for (const name of capabilityNames) {
    const raw = parts[name]
    const missingCapability = {
      get: () => {
        throw storeFault("store.capability", [`store.${name}`, name, engine.name, undefined])
      },
    }
    if (raw === undefined) Object.defineProperty(store, name, missingCapability)
    else {
      const capability = (factories[name] as (raw: unknown) => Capabilities[Capability])(raw)
      Object.assign(store, { [name]: traceCalls(engine.name, name, capability) })
    }
  }
  return store as unknown as Store<Has>
}
