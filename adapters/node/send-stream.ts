/** Streams a body to node:http, only as fast as the client reads it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { isClientGone, onClientGone } from "./connections.ts"

/** Options of {@link sendStream}. */
export interface SendStreamOptions {
  /** The Content-Length that the program has set; null if there is none. */
  readonly contentLength: number | null
  /**
   * Writes the head with a Content-Length. Returns false if that is not possible; a 500 was sent in that case.
   */
  readonly writeHead: (length: number | null) => boolean
  /** Reports an error of the source. */
  readonly report: (error: unknown) => void
}

/**
 * Sends a stream. If the client disconnects, the stream is cancelled. If the source fails, or its length is not the one
 * in the head, the connection is closed.
 */
export async function sendStream(
  body: ReadableStream<Uint8Array>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { contentLength, writeHead, report }: SendStreamOptions,
): Promise<void> {
  const reader = body.getReader()
  const clientState = new ClientState(reader)
  if (isClientGone(incoming, outgoing)) clientState.markGone()
  else onClientGone(incoming, outgoing, () => clientState.markGone())
  try {
    const target = new ResponseWriter(outgoing, clientState, writeHead)
    if (contentLength !== null) target.begin(contentLength)
    const sentBytes = await copyChunks(reader, target, clientState, contentLength)
    if (clientState.isGone) return
    if (contentLength !== null && sentBytes !== contentLength) throw createLengthError(contentLength, sentBytes)
    target.end()
  } catch (error) {
    if (clientState.isGone) return
    reader.cancel(error).catch(() => {})
    report(error)
    breakConnection(outgoing, contentLength)
  }
}

/** Knows whether the client is connected. When it disconnects, the source is cancelled. */
class ClientState {
  isGone = false
  /** Called when the client disconnects. */
  onGone: (() => void) | undefined
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader
  }

  markGone(): void {
    if (this.isGone) return
    this.isGone = true
    this.onGone?.()
    // Nobody needs to know about errors of the source now.
    this.#reader.cancel(new DOMException("the client went away", "AbortError")).catch(() => {})
  }
}

/**
 * Writes a response. The first chunk waits until the end of the current turn of the event loop. If the body is complete
 * by then, as that of `new Response("text")` is, it is sent at once with its length, as on the other runtimes.
 */
class ResponseWriter {
  readonly outgoing: ServerResponse
  readonly #clientState: ClientState
  readonly #writeHead: (length: number | null) => boolean
  #firstChunk: Uint8Array | undefined
  #hasBegun = false

  constructor(outgoing: ServerResponse, clientState: ClientState, writeHead: (length: number | null) => boolean) {
    this.outgoing = outgoing
    this.#clientState = clientState
    this.#writeHead = writeHead
    // The head must not wait longer: the next chunk may come after minutes, and an EventSource opens only when it gets
    // the head.
    setImmediate(() => {
      if (outgoing.destroyed || outgoing.writableEnded) return
      if (this.begin(null)) outgoing.flushHeaders()
    })
  }

  /** Sends the head, and the chunk that is waiting for it. */
  begin(length: number | null): boolean {
    if (this.#hasBegun) return !this.#clientState.isGone
    this.#hasBegun = true
    if (!this.#writeHead(length)) {
      this.#clientState.markGone()
      return false
    }
    if (this.#firstChunk) this.outgoing.write(this.#firstChunk)
    return true
  }

  /** Writes a chunk. Returns true if more may be written at once. */
  write(chunk: Uint8Array): boolean {
    if (this.#hasBegun || this.#firstChunk) return this.begin(null) && this.outgoing.write(chunk)
    this.#firstChunk = chunk
    return true
  }

  end(): void {
    if (this.begin(this.#firstChunk?.byteLength ?? 0)) this.outgoing.end()
  }
}

async function copyChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  target: ResponseWriter,
  clientState: ClientState,
  declaredLength: number | null,
): Promise<number> {
  let sentBytes = 0
  while (!clientState.isGone) {
    const { done, value } = await reader.read()
    if (done || clientState.isGone) break
    // `new Response()` accepts only bytes on every runtime, but node:http would accept strings too.
    if (!(value instanceof Uint8Array)) throw new TypeError(`a streamed body gave ${typeof value}, not a Uint8Array`)
    sentBytes += value.byteLength
    // Bytes after the stated length must not be sent. The client would read them as the head of the next response.
    if (declaredLength !== null && sentBytes > declaredLength) throw createLengthError(declaredLength, sentBytes)
    if (value.byteLength > 0 && !target.write(value)) await waitForDrain(target.outgoing, clientState)
  }
  return sentBytes
}

function createLengthError(declaredLength: number, sentBytes: number): TypeError {
  const difference = sentBytes > declaredLength ? "longer" : `${declaredLength - sentBytes} bytes shorter`
  return new TypeError(`a streamed body is ${difference} than its Content-Length of ${declaredLength}`)
}

/**
 * Closes the connection. The head was sent already, so this is the only way to show that the body is incomplete (RFC
 * 9112 §8).
 */
function breakConnection(outgoing: ServerResponse, declaredLength: number | null): void {
  // A body without a length and without the chunked coding ends with the connection. Only a reset shows that it is
  // incomplete.
  const { socket } = outgoing
  // Node cannot reset a socket that is sending its end. It would never close the socket, and the process would hang at
  // its exit.
  const isEnding = socket?.writableEnded && !socket.writableFinished
  if (declaredLength === null && !outgoing.chunkedEncoding && !isEnding) socket?.resetAndDestroy()
  outgoing.destroy()
}

function waitForDrain(outgoing: ServerResponse, clientState: ClientState): Promise<void> {
  return new Promise((resolve) => {
    const resume = () => {
      outgoing.off("drain", resume)
      clientState.onGone = undefined
      resolve()
    }
    outgoing.on("drain", resume)
    clientState.onGone = resume
    if (clientState.isGone) resume()
  })
}
