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
  readonly child?: { readonly stdout?: { readonly _handle?: { readStop?(): unknown } | null } | null }
}

/** A question as the channel sends it. Its answer is a text if it is one itself. */
interface Question {
  /** The method and the data, which determine the answer. */
  readonly key: string
  readonly method: string
  readonly payload: string | Uint8Array
  /** The data as text. */
  readonly data: string
}

/** Asks many questions at once. */
export interface QuestionPipe {
  /**
   * Asks the questions of the given functions all at once. Each is called once without getting an answer.
   * When it is called again, it gets its answer without waiting.
   */
  ahead(asks: readonly (() => unknown)[]): void
  /**
   * Sends the question of a function and returns, so that TypeScript finds the answer while this process does
   * other work, which may be asynchronous. The next question, also the same one again, waits for that answer first.
   */
  begin(ask: () => unknown): void
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

const noPipe: QuestionPipe = { ahead() {}, begin() {}, forget() {}, single: 0 }

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

/**
 * Stops Node from reading the process's output. It begins to when the process starts, and would take an answer that arrives
 * while this process does something asynchronous, because the channel only pauses the stream.
 */
function stopReading({ child }: Channel): boolean {
  const handle = child?.stdout?._handle
  if (typeof handle?.readStop !== "function") return false
  handle.readStop()
  return true
}

class Pipe implements QuestionPipe {
  readonly #channel: Channel
  /** By method and data. */
  readonly #answers = new Map<string, Map<string, string | Buffer>>()
  /** True while a function is called for its question. */
  #isAsking = false
  #asked: Question | undefined
  /** Questions that were written and whose answers were not read, by their keys and in their order. */
  #open = new Map<string, Question>()
  /** A separate buffer for every short text is slow, and only a file's syntax needs one. */
  #isText = false
  #broken: { readonly error: unknown } | undefined
  #single = 0
  /** True if an answer can wait until it is read. */
  readonly #canWait: boolean

  constructor(channel: Channel) {
    this.#channel = channel
    this.#canWait = stopReading(channel)
    const ask = channel.requestSync.bind(channel)
    const askBinary = channel.requestBinarySync.bind(channel)
    const readExact = channel.readExact.bind(channel)
    channel.readExact = (length) => {
      if (!this.#isText) return readExact(length)
      const buffer = Buffer.allocUnsafe(length)
      channel.readExactInto(buffer, length)
      return buffer
    }
    channel.requestSync = (method, payload) => {
      const known = this.#known(method, payload)
      if (known !== undefined) return known as string
      this.#single += 1
      return this.#texts(() => ask(method, payload))
    }
    channel.requestBinarySync = (method, payload) => {
      const known = this.#known(method, payload)
      if (known !== undefined) return known as Buffer
      this.#single += 1
      return askBinary(method, payload)
    }
  }

  get single(): number {
    return this.#single
  }

  ahead(asks: readonly (() => unknown)[]): void {
    this.#synchronized(() => this.#receive())
    let batch = new Map<string, Question>()
    let waiting = new Map<string, () => unknown>()
    let messages: Buffer[] = []
    let length = 0
    const exchange = () => {
      let failed = new Set<string>()
      this.#synchronized(() => {
        this.#write(batch, messages)
        failed = this.#receive()
      })
      // The API now knows what it has read, and does not ask for it again: many types have the same symbol.
      for (const [key, ask] of waiting) if (!failed.has(key)) attempt(ask)
      ;[batch, waiting, messages, length] = [new Map(), new Map(), [], 0]
    }
    for (const ask of asks) {
      const asked = this.#questionOf(ask)
      if (!asked || batch.has(asked.key)) continue
      const message = messageOf(asked)
      if (length > 0 && length + message.length > mostWritten) exchange()
      batch.set(asked.key, asked)
      messages.push(message)
      waiting.set(asked.key, ask)
      length += message.length
    }
    if (length > 0) exchange()
  }

  begin(ask: () => unknown): void {
    if (!this.#canWait) return
    this.#synchronized(() => this.#receive())
    const asked = this.#questionOf(ask)
    // TypeScript reads, because it has nothing to answer: a single question may have any length.
    if (asked) this.#synchronized(() => this.#write(new Map([[asked.key, asked]]), [messageOf(asked)]))
  }

  forget(): void {
    this.#answers.clear()
  }

  /** Calls a function to get its question; undefined if the answer is known. */
  #questionOf(ask: () => unknown): Question | undefined {
    this.#isAsking = true
    this.#asked = undefined
    attempt(ask)
    this.#isAsking = false
    return this.#asked
  }

  /** Returns a known answer. @throws while questions are collected, because there is no answer yet. */
  #known(method: string, payload: string | Uint8Array): string | Buffer | undefined {
    if (this.#broken) throw this.#broken.error
    if (this.#answers.size === 0 && this.#open.size === 0 && !this.#isAsking) return undefined
    const data = typeof payload === "string" ? payload : Buffer.from(payload).toString("latin1")
    const known = this.#answers.get(method)?.get(data)
    if (this.#isAsking && known === undefined) {
      this.#asked = { key: `${method} ${data}`, method, payload, data }
      throw later
    }
    if (known !== undefined || this.#open.size === 0) return known
    this.#synchronized(() => this.#receive())
    return this.#answers.get(method)?.get(data)
  }

  #keep({ method, data }: Question, answer: string | Buffer): void {
    const known = this.#answers.get(method)
    if (known) known.set(data, answer)
    else this.#answers.set(method, new Map([[data, answer]]))
  }

  #write(questions: Map<string, Question>, messages: readonly Buffer[]): void {
    if (messages.length === 0) return
    const data = messages.length === 1 ? (messages[0] as Buffer) : Buffer.concat(messages)
    this.#channel.writeAllBuf(data, data.length)
    this.#open = questions
  }

  /**
   * Reads the answers to what was written. An error is not stored; asking again gets it from TypeScript.
   *
   * @returns the keys of the questions that have no answer.
   */
  #receive(): Set<string> {
    const channel = this.#channel
    const failed = new Set<string>()
    for (const [key, asked] of this.#open) {
      const isText = typeof asked.payload === "string"
      if (isText) this.#texts(() => channel.readTuple())
      else channel.readTuple()
      const { _msgType: type, _msgPayload: answer } = channel
      if (type === response) this.#keep(asked, isText ? answer.toString("utf8") : answer)
      else if (type === failure) failed.add(key)
      else throw new Error(`TypeScript sent a message of an unknown type: ${type}`)
    }
    this.#open = new Map()
    return failed
  }

  #texts<T>(read: () => T): T {
    this.#isText = true
    try {
      return read()
    } finally {
      this.#isText = false
    }
  }

  /** Writes or reads messages. After an error, the order of the next answers is unknown. */
  #synchronized(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#broken = { error }
      throw error
    }
  }
}

/** Calls a function. It may wait for its answer; any other error occurs again when it is called for its result. */
function attempt(ask: () => unknown): void {
  try {
    ask()
  } catch {
    // See above.
  }
}

/** Returns MessagePack's array of three: the type of the message, the method, and its data. */
function messageOf({ method, payload }: Question): Buffer {
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
