/** Tests of the function that `c.sse()` calls: what a generator yields, and hosts that do not wait for it. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { eventLog, memoryStore } from "../../../adapters/store.ts"
import { html } from "../../../lib/html.ts"
import { App, type EventStream, type EventStreamOptions } from "../../../lib/index.ts"

/** Returns an app with one event stream. */
function streaming(run: (events: EventStream) => unknown, options?: EventStreamOptions): App {
  const app = new App({ logger: false })
  app.get("/", (c) => c.sse(run, options))
  return app
}

const given = ["a text", html`<b>${"<"}</b>`, { event: "price", data: { eur: 9.5 } }]
const wire = 'data: a text\n\ndata: <b>&lt;</b>\n\nevent: price\ndata: {"eur":9.5}\n\n'

async function* yielding() {
  yield* given
}

const generators: ReadonlyArray<readonly [name: string, run: (events: EventStream) => unknown]> = [
  ["an async generator", yielding],
  ["a generator", () => given.values()],
  ["a function that returns a generator", async () => yielding()],
]
for (const [name, run] of generators) {
  test(`values that ${name} yields are sent`, async () => {
    assert.is(await (await streaming(run).request("/")).text(), wire)
  })

  test(`values that ${name} yields are stored in a log`, async () => {
    const log = eventLog(memoryStore())
    const text = await (await streaming(run, { log, subject: "ada" }).request("/")).text()
    assert.is(text.replace(/^id: .*\n/gm, "").replace(/^\n+/, ""), wire)
  })
}

test("a generator that yields something other than an event breaks the stream off", async () => {
  const answer = await streaming(() => [7].values()).request("/")
  const thrown = await answer.text().catch((error) => error)
  assert.match(String(thrown), /an event is a text or/)
})

test("a generator returns when the reader cancels", async () => {
  let returned: (isAborted: boolean) => void = () => {}
  const end = new Promise<boolean>((resolve) => {
    returned = resolve
  })
  const app = streaming(async function* (events) {
    try {
      for (let n = 1; ; n++) yield { data: n }
    } finally {
      returned(events.signal.aborted)
    }
  })
  const reader = (await app.request("/")).body?.getReader()
  await reader?.read()
  await reader?.cancel()
  assert.is(await end, true)
})

for (const [name, options] of [
  ["", {}],
  [" with a log", { log: eventLog(memoryStore()), subject: "ada" }],
] as const)
  test(`a host that refuses work after the handler has returned sends the whole stream${name}`, async () => {
    const app = streaming((events) => events.send("hello"), options)
    const waitUntil = () => {
      throw new Error("called outside a request scope")
    }
    const answer = await app.fetch(new Request("http://localhost/"), { waitUntil })
    assert.match(await answer.text(), /data: hello\n\n$/)
  })

test.run()
