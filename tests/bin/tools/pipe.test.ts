import { suite } from "uvu"
import * as assert from "uvu/assert"
import { pipeOf } from "../../../bin/tools/typescript/pipe.ts"

const response = 4
const failure = 5
const most = 7000

/** A channel that answers each question with its data, and records what is written while answers are unread. */
class Channel {
  readonly unread: { readonly data: string; readonly bytes: number }[] = []
  /** Number of unread questions before each write, and of unread bytes after it. */
  readonly writes: { readonly before: number; readonly bytes: number }[] = []
  readonly failing = new Set<string>()
  readonly singly: string[] = []
  #arrived: Buffer = Buffer.alloc(0)
  _msgType = 0
  _msgPayload: Buffer = Buffer.alloc(0)

  requestSync(_: string, payload: string): string {
    assert.is(this.unread.length, 0, "a question is asked before the answers to others are read")
    this.singly.push(payload)
    if (this.failing.has(payload)) throw new Error(`no ${payload.trim()}`)
    return `=${payload}`
  }

  requestBinarySync(_: string, payload: Uint8Array): Uint8Array {
    return payload
  }

  readExact(length: number): Buffer {
    return Buffer.alloc(length)
  }

  readExactInto(into: Buffer, length: number): void {
    this.#arrived.copy(into, 0, 0, length)
    this.#arrived = this.#arrived.subarray(length)
  }

  readTuple(): void {
    const { data } = this.unread.shift() ?? { data: "no question" }
    this._msgType = this.failing.has(data) ? failure : response
    const name = Buffer.from("type")
    const answer = Buffer.from(data === "nothing" ? "" : `=${data}`)
    this.#arrived = Buffer.concat([name, answer])
    this.readExact(name.length)
    this._msgPayload = answer.length > 0 ? this.readExact(answer.length) : answer
  }

  writeAllBuf(written: Buffer, length: number): void {
    const before = this.unread.length
    for (let at = 0; at < length; ) {
      const start = at
      const [, afterName] = part(written, at + 2)
      const [data, end] = part(written, afterName)
      at = end
      this.unread.push({ data, bytes: end - start })
    }
    this.writes.push({ before, bytes: this.unread.reduce((sum, { bytes }) => sum + bytes, 0) })
  }
}

/** Reads MessagePack's `bin`. @returns its text, and the offset after it. */
function part(message: Buffer, at: number): [string, number] {
  const size = 2 ** ((message[at] ?? 0) - 0xc4)
  const start = at + 1 + size
  const end = start + message.readUIntBE(at + 1, size)
  return [message.toString("utf8", start, end), end]
}

/** Asks questions ahead, and then each again. @returns the answers. */
function asked(channel: Channel, questions: readonly string[]) {
  const pipe = pipeOf({ client: { channel } }, most)
  const ask = (data: string) => () => channel.requestSync("type", data)
  pipe.ahead(questions.map(ask))
  const unread = channel.unread.length
  return { unread, answers: questions.map((data) => attempt(ask(data))), single: pipe.single }
}

function attempt(ask: () => string): string {
  try {
    return ask()
  } catch (error) {
    return (error as Error).message
  }
}

const pipe = suite("questions to TypeScript")
const many = Array.from({ length: 300 }, (_, i) => `${i}`.padStart(100))
const withLarge = [...many.slice(0, 100), "x".repeat(3 * most), ...many.slice(100)]

pipe("the next questions are written before the answers to the last ones are read", () => {
  const channel = new Channel()
  const { answers, single, unread } = asked(channel, many)
  assert.equal(
    answers,
    many.map((data) => `=${data}`),
  )
  assert.equal([single, unread], [0, 0])
  assert.ok(channel.writes.length > 3)
  assert.ok(channel.writes.slice(1).every(({ before }) => before > 0))
})

pipe("what is written without having read the answers fits into a small buffer", () => {
  const channel = new Channel()
  asked(channel, many)
  assert.ok(channel.writes.every(({ bytes }) => bytes <= most))
})

