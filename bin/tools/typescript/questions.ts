/** Questions to TypeScript's process, as its channel sends them. */

/** A question. Its answer is a text if it is one itself. */
export interface Question {
  /** The method and the data, which determine the answer. */
  readonly key: string
  readonly method: string
  readonly payload: string | Uint8Array
  /** The data as text. */
  readonly data: string
}

/** A question with the function that asks it. */
export interface Waiting {
  readonly asked: Question
  readonly ask: () => unknown
  /** Undefined until it was read, and after an error. */
  answer?: string | Buffer
}

/** Questions that are written together. */
export class Batch {
  /** In their order. */
  questions: Waiting[] = []
  readonly messages: Buffer[] = []
  /** In bytes. */
  length = 0
  /** True after its answers were read, or if none is wanted any more. */
  isClosed = false

  add(question: Waiting, message: Buffer): void {
    this.questions.push(question)
    this.messages.push(message)
    this.length += message.length
  }

  /** Returns its questions once. */
  take(): readonly Waiting[] {
    const taken = this.questions
    this.questions = []
    return taken
  }
}

/** The type of the message. */
const request = 1

/** Returns MessagePack's array of three: the type of the message, the method, and its data. */
export function messageOf({ method, payload }: Question): Buffer {
  const isText = typeof payload === "string"
  const [nameLength, dataLength] = [method.length, isText ? Buffer.byteLength(payload) : payload.length]
  const message = Buffer.allocUnsafe(2 + 5 + nameLength + 5 + dataLength)
  message[0] = 0x93
  message[1] = request
  let at = writeHeader(message, 2, nameLength)
  at += message.write(method, at, "latin1")
  at = writeHeader(message, at, dataLength)
  if (isText) message.write(payload, at, "utf8")
  else message.set(payload, at)
  return message.subarray(0, at + dataLength)
}

/** Writes the header of MessagePack's `bin 8`, `bin 16` or `bin 32`; returns the offset after it. */
function writeHeader(message: Buffer, at: number, length: number): number {
  const bytes = length < 2 ** 8 ? 1 : length < 2 ** 16 ? 2 : 4
  message[at] = bytes === 4 ? 0xc6 : 0xc3 + bytes
  return message.writeUIntBE(length, at + 1, bytes)
}
