/** The channel behind TypeScript's API. */

/** The used part of the channel behind the API. TypeScript does not document it, so any part may be missing. */
export interface Channel {
  requestSync(method: string, payload: string): string
  requestBinarySync(method: string, payload: Uint8Array): Uint8Array
  readExact(length: number): Buffer
  readExactInto(buffer: Buffer, length: number): void
  readTuple(): void
  writeAllBuf(data: Buffer, length: number): void
  /** Type of the message that was read last. */
  readonly _msgType: number
  readonly _msgPayload: Buffer
  readonly child?: { readonly stdout?: { readonly _handle?: { readStop?(): unknown } | null } | null }
}

/** Returns true for a supported channel. A named pipe of Windows may have no buffer at all. */
export function isChannel(channel: Partial<Channel> | undefined): channel is Channel {
  const names = [
    "requestSync",
    "requestBinarySync",
    "readExact",
    "readExactInto",
    "readTuple",
    "writeAllBuf",
  ] as const
  return process.platform !== "win32" && names.every((name) => typeof channel?.[name] === "function")
}

/**
 * Stops Node from reading the process's output. It begins to when the process starts, and would take an answer that arrives
 * while this process does something asynchronous, because the channel only pauses the stream.
 */
export function stopReading({ child }: Channel): boolean {
  const handle = child?.stdout?._handle
  if (typeof handle?.readStop !== "function") return false
  handle.readStop()
  return true
}

/** Bytes of most texts. */
const usualText = 65_536

/** One buffer for all texts, each of which is decoded before the next one is read. A new one for each would be slow. */
export class TextBuffer {
  #bytes = Buffer.allocUnsafe(usualText)
  #length = 0

  /** Reads some bytes from a channel, as its `readExact` does. */
  read(channel: Channel, length: number): Buffer {
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(2 * length)
    channel.readExactInto(this.#bytes, length)
    this.#length = length
    return this.#bytes
  }

  /** Returns the text of what was read last. A channel has a buffer of its own for an empty text. */
  textOf(answer: Buffer): string {
    return answer === this.#bytes ? answer.toString("utf8", 0, this.#length) : answer.toString("utf8")
  }
}
