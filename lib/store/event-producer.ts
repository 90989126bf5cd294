/** Runs the function of a stream once, and stores what it sends. */

import { keepRunning, runEvents } from "../answer/run-events.ts"
import type { EventStream, ServerSentEvent } from "../answer/sse.ts"
import { formatEvent, isTextOrHtml } from "../answer/sse.ts"
import type { Context } from "../context.ts"
import type { Html } from "../html/text.ts"
import { type EventReader, isStoreFailure, readState, type StoredStream, type StreamEntry } from "./event-reader.ts"

/** Seconds after which another process runs the function, if the one that ran it has crashed. */
const leaseSeconds = 15
/** Milliseconds that the function waits for a client that takes nothing. */
const stalledClientMs = 1_000
/** Maximum number of characters of events that may wait for the log. */
const maxWaitingChars = 1024 * 1024

/** The request that a function runs for, and its client. */
export interface ProducerWork {
  readonly c: Context
  readonly run: (events: EventStream) => unknown
  readonly client: EventStream
  /** True if the function stops when its client disconnects. */
  readonly stopsWithClient: boolean
  readonly reader: EventReader
  /** Called when the function does not run any more. */
  readonly onEnded: () => void
}

/** Returns the time by two clocks: the first may be set back, and the second may stop while a machine sleeps. */
const readClocks = () => [Date.now(), performance.now()]

/** Runs the function of a stream, unless it runs elsewhere or has ended. Returns true if it runs. */
export async function startProducer(place: StoredStream, work: ProducerWork): Promise<boolean> {
  const { store, name, maxEntries, ttl } = place
  const since = readClocks()
  const token = await store.lock.acquire(name, leaseSeconds)
  if (token === undefined) return false
  try {
    const { isEmpty, hasEnded, last } = await readState(place)
    if (!hasEnded && !work.client.signal.aborted) {
      if (isEmpty) await store.log.append(name, { mark: "start" }, { maxEntries, ttl })
      const producer = new EventProducer(place, work, token, since, last)
      keepRunning(work.c, producer.produce())
      return true
    }
    if (hasEnded) work.onEnded()
  } catch (error) {
    await store.lock.release(name, token).catch(() => {})
    throw error
  }
  await store.lock.release(name, token)
  return false
}

/** Returns the entry of an event. What is not text is stored as the JSON that is sent. */
function toEntry({ event, retry, data }: ServerSentEvent): StreamEntry {
  const fields = { ...(event === undefined ? {} : { event }), ...(retry === undefined ? {} : { retry }) }
  return isTextOrHtml(data) ? { ...fields, text: String(data) } : { ...fields, json: data }
}

/** Returns the event of an entry. */
function toEvent({ text, json, ...fields }: StreamEntry): ServerSentEvent {
  return { ...fields, data: text ?? json }
}

class EventProducer implements EventStream {
  readonly lastEventId: string
  readonly last: ServerSentEvent | undefined
  readonly closed: Promise<void>
  readonly #place: StoredStream
  readonly #work: ProducerWork
  readonly #token: number
  readonly #controller = new AbortController()
  /** Times at which the lease was asked for. */
  #leaseTimes: readonly number[]
  #hasClosed = false
  #problem: unknown
  #waitingChars = 0
  #lastAppend: Promise<unknown> = Promise.resolve()
  #isPublishing = false
  #hasNews = false
  /** True while the client takes nothing. */
  #isStalled = false

