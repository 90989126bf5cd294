/** Questions to TypeScript's process, as its channel sends them. */

/** A question. Its answer is a text if it is one itself. */
export interface Question {
  readonly method: string
  readonly payload: string | Uint8Array
  /** The data as text. With the method, it determines the answer. */
  readonly data: string
}

/** A question with the function that asks it. */
export interface Waiting {
  readonly asked: Question
  readonly ask: () => unknown
  /** Undefined until it was read, and after an error. */
  answer?: string | Buffer
}

/** Values by question. In two steps, because one key of both texts would be made for each use. */
export class ByQuestion<Value> {
  readonly #values = new Map<string, Map<string, Value>>()

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  get(method: string, data: string): Value | undefined {
    return this.#values.get(method)?.get(data)
  }

  set({ method, data }: Question, value: Value): void {
    const known = this.#values.get(method)
    if (known) known.set(data, value)
    else this.#values.set(method, new Map([[data, value]]))
  }

  delete({ method, data }: Question): void {
    const known = this.#values.get(method)
    known?.delete(data)
    if (known?.size === 0) this.#values.delete(method)
  }

  clear(): void {
    this.#values.clear()
  }
}

/** Questions that are written together. */
export class Batch {
  /** In their order. */
  questions: Waiting[] = []
  /** Their messages, of which the first {@link length} bytes count. */
  bytes: Buffer = noBytes
  length = 0
  /** True after its answers were read, or if none is wanted any more. */
  isClosed = false

  /** Adds a question. @param most the size of its message, or more. */
  add(question: Waiting, most: number): void {
    this.questions.push(question)
    const needed = this.length + most
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length, usualBytes))
      this.bytes.copy(larger, 0, 0, this.length)
      this.bytes = larger
    }
    this.length = writeMessage(question.asked, this.bytes, this.length)
  }

  /** Returns its questions once. */
  take(): readonly Waiting[] {
    const taken = this.questions
    this.questions = []
    return taken
  }
}

const noBytes = Buffer.alloc(0)
const usualBytes = 8192

/** The type of the message. */
const request = 1

/** Returns the number of bytes of a question's message, at most. */
export function mostBytesOf({ method, payload }: Question): number {
  return 2 + 5 + method.length + 5 + Buffer.byteLength(payload)
}

/**
 * Writes MessagePack's array of three: the type of the message, the method, and its data.
 *
 * @returns the offset after it.
 */
function writeMessage({ method, payload }: Question, into: Buffer, from: number): number {
  into[from] = 0x93
  into[from + 1] = request
  let at = writeHeader(into, from + 2, method.length)
  at += into.write(method, at, "latin1")
  const length = Buffer.byteLength(payload)
  at = writeHeader(into, at, length)
  if (typeof payload === "string") into.write(payload, at, "utf8")
  else into.set(payload, at)
  return at + length
}

/** Writes the header of MessagePack's `bin 8`, `bin 16` or `bin 32`; returns the offset after it. */
function writeHeader(message: Buffer, at: number, length: number): number {
  const bytes = length < 2 ** 8 ? 1 : length < 2 ** 16 ? 2 : 4
  message[at] = bytes === 4 ? 0xc6 : 0xc3 + bytes
  return message.writeUIntBE(length, at + 1, bytes)
}
