/** Runs the function of a stream once over all processes, and stores the events that it sends. */

import { keepRunning, runEvents } from "../answer/run-events.ts"
import type { EventStream, ServerSentEvent } from "../answer/sse.ts"
import { formatEvent, isTextOrHtml } from "../answer/sse.ts"
import type { Context } from "../context.ts"
import type { Html } from "../html/text.ts"
import { type EventReader, isStoreFailure, readState, type StoredStream, type StreamEntry } from "./event-reader.ts"

/** Seconds after which another process may run the function, if the first process has crashed. */
const leaseSeconds = 15
/** Milliseconds that the function waits for a client that receives nothing. */
const stalledClientMs = 1_000
/** Maximum number of characters of events that wait to be stored. */
const maxWaitingChars = 1024 * 1024

/** The request for which the function runs, and its client. */
export interface ProducerWork {
  readonly c: Context
  readonly run: (events: EventStream) => unknown
  readonly client: EventStream
  /** True if the function must stop when its client disconnects. */
  readonly stopsWithClient: boolean
  readonly reader: EventReader
  /** Called when the function has ended. */
  readonly onEnded: () => void
}

/**
 * Returns the time of two clocks. Somebody may set the first one back, and the second one may stop while the machine
 * sleeps.
 */
const readClocks = () => [Date.now(), performance.now()]

/** Runs the function of a stream, unless another process runs it or it has ended. Returns true if it runs here. */
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

/** Converts an event to an entry of the log. Data that is not text is stored as JSON. */
function toEntry({ event, retry, data }: ServerSentEvent): StreamEntry {
  const fields = { ...(event === undefined ? {} : { event }), ...(retry === undefined ? {} : { retry }) }
  return isTextOrHtml(data) ? { ...fields, text: String(data) } : { ...fields, json: data }
}

/** Converts an entry of the log to an event. */
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
  /** The times, by both clocks, at which the lease was last requested. */
  #leaseTimes: readonly number[]
  #hasClosed = false
  #problem: unknown
  #waitingChars = 0
  #lastAppend: Promise<unknown> = Promise.resolve()
  #isPublishing = false
  #hasNews = false
  /** True while the client receives nothing. */
  #isStalled = false

  constructor(
    place: StoredStream,
    work: ProducerWork,
    token: number,
    since: readonly number[],
    lastEntry: StreamEntry | undefined,
  ) {
    this.#place = place
    this.#work = work
    this.#token = token
    this.#leaseTimes = since
    this.lastEventId = work.client.lastEventId
    this.last = lastEntry && toEvent(lastEntry)
    this.closed = new Promise((resolve) => this.signal.addEventListener("abort", () => resolve()))
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  send(event: string | Html | ServerSentEvent): Promise<void> {
    const delivery = this.#send(isTextOrHtml(event) ? { data: event } : event)
    delivery.catch(() => {})
    return delivery
  }

  close(): void {
    if (this.signal.aborted) return
    this.#hasClosed = true
    this.#controller.abort(new DOMException("the stream of events was closed", "AbortError"))
  }

  /** Runs the function. If it fails, the clients are told first, then the promise rejects with the error. */
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
      // If this fails, the lock is released when its lease is over.
      await store.lock.release(name, this.#token).catch(() => {})
      void this.#publish()
      onEnded()
    }
    if (this.#problem !== undefined) throw this.#problem
  }

  /** Runs the function. Returns true if it must not run again. */
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

  /** Adds the mark that the stream has ended. A second mark does no harm. */
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
    // Browsers dispatch no event without data, so it is sent but not stored.
    if (event.data === undefined) return void this.#work.client.send(event)
    this.#waitingChars += length
    if (this.#waitingChars > maxWaitingChars && this.#waitingChars > length) {
      this.#problem = new RangeError("more than a MiB of events waits for the log: await events.send()")
      this.#controller.abort(this.#problem)
    }
    this.signal.throwIfAborted()
    // A copy, because the program may change the data before the event is stored.
    const entry = JSON.parse(JSON.stringify(toEntry(event))) as StreamEntry
    const appendPromise = this.#lastAppend.then(() => this.#append(entry))
    this.#lastAppend = appendPromise.catch(() => {})
    await appendPromise.finally(() => {
      this.#waitingChars -= length
    })
    if (!this.#work.client.signal.aborted && !this.#isStalled) await this.#deliver()
  }

  /**
   * Waits until the client has received the events, so that the function does not run ahead. If the client has stalled,
   * or the log cannot be read, the function continues without waiting. Other clients need its events, and this client
   * gets them from the log later.
   */
  async #deliver(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const deliveryPromise = this.#work.reader.deliver().then(
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
    await Promise.race([deliveryPromise, timeoutPromise]).finally(() => clearTimeout(timer))
  }

  async #append(entry: StreamEntry): Promise<void> {
    const { store, name, maxEntries, ttl } = this.#place
    if (this.#isLate) this.#stopLate()
    await store.log.append(name, entry, { maxEntries, ttl })
    void this.#publish()
  }

  /** True if the lease may be over, so that another process may have the lock. */
  get #isLate(): boolean {
    return readClocks().some((time, index) => time - (this.#leaseTimes[index] ?? 0) >= leaseSeconds * 1000)
  }

  /** Stops the function, because another process may run it now. */
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

  /**
   * Tells other processes that the log has changed. Only one message is sent at a time, because all messages are the
   * same.
   */
  async #publish(): Promise<void> {
    this.#hasNews = true
    if (this.#isPublishing) return
    this.#isPublishing = true
    while (this.#hasNews) {
      this.#hasNews = false
      // If this fails, readers find the entries later, because they also read the log from time to time.
      await this.#place.topic?.publish(this.#place.name, 1).catch(() => {})
    }
    this.#isPublishing = false
  }
}
