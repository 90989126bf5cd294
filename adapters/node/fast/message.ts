/** A request of node:http whose body becomes a stream only when something reads it as one. */
import { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** The reader of a body that needs no stream. */
export interface Taker {
  /** Takes a part of the body. */
  data(chunk: Buffer): void
  /** The body is complete. */
  end(): void
  /** The connection has closed before the end of the body. */
  close(): void
}

/** The methods of node:http's own class that its types do not have. */
interface Internal extends IncomingMessage {
  _dump?(): void
}

/**
 * A request of fw's own servers. node:http pushes each body into a stream, which costs several turns of its queue and
 * about 1 kB even if there is no body. This class keeps the chunks instead. The first call that reads the stream makes one
 * of them, and {@link passTo} gets them without one.
 */
export class Message extends IncomingMessage {
  #isStream = false
  /** True if the whole body was taken, or if nothing wants it. */
  #isOver = false
  #held: Buffer[] | undefined
  #size = 0
  #taker: Taker | undefined

  // A class without a constructor of its own looks for that of its parent each time.
  constructor(socket: Socket) {
    super(socket)
  }

  static {
    const { get } = Object.getOwnPropertyDescriptor(
      Object.getPrototypeOf(IncomingMessage.prototype),
      "readableEnded",
    ) as { get(): boolean }
    // The types have a property here, which no accessor may override.
    Object.defineProperty(Message.prototype, "readableEnded", {
      configurable: true,
      get(this: Message) {
        return this.#isOver || get.call(this)
      },
    })
  }

  /** True if a {@link Taker} has the body. */
  get isTaken(): boolean {
    return this.#taker !== undefined
  }

  /** True if the body is a stream, from the first call that reads it as one. */
  get isStream(): boolean {
    return this.#isStream
  }

  /** Passes the body to a reader, at once as far as it has arrived. Only for a body that nothing else reads. */
  passTo(taker: Taker): void {
    this.#taker = taker
    this.#start()
    for (const chunk of this.#release()) taker.data(chunk)
    if (this.complete) this.#end(taker)
  }

  /** Takes the body from its reader, which wants no more of it. */
  stopPassing(): void {
    this.#taker = undefined
  }

  /** Returns what has arrived, and nothing has read, of a complete body that is not a stream. */
  readRest(): Buffer {
    this.#isOver = true
    return Buffer.concat(this.#release())
  }

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#isStream) return super.push(chunk, encoding)
    const taker = this.#taker
    if (chunk === null) {
      if (taker) this.#end(taker)
      return true
    }
    if (taker) {
      taker.data(chunk)
      return true
    }
    this.#held ??= []
    this.#held.push(chunk)
    this.#size += chunk.byteLength
    return this.#size < this.readableHighWaterMark
  }

  override _read(size: number): void {
    super._read(size)
    if (!this.#isStream) this.#become()
  }

  /** Called by node:http after the response: the rest of the body is not wanted. */
  _dump(): void {
    if (!this.#isStream && this.complete) {
      if (!this.#isWatched()) {
        this.#isOver = true
        this.#held = undefined
        return
      }
      // Newer versions of node:http read a complete message once, which ends a stream only if it has its end.
      this.#become()
    }
    ;(IncomingMessage.prototype as Internal)._dump?.call(this)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    super._destroy(error, (failed) => {
      callback(failed)
      // At the time of the event "close".
      if (!this.#isStream) process.nextTick(() => this.#taker?.close())
    })
  }

  #start(): void {
    super._read(0)
  }

  #end(taker: Taker): void {
    this.#isOver = !this.#isWatched()
    taker.end()
    if (!this.#isOver) this.resume()
  }

  /** Returns true if something, such as a monitor of the process, listens for the end of the stream. */
  #isWatched(): boolean {
    return this.listenerCount("end") > 0 || this.listenerCount("close") > 0
  }

  #release(): readonly Buffer[] {
    const held = this.#held ?? []
    this.#held = undefined
    this.#size = 0
    return held
  }

  #become(): void {
    this.#isStream = true
    const taker = this.#taker
    if (taker && !this.#isOver && !this.complete) {
      this.on("data", (chunk: Buffer) => taker.data(chunk))
      this.on("end", () => taker.end())
      this.on("close", () => taker.close())
    }
    for (const chunk of this.#release()) super.push(chunk)
    if (this.complete) super.push(null)
  }
}
