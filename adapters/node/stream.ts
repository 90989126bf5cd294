/** Streaming a body to node:http, as fast as the client takes it. Called by `node-send.ts`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { isGone, onGone } from "./gone.ts"

/** How to stream. */
export interface PumpOptions {
  /** The Content-Length that the program set, if any. */
  readonly declared: number | null
  /** Writes the head, with this Content-Length. False when it cannot be written, and a 500 was sent in its place. */
  readonly head: (length: number | null) => boolean
  /** Where the failure of the source is told. */
  readonly report: (error: unknown) => void
}

/** Sends a stream. A client that goes away cancels it; a source that fails, or has another length than the head said, breaks the connection off. */
export async function pump(
  body: ReadableStream<Uint8Array>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { declared, head, report }: PumpOptions,
): Promise<void> {
  const reader = body.getReader()
  const gone = new Gone(reader)
  if (isGone(incoming, outgoing)) gone.tell()
  else onGone(incoming, outgoing, () => gone.tell())
  try {
    const target = new Target(outgoing, gone, head)
    if (declared !== null) target.begin(declared)
    const sent = await copy(reader, target, gone, declared)
    if (gone.told) return
    if (declared !== null && sent !== declared) throw wrongLength(declared, sent)
    target.end()
  } catch (error) {
    if (gone.told) return
    reader.cancel(error).catch(() => {})
    report(error)
    breakOff(outgoing, declared)
  }
}

/** The client's going away: cancels the source once, and lets go of who waits for the client. */
class Gone {
  told = false
  wake: (() => void) | undefined
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader
  }

  tell(): void {
    if (this.told) return
    this.told = true
    this.wake?.()
    // The source hears that nobody listens; what it says to that is its own affair.
    this.#reader.cancel(new DOMException("the client went away", "AbortError")).catch(() => {})
  }
}

/**
 * The answer as it is written: its first chunk waits for the end of this turn of the event loop. A body that is whole by
 * then, as that of `new Response("text")` is, goes out in one go with its length, as on the other runtimes.
 */
class Target {
  readonly outgoing: ServerResponse
  readonly #gone: Gone
  readonly #head: (length: number | null) => boolean
  #first: Uint8Array | undefined
  #begun = false

  constructor(outgoing: ServerResponse, gone: Gone, head: (length: number | null) => boolean) {
    this.outgoing = outgoing
    this.#gone = gone
    this.#head = head
    // Then at the latest, not with a chunk that may be minutes away: an EventSource opens with the head.
    setImmediate(() => {
      if (outgoing.destroyed || outgoing.writableEnded) return
      if (this.begin(null)) outgoing.flushHeaders()
    })
  }

  /** Sends the head, and the chunk that waits for it. */
  begin(length: number | null): boolean {
    if (this.#begun) return !this.#gone.told
    this.#begun = true
    if (!this.#head(length)) {
      this.#gone.tell()
      return false
    }
    if (this.#first) this.outgoing.write(this.#first)
    return true
  }

  /** Whether more may come at once. */
  write(chunk: Uint8Array): boolean {
    if (this.#begun || this.#first) return this.begin(null) && this.outgoing.write(chunk)
    this.#first = chunk
    return true
  }

  end(): void {
    if (this.begin(this.#first?.byteLength ?? 0)) this.outgoing.end()
  }
}

async function copy(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  target: Target,
  gone: Gone,
  declared: number | null,
): Promise<number> {
  let sent = 0
  while (!gone.told) {
    const { done, value } = await reader.read()
    if (done || gone.told) break
    // As `new Response()` has it on every runtime; node:http would take strings too.
    if (!(value instanceof Uint8Array))
      throw new TypeError(`a streamed body gave ${typeof value}, not a Uint8Array`)
    sent += value.byteLength
    // What is too much must not reach the client: it would read it as the head of the next answer.
    if (declared !== null && sent > declared) throw wrongLength(declared, sent)
    if (value.byteLength > 0 && !target.write(value)) await drained(target.outgoing, gone)
  }
  return sent
}

function wrongLength(declared: number, sent: number): TypeError {
  const how = sent > declared ? "longer" : `${declared - sent} bytes shorter`
  return new TypeError(`a streamed body is ${how} than its Content-Length of ${declared}`)
}

/** The head is gone: breaking the connection off is the one way to say that the body is not whole (RFC 9112 §8). */
function breakOff(outgoing: ServerResponse, declared: number | null): void {
  // A body that neither a length nor chunks delimit ends with the connection: only a reset tells it from a whole one.
  if (declared === null && !outgoing.chunkedEncoding) outgoing.socket?.resetAndDestroy()
  outgoing.destroy()
}

function drained(outgoing: ServerResponse, gone: Gone): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go)
      gone.wake = undefined
      resolve()
    }
    outgoing.on("drain", go)
    gone.wake = go
    if (gone.told) go()
  })
}
