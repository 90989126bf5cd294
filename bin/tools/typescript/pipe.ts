/**
 * Asks TypeScript's process many questions in one message. Its API asks one at a time and waits for the
 * answer, which takes longer than finding most answers.
 */

import { Batch, messageOf, type Question } from "./questions.ts"

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
 * Most bytes to write without having read the answers. They fit into the smallest pipe buffer: if both sides wrote at
 * the same time and neither read, they would block each other.
 */
const mostWritten = 7000
/** Types of messages. */
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
  readonly #open = new Map<string, Question>()
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
    let written: Batch | undefined
    let batch = new Batch()
    // While TypeScript finds the answers to one batch, this process reads those to the batch before.
    const exchange = () => {
      const fits = (written?.length ?? 0) + batch.length <= mostWritten
      if (!fits) this.#use(written)
      this.#synchronized(() => this.#write(batch.questions, batch.messages))
      if (fits) this.#use(written)
      ;[written, batch] = [batch, new Batch()]
    }
    for (const ask of asks) {
      const asked = this.#questionOf(ask)
      if (!asked || batch.questions.has(asked.key) || this.#open.has(asked.key)) continue
      const message = messageOf(asked)
      if (batch.length > 0 && batch.length + message.length > mostWritten / 2) exchange()
      batch.add(asked, message, ask)
    }
    if (batch.length > 0) exchange()
    this.#use(written)
  }

  /** Reads the answers to a batch, and lets the API read them. */
  #use(batch: Batch | undefined): void {
    if (!batch) return
    this.#synchronized(() => this.#receive(batch.questions))
    // The API now knows what it has read, and does not ask for it again: many types have the same symbol.
    for (const [key, ask] of batch.asks) {
      const { method, data } = batch.questions.get(key) as Question
      if (this.#answers.get(method)?.has(data)) attempt(ask)
    }
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

  #write(questions: ReadonlyMap<string, Question>, messages: readonly Buffer[]): void {
    const data = messages.length === 1 ? (messages[0] as Buffer) : Buffer.concat(messages)
    this.#channel.writeAllBuf(data, data.length)
    for (const [key, asked] of questions) this.#open.set(key, asked)
  }

  /**
   * Reads the answers to what was written. An error is not stored; asking again gets it from TypeScript.
   *
   * @param wanted the first questions of those that were written. Default: all.
   */
  #receive(wanted: ReadonlyMap<string, Question> = this.#open): void {
    const channel = this.#channel
    for (const [key, asked] of this.#open) {
      if (!wanted.has(key)) break
      const isText = typeof asked.payload === "string"
      if (isText) this.#texts(() => channel.readTuple())
      else channel.readTuple()
      this.#open.delete(key)
      const { _msgType: type, _msgPayload: answer } = channel
      if (type === response) this.#keep(asked, isText ? answer.toString("utf8") : answer)
      else if (type !== failure) throw new Error(`TypeScript sent a message of an unknown type: ${type}`)
    }
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