pipe("a question that is longer than the buffer is written when nothing is unread", () => {
  const channel = new Channel()
  const { answers, single } = asked(channel, withLarge)
  assert.equal(
    answers,
    withLarge.map((data) => `=${data}`),
  )
  assert.is(single, 0)
  const large = channel.writes.filter(({ bytes }) => bytes > most)
  assert.equal(
    large.map(({ before }) => before),
    [0],
  )
})

pipe("answers of any length are read", () => {
  const long = ["x", "é", "𝒳"].map((letter) => letter.repeat(100_000))
  const texts = ["nothing", "a", ...long, "nothing", "日本", long[0] as string, "b"]
  const { answers, single } = asked(new Channel(), texts)
  assert.equal(
    answers,
    texts.map((data) => (data === "nothing" ? "" : `=${data}`)),
  )
  assert.is(single, 0)
})

pipe("a question that is asked twice is written once", () => {
  const channel = new Channel()
  assert.is(asked(channel, [...many, ...many]).single, 0)
  const twice = new Channel()
  asked(twice, many)
  assert.equal(channel.writes, twice.writes)
})

pipe("a question that TypeScript does not answer is asked again, for its error", () => {
  const channel = new Channel()
  const wrong = [3, 150, 299].map((i) => many[i] as string)
  for (const data of wrong) channel.failing.add(data)
  const { answers } = asked(channel, many)
  assert.equal(
    answers,
    many.map((data) => (wrong.includes(data) ? `no ${data.trim()}` : `=${data}`)),
  )
  assert.equal(channel.singly, wrong)
})

pipe("a question with a new follow-up reads the answers that are left first", () => {
  const channel = new Channel()
  const pipe = pipeOf({ client: { channel } }, most)
  const found: string[] = []
  pipe.ahead(
    many.map((data) => () => {
      const first = channel.requestSync("type", data)
      found.push(channel.requestSync("symbol", first))
    }),
  )
  assert.equal(
    found,
    many.map((data) => `==${data}`),
  )
  assert.is(pipe.single, many.length)
})

pipe("questions are sent together, and each caller waits for its own answers", () => {
  const channel = new Channel()
  const pipe = pipeOf({ client: { channel } }, most)
  const ask = (data: string) => () => channel.requestSync("type", data)
  const sent = [["a", "b"], ["b", "c"], ["d"]].map((all) => pipe.post(all.map(ask)))
  assert.equal(
    channel.unread.map(({ data }) => data),
    ["a", "b", "c", "d"],
  )
  for (const [i, left] of [["c", "d"], ["d"], []].entries()) {
    sent[i]?.()
    assert.equal(
      channel.unread.map(({ data }) => data),
      left,
    )
  }
  assert.equal(["a", "b", "c", "d"].map(ask).map(attempt), ["=a", "=b", "=c", "=d"])
  assert.is(pipe.single, 0)
})

pipe("what several callers send fits into a small buffer", () => {
  const channel = new Channel()
  const pipe = pipeOf({ client: { channel } }, most)
  const ask = (data: string) => () => channel.requestSync("type", data)
  const parts = [withLarge.slice(0, 50), withLarge.slice(50, 150), withLarge.slice(150)]
  const sent = parts.map((all) => pipe.post(all.map(ask)))
  for (const wait of sent.reverse()) wait()
  assert.equal(
    withLarge.map(ask).map(attempt),
    withLarge.map((data) => `=${data}`),
  )
  assert.is(pipe.single, 0)
  assert.ok(channel.writes.every(({ before, bytes }) => bytes <= most || before === 0))
})

pipe("a single question between the two is answered, and the others too", () => {
  const channel = new Channel()
  const pipe = pipeOf({ client: { channel } }, most)
  const ask = (data: string) => () => channel.requestSync("type", data)
  const wait = pipe.post(many.map(ask))
  assert.is(channel.requestSync("type", "other"), "=other")
  wait()
  assert.equal(
    many.map(ask).map(attempt),
    many.map((data) => `=${data}`),
  )
  assert.is(pipe.single, 1)
})

pipe("questions that are forgotten before they are written are not written", () => {
  const channel = new Channel()
  const pipe = pipeOf({ client: { channel } }, most)
  const wait = pipe.post(many.map((data) => () => channel.requestSync("type", data)))
  const written = channel.writes.length
  pipe.forget()
  wait()
  assert.is(channel.writes.length, written)
})

pipe.run()
