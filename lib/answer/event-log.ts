/** The log of a stream of events, for `c.sse()`. `eventLog()` of `fw/store` makes one. */
import type { Context } from "../context.ts"
import type { EventStream } from "./sse.ts"

/**
 * A log that stores the events of `c.sse()`, so that clients that lost their connection get what they missed.
 *
 * @example
 * const log: EventLog = eventLog(memoryStore())
 * app.get("/progress", (c) => c.sse((events) => events.send({ data: 100 }), { log, subject: "ada" }))
 */
export interface EventLog {
  /**
   * Opens the log for a request. Returns the function that sends events to its client; undefined if the stream has ended
   * and the client has all of it.
   */
  open(
    c: Context,
    run: (events: EventStream) => unknown,
    subject: string,
  ): Promise<((client: EventStream) => Promise<void>) | undefined>
}
