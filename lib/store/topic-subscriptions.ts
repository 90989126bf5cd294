/** Keeps subscriptions on one connection, which is opened again after it was lost. */

import type { TextSubscriber } from "./engine.ts"
import { type Destroyable, type OpeningConnection, Reconnector, withTimeout } from "./reconnector.ts"
import type { Dialect, StoreCall } from "./store-calls.ts"

/** A connection that receives messages from a server. */
export interface Listener extends Destroyable {
  listen(topic: string): Promise<unknown>
  unlisten(topic: string): Promise<unknown>
  /** Asks the server for any answer. A connection that receives nothing may be broken without notice. */
  ping(): Promise<unknown>
}

/** Receives what a connection delivers. */
export interface Receiver {
  message(topic: string, text: string): void
  /** Called when a message of a topic was lost. */
  gap(topic: string): void
  /** Called when the connection ends. */
  end(cause: unknown): void
}

interface Subscription {
  readonly subscriber: TextSubscriber
  /** The call of the program, which waits until the subscription is active. */
  readonly task: StoreCall
  readonly onStarted: () => void
  readonly onRefused: (error: unknown) => void
  /** True after the server has confirmed the subscription. */
  isActive: boolean
  /** True while the connection is lost. */
  isMissing: boolean
}

/** All subscriptions of a store. */
export class TopicSubscriptions {
  readonly #topics = new Map<string, Set<Subscription>>()
  readonly #reconnector: Reconnector<Listener>
  readonly #dialect: Dialect
  readonly #timeoutMs: number
  /** The topics that the connection listens to. */
  #listenedTopics = new Set<string>()
  #isWorking = false
  /** Represents all waiting callers while a connection is opened. It passes a problem on to all of them. */
  readonly #waiter = Object.defineProperty({ isOver: false, problem: undefined }, "problem", {
    set: (problem: unknown) => this.#setProblem(problem),
  })
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #isClosed = false

  /** Creates the subscriptions. @param timeoutMs milliseconds for an answer of the server. */
  constructor(open: (receiver: Receiver) => OpeningConnection<Listener>, dialect: Dialect, timeoutMs: number) {
    this.#dialect = dialect
    this.#timeoutMs = timeoutMs
    const message = (topic: string, text: string) => this.#notify(topic, (subscriber) => subscriber.message(text))
    const gap = (topic: string) => this.#notify(topic, (subscriber) => subscriber.gap())
    this.#reconnector = new Reconnector(
      (end) => open({ message, gap, end }),
      timeoutMs,
      () => this.#handleLost(),
    )
  }

  /** Adds a subscriber. Resolves when the subscription is active, with a function that removes the subscriber. */
  async add(topic: string, subscriber: TextSubscriber, task: StoreCall): Promise<() => Promise<void>> {
    const entries = this.#topics.get(topic) ?? new Set()
    this.#topics.set(topic, entries)
    let entry: Subscription | undefined
    const start = new Promise<void>((onStarted, onRefused) => {
      entry = {
        subscriber,
        task,
        onStarted,
        onRefused,
        isActive: false,
        isMissing: false,
      }
      entries.add(entry)
    })
    this.#heartbeat ??= setInterval(() => this.#ping(), this.#timeoutMs)
    void this.#runUpdates()
    await start
    return async () => this.#remove(topic, entries, entry as Subscription)
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#isClosed = true
    this.#topics.clear()
    clearInterval(this.#heartbeat)
    this.#reconnector.close()
  }

  #remove(topic: string, entries: Set<Subscription>, entry: Subscription): void {
    entries.delete(entry)
    if (entries.size === 0 && this.#topics.get(topic) === entries) this.#topics.delete(topic)
    void this.#runUpdates()
  }

  #notify(topic: string, run: (subscriber: TextSubscriber) => void): void {
    for (const { subscriber, isActive } of [...(this.#topics.get(topic) ?? [])]) if (isActive) run(subscriber)
  }

  #handleLost(): void {
    this.#listenedTopics = new Set()
    for (const entries of this.#topics.values()) for (const entry of entries) entry.isMissing = entry.isActive
    void this.#runUpdates()
  }

  #ping(): void {
    const listener = this.#reconnector.readyConnection
    if (!listener) return
    withTimeout(listener.ping(), this.#timeoutMs).catch((cause) => {
      if (this.#reconnector.readyConnection === listener) this.#reconnector.drop(listener, cause)
    })
  }

  /**
   * Removes the subscribers that gave up before their subscriptions were active. Returns true if {@link #update} has
   * something to do: topics to listen to or to leave, or subscribers to start.
   */
  #removeAbandoned(): boolean {
    for (const [topic, entries] of this.#topics) {
      for (const entry of entries) if (isAbandoned(entry)) entries.delete(entry)
      if (entries.size === 0) this.#topics.delete(topic)
    }
    const isOutdated = [...this.#topics].some(
      ([topic, entries]) =>
        !this.#listenedTopics.has(topic) || [...entries].some(({ isActive, isMissing }) => !isActive || isMissing),
    )
    return !this.#isClosed && (isOutdated || [...this.#listenedTopics].some((topic) => !this.#topics.has(topic)))
  }

  /** Makes the connection listen to exactly the topics that have subscribers. */
  async #runUpdates(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    while (this.#removeAbandoned()) {
      // There are no subscribers. A new connection is not opened only to end subscriptions.
      if (this.#topics.size === 0 && !this.#reconnector.readyConnection) break
      try {
        await this.#update(await this.#reconnector.connect(this.#waiter))
      } catch (cause) {
        this.#setProblem(cause)
        if (this.#reconnector.readyConnection) this.#reconnector.drop(this.#reconnector.readyConnection, cause)
      }
    }
    this.#isWorking = false
  }

  /** Stores a problem in all calls that wait. */
  readonly #setProblem = (problem: unknown): void => {
    for (const entries of this.#topics.values()) for (const { task } of entries) task.problem = problem
  }

  /** Listens to a topic. If the server refuses, only the callers for this topic get the error. */
  async #listen(listener: Listener, topic: string): Promise<void> {
    try {
      await withTimeout(listener.listen(topic), this.#timeoutMs)
    } catch (error) {
      const entries = [...(this.#topics.get(topic) ?? [])]
      if (this.#dialect.classifyError(error) !== "refused" || entries.some(({ isActive }) => isActive)) throw error
      this.#topics.delete(topic)
      for (const { onRefused } of entries) onRefused(error)
    }
  }

  async #update(listener: Listener): Promise<void> {
    for (const topic of [...this.#topics.keys()]) {
      if (this.#listenedTopics.has(topic)) continue
      await this.#listen(listener, topic)
      if (this.#reconnector.readyConnection !== listener) return
      if (this.#topics.has(topic)) this.#listenedTopics.add(topic)
    }
    for (const topic of [...this.#listenedTopics]) {
      if (this.#topics.has(topic)) continue
      await withTimeout(listener.unlisten(topic), this.#timeoutMs)
      this.#listenedTopics.delete(topic)
    }
    for (const topic of this.#listenedTopics) for (const entry of this.#topics.get(topic) ?? []) activate(entry)
  }
}

/** Starts a subscriber, or tells it that it may have missed messages. Does nothing if its call is over. */
function activate(entry: Subscription): void {
  if (isAbandoned(entry)) return
  if (!entry.isActive) {
    entry.isActive = true
    entry.onStarted()
  } else if (entry.isMissing) {
    entry.isMissing = false
    entry.subscriber.gap()
  }
}

/** Returns true if a subscriber gave up before its subscription was active. */
function isAbandoned({ isActive, task }: Subscription): boolean {
  return !isActive && task.isOver
}
