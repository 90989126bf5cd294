/** Runs the function of `c.sse()`: sends what it yields, and keeps the program running. */
import type { Context } from "../context.ts"
import type { EventStream, ServerSentEvent } from "./sse.ts"

/** Runs the function until its end. What a generator yields is sent as events; after the stream has ended it returns. */
export async function runEvents(run: (events: EventStream) => unknown, events: EventStream): Promise<void> {
  const generator = (await run(events)) as AsyncGenerator<string | ServerSentEvent> | undefined
  if (typeof generator?.next === "function") for await (const event of generator) await events.send(event)
}

/** Keeps the program running until the function has ended. */
export function keepRunning(c: Context, work: Promise<void>): void {
  try {
    c.waitUntil(work)
  } catch {
    // Next.js refuses work once the handler has returned, and the function starts only when the response is read.
  }
}
