/** Tests of `eventLog()` in memory: event streams that survive lost connections. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type EventStream } from "../../../lib/index.ts"
import { eventLog } from "../../../lib/store/event-log.ts"
import { memoryStore } from "../../../lib/store/memory.ts"
import type { Store } from "../../../lib/store/types.ts"
import { ask, eventStreamClaims, parse, streamApp } from "../../support/store/event-streams.ts"
import { until } from "../../support/store/until.ts"

process.env.FW_LOG_LEVEL = "off"

eventStreamClaims(test, () => {
  const store = memoryStore()
  return [store, store]
})

const count = (to: number) => async (events: EventStream) => {
  for (let n = 1; n <= to; n++) await events.send({ data: n })
}
const readData = (text: string) => parse(text).events.map(([event, data]) => (event === "gap" ? "gap" : data))
const read = async (answer: Response) => readData(await answer.text())

test("only events with data have an id", async () => {
  const run = async (events: EventStream) => {
    await events.send({ retry: 7 })
    await events.send({ event: "step", data: 1 })
  }
  const text = await (await ask(streamApp(memoryStore(), run, {}, { retry: 5 }), "ada")).text()
  assert.match(text, /^retry: 5\n\nretry: 7\n\nevent: step\nid: \S+\ndata: 1\n\n$/)
})

test("a client without an id gets all events of a stream that has ended, and the function does not run again", async () => {
  let runs = 0
  const app = streamApp(memoryStore(), (events) => {
    runs++
    return count(3)(events)
  })
  for (let client = 0; client < 3; client++) assert.equal(await read(await ask(app, "ada")), ["1", "2", "3"])
  assert.is(runs, 1)
})

test("a stream that has ended without events is answered with 204", async () => {
  const app = streamApp(memoryStore(), () => {})
  assert.is((await ask(app, "ada")).status, 200)
  await (await ask(app, "ada")).text()
  assert.is((await ask(app, "ada")).status, 204)
})

test("each subject and path has its own stream, and an id of another stream is answered with a gap", async () => {
  const app = streamApp(memoryStore(), (events) => events.send("secret"))
  const text = await (await ask(app, "ada")).text()
  const { id = "" } = parse(text)
  const other = streamApp(memoryStore(), (events) => events.send("own"))
  assert.equal(await read(await ask(other, "eve", id)), ["gap", "own"])
  const log = eventLog(memoryStore())
  const shared = new App({ logger: false })
  shared.get("/{name}", (c) => {
    const subject = c.query("subject") ?? ""
    return c.sse((events) => events.send(`${c.path} of ${subject}`), { log, subject })
  })
  const get = async (path: string, id?: string) =>
    (await shared.request(path, { headers: id === undefined ? {} : { "last-event-id": id } })).text()
  const ada = parse(await get("/a?subject=ada"))
  assert.equal(readData(await get("/a?subject=eve", ada.id)), ["gap", "/a of eve"])
  assert.equal(readData(await get("/b?subject=ada", ada.id)), ["gap", "/b of ada"])
  assert.equal(readData(await get("/a?subject=ada")), ["/a of ada"])
})

test("a subject that is not a text is an error, because all such visitors would share one stream", async () => {
  const log = eventLog(memoryStore())
  for (const subject of [undefined, null, "", 7, Number.NaN, {}] as unknown as string[]) {
    const app = new App({ logger: false })
    app.get("/", (c) => c.sse((events) => events.send("secret"), { log, subject }))
    assert.is((await app.request("/")).status, 500, String(subject))
  }
})

for (const [title, clock] of [
  ["the clock of the machine", Date],
  ["the time since its start", performance],
] as const)
  test(`a function whose lease has ended because of ${title} stores nothing`, async () => {
    const now = clock.now.bind(clock)
    try {
      let error: unknown
      const app = streamApp(memoryStore(), async (events) => {
        await events.send("stored")
        clock.now = () => now() + 15_000
        await events.send("not stored").catch((caught) => {
          error = caught
        })
        clock.now = now
      })
      const answer = await ask(app, "ada")
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      const { value } = await reader.read()
      assert.match(new TextDecoder().decode(value), /data: stored/)
      await until(() => error !== undefined)
      assert.match(String(error), /another process continues this stream/)
      await reader.cancel()
    } finally {
      clock.now = now
    }
  })

test("an unknown id is answered with a gap and the whole stream", async () => {
  const app = streamApp(memoryStore(), count(2))
  const { id = "" } = parse(await (await ask(app, "ada")).text())
  const tag = id.slice(0, id.indexOf("-"))
  const [epoch] = id.split("-").slice(1)
  const forged = [
    "x",
    "-1",
    "0",
    "9".repeat(400),
    `${tag}-`,
    `${tag}-0-0`,
    `${tag}--1-1`,
    `${tag}-${epoch}--1`,
    `${tag}-${epoch}-99`,
    `${tag}-${epoch}-1e9`,
    `${tag}-${"9".repeat(50)}-${"9".repeat(50)}`,
    `${tag}-*`,
    "__proto__",
    "\xff",
    "%00",
  ]
  for (const given of forged) {
    const answer = await ask(app, "ada", given)
    assert.equal([answer.status, await read(answer)], [200, ["gap", "1", "2"]], given)
  }
})

test("events that are no longer in the log are a gap, also for a new client", async () => {
  const app = streamApp(memoryStore(), count(10), { maxEntries: 4 })
  const { id = "" } = parse(await (await ask(app, "ada")).text())
  const early = id.replace(/\d+$/, "2")
  // The entry that marks the end counts too.
  assert.equal(await read(await ask(app, "ada", early)), ["gap", "8", "9", "10"])
  assert.equal(await read(await ask(app, "ada")), ["gap", "8", "9", "10"])
})

test("with whenGone: stop, the function stops with its client, and continues after the last event", async () => {
  const lasts: unknown[] = []
  let stopped: (() => void) | undefined
  const stopPromise = new Promise<void>((resolve) => {
    stopped = resolve
  })
  const run = async (events: EventStream) => {
    lasts.push(events.last?.data)
    events.signal.addEventListener("abort", () => stopped?.())
    const from = Number(events.last?.data ?? 0) + 1
    for (let n = from; n <= 4; n++) {
      await events.send({ data: n })
      if (lasts.length === 1 && n === 2) await events.closed
    }
  }
  const app = streamApp(memoryStore(), run, { whenGone: "stop" })
  const reader = ((await ask(app, "ada")).body as ReadableStream<Uint8Array>).getReader()
  let text = ""
  while (parse(text).events.length < 2) text += new TextDecoder().decode((await reader.read()).value)
  await reader.cancel()
  await stopPromise
  const rest = await read(await ask(app, "ada", parse(text).id))
  // The function sent 3 after its client had disconnected, or its send was refused. Both are correct, and nothing
  // is missing.
  assert.equal([...readData(text), ...rest], ["1", "2", "3", "4"])
  assert.is(lasts[0], undefined)
  assert.is(lasts.length, 2)
})

test("three simultaneous clients get the events of one run of the function", async () => {
  let runs = 0
  const app = streamApp(memoryStore(), (events) => {
    runs++
    return count(20)(events)
  })
  const all = await Promise.all([1, 2, 3].map(async () => read(await ask(app, "ada"))))
  for (const one of all)
    assert.equal(
      one,
      Array.from({ length: 20 }, (_, index) => String(index + 1)),
    )
  assert.is(runs, 1)
})

test("a client that stops reading does not delay the function for others, and gets a gap when it continues", async () => {
  const app = streamApp(memoryStore(), count(200), { maxEntries: 50 })
  const reader = ((await ask(app, "ada")).body as ReadableStream<Uint8Array>).getReader()
  let text = new TextDecoder().decode((await reader.read()).value)
  const other = await read(await ask(app, "ada"))
  assert.is(other.at(-1), "200")
  for (let part = await reader.read(); part.value; part = await reader.read())
    text += new TextDecoder().decode(part.value)
  const seen = readData(text)
  assert.is(seen[0], "1")
  assert.is(seen.filter((data) => data === "gap").length, 1)
  // The entry that marks the end counts too.
  assert.equal(
    seen.slice(-49),
    Array.from({ length: 49 }, (_, index) => String(index + 152)),
  )
})

test("the function does not run again if it ended in another process between reading the log and taking the lock", async () => {
  const store = memoryStore()
  let runs = 0
  const run = (events: EventStream) => {
    runs++
    return count(3)(events)
  }
  const elsewhere = streamApp(store, run)
  const late: Store<"log" | "lock"> = {
    ...store,
    capabilities: ["log", "lock"],
    lock: {
      ...store.lock,
      async acquire(key, lease) {
        await (await ask(elsewhere, "ada")).text()
        const token = await store.lock.acquire(key, lease)
        return token
      },
    },
  }
  assert.equal(await read(await ask(streamApp(late, run), "ada")), ["1", "2", "3"])
  assert.is(runs, 1)
})

test("if a process crashes, its function runs again when the lock has expired", async () => {
  const store = memoryStore()
  let acquired = 0
  const crashed: Store<"log" | "lock"> = {
    ...store,
    capabilities: ["log", "lock"],
    lock: {
      ...store.lock,
      async acquire(key, lease) {
        if (acquired++ === 0) await store.lock.acquire(key, 0.05)
        return store.lock.acquire(key, lease)
      },
    },
  }
  assert.equal(await read(await ask(streamApp(crashed, count(2)), "ada")), ["1", "2"])
  assert.ok(acquired > 1)
})

test("while the store fails, clients wait and lose nothing", async () => {
  const store = memoryStore()
  let failures = 3
  const failing: Store<"log" | "lock"> = {
    ...store,
    capabilities: ["log", "lock"],
    log: {
      ...store.log,
      async read(log, range) {
        if (failures-- > 0) throw Object.assign(new Error("the store fails, on purpose"), { code: "store_unavailable" })
        return store.log.read(log, range)
      },
    },
  }
  assert.equal(await read(await ask(streamApp(failing, count(3)), "ada")), ["1", "2", "3"])
})

test("a function that fails ends the stream with an event, and does not run again", async () => {
  let runs = 0
  const app = streamApp(memoryStore(), async (events) => {
    runs++
    await events.send("one")
    throw new Error("a bug, on purpose")
  })
  const { events, id } = parse(await (await ask(app, "ada")).text())
  assert.equal(events, [
    ["message", "one"],
    ["failed", ""],
  ])
  assert.is((await ask(app, "ada", id)).status, 204)
  assert.is(runs, 1)
})

test("close() ends the stream, and later sends are refused", async () => {
  let thrown: unknown
  const app = streamApp(memoryStore(), async (events) => {
    await events.send("one")
    events.close()
    thrown = await events.send("two").catch((error) => error)
  })
  assert.equal(await read(await ask(app, "ada")), ["one"])
  assert.is((thrown as Error).name, "AbortError")
})

test("events that are sent without waiting keep their order, and too many end the function", async () => {
  const many = streamApp(memoryStore(), (events) => {
    for (let n = 1; n <= 50; n++) events.send({ data: n })
  })
  assert.equal(
    await read(await ask(many, "ada")),
    Array.from({ length: 50 }, (_, index) => String(index + 1)),
  )
  const tooMany = streamApp(memoryStore(), (events) => {
    for (let n = 1; n <= 40; n++) events.send("x".repeat(50_000))
  })
  assert.is((await read(await ask(tooMany, "ada"))).at(-1), "")
})

test("send() refuses an id of the program, and c.sse() refuses an empty subject, and a subject without a log", async () => {
  let thrown: unknown
  const app = streamApp(memoryStore(), async (events) => {
    thrown = await events.send({ id: "1", data: 1 }).catch((error) => error)
  })
  await (await ask(app, "ada")).text()
  assert.instance(thrown, TypeError)
  assert.is((await ask(app, "")).status, 500)
  const noLog = new App({ logger: false })
  noLog.get("/stream", (c) => c.sse(() => {}, { subject: "ada" }))
  assert.is((await ask(noLog, "ada")).status, 500)
})

test("a store without a log, and a wrong option, are errors when the program starts", () => {
  const { kv, lock, log } = memoryStore()
  const wrong: readonly (() => unknown)[] = [
    () => eventLog({ kv, lock } as unknown as Store<"log" | "lock">),
    () => eventLog({ log } as unknown as Store<"log" | "lock">),
    () => eventLog(memoryStore(), { maxEntries: 0 }),
    () => eventLog(memoryStore(), { ttl: -1 }),
    () => eventLog(memoryStore(), { whenGone: "wait" as "stop" }),
    () => eventLog(memoryStore(), { keep: true } as object),
  ]
  for (const make of wrong) assert.throws(make, (error: { code?: string }) => error.code === "store")
})

test.run()
