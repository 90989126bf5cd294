/** Runs the function that a program passes to `c.sse()`. */
import type { Context } from "../context.ts"
import type { EventStream, ServerSentEvent } from "./sse.ts"

/**
 * Runs a function that sends events. If it is a generator, what it yields is sent. After the stream has ended, `send()`
 * throws, and that ends the generator.
 */
export async function runEvents(run: (events: EventStream) => unknown, events: EventStream): Promise<void> {
  const generator = (await run(events)) as AsyncGenerator<string | ServerSentEvent> | undefined
  if (typeof generator?.next === "function") for await (const event of generator) await events.send(event)
}

/** Keeps the program alive until a promise settles. */
export function keepRunning(c: Context, work: Promise<void>): void {
  try {
    c.waitUntil(work)
  } catch {
    // Next.js refuses `waitUntil()` after the handler has returned, and the work may begin later.
  }
}
