/** A request of node:http whose body becomes a stream only when something reads it as one. */
import { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** The reader of a body that needs no stream. */
export interface BodyReader {
  /** Takes a part of the body. */
  data(chunk: Buffer): void
  /** The body is complete. */
  end(): void
  /** The connection has closed before the end of the body. */
  close(): void
}

/** The methods of node:http's own class that its types do not have. */
interface InternalMessage extends IncomingMessage {
  _dump?(): void
}

/**
 * A request of fw's own servers. node:http pushes each body into a stream, which costs several turns of its queue and
 * about 1 kB even if there is no body. This class keeps the chunks instead. The first call that reads the stream
 * creates one from them; {@link passTo} passes them on without one.
 */
export class LazyMessage extends IncomingMessage {
  #isStream = false
  /** True if the whole body was taken, or if nothing wants it. */
  #isFinished = false
  #chunks: Buffer[] | undefined
  #size = 0
  #reader: BodyReader | undefined

  // Without a constructor of its own, a class looks up that of its parent each time.
  constructor(socket: Socket) {
    super(socket)
  }

  static {
    const { get } = Object.getOwnPropertyDescriptor(
      Object.getPrototypeOf(IncomingMessage.prototype),
      "readableEnded",
    ) as { get(): boolean }
    // TypeScript declares a property here, and no accessor may override one.
    Object.defineProperty(LazyMessage.prototype, "readableEnded", {
      configurable: true,
      get(this: LazyMessage) {
        return this.#isFinished || get.call(this)
      },
    })
  }

  /** True if a {@link BodyReader} has the body. */
  get hasReader(): boolean {
    return this.#reader !== undefined
  }

  /** True if the body is a stream, from the first call that reads it as one. */
  get isStream(): boolean {
    return this.#isStream
  }

  /** Passes the body to a reader, first what has arrived, then the rest. Only for a body that nothing else reads. */
  passTo(taker: BodyReader): void {
    this.#reader = taker
    this.#start()
    for (const chunk of this.#takeChunks()) taker.data(chunk)
    if (this.complete) this.#end(taker)
  }

  /** Stops passing the body to its reader, which wants no more of it. */
  stopPassing(): void {
    this.#reader = undefined
  }

  /** Returns the bytes of a complete body that have arrived and that nothing has read. Not for a body that is a stream. */
  readRest(): Buffer {
    this.#isFinished = true
    return Buffer.concat(this.#takeChunks())
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#isStream) return super.push(chunk, encoding)
    const taker = this.#reader
    if (chunk === null) {
      if (taker) this.#end(taker)
      return true
    }
    if (taker) {
      taker.data(chunk)
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

  /** Called by node:http after the response: the rest of the body is not wanted. */
  _dump(): void {
    if (!this.#isStream && this.complete) {
      if (!this.#isWatched()) {
        this.#isFinished = true
        this.#chunks = undefined
        return
      }
      // Newer versions of node:http read a complete message once. That ends a stream only if the stream has got its end.
      this.#becomeStream()
    }
    ;(IncomingMessage.prototype as InternalMessage)._dump?.call(this)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    super._destroy(error, (failed) => {
      callback(failed)
      // At the same time as the event "close".
      if (!this.#isStream) process.nextTick(() => this.#reader?.close())
    })
  }

  #start(): void {
    super._read(0)
  }

  #end(taker: BodyReader): void {
    this.#isFinished = !this.#isWatched()
    taker.end()
    if (!this.#isFinished) this.resume()
  }

  /** Returns true if something, such as a monitor of the process, listens for the end of the stream. */
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
    const taker = this.#reader
    if (taker && !this.#isFinished && !this.complete) {
      this.on("data", (chunk: Buffer) => taker.data(chunk))
      this.on("end", () => taker.end())
      this.on("close", () => taker.close())
    }
    for (const chunk of this.#takeChunks()) super.push(chunk)
    if (this.complete) super.push(null)
  }
}