  constructor(
    place: StoredStream,
    work: ProducerWork,
    token: number,
    since: readonly number[],
    last: StreamEntry | undefined,
  ) {
    this.#place = place
    this.#work = work
    this.#token = token
    this.#leaseTimes = since
    this.lastEventId = work.client.lastEventId
    this.last = last && toEvent(last)
    this.closed = new Promise((resolve) => this.signal.addEventListener("abort", () => resolve()))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  send(event: string | Html | ServerSentEvent): Promise<void> {
    const sent = this.#send(isTextOrHtml(event) ? { data: event } : event)
    sent.catch(() => {})
    return sent
  }

  close(): void {
    if (this.signal.aborted) return
    this.#hasClosed = true
    this.#controller.abort(new DOMException("the stream of events was closed", "AbortError"))
  }

  /** Runs the function. Rejects with its error, after clients know that it has failed. */
  async produce(): Promise<void> {
    const { store, name } = this.#place
    const { client, stopsWithClient, onEnded } = this.#work
    const stop = () => this.#controller.abort(client.signal.reason)
    if (stopsWithClient) client.signal.addEventListener("abort", stop)
    const timer = setInterval(() => void this.#renew(), (leaseSeconds * 1000) / 3)
    try {
      if (await this.#run()) await this.#finish()
    } finally {
      clearInterval(timer)
      client.signal.removeEventListener("abort", stop)
      this.#controller.abort(new DOMException("the function has ended", "AbortError"))
      // If this fails, the lock ends with its lease.
      await store.lock.release(name, this.#token).catch(() => {})
      void this.#publish()
      onEnded()
    }
    if (this.#problem !== undefined) throw this.#problem
  }

  /** Returns true if the function is not to run again. */
  async #run(): Promise<boolean> {
    try {
      await runEvents(this.#work.run, this)
      await this.#lastAppend
    } catch (error) {
      const isEnd = error === this.signal.reason || (error instanceof Error && error.name === "AbortError")
      if (!(this.signal.aborted && isEnd)) this.#problem ??= error
    }
    if (this.#problem !== undefined) return !isStoreFailure(this.#problem)
    return this.#hasClosed || !this.signal.aborted
  }

  /** Writes that the stream has ended. A mark that is there twice does no harm. */
  async #finish(): Promise<void> {
    await this.#lastAppend
    for (let attempt = 1; ; attempt++)
      try {
        if (this.#problem !== undefined) await this.#append({ event: "failed", text: "" })
        return void (await this.#append({ mark: "end" }))
      } catch (error) {
        if (attempt === 3 || !isStoreFailure(error)) throw error
      }
  }

  async #send(event: ServerSentEvent): Promise<void> {
    this.signal.throwIfAborted()
    const { length } = formatEvent(event)
    if (event.id !== undefined) throw new TypeError("an event of a log gets its id from the log: leave out id")
    // Nothing is dispatched for it, so it is not stored.
    if (event.data === undefined) return void this.#work.client.send(event)
    this.#waitingChars += length
    if (this.#waitingChars > maxWaitingChars && this.#waitingChars > length) {
      this.#problem = new RangeError("more than a MiB of events waits for the log: await events.send()")
      this.#controller.abort(this.#problem)
    }
    this.signal.throwIfAborted()
    // If the program changes the data later, the event must stay as it is.
    const entry = JSON.parse(JSON.stringify(toEntry(event))) as StreamEntry
    const appended = this.#lastAppend.then(() => this.#append(entry))
    this.#lastAppend = appended.catch(() => {})
    await appended.finally(() => {
      this.#waitingChars -= length
    })
    if (!this.#work.client.signal.aborted && !this.#isStalled) await this.#deliver()
  }

  /**
   * Waits for the client, so that the function goes no faster. If the client has stalled, or the log cannot be read, the
   * function goes on: other clients wait for its events, and this one gets them from the log, or a gap.
   */
  async #deliver(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const delivered = this.#work.reader.deliver().then(
      () => {
        this.#isStalled = false
      },
      () => {
        this.#isStalled = false
        this.signal.throwIfAborted()
      },
    )
    const timeoutPromise = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#isStalled = true
        resolve()
      }, stalledClientMs)
    })
    await Promise.race([delivered, timeoutPromise]).finally(() => clearTimeout(timer))
  }

  async #append(entry: StreamEntry): Promise<void> {
    const { store, name, maxEntries, ttl } = this.#place
    if (this.#isLate) this.#stopLate()
    await store.log.append(name, entry, { maxEntries, ttl })
    void this.#publish()
  }

  /** True if another process may have the lock. */
  get #isLate(): boolean {
    return readClocks().some((time, index) => time - (this.#leaseTimes[index] ?? 0) >= leaseSeconds * 1000)
  }

  /** Stops the function, because another process may run it. */
  #stopLate(): never {
    const reason = new DOMException("another process continues this stream", "AbortError")
    this.#controller.abort(reason)
    throw reason
  }

  async #renew(): Promise<void> {
    const { store, name } = this.#place
    const since = readClocks()
    try {
      if (!(await store.lock.renew(name, this.#token, leaseSeconds))) this.#stopLate()
      this.#leaseTimes = since
    } catch {
      if (this.#isLate) this.#controller.abort(new DOMException("the lock of this stream has ended", "AbortError"))
    }
  }

  /** Reports to other processes that the log has changed: one message at a time, because each says the same. */
  async #publish(): Promise<void> {
    this.#hasNews = true
    if (this.#isPublishing) return
    this.#isPublishing = true
    while (this.#hasNews) {
      this.#hasNews = false
      // Readers look at the log from time to time too.
      await this.#place.topic?.publish(this.#place.name, 1).catch(() => {})
    }
    this.#isPublishing = false
  }
}
