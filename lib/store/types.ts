/** The five capabilities of a store, and what each promises on every engine. */
import type { RateLimitCount } from "../middleware/rate-limit.ts"

/**
 * The lifetime of a value.
 *
 * @example
 * const day: Lifetime = { ttl: 86_400 }
 * await memoryStore().kv.set("report", { visits: 7 }, day)
 */
export interface Lifetime {
  /** Seconds until the value is deleted; fractions are valid to the millisecond. Default: it stays. */
  readonly ttl?: number
}

/**
 * Values by key. A value is plain data: what `JSON.stringify` writes. A key is a text of 1 to 512 characters.
 *
 * @example
 * const kv: KV = memoryStore().kv
 * await kv.set("theme", "dark")
 * await kv.get("theme") // → "dark"
 */
export interface KV {
  /** Returns a value; undefined if there is none. */
  get<T = unknown>(key: string): Promise<T | undefined>
  /** Stores a value, and replaces the previous value and its lifetime. */
  set(key: string, value: unknown, options?: Lifetime): Promise<void>
  /** Deletes a value. Returns true if there was one. */
  delete(key: string): Promise<boolean>
  /**
   * Stores a value only if the current one is as expected, in one step. Returns false if it is not, and changes nothing.
   *
   * @param expected a value from {@link get}; undefined if there must be none. Values are compared by their JSON.
   * @param value undefined deletes the value.
   */
  compareAndSet(key: string, expected: unknown, value: unknown, options?: Lifetime): Promise<boolean>
}

/**
 * Counts in windows of time. No hit is lost or counted twice, whatever the number of processes.
 *
 * @example
 * const counter: Counter = memoryStore().counter
 * await counter.hit("sign-in:ada", 60)
 * const { count } = await counter.hit("sign-in:ada", 60)
 * count // → 2
 */
export interface Counter {
  /**
   * Counts one hit. The first hit of a key begins a window of this many seconds; after it the count begins again. A hit with a
   * shorter window shortens it, so that it also ends in time when a clock is set back.
   *
   * @returns the hits in the window, with this one, and the seconds until it ends.
   */
  hit(key: string, window: number): Promise<RateLimitCount>
}

/**
 * Locks with a lease: a process that stops does not keep a lock without end. A process that is paused may lose its lock
 * without noticing. So each lock has a token, a number that grows: pass it to what the lock protects, which refuses a
 * token smaller than the largest that it has seen (fencing).
 *
 * @example
 * const lock: Lock = memoryStore().lock
 * const token = await lock.acquire("report", 30)
 * if (token !== undefined) {
 *   // Work for less than 30 seconds, or renew.
 *   await lock.release("report", token)
 * }
 */
export interface Lock {
  /**
   * Takes a lock for some seconds.
   *
   * @returns its token, larger than every token before; undefined while another holder has it.
   */
  acquire(key: string, lease: number): Promise<number | undefined>
  /** Extends a lease to some seconds from now. Returns false if the lock is lost. */
  renew(key: string, token: number, lease: number): Promise<boolean>
  /** Releases a lock. Returns false if it was lost before. */
  release(key: string, token: number): Promise<boolean>
}

/**
 * Functions that get what is published.
 *
 * @example
 * const seen: unknown[] = []
 * const subscriber: Subscriber = { message: (data) => seen.push(data), gap: () => seen.push("read everything again") }
 * await memoryStore().topic.subscribe("prices", subscriber)
 */
export interface Subscriber {
  /** Called for each message, in the order in which they were published by one process. */
  message(data: unknown): void
  /** Called when messages may have been missed, because the connection was lost and is there again. */
  gap(): void
}

/**
 * Messages to every process that listens now. Nothing is stored.
 *
 * @example
 * const topic: Topic = memoryStore().topic
 * const unsubscribe = await topic.subscribe("prices", { message: console.log, gap: () => {} })
 * await topic.publish("prices", { tea: 4 })
 * await unsubscribe()
 */
export interface Topic {
  /** Sends plain data to the subscribers on all processes. */
  publish(topic: string, data: unknown): Promise<void>
  /**
   * Listens. Messages that are published after the promise has resolved arrive.
   *
   * @returns a function that ends the subscription.
   */
  subscribe(topic: string, subscriber: Subscriber): Promise<() => Promise<void>>
}

/**
 * An entry of a log.
 *
 * @example const entry: LogEntry = { id: "1767225600000000-1", data: { text: "hello" } }
 */
export interface LogEntry {
  /** Opaque text without spaces. Ids of one log grow, but not as text. */
  readonly id: string
  readonly data: unknown
}

/**
 * Bounds of a log.
 *
 * @example
 * const small: LogBounds = { maxEntries: 100, ttl: 3600 }
 * await memoryStore().log.append("chat", { text: "hello" }, small)
 */
export interface LogBounds {
  /** Entries that are stored; older ones are removed. Default: 1,000. */
  readonly maxEntries?: number
  /** Seconds after the last entry until the log is deleted. Default: 86,400, a day. */
  readonly ttl?: number
}

/**
 * The part of a log to read.
 *
 * @example
 * const rest: LogRange = { after: "1767225600000000-1", limit: 50 }
 * const { entries, gap } = await memoryStore().log.read("chat", rest)
 */
export interface LogRange {
  /** The id of the last entry that is known. It may come from a client. Default: from the first entry. */
  readonly after?: string
  /** Maximum number of entries to return. Default: 1,000. */
  readonly limit?: number
}

/**
 * A part of a log.
 *
 * @example
 * const part: LogPart = await memoryStore().log.read("chat")
 * part // → { entries: [], gap: false }
 */
export interface LogPart {
  /** Entries, the oldest first. */
  readonly entries: readonly LogEntry[]
  /** True if entries between `after` and the first returned entry are gone, or `after` is not an id of this log. */
  readonly gap: boolean
}

/**
 * Lists to which entries are added, and which can be read from any entry on.
 *
 * @example
 * const log: Log = memoryStore().log
 * const first = await log.append("chat", "hello")
 * await log.append("chat", "how are you?")
 * const { entries } = await log.read("chat", { after: first })
 * entries.map(({ data }) => data) // → ["how are you?"]
 */
export interface Log {
  /** Adds plain data. Returns the id of the entry. */
  append(log: string, data: unknown, bounds?: LogBounds): Promise<string>
  /** Reads a part of a log. */
  read(log: string, range?: LogRange): Promise<LogPart>
}

/**
 * The capabilities by name.
 *
 * @example const countsOnly: Pick<Capabilities, "counter"> = memoryStore()
 */
export interface Capabilities {
  readonly kv: KV
  readonly counter: Counter
  readonly lock: Lock
  readonly topic: Topic
  readonly log: Log
}

/**
 * The name of a capability.
 *
 * @example
 * const needed: Capability = "topic"
 * memoryStore().capabilities.includes(needed) // → true
 */
export type Capability = keyof Capabilities

/**
 * A store with some capabilities. A function that needs two of them takes a `Store<"kv" | "lock">`.
 *
 * @example
 * const save = (store: Store<"kv">) => store.kv.set("seen", true)
 * await save(memoryStore())
 */
export type Store<Has extends Capability = Capability> = Pick<Capabilities, Has> & {
  /** Name of the engine: `memory`, `sqlite`, `redis` or `postgres`. */
  readonly engine: string
  /** The capabilities that the engine has. */
  readonly capabilities: readonly Capability[]
  /** Closes the connections that the store has opened. Calls after it are rejected. */
  close(): Promise<void>
}
