/** Sends the events of a log to one client, from the last event that it has got. */
import type { EventStream } from "../answer/sse.ts"
import type { Outage } from "../lifecycle/outage.ts"
import type { Store, Topic } from "./types.ts"

/** The place of a stream in a store. */
export interface StoredStream {
  readonly store: Store<"log" | "lock">
  /** Reports new entries to other processes, if the engine can. */
  readonly topic: Topic | undefined
  /** Name of the log, its lock and its topic. */
  readonly name: string
  /** The beginning of the ids, which differs between subjects. */
  readonly tag: string
  readonly outage: Outage
  readonly maxEntries: number
  readonly ttl: number
}

/** An entry of the log: a mark, or an event whose data is a text or JSON. */
export interface StreamEntry {
  readonly mark?: "start" | "end"
  readonly event?: string
  readonly retry?: number
  readonly text?: string
  readonly json?: unknown
}

/** Entries per read. */
const entriesPerRead = 100

/** Returns true for the error of a call that the store did not do, or whose outcome is unknown. */
export function isStoreFailure(error: unknown): boolean {
  return ["store_unavailable", "store_unknown"].includes((Object(error) as { code: string }).code)
}

/** Reads a part of the log. */
async function readPart({ store, name }: StoredStream, after: string | undefined, limit = entriesPerRead) {
  const range = after === undefined ? { limit } : { after, limit }
  const { entries, gap } = await store.log.read(name, range)
  return { gap, entries: entries.map(({ id, data }) => ({ id, entry: data as StreamEntry })) }
}

/** Returns true if a stream has ended and there is nothing after an id. */
export async function isComplete(place: StoredStream, after: string | undefined): Promise<boolean> {
  const { entries, gap } = await readPart(place, after, 2)
  return !gap && entries.find(({ entry }) => entry.mark !== "start")?.entry.mark === "end"
}

/** Reads the whole log, for a function that begins. */
export async function readState(place: StoredStream) {
  let after: string | undefined
  let [isEmpty, hasEnded] = [true, false]
  let last: StreamEntry | undefined
  for (;;) {
    const { entries } = await readPart(place, after, 1_000)
    for (const { id, entry } of entries) {
      after = id
      isEmpty = false
      if (entry.mark === "end") hasEnded = true
      else if (entry.mark === undefined) last = entry
    }
    if (entries.length < 1_000) return { isEmpty, hasEnded, last }
  }
}

/** The position of a client in the log. */
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

  /** Sends everything that is in the log at the time of the call, and resolves when the client has received it. */
  deliver(): Promise<void> {
    if (this.#nextDelivery) return this.#nextDelivery
    const next = this.#currentDelivery.then(() => {
      this.#nextDelivery = undefined
      return this.#deliver()
    })
    this.#nextDelivery = next
    this.#currentDelivery = next.catch(() => {})
    return next
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
      // The id that the client sent is not one of this log, so it gets the log from its first entry.
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

/** A wait that another part of the program can end. */
class InterruptibleWait {
  #isOver = false
  #end: () => void = () => {}

  end(): void {
    this.#isOver = true
    this.#end()
  }

  /** Resolves after some milliseconds, or at once if `end()` was called since the last wait. */
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
 * Sends a client the log until the stream ends or the client disconnects.
 *
 * @param start runs the function of the stream, unless another client does. Returns true if it runs.
 */
export async function followLog(
  place: StoredStream,
  client: EventStream,
  after: string | undefined,
  start: (reader: EventReader, onEnded: () => void) => Promise<boolean>,
): Promise<void> {
  const reader = new EventReader(place, client, after)
  const wait = new InterruptibleWait()
  const wake = () => wait.end()
  let isRunning = false
  const ended = () => {
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
          // The function may have ended before the call returns.
          isRunning = true
          if (!(await start(reader, ended))) isRunning = false
        }
        place.outage.end()
      } catch (error) {
        if (!isStoreFailure(error)) throw error
        // If it runs, its lock keeps it from running twice.
        isRunning = false
        place.outage.reportFailure(error)
      }
      // A topic may lose a message, and the process that runs the function may stop.
      await wait.next(unsubscribe ? 1_000 : 250)
    }
  } finally {
    client.signal.removeEventListener("abort", wake)
    await unsubscribe?.()
  }
}
