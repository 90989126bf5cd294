/** Subscriptions over one connection, which is opened again after it was lost. */
import type { Dialect, Task } from "./calls.ts"
import type { TextSubscriber } from "./engine.ts"
import { type Ending, inTime, Link, type Opening } from "./link.ts"

/** A connection on which a server sends messages. */
export interface Listener extends Ending {
  listen(topic: string): Promise<unknown>
  unlisten(topic: string): Promise<unknown>
  /** Asks for an answer of any kind: nothing else shows that a silent connection still works. */
  ping(): Promise<unknown>
}

/** Gets what a connection receives. */
export interface Receiver {
  message(topic: string, text: string): void
  /** Called when a message is lost. */
  gap(topic: string): void
  /** Called when the connection ends. */
  end(cause: unknown): void
}

interface Entry {
  readonly subscriber: TextSubscriber
  /** The call that waits until messages arrive. */
  readonly task: Task
  readonly started: () => void
  readonly refused: (error: unknown) => void
  /** True once messages arrive. */
  isActive: boolean
  /** True while the connection is lost. */
  isMissing: boolean
}

/** The subscriptions of a store. */
export class Topics {
  readonly #topics = new Map<string, Set<Entry>>()
  readonly #link: Link<Listener>
  readonly #dialect: Dialect
  readonly #limit: number
  /** Topics that the connection listens to. */
  #heard = new Set<string>()
  #isWorking = false
  /** The part of all callers that the connection sees. */
  readonly #waiting = Object.defineProperty({ isOver: false, problem: undefined }, "problem", {
    set: (problem: unknown) => this.#note(problem),
  })
  #heartbeat: ReturnType<typeof setInterval> | undefined
  #isClosed = false

  /** Creates the subscriptions. @param limit milliseconds for an answer of the server. */
  constructor(open: (receiver: Receiver) => Opening<Listener>, dialect: Dialect, limit: number) {
    this.#dialect = dialect
    this.#limit = limit
    const message = (topic: string, text: string) =>
      this.#each(topic, (subscriber) => subscriber.message(text))
    const gap = (topic: string) => this.#each(topic, (subscriber) => subscriber.gap())
    this.#link = new Link(
      (end) => open({ message, gap, end }),
      limit,
      () => this.#lost(),
    )
  }

  /** Adds a subscriber. Resolves when messages arrive, with a function that removes it. */
  async add(topic: string, subscriber: TextSubscriber, task: Task): Promise<() => Promise<void>> {
    const entries = this.#topics.get(topic) ?? new Set()
    this.#topics.set(topic, entries)
    let entry: Entry | undefined
    const start = new Promise<void>((started, refused) => {
      entry = { subscriber, task, started, refused, isActive: false, isMissing: false }
      entries.add(entry)
    })
    this.#heartbeat ??= setInterval(() => this.#ping(), this.#limit)
    void this.#work()
    await start
    return async () => this.#remove(topic, entries, entry as Entry)
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#isClosed = true
    this.#topics.clear()
    clearInterval(this.#heartbeat)
    this.#link.close()
  }

  #remove(topic: string, entries: Set<Entry>, entry: Entry): void {
    entries.delete(entry)
    if (entries.size === 0 && this.#topics.get(topic) === entries) this.#topics.delete(topic)
    void this.#work()
  }

  #each(topic: string, run: (subscriber: TextSubscriber) => void): void {
    for (const { subscriber, isActive } of [...(this.#topics.get(topic) ?? [])]) if (isActive) run(subscriber)
  }

  #lost(): void {
    this.#heard = new Set()
    for (const entries of this.#topics.values()) for (const entry of entries) entry.isMissing = entry.isActive
    void this.#work()
  }

  #ping(): void {
    const listener = this.#link.ready
    if (!listener) return
    inTime(listener.ping(), this.#limit).catch((cause) => {
      if (this.#link.ready === listener) this.#link.drop(listener, cause)
    })
  }

  /** Removes subscribers whose callers have given up, and returns true if the server must hear of a change. */
  #isDue(): boolean {
    for (const [topic, entries] of this.#topics) {
      for (const entry of entries) if (isAbandoned(entry)) entries.delete(entry)
      if (entries.size === 0) this.#topics.delete(topic)
    }
    const isOutdated = [...this.#topics].some(
      ([topic, entries]) =>
        !this.#heard.has(topic) || [...entries].some(({ isActive, isMissing }) => !isActive || isMissing),
    )
    return !this.#isClosed && (isOutdated || [...this.#heard].some((topic) => !this.#topics.has(topic)))
  }

  /** Makes the connection listen to the topics that have subscribers. */
  async #work(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    while (this.#isDue()) {
      // Nobody listens: a connection only for ending subscriptions is not needed.
      if (this.#topics.size === 0 && !this.#link.ready) break
      try {
        await this.#update(await this.#link.connect(this.#waiting))
      } catch (cause) {
        this.#note(cause)
        if (this.#link.ready) this.#link.drop(this.#link.ready, cause)
      }
    }
    this.#isWorking = false
  }

  /** Keeps the reason for callers that wait. */
  readonly #note = (problem: unknown): void => {
    for (const entries of this.#topics.values()) for (const { task } of entries) task.problem = problem
  }

  /** Listens to a topic. If the server refuses that, the callers that wait for it get its error, and other topics go on. */
  async #listen(listener: Listener, topic: string): Promise<void> {
    try {
      await inTime(listener.listen(topic), this.#limit)
    } catch (error) {
      const entries = [...(this.#topics.get(topic) ?? [])]
      if (this.#dialect.replyOf(error) !== "refused" || entries.some(({ isActive }) => isActive)) throw error
      this.#topics.delete(topic)
      for (const { refused } of entries) refused(error)
    }
  }

  async #update(listener: Listener): Promise<void> {
    for (const topic of [...this.#topics.keys()]) {
      if (this.#heard.has(topic)) continue
      await this.#listen(listener, topic)
      if (this.#link.ready !== listener) return
      if (this.#topics.has(topic)) this.#heard.add(topic)
    }
    for (const topic of [...this.#heard]) {
      if (this.#topics.has(topic)) continue
      await inTime(listener.unlisten(topic), this.#limit)
      this.#heard.delete(topic)
    }
    for (const topic of this.#heard) for (const entry of this.#topics.get(topic) ?? []) settle(entry)
  }
}

/** Starts a subscriber, or reports what it may have missed. One whose caller has given up gets nothing. */
function settle(entry: Entry): void {
  if (isAbandoned(entry)) return
  if (!entry.isActive) {
    entry.isActive = true
    entry.started()
  } else if (entry.isMissing) {
    entry.isMissing = false
    entry.subscriber.gap()
  }
}

/** Returns true for a subscriber whose caller gave up before messages arrived. */
function isAbandoned({ isActive, task }: Entry): boolean {
  return !isActive && task.isOver
}
