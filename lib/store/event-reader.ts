/** Sends the events of a log to one client, starting after the last event that it has received. */
import type { EventStream } from "../answer/sse.ts"
import type { Outage } from "../lifecycle/outage.ts"
import type { Store, Topic } from "./types.ts"

/** A stream, and where it is stored. */
export interface StoredStream {
  readonly store: Store<"log" | "lock">
  /** Tells other processes about new entries. Undefined if the store cannot do that. */
  readonly topic: Topic | undefined
  /** The name of the log, of its lock and of its topic. */
  readonly name: string
  /** The beginning of the ids of this stream, which is different for each subject. */
  readonly tag: string
  readonly outage: Outage
  readonly maxEntries: number
  readonly ttl: number
}

/** An entry of the log: a mark for the start or the end, or an event with its data as text or JSON. */
export interface StreamEntry {
  readonly mark?: "start" | "end"
  readonly event?: string
  readonly retry?: number
  readonly text?: string
  readonly json?: unknown
}

/** Maximum number of entries that are read at once. */
const entriesPerRead = 100

/** Returns true if an error means that the store has not done a call, or may not have done it. */
export function isStoreFailure(error: unknown): boolean {
  return ["store_unavailable", "store_unknown"].includes((Object(error) as { code: string }).code)
}

/** Reads some entries of the log. */
async function readPart({ store, name }: StoredStream, after: string | undefined, limit = entriesPerRead) {
  const range = after === undefined ? { limit } : { after, limit }
  const { entries, gap } = await store.log.read(name, range)
  return { gap, entries: entries.map(({ id, data }) => ({ id, entry: data as StreamEntry })) }
}

/** Returns true if a stream has ended and has no entries after an id. */
export async function isComplete(place: StoredStream, after: string | undefined): Promise<boolean> {
  const { entries, gap } = await readPart(place, after, 2)
  return !gap && entries.find(({ entry }) => entry.mark !== "start")?.entry.mark === "end"
}

/** Reads the whole log, for a function that starts. */
export async function readState(place: StoredStream) {
  let after: string | undefined
  let [isEmpty, hasEnded] = [true, false]
  let lastEntry: StreamEntry | undefined
  for (;;) {
    const { entries } = await readPart(place, after, 1_000)
    for (const { id, entry } of entries) {
      after = id
      isEmpty = false
      if (entry.mark === "end") hasEnded = true
      else if (entry.mark === undefined) lastEntry = entry
    }
    if (entries.length < 1_000) return { isEmpty, hasEnded, last: lastEntry }
  }
}

/** Sends the entries of a log to a client, and keeps its position. */
export class EventReader {
  hasEnded = false
  readonly #place: StoredStream
  readonly #client: EventStream
  #lastID: string | undefined
  #currentDelivery: Promise<void> = Promise.resolve()
  #nextDelivery: Promise<void> | undefined

  constructor(place: StoredStream, client: EventStream, after: string | undefined) {
    this.#place = place
    this.#client = client
    this.#lastID = after
  }

  /** Sends all entries that the log has at the time of the call. Resolves when the client has received them. */
  deliver(): Promise<void> {
    if (this.#nextDelivery) return this.#nextDelivery
    const delivery = this.#currentDelivery.then(() => {
      this.#nextDelivery = undefined
      return this.#deliver()
    })
    this.#nextDelivery = delivery
    this.#currentDelivery = delivery.catch(() => {})
    return delivery
  }

  async #deliver(): Promise<void> {
    let isReported = false
    while (!this.hasEnded) {
      const { entries, gap } = await readPart(this.#place, this.#lastID)
      const [first] = entries
      const isLate = this.#lastID === undefined && first !== undefined && first.entry.mark !== "start"
      if ((gap || isLate) && !isReported) {
        isReported = true
        await this.#client.send({ event: "gap", data: "" })
      }
      for (const { id, entry } of entries) {
        await this.#send(id, entry)
        this.#lastID = id
      }
      // The id that the client has sent does not belong to this log. So it gets all entries.
      if (gap && first === undefined) this.#lastID = undefined
      else if (entries.length < entriesPerRead) return
    }
  }

  async #send(id: string, { mark, text, json, ...fields }: StreamEntry): Promise<void> {
    if (mark === "end") this.hasEnded = true
    if (mark !== undefined) return
    await this.#client.send({ ...fields, id: this.#place.tag + id, data: text ?? JSON.stringify(json) })
  }
}

/** A pause that another call can end early. */
class InterruptibleWait {
  #isOver = false
  #end: () => void = () => {}

  end(): void {
    this.#isOver = true
    this.#end()
  }

  /** Resolves after some milliseconds. Resolves at once if `end()` was called since the last pause. */
  async next(milliseconds: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    if (!this.#isOver)
      await new Promise<void>((resolve) => {
        this.#end = resolve
        timer = setTimeout(resolve, milliseconds)
      })
    clearTimeout(timer)
    this.#isOver = false
  }
}

/**
 * Sends the entries of a log to a client, until the stream ends or the client disconnects.
 *
 * @param start runs the function of the stream, unless it already runs for another client. Returns true if it runs
 * here.
 */
export async function followLog(
  place: StoredStream,
  client: EventStream,
  after: string | undefined,
  start: (reader: EventReader, onEnded: () => void) => Promise<boolean>,
): Promise<void> {
  const reader = new EventReader(place, client, after)
  const pause = new InterruptibleWait()
  const wake = () => pause.end()
  let isRunning = false
  const onEnded = () => {
    isRunning = false
    wake()
  }
  client.signal.addEventListener("abort", wake)
  let unsubscribe: (() => Promise<void>) | undefined
  try {
    while (!client.signal.aborted) {
      try {
        unsubscribe ??= await place.topic?.subscribe(place.name, { message: wake, gap: wake })
        await reader.deliver()
        if (reader.hasEnded) return
        if (!isRunning) {
          // `isRunning` is set before the call, because the function may have ended when the call returns.
          isRunning = true
          if (!(await start(reader, onEnded))) isRunning = false
        }
        place.outage.end()
      } catch (error) {
        if (!isStoreFailure(error)) throw error
        // If the function runs after all, its lock prevents a second run.
        isRunning = false
        place.outage.reportFailure(error)
      }
      // A message about new entries may get lost, and the process that runs the function may crash. So the log is also
      // read from time to time.
      await pause.next(unsubscribe ? 1_000 : 250)
    }
  } finally {
    client.signal.removeEventListener("abort", wake)
    await unsubscribe?.()
  }
}
