/** Streams a body to node:http, as fast as the client reads it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { isGone, onGone } from "./gone.ts"

/** Options for streaming. */
export interface PumpOptions {
  /** The Content-Length that the program set, if any. */
  readonly declared: number | null
  /**
   * Writes the head, with this Content-Length. Returns false if it cannot be written and a 500 was sent
   * instead.
   */
  readonly head: (length: number | null) => boolean
  /** Reports an error of the source. */
  readonly report: (error: unknown) => void
}

/**
 * Sends a stream. If the client disconnects, the stream is cancelled; if the source fails or has another
 * length than the head, the connection is closed.
 */
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

/** The disconnecting of the client: cancels the source once, and wakes writers that wait for the client. */
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
    // Stops the source. Its errors no longer matter.
    this.#reader.cancel(new DOMException("the client went away", "AbortError")).catch(() => {})
  }
}

/**
 * The response while it is written. Its first chunk waits for the end of this turn of the event loop; a body
 * that is complete by then, such as that of `new Response("text")`, is sent at once with its length, as on
 * the other runtimes.
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
    // Not later, because the next chunk may be minutes away, and an EventSource opens with the head.
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

  /** Writes a chunk; returns true if more may follow at once. */
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
    // Like `new Response()` on every runtime; node:http would accept strings too.
    if (!(value instanceof Uint8Array))
      throw new TypeError(`a streamed body gave ${typeof value}, not a Uint8Array`)
    sent += value.byteLength
    // Surplus bytes must not reach the client, which would read them as the head of the next response.
    if (declared !== null && sent > declared) throw wrongLength(declared, sent)
    if (value.byteLength > 0 && !target.write(value)) await drained(target.outgoing, gone)
  }
  return sent
}

function wrongLength(declared: number, sent: number): TypeError {
  const how = sent > declared ? "longer" : `${declared - sent} bytes shorter`
  return new TypeError(`a streamed body is ${how} than its Content-Length of ${declared}`)
}

/**
 * Closes the connection. The head is sent, so this is the only way to show that the body is incomplete (RFC
 * 9112 §8).
 */
function breakOff(outgoing: ServerResponse, declared: number | null): void {
  // A body without length and chunks ends with the connection; only a reset shows that it is incomplete.
  const { socket } = outgoing
  // Node can reset no socket while its end is sent, and would never close it: the process then hangs at its exit.
  const isEnding = socket?.writableEnded && !socket.writableFinished
  if (declared === null && !outgoing.chunkedEncoding && !isEnding) socket?.resetAndDestroy()
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
