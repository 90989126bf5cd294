/** The five capabilities of a store, and what each of them promises on every engine. */
import type { RateLimitCount } from "../middleware/rate-limit.ts"

/**
 * The lifetime of a value.
 *
 * @example
 * const day: Lifetime = { ttl: 86_400 }
 * await memoryStore().kv.set("report", { visits: 7 }, day)
 */
export interface Lifetime {
  /** Seconds until the value is deleted. Fractions count, to the millisecond. Default: the value is not deleted. */
  readonly ttl?: number
}

/**
 * Values by key. A value is plain data that `JSON.stringify` can write. A key is a text of 1 to 512 characters.
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
   * Stores a value in one step if the current value is the expected one. Otherwise changes nothing and returns false.
   *
   * @param expected a result of {@link get}, or undefined if there must be no value. Values are compared as JSON.
   * @param value the new value; undefined deletes the current one.
   */
  compareAndSet(key: string, expected: unknown, value: unknown, options?: Lifetime): Promise<boolean>
}

/**
 * Counts hits in windows of time. No hit is lost or counted twice, however many processes there are.
 *
 * @example
 * const counter: Counter = memoryStore().counter
 * await counter.hit("sign-in:ada", 60)
 * const { count } = await counter.hit("sign-in:ada", 60)
 * count // → 2
 */
export interface Counter {
  /**
   * Counts one hit. The first hit of a key begins a window of this many seconds. After the window the count begins
   * again. A hit with a shorter window shortens the current one. So it also ends in time if somebody has set the clock
   * back.
   *
   * @returns the number of hits in the window, including this one, and the seconds until the window ends.
   */
  hit(key: string, window: number): Promise<RateLimitCount>
}

/**
 * Locks with a lease, so that a process that crashes does not hold a lock forever. A process that is paused may lose
 * its lock without noticing it. So each lock has a token, a number that grows. Pass the token to the resource that the
 * lock protects, and let it refuse tokens that are smaller than the largest one it has seen (fencing).
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
   * Tries to take a lock for some seconds.
   *
   * @returns the token, which is larger than all earlier ones; undefined if another holder has the lock.
   */
  acquire(key: string, lease: number): Promise<number | undefined>
  /** Extends the lease to some seconds from now. Returns false if the lock was lost. */
  renew(key: string, token: number, lease: number): Promise<boolean>
  /** Releases the lock. Returns false if it was already lost. */
  release(key: string, token: number): Promise<boolean>
}

/**
 * The functions that receive messages of a topic.
 *
 * @example
 * const seen: unknown[] = []
 * const subscriber: Subscriber = { message: (data) => seen.push(data), gap: () => seen.push("read everything again") }
 * await memoryStore().topic.subscribe("prices", subscriber)
 */
export interface Subscriber {
  /** Called for each message. Messages of one process arrive in the order in which they were published. */
  message(data: unknown): void
  /** Called when messages may have been lost, after a lost connection was opened again. */
  gap(): void
}

/**
 * Messages to all processes that have subscribed. Messages are not stored.
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
   * Subscribes to a topic. All messages arrive that are published after the promise has resolved.
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
  /** A text without spaces. The ids of a log grow, but they cannot be compared as text. */
  readonly id: string
  readonly data: unknown
}

/**
 * Limits of a log.
 *
 * @example
 * const small: LogBounds = { maxEntries: 100, ttl: 3600 }
 * await memoryStore().log.append("chat", { text: "hello" }, small)
 */
export interface LogBounds {
  /** Maximum number of stored entries. Older ones are removed. Default: 1,000. */
  readonly maxEntries?: number
  /** Seconds after the last entry until the log is deleted. Default: 86,400, a day. */
  readonly ttl?: number
}

/**
 * Which entries of a log to read.
 *
 * @example
 * const rest: LogRange = { after: "1767225600000000-1", limit: 50 }
 * const { entries, gap } = await memoryStore().log.read("chat", rest)
 */
export interface LogRange {
  /**
   * The id of the last known entry. It may come from a client. Default: none; the first stored entry is then the first
   * result.
   */
  readonly after?: string
  /** Maximum number of entries to return. Default: 1,000. */
  readonly limit?: number
}

/**
 * Entries that were read from a log.
 *
 * @example
 * const part: LogPart = await memoryStore().log.read("chat")
 * part // → { entries: [], gap: false }
 */
export interface LogPart {
  /** The entries, the oldest first. */
  readonly entries: readonly LogEntry[]
  /**
   * True if entries between `after` and the first returned entry were removed, or if `after` is not an id of this log.
   */
  readonly gap: boolean
}

/**
 * Lists of entries. Entries are added at the end, and can be read starting after any entry.
 *
 * @example
 * const log: Log = memoryStore().log
 * const first = await log.append("chat", "hello")
 * await log.append("chat", "how are you?")
 * const { entries } = await log.read("chat", { after: first })
 * entries.map(({ data }) => data) // → ["how are you?"]
 */
export interface Log {
  /** Adds plain data as an entry. Returns the id of the entry. */
  append(log: string, data: unknown, bounds?: LogBounds): Promise<string>
  /** Reads entries of a log. */
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
 * A store with some capabilities. A function that needs two of them can take a `Store<"kv" | "lock">`.
 *
 * @example
 * const save = (store: Store<"kv">) => store.kv.set("seen", true)
 * await save(memoryStore())
 */
export type Store<Has extends Capability = Capability> = Pick<Capabilities, Has> & {
  /** Name of the engine: `memory`, `sqlite`, `redis` or `postgres`. */
  readonly engine: string
  /** The names of the capabilities that the engine has. */
  readonly capabilities: readonly Capability[]
  /** Closes the connections that the store has opened. Later calls are rejected. */
  close(): Promise<void>
}
