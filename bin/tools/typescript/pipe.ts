/**
 * Asks TypeScript's process many questions in one message. Its API asks one at a time and waits for the
 * answer, which takes longer than finding most answers.
 */

/** The used part of the channel behind the API. TypeScript does not document it, so any part may be missing. */
interface Channel {
  requestSync(method: string, payload: string): string
  requestBinarySync(method: string, payload: Uint8Array): Uint8Array
  readExact(length: number): Buffer
  readExactInto(buffer: Buffer, length: number): void
  readTuple(): void
  writeAllBuf(data: Buffer, length: number): void
  /** Type of the message that was read last. */
  readonly _msgType: number
  readonly _msgPayload: Buffer
}

/** A question as the channel sends it. */
interface Question {
  readonly method: string
  readonly payload: string | Uint8Array
}

/** Asks many questions at once. */
export interface QuestionPipe {
  /**
   * Asks the questions of the given functions all at once. Each is called once without getting an answer.
   * When it is called again, it gets its answer without waiting.
   */
  ahead(asks: readonly (() => unknown)[]): void
  /** Drops answers that nobody has requested again. */
  forget(): void
  /** Number of questions that were asked one at a time. */
  readonly single: number
}

/**
 * Most bytes to write before answers are read. They fit into the smallest pipe buffer: if both sides wrote at
 * the same time and neither read, they would block each other.
 */
const mostWritten = 7000
/** Types of messages. */
const request = 1
const response = 4
const failure = 5

/** Stands for an answer that has not arrived yet. */
const later = Symbol("later")

const noPipe: QuestionPipe = { ahead() {}, forget() {}, single: 0 }

/** Returns the pipe behind an API; one that asks nothing in advance if the channel is unknown. */
export function pipeOf(api: object): QuestionPipe {
  const { channel } = (api as { client?: { channel?: Partial<Channel> } }).client ?? {}
  return isChannel(channel) ? new Pipe(channel) : noPipe
}

/** Returns true for a supported channel. A named pipe of Windows may have no buffer at all. */
function isChannel(channel: Partial<Channel> | undefined): channel is Channel {
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

class Pipe implements QuestionPipe {
  readonly #channel: Channel
  readonly #answers = new Map<string, Buffer>()
  /** The questions of functions that are called for the first time. */
  #asked: Map<string, Question> | undefined
  #broken: { readonly error: unknown } | undefined
  #single = 0

  constructor(channel: Channel) {
    this.#channel = channel
    const ask = channel.requestSync.bind(channel)
    const askBinary = channel.requestBinarySync.bind(channel)
    const readExact = channel.readExact.bind(channel)
    let isText = false
    // A separate buffer for every short text is slow, and only a file's syntax needs one.
    channel.readExact = (length) => {
      if (!isText) return readExact(length)
      const buffer = Buffer.allocUnsafe(length)
      channel.readExactInto(buffer, length)
      return buffer
    }
    channel.requestSync = (method, payload) => {
      const known = this.#known(method, payload)
      if (known) return known.toString("utf8")
      this.#single += 1
      isText = true
      try {
        return ask(method, payload)
      } finally {
        isText = false
      }
    }
    channel.requestBinarySync = (method, payload) => {
      const known = this.#known(method, payload)
      if (known) return known
      this.#single += 1
      return askBinary(method, payload)
    }
  }

  get single(): number {
    return this.#single
  }

  ahead(asks: readonly (() => unknown)[]): void {
    const asked = new Map<string, Question>()
    this.#asked = asked
    for (const ask of asks) {
      try {
        ask()
      } catch {
        // It either waits for its answer, or will fail in the same way when it is called again.
      }
    }
    this.#asked = undefined
    try {
      this.#exchange([...asked])
    } catch (error) {
      // The order of the next answers is unknown.
      this.#broken = { error }
      throw error
    }
  }

  forget(): void {
    this.#answers.clear()
  }

  /** Returns a known answer. @throws while questions are collected, because there is no answer yet. */
  #known(method: string, payload: string | Uint8Array): Buffer | undefined {
    if (this.#broken) throw this.#broken.error
    if (this.#answers.size === 0 && !this.#asked) return undefined
    const key = `${method} ${typeof payload === "string" ? payload : Buffer.from(payload).toString("latin1")}`
    const known = this.#answers.get(key)
    if (!this.#asked) return known
    if (!known) this.#asked.set(key, { method, payload })
    throw later
  }

  #exchange(questions: ReadonlyArray<readonly [key: string, question: Question]>): void {
    let messages: Buffer[] = []
    let keys: string[] = []
    let length = 0
    const flush = () => {
      this.#channel.writeAllBuf(Buffer.concat(messages), length)
      for (const key of keys) this.#receive(key)
      ;[messages, keys, length] = [[], [], 0]
    }
    for (const [key, question] of questions) {
      const message = messageOf(question)
      if (length > 0 && length + message.length > mostWritten) flush()
      messages.push(message)
      keys.push(key)
      length += message.length
    }
    if (length > 0) flush()
  }

  /** Reads one answer. An error is not stored; asking again gets it from TypeScript. */
  #receive(key: string): void {
    this.#channel.readTuple()
    const { _msgType: type, _msgPayload: payload } = this.#channel
    if (type === response) this.#answers.set(key, payload)
    else if (type !== failure) throw new Error(`TypeScript sent a message of an unknown type: ${type}`)
  }
}

/** Returns MessagePack's array of three: the type of the message, the method, and its data. */
function messageOf({ method, payload }: Question): Buffer {
  const parts = [Buffer.from(method, "utf8"), Buffer.from(payload as string)]
  return Buffer.concat([
    Buffer.from([0x93, request]),
    ...parts.flatMap((part) => [headerOf(part.length), part]),
  ])
}

/** Returns the header of MessagePack's `bin 8`, `bin 16` or `bin 32`. */
function headerOf(length: number): Buffer {
  if (length < 2 ** 8) return Buffer.from([0xc4, length])
  const header = Buffer.alloc(length < 2 ** 16 ? 3 : 5)
  header[0] = length < 2 ** 16 ? 0xc5 : 0xc6
  header.writeUIntBE(length, 1, header.length - 1)
  return header
}
