/**
 * Contract cases: bodies that are read after the answer was sent. A read gives all bytes or an error, and never
 * ends early. Bun and Deno give an error for bytes that had not arrived yet.
 */
import type { App, Context } from "../../../lib/index.ts"
import { type Ask, app, type Case } from "./case.ts"

const size = 300_000
const text = "x".repeat(size)

async function readCount(body: ReadableStream<Uint8Array> | null): Promise<number> {
  let count = 0
  if (body) for await (const chunk of body as never as AsyncIterable<Uint8Array>) count += chunk.length
  return count
}

/** Waits until the answer was sent. */
const later = () => new Promise((resolve) => setTimeout(resolve, 5))

/** Returns an app that reads after the answer, and records what it read for another request to ask for. */
const reading = (read: (c: Context) => Promise<number>) =>
  app((a: App) => {
    let note = ""
    a.get("/notes", (c) => c.string(200, note))
    a.post("/", (c) => {
      c.waitUntil(
        read(c).then(
          (count) => {
            note = `read ${count}`
          },
          () => {
            note = "error"
          },
        ),
      )
      return c.string(202, "later")
    })
  })

type Row = readonly [name: string, read: (c: Context) => Promise<number>]

const stream: Row["1"] = async (c) => {
  const { body } = c.request
  await later()
  return readCount(body as ReadableStream<Uint8Array> | null)
}

/** A body that was not asked for before the answer may have been discarded. */
const late = "c.bytes(), begun after the answer"

const rows: readonly Row[] = [
  ["c.request.body, begun after the answer", stream],
  ["c.request.body, begun before the answer", (c) => readCount(c.request.body as never)],
  [
    "c.request.body, slowly",
    async (c) => {
      let count = 0
      for await (const chunk of c.request.body as never as AsyncIterable<Uint8Array>) {
        count += chunk.length
        await later()
      }
      return count
    },
  ],
  [
    "c.request.text(), begun after the answer",
    async (c) => {
      const { request } = c
      await later()
      return (await request.text()).length
    },
  ],
  ["c.bytes(), begun before the answer", async (c) => (await c.bytes()).length],
  [
    late,
    async (c) => {
      await later()
      return (await c.bytes()).length
    },
  ],
]

const sent: ReadonlyArray<readonly [how: string, ask: Ask]> = [
  ["of a known length", { method: "POST", path: "/", body: text }],
  ["in chunks", { method: "POST", path: "/", body: text, chunked: true }],
]

const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n`

const cases: readonly Case[] = [
  ...rows.flatMap(([name, read]) =>
    sent.map(
      ([how, ask]): Case => ({
        subject: "c.waitUntil()",
        name: `a body ${how} is read after the answer: ${name}`,
        app: reading(read),
        before: [ask],
        request: { path: "/notes", until: /./ },
        expect: { body: /^(?:read 300000|error)$/ },
      }),
    ),
  ),
  ...(["begun after the answer", "begun before the answer"] as const).map(
    (begun): Case => ({
      subject: "c.waitUntil()",
      name: `a body whose client leaves after the answer is an error: c.request.body, ${begun}`,
      app: reading(begun === "begun after the answer" ? stream : (c) => readCount(c.request.body as never)),
      before: [{ open: { path: "/", raw: `${head}xxxx` } }, { path: "/notes" }, { leave: true }],
      request: { path: "/notes", until: /./ },
      expect: { body: "error" },
    }),
  ),
]

export const afterAnswerCases: readonly Case[] = cases.map((one) => ({ ...one, via: "socket" }))

/** The same cases on Node, where all bytes arrive. */
export const afterAnswerOnNode: readonly Case[] = afterAnswerCases.map((one) =>
  one.name.includes("is read after") && !one.name.endsWith(late) ? { ...one, expect: { body: `read ${size}` } } : one,
)
