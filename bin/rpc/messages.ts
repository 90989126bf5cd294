/** Reads and writes JSON-RPC 2.0 messages in a stream: each is a header with the length, followed by JSON. */

/** A received message. Its members are checked where they are used. */
export interface Message {
  readonly id?: number | string | null
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** The longest header, in bytes. */
const maxHeaderBytes = 4096
const separator = "\r\n\r\n"
const contentLengthPattern = /^content-length:[ \t]*(\d+)[ \t]*$/im

/**
 * Returns the bytes of a message. An unpaired surrogate becomes U+FFFD, which has the same length. TypeScript's
 * server cannot read a message with an unpaired surrogate, and would miss an edit.
 */
export function encodeMessage(message: object): Buffer {
  const fullMessage = { jsonrpc: "2.0", ...message }
  const json = JSON.stringify(fullMessage)
  const body = Buffer.from(json.includes("\\ud") ? JSON.stringify(fullMessage, replaceUnpaired) : json)
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}${separator}`), body])
}

/** Replaces unpaired surrogates by encoding the text as UTF-8. */
function replaceUnpaired(_: string, value: unknown): unknown {
  return typeof value === "string" ? Buffer.from(value).toString() : value
}

/** Splits a stream of bytes into messages. */
export class MessageReader {
  #chunks: Buffer[] = []
  #size = 0
  /** The number of bytes that must arrive before anything can be read. */
  #neededBytes = 0

  /**
   * Adds bytes and returns the messages that are complete. An undefined item is a message that is not JSON.
   *
   * @throws Error if a message does not begin with a header. Nothing after it can be read.
   */
  read(chunk: Buffer): (Message | undefined)[] {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#neededBytes) return []
    let bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    const messages: (Message | undefined)[] = []
    for (;;) {
      const length = findMessage(bytes)
      if (length === undefined || bytes.length < length.end) {
        this.#keepRest(bytes, length?.end ?? 0)
        return messages
      }
      messages.push(parseMessage(bytes.subarray(length.start, length.end)))
      bytes = bytes.subarray(length.end)
    }
  }

  #keepRest(bytes: Buffer, length: number): void {
    this.#chunks = bytes.length > 0 ? [bytes] : []
    this.#size = bytes.length
    this.#neededBytes = length
  }
}

/** Returns where the JSON of the first message starts and ends; undefined while its header is not complete. */
function findMessage(bytes: Buffer): { start: number; end: number } | undefined {
  const end = bytes.indexOf(separator)
  if (end < 0 && bytes.length <= maxHeaderBytes) return undefined
  const length = contentLengthPattern.exec(bytes.toString("latin1", 0, Math.max(0, end)))?.[1]
  if (length === undefined) throw new Error("a message has no Content-Length header")
  const start = end + separator.length
  return { start, end: start + Number(length) }
}

function parseMessage(bytes: Buffer): Message | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
