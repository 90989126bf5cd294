/**
 * Asks TypeScript's process many questions in one message. Its API asks one at a time and waits for the
 * answer, which takes longer than finding most answers.
 */

import { type Channel, isChannel, stopReading, TextBuffer } from "./channel.ts"
import { Batch, ByQuestion, mostBytesOf, type Question, type Waiting } from "./questions.ts"

/** Asks many questions at once. */
export interface QuestionPipe {
  /**
   * Asks the questions of the given functions all at once. Each is called once without getting an answer.
   * When it is called again, it gets its answer without waiting.
   */
  ahead(asks: readonly (() => unknown)[]): void
  /**
   * Does the same in two parts: sends the questions, as many as may be unanswered, and returns a function that waits for
   * the answers. Between the two, other work can be done while TypeScript finds them.
   */
  post(asks: readonly (() => unknown)[]): () => void
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
 * Most bytes to write without having read the answers. They fit into the pipe's buffer: if both sides wrote at the same
 * time and neither read, they would block each other. Node's pipes are pairs of sockets, which have 8 kB on macOS, and
 * 208 kB on Linux.
 */
const mostWritten = process.platform === "linux" ? 60_000 : 7000
/** Most bytes to collect before they are written, so that TypeScript can begin with them. */
const mostTogether = 8000
/** Types of messages. */
const response = 4
const failure = 5

/** Stands for an answer that has not arrived yet. */
const later = Symbol("later")

const noPipe: QuestionPipe = { ahead() {}, post: () => () => {}, begin() {}, forget() {}, single: 0 }

/**
 * Returns the pipe behind an API; one that asks nothing in advance if the channel is unknown.
 *
 * @param most bytes of questions to write without having read the answers.
 */
export function pipeOf(api: object, most: number = mostWritten): QuestionPipe {
  const { channel } = (api as { client?: { channel?: Partial<Channel> } }).client ?? {}
  return isChannel(channel) ? new Pipe(channel, most) : noPipe
}

class Pipe implements QuestionPipe {
  readonly #channel: Channel
  readonly #most: number
  readonly #answers = new ByQuestion<string | Buffer>()
  /** True while a function is called for its question. */
  #isAsking = false
  #asked: Question | undefined
  /** The question whose function is called for its result. */
  #replayed: Waiting | undefined
  /** The batches of questions without an answer. */
  readonly #open = new ByQuestion<Batch>()
  /** Batches that are not written yet, in their order. */
  readonly #unwritten: Batch[] = []
  /** Batches that were written and whose answers were not read, in their order. */
  readonly #written: Batch[] = []
  /** Bytes of those. */
  #unread = 0
  /** A separate buffer for every short text is slow, and only a file's syntax needs one. */
  #isText = false
  readonly #texts = new TextBuffer()
  /** True while the answers to a batch are read. */
  #isReading = false
  #broken: { readonly error: unknown } | undefined
  #single = 0
  /** True if an answer can wait until it is read. */
  readonly #canWait: boolean

