/** A node:http request whose body becomes a stream only if something reads it as a stream. */
import { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** Receives the body of a request. */
export interface BodyReader {
  /** Called with each chunk of the body. */
  onData(chunk: Uint8Array): void
  /** Called when the body is complete. */
  onEnd(): void
  /** Called when the connection has closed before the end of the body. */
  onClose(): void
}

/** Methods of node:http's own class that are missing in its types. */
interface InternalMessage extends IncomingMessage {
  _dump?(): void
}

/**
 * A request of fw's own servers. node:http pushes each body into a stream. That takes several turns of its queue and
 * about 1 kB, even if there is no body. This class stores the chunks instead. The first call that reads the stream
 * creates one from the chunks. {@link passTo} passes them on without a stream.
 */
export class LazyMessage extends IncomingMessage {
  #isStream = false
  /** True if the whole body was taken, or nothing needs it. */
  #isFinished = false
  #chunks: Buffer[] | undefined
  #size = 0
  #reader: BodyReader | undefined

  // With an own constructor, a class does not have to look up that of its parent for each request.
  constructor(socket: Socket) {
    super(socket)
  }

  static {
    const { get } = Object.getOwnPropertyDescriptor(
      Object.getPrototypeOf(IncomingMessage.prototype),
      "readableEnded",
    ) as { get(): boolean }
    // TypeScript declares `readableEnded` as a property, so it cannot be overridden with a getter in the class.
    Object.defineProperty(LazyMessage.prototype, "readableEnded", {
      configurable: true,
      get(this: LazyMessage) {
        return this.#isFinished || get.call(this)
      },
    })
  }

  /** True if the body is passed to a {@link BodyReader}. */
  get hasReader(): boolean {
    return this.#reader !== undefined
  }

  /** True after a call has read the body as a stream. */
  get isStream(): boolean {
    return this.#isStream
  }

  /**
   * Passes the body to a reader: first the chunks that have arrived, then the following ones. Nothing else may read the
   * body.
   */
  passTo(reader: BodyReader): void {
    this.#reader = reader
    this.#start()
    for (const chunk of this.#takeChunks()) reader.onData(chunk)
    if (this.complete) this.#end(reader)
  }

  /** Stops passing the body to its reader. */
  stopPassing(): void {
    this.#reader = undefined
  }

  /** Returns the bytes of a complete body that have arrived and were not read. The body must not be a stream. */
  readRest(): Buffer {
    this.#isFinished = true
    return Buffer.concat(this.#takeChunks())
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#isStream) return super.push(chunk, encoding)
    const reader = this.#reader
    if (chunk === null) {
      if (reader) this.#end(reader)
      return true
    }
    if (reader) {
      reader.onData(chunk)
      return true
    }
    this.#chunks ??= []
    this.#chunks.push(chunk)
    this.#size += chunk.byteLength
    return this.#size < this.readableHighWaterMark
  }

  override _read(size: number): void {
    super._read(size)
    if (!this.#isStream) this.#becomeStream()
  }

  /** node:http calls this after the response, to drop the rest of the body. */
  _dump(): void {
    if (!this.#isStream && this.complete) {
      if (!this.#isWatched()) {
        this.#isFinished = true
        this.#chunks = undefined
        return
      }
      // Newer versions of node:http then read from the message once more. A listener gets the event `end` only if the
      // chunks, and `null` for their end, were pushed into the stream.
      this.#becomeStream()
    }
    ;(IncomingMessage.prototype as InternalMessage)._dump?.call(this)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    super._destroy(error, (closeError) => {
      callback(closeError)
      // Node emits "close" in the next tick too. So the reader is told at the same time as listeners of that event.
      if (!this.#isStream) process.nextTick(() => this.#reader?.onClose())
    })
  }

  #start(): void {
    super._read(0)
  }

  #end(reader: BodyReader): void {
    this.#isFinished = !this.#isWatched()
    reader.onEnd()
    if (!this.#isFinished) this.resume()
  }

  /** Returns true if something else, such as a monitoring tool, listens for the end of the stream. */
  #isWatched(): boolean {
    return this.listenerCount("end") > 0 || this.listenerCount("close") > 0
  }

  #takeChunks(): readonly Buffer[] {
    const chunks = this.#chunks ?? []
    this.#chunks = undefined
    this.#size = 0
    return chunks
  }

  #becomeStream(): void {
    this.#isStream = true
    const reader = this.#reader
    if (reader && !this.#isFinished && !this.complete) {
      this.on("data", (chunk: Buffer) => reader.onData(chunk))
      this.on("end", () => reader.onEnd())
      this.on("close", () => reader.onClose())
    }
    for (const chunk of this.#takeChunks()) super.push(chunk)
    if (this.complete) super.push(null)
  }
}
