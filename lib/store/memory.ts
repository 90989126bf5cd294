/** `memoryStore()`: a store in the memory of this process, for development, tests, and programs with one process. */

import { createStore } from "./create-store.ts"
import type { Engine, EngineCapabilities, Position, TextSubscriber } from "./engine.ts"
import { ExpiringMap } from "./expiring-map.ts"
import { storeFault } from "./fault.ts"
import type { Capability, Store } from "./types.ts"
import { findWorkerCount } from "./worker-count.ts"

interface StoredLog {
  readonly epoch: number
  last: number
  readonly texts: string[]
}

function createKV(): EngineCapabilities["kv"] {
  const values = new ExpiringMap<string>()
  return {
    get: async (key) => values.get(key),
    set: async (key, text, ttl) => values.set(key, text, ttl),
    delete: async (key) => values.delete(key),
    async compareAndSet(key, expected, text, ttl) {
      if (values.get(key) !== expected) return false
      if (text === undefined) values.delete(key)
      else values.set(key, text, ttl)
      return true
    },
  }
}

function createCounter(): EngineCapabilities["counter"] {
  const windows = new ExpiringMap<{ count: number }>()
  return {
    async hit(key, window) {
      const currentWindow = windows.get(key)
      if (currentWindow) currentWindow.count += 1
      // A later hit may ask for a shorter window. As in every engine, the window then ends earlier.
      if (!currentWindow || windows.getRemainingMs(key) > window)
        windows.set(key, currentWindow ?? { count: 1 }, window)
      // Because of rounding, the remaining time may be slightly larger than the window.
      return [currentWindow?.count ?? 1, Math.min(window, windows.getRemainingMs(key))]
    },
  }
}

function createLock(): EngineCapabilities["lock"] {
  const holders = new ExpiringMap<number>()
  let last = 0
  return {
    async acquire(key, lease) {
      if (holders.get(key) !== undefined) return undefined
      // Tokens begin with the time, so they grow even after the process was started again.
      last = Math.max(last + 1, Date.now() * 1000)
      holders.set(key, last, lease)
      return last
    },
    async renew(key, token, lease) {
      if (holders.get(key) !== token) return false
      holders.set(key, token, lease)
      return true
    },
    release: async (key, token) => holders.get(key) === token && holders.delete(key),
  }
}

function createTopic(): EngineCapabilities["topic"] {
  const topics = new Map<string, Set<TextSubscriber>>()
  return {
    async publish(name, text) {
      // A subscriber that is added now must not get a message that was published before. So the list is copied.
      for (const subscriber of [...(topics.get(name) ?? [])]) queueMicrotask(() => subscriber.message(text))
    },
    async subscribe(name, receiver) {
      // The same functions may be subscribed twice. With a copy for each subscription, one can end while the other
      // stays.
      const subscriber = { ...receiver }
      const subscribers = topics.get(name) ?? new Set()
      topics.set(name, subscribers.add(subscriber))
      return async () => {
        subscribers.delete(subscriber)
        if (subscribers.size === 0 && topics.get(name) === subscribers) topics.delete(name)
      }
    },
  }
}

function createLog(): EngineCapabilities["log"] {
  const logs = new ExpiringMap<StoredLog>()
  let lastEpoch = 0
  const createStoredLog = (): StoredLog => {
    lastEpoch = Math.max(lastEpoch + 1, Date.now() * 1000)
    return { epoch: lastEpoch, last: 0, texts: [] }
  }
  return {
    async append(name, text, maxEntries, ttl): Promise<Position> {
      const log = logs.get(name) ?? createStoredLog()
      log.last += 1
      log.texts.push(text)
      log.texts.splice(0, log.texts.length - maxEntries)
      logs.set(name, log, ttl)
      return { epoch: log.epoch, number: log.last }
    },
    async read(name, after, limit) {
      const log = logs.get(name)
      if (!log) return { stored: undefined, entries: [] }
      const { epoch, last, texts } = log
      const removedCount = last - texts.length
      const skipCount = after.epoch === epoch ? Math.max(0, after.number - removedCount) : 0
      const entries = texts
        .slice(skipCount, skipCount + limit)
        .map((text, index) => [removedCount + skipCount + index + 1, text] as const)
      return { stored: { first: { epoch, number: removedCount + 1 }, last: { epoch, number: last } }, entries }
    },
  }
}

/** Creates an engine whose calls are rejected after `close()`. */
function createMemoryEngine(): Engine<Capability> {
  let isClosed = false
  const rejectWhenClosed = <Part extends object>(name: string, part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([method, run]: [string, (...args: unknown[]) => Promise<unknown>]) => [
        method,
        async (...args: unknown[]) => {
          if (isClosed) throw storeFault("store.closed", [`${name}.${method}()`])
          return run(...args)
        },
      ]),
    ) as Part
  return {
    name: "memory",
    kv: rejectWhenClosed("kv", createKV()),
    counter: rejectWhenClosed("counter", createCounter()),
    lock: rejectWhenClosed("lock", createLock()),
    topic: rejectWhenClosed("topic", createTopic()),
    log: rejectWhenClosed("log", createLog()),
    async close() {
      isClosed = true
    },
  }
}

/**
 * Creates a store in the memory of this process. It has all capabilities. Its data is lost when the process ends, and
 * other processes cannot see it.
 *
 * @throws FwError `store` in a program with several workers, because each of them would have different data.
 * @example
 * const store = memoryStore()
 * await store.kv.set("greeting", "hello", { ttl: 60 })
 * await store.kv.get("greeting") // → "hello"
 */
export function memoryStore(): Store {
  const workers = findWorkerCount()
  if (workers) throw storeFault("store.workers", [workers])
  return createStore(createMemoryEngine())
}