  constructor(channel: Channel, most: number) {
    this.#channel = channel
    this.#most = most
    this.#canWait = stopReading(channel)
    const ask = channel.requestSync.bind(channel)
    const askBinary = channel.requestBinarySync.bind(channel)
    const readExact = channel.readExact.bind(channel)
    channel.readExact = (length) => {
      if (!this.#isText) return readExact(length)
      if (this.#isReading) return this.#texts.read(channel, length)
      const buffer = Buffer.allocUnsafe(length)
      channel.readExactInto(buffer, length)
      return buffer
    }
    channel.requestSync = (method, payload) => {
      const known = this.#known(method, payload)
      if (known !== undefined) return known as string
      return this.#singly(() => this.#asText(() => ask(method, payload)))
    }
    channel.requestBinarySync = (method, payload) => {
      const known = this.#known(method, payload)
      if (known !== undefined) return known as Buffer
      return this.#singly(() => askBinary(method, payload))
    }
  }

  get single(): number {
    return this.#single
  }

  ahead(asks: readonly (() => unknown)[]): void {
    this.#receiveWritten()
    this.post(asks)()
  }

  post(asks: readonly (() => unknown)[]): () => void {
    const batches = new Set<Batch>()
    let batch = new Batch()
    for (const ask of asks) {
      const asked = this.#questionOf(ask)
      if (!asked) continue
      const same = this.#open.get(asked.method, asked.data)
      if (same) {
        batches.add(same)
        continue
      }
      const size = mostBytesOf(asked)
      // TypeScript can begin while the next questions are collected.
      if (batch.length > 0 && batch.length + size > Math.min(this.#most / 2, mostTogether)) {
        this.#add(batch)
        batch = new Batch()
      }
      batch.add({ asked, ask }, size)
      batches.add(batch)
      this.#open.set(asked, batch)
    }
    if (batch.length > 0) this.#add(batch)
    return () => {
      for (const one of batches) this.#use(one)
    }
  }

  begin(ask: () => unknown): void {
    if (!this.#canWait) return
    // Its question may depend on the answers to others.
    this.#receiveWritten()
    const asked = this.#questionOf(ask)
    if (!asked) return
    const batch = new Batch()
    batch.add({ asked, ask }, mostBytesOf(asked))
    this.#open.set(asked, batch)
    this.#add(batch)
  }

  forget(): void {
    this.#answers.clear()
    for (const batch of this.#unwritten.splice(0)) this.#close(batch)
  }

  #add(batch: Batch): void {
    this.#unwritten.push(batch)
    this.#write()
  }

  /** Waits for the answers to a batch, and lets the API read them. */
  #use(batch: Batch): void {
    while (!batch.isClosed) {
      this.#write()
      this.#receive()
      // While this process reads the answers, TypeScript finds the next ones.
      this.#write()
    }
    // The API now knows what it has read, and does not ask for it again: many types have the same symbol.
    for (const one of batch.take()) {
      if (one.answer === undefined) continue
      this.#replayed = one
      attempt(one.ask)
    }
    this.#replayed = undefined
  }

  /** Calls a function to get its question; undefined if the answer is known. */
  #questionOf(ask: () => unknown): Question | undefined {
    this.#isAsking = true
    this.#asked = undefined
    attempt(ask)
    this.#isAsking = false
    return this.#asked
  }

  /** Asks one question, and waits for its answer. */
  #singly<T>(ask: () => T): T {
    this.#single += 1
    const answer = ask()
    this.#write()
    return answer
  }

  /** Returns a known answer. @throws while questions are collected, because there is no answer yet. */
  #known(method: string, payload: string | Uint8Array): string | Buffer | undefined {
    if (this.#broken) throw this.#broken.error
    const again = this.#replayed
    if (again && again.asked.payload === payload && again.asked.method === method) return again.answer
    if (this.#answers.isEmpty && this.#open.isEmpty && !this.#isAsking) return undefined
    const data = typeof payload === "string" ? payload : Buffer.from(payload).toString("latin1")
    const known = this.#answers.get(method, data)
    if (this.#isAsking && known === undefined) {
      this.#asked = { method, payload, data }
      throw later
    }
    if (known !== undefined || this.#written.length === 0) return known
    this.#receiveWritten()
    return this.#answers.get(method, data)
  }

  /** Writes the next batches. One that is longer than the buffer has to be the only one: then TypeScript reads all of it. */
  #write(): void {
    for (let [batch] = this.#unwritten; batch; [batch] = this.#unwritten) {
      if (this.#unread > 0 && this.#unread + batch.length > this.#most) return
      this.#unwritten.shift()
      this.#written.push(batch)
      this.#unread += batch.length
      const { bytes, length } = batch
      this.#synchronized(() => this.#channel.writeAllBuf(bytes, length))
    }
  }

  #receiveWritten(): void {
    while (this.#written.length > 0) this.#receive()
  }

  /** Reads the answers to the batch that was written first. An error is not stored; asking again gets it from TypeScript. */
  #receive(): void {
    const batch = this.#written.shift()
    if (!batch) return
    this.#unread -= batch.length
    this.#close(batch)
    this.#isReading = true
    try {
      this.#synchronized(() => {
        for (const one of batch.questions) this.#read(one)
      })
    } finally {
      this.#isReading = false
      this.#isText = false
    }
  }

  #read(one: Waiting): void {
    const channel = this.#channel
    this.#isText = typeof one.asked.payload === "string"
    channel.readTuple()
    const { _msgType: type, _msgPayload: answer } = channel
    if (type === response) {
      one.answer = this.#isText ? this.#texts.textOf(answer) : answer
      this.#answers.set(one.asked, one.answer)
    } else if (type !== failure) throw new Error(`TypeScript sent a message of an unknown type: ${type}`)
  }

  #close(batch: Batch): void {
    batch.isClosed = true
    for (const { asked } of batch.questions) this.#open.delete(asked)
  }

  #asText<T>(read: () => T): T {
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
