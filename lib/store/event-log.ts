/** `eventLog()`: stores streams of events, so that clients get what they missed when they lost their connection. */
import type { EventLog } from "../answer/sse.ts"
import { checkKeys } from "../checks.ts"
import { toHexDigest } from "../digest.ts"
import { Outage } from "../lifecycle/outage.ts"
import { checkCapability, checkCount, toMilliseconds } from "./checks.ts"
import { startProducer } from "./event-producer.ts"
import { followLog, isComplete, isStoreFailure, type StoredStream } from "./event-reader.ts"
import { storeFault } from "./fault.ts"
import type { Store } from "./types.ts"

/**
 * Options of `eventLog()`.
 *
 * @example
 * const options: EventLogOptions = { maxEntries: 200, ttl: 3600, whenGone: "stop" }
 * const log = eventLog(memoryStore(), options)
 */
export interface EventLogOptions {
  /**
   * Maximum number of events that are stored per stream. A client that has missed more gets an event `gap`. Default:
   * 1,000.
   */
  readonly maxEntries?: number
  /**
   * Seconds after its last event until a stream is deleted. After that its function may run again. Default: 86,400, a
   * day.
   */
  readonly ttl?: number
  /**
   * What happens to the function when its client has disconnected. `continue`: it runs to its end, and its events are
   * stored. `stop`: its signal aborts. For the next client it runs again, with the last stored event in `events.last`.
   * Default: `continue`.
   */
  readonly whenGone?: "continue" | "stop"
}

/**
 * Creates a log for `c.sse(run, { log, subject })`. Each path and subject has a stream of its own. Its function runs
 * once for all clients in all processes. Every client reads the log; after a reconnection it continues after the last
 * event that it has received.
 *
 * @throws FwError `store` for a store without `log` or `lock`, and for an option that is not valid.
 * @example
 * const log = eventLog(memoryStore())
 * app.get("/import", (c) => c.sse((events) => events.send("half"), { log, subject: "ada" }))
 * const text = await (await app.request("/import")).text()
 * const again = await app.request("/import", { headers: { "last-event-id": text.match(/id: (.*)/)?.[1] ?? "" } })
 * again.status // → 204
 */
export function eventLog(store: Store<"log" | "lock">, options: EventLogOptions = {}): EventLog {
  const use = "eventLog()"
  for (const needed of ["log", "lock"] as const) checkCapability(store, needed, use)
  checkKeys(options, ["maxEntries", "ttl", "whenGone"], "store", use)
  const { maxEntries = 1_000, ttl = 86_400, whenGone = "continue" } = options
  checkCount(use, "maxEntries", maxEntries)
  toMilliseconds(use, "ttl", ttl)
  if (whenGone !== "continue" && whenGone !== "stop")
    throw storeFault("store.argument", ["eventLog()", "whenGone", whenGone, "whenGone"])
  const topic = store.capabilities?.includes("topic") ? (store as Store).topic : undefined
  const outage = new Outage()
  return {
    async open(c, run, subject) {
      const digest = await toHexDigest(JSON.stringify([c.path, subject]))
      const tag = `${digest.slice(0, 16)}-`
      const place: StoredStream = { store, topic, name: `sse ${digest}`, tag, outage, maxEntries, ttl }
      const sentID = c.header("last-event-id")
      // The client has an id that is not of this stream. An empty text is not the id of any entry, so the client gets a
      // gap.
      const foreignID = sentID === "" ? undefined : ""
      const after = sentID.startsWith(tag) ? sentID.slice(tag.length) : foreignID
      try {
        if (await isComplete(place, after)) return undefined
      } catch (error) {
        // Browsers do not reconnect after an error status. So the stream is opened, and it waits for the store.
        if (!isStoreFailure(error)) throw error
        outage.reportFailure(error)
      }
      const stopsWithClient = whenGone === "stop"
      return (client) =>
        followLog(place, client, after, (reader, onEnded) =>
          startProducer(place, { c, run, client, stopsWithClient, reader, onEnded }),
        )
    },
  }
}
