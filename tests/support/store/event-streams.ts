/** Tests of event streams with a log, for every engine. */
import * as assert from "uvu/assert"
import { App, type EventStream, type EventStreamOptions } from "../../../lib/index.ts"
import { type EventLogOptions, eventLog } from "../../../lib/store/event-log.ts"
import type { Store } from "../../../lib/store/types.ts"
import { fresh } from "./contract.ts"

/** An event as a client reads it. */
export type Read = readonly [event: string, data: string]

/** All types of data, and the events that clients get for them. */
const sent = ["one", { event: "step", data: { n: 2 } }, { data: "a\nb" }, { data: "é" }, { data: [null], retry: 9 }]
const wanted: readonly Read[] = [
  ["message", "one"],
  ["step", '{"n":2}'],
  ["message", "a\nb"],
  ["message", "é"],
  ["message", "[null]"],
]

/**
 * Returns the events in the text that a client has read (HTML standard, "Interpreting an event stream"): an event
 * ends with an empty line.
 */
export function parse(text: string): { readonly events: Read[]; readonly id: string | undefined } {
  const events: Read[] = []
  let id: string | undefined
  for (const block of text.split("\n\n").slice(0, -1)) {
    const fields = block.split("\n").map((line) => /^(\w*): ?(.*)$/.exec(line) ?? [])
    const all = (name: string) => fields.filter((field) => field[1] === name).map((field) => field[2] ?? "")
    id = all("id")[0] ?? id
    if (all("data").length > 0) events.push([all("event")[0] ?? "message", all("data").join("\n")])
  }
  return { events, id }
}

/** Returns an app with one stream for each subject. The query parameter `subject` names it. */
export function streamApp(
  store: Store<"log" | "lock">,
  run: (events: EventStream) => unknown,
  options: EventLogOptions = {},
  more: EventStreamOptions = {},
): App {
  const log = eventLog(store, options)
  const app = new App({ logger: false })
  app.get("/{name}", (c) => c.sse(run, { log, subject: c.query("subject") ?? "", ...more }))
  return app
}

/** Sends a request as a browser does that has received an event before. */
export function ask(app: App, subject: string, id?: string): Promise<Response> {
  const headers = id === undefined ? {} : { "last-event-id": id }
  return app.request(`/stream?subject=${subject}`, { headers })
}

/** Reads a limited number of bytes of an answer, and breaks the connection. */
async function cut(answer: Response, most: number): Promise<string> {
  const parts: Uint8Array[] = []
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  for (let length = 0; length < most; ) {
    const { value } = await reader.read()
    if (!value) break
    parts.push(value)
    length += value.length
  }
  await reader.cancel()
  return Buffer.concat(parts).subarray(0, most).toString("utf8")
}

type Test = (title: string, body: () => Promise<void>) => void

/**
 * Adds a test of streams that are cut and resumed.
 *
 * @param open returns the store of one process, and that of another.
 * @param step bytes between one cut and the next. With 1 the stream is cut at every byte.
 */
export function eventStreamClaims(
  test: Test,
  open: () => readonly [Store<"log" | "lock">, Store<"log" | "lock">],
  step = 1,
): void {
  test(`a stream cut at every ${step === 1 ? "byte" : `${step} bytes`} resumes without a lost or repeated event, and its function is not run again`, async () => {
    let runs = 0
    const run = async (events: EventStream) => {
      runs++
      for (const event of sent) await events.send(event)
    }
    const [one, other] = open().map((store) => streamApp(store, run, {}, { retry: 5 })) as [App, App]
    const first = await (await ask(one, fresh("subject"))).text()
    assert.equal(parse(first).events, wanted)
    const bytes = Buffer.byteLength(first)
    for (let most = 0; most <= bytes; most += step) {
      const subject = fresh("subject")
      const seen = parse(await cut(await ask(one, subject), most))
      const again = await ask(other, subject, seen.id)
      const rest = parse(again.status === 204 ? "" : await again.text())
      assert.equal([...seen.events, ...rest.events], wanted, `events were lost or repeated after a cut at byte ${most}`)
      assert.is((await ask(one, subject, rest.id ?? seen.id)).status, 204)
    }
    // The first byte belongs to `retry`, and the function starts with the first read.
    assert.is(runs, Math.floor(bytes / step) + 2)
  })
}
