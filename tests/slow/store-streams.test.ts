/** Tests with real servers of event streams that resume, and of messages to the clients of other processes. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Redis } from "ioredis"
import { Pool } from "pg"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { postgresStore, redisStore, sqliteStore } from "../../adapters/store.ts"
import type { Store } from "../../lib/store/types.ts"
import { findFreePort } from "../support/free-port.ts"
import { eventStreamClaims, parse, type Read } from "../support/store/event-streams.ts"
import { startPostgres } from "../support/store/postgres.ts"
import { startRedis, startUntil, type TestServer } from "../support/store/server.ts"

process.env.FW_LOG_LEVEL = "off"

const streamer = fileURLToPath(new URL("../support/store/streamer.ts", import.meta.url))

/** PostgreSQL does not wait for the disk, which is slow, because no test here kills PostgreSQL. */
const options = "-c synchronous_commit=off"

/** Servers of stores, and how a process opens them. */
const engines = {
  redis: {
    start: startRedis,
    open: (port: number) => redisStore(new Redis(port, "127.0.0.1", { lazyConnect: true })),
  },
  postgres: {
    start: startPostgres,
    open: (port: number) =>
      postgresStore(new Pool({ host: "127.0.0.1", port, user: "postgres", database: "postgres", options })),
  },
}

/** An event stream that a client reads from a server. */
class Client {
  readonly #abort = new AbortController()
  readonly #response: Promise<Response>
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  #text = ""

  constructor(url: string, id?: string) {
    const headers = id === undefined ? {} : { "last-event-id": id }
    this.#response = fetch(url, { headers, signal: this.#abort.signal })
  }

  /** Reads until there are `count` events, or to the end. */
  async read(count = Number.POSITIVE_INFINITY): Promise<readonly Read[]> {
    this.#reader ??= ((await this.#response).body as ReadableStream<Uint8Array>).getReader()
    while (parse(this.#text).events.length < count) {
      const { value, done } = await this.#reader.read()
      if (done) break
      this.#text += Buffer.from(value).toString("latin1")
    }
    return parse(this.#text).events
  }

  get id(): string | undefined {
    return parse(this.#text).id
  }

  leave(): void {
    this.#abort.abort()
  }
}

for (const [name, { start, open }] of Object.entries(engines)) {
  const tests = suite(`streams: ${name}`)
  let server: TestServer
  const stores: Store[] = []
  const processes: ChildProcess[] = []
  let sites: readonly string[] = []
  tests.before(async () => {
    server = await start()
    stores.push(open(server.port), open(server.port))
    const started = await Promise.all(
      [1, 2].map(async () => {
        const port = await findFreePort()
        const args = [...process.execArgv, streamer, String(port), name, String(server.port)]
        return { site: `127.0.0.1:${port}`, child: await startUntil(process.execPath, args, /listening on/) }
      }),
    )
    // Both lists must have the same order, whichever process was ready first.
    sites = started.map(({ site }) => site)
    processes.push(...started.map(({ child }) => child))
  })
  tests.after(async () => {
    for (const child of processes) child.kill("SIGKILL")
    await Promise.all(stores.map((store) => store.close()))
    await server.end()
  })

  // PostgreSQL is the slowest engine, and the position at which a stream is cut makes no difference to it, so fewer
  // positions are tested.
  eventStreamClaims(tests, () => stores as [Store, Store], name === "postgres" ? 7 : 1)

  tests("a client that moves to another process gets the rest of the events of its first process", async () => {
    const [one, two] = sites
    const first = new Client(`http://${one}/job?subject=ada`)
    const before = await first.read(5)
    first.leave()
    const second = new Client(`http://${two}/job?subject=ada`, first.id)
    await fetch(`http://${two}/job?subject=ada`, { method: "POST" })
    const all = [...before, ...(await second.read())].map(([, data]) => JSON.parse(data))
    assert.equal(
      all.map(({ n }) => n),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    assert.is(new Set(all.map(({ pid }) => pid)).size, 1)
    assert.is(
      (await fetch(`http://${one}/job?subject=ada`, { headers: { "last-event-id": second.id ?? "" } })).status,
      204,
    )
  })

  tests("messages of one process reach the streams and sockets of both", async () => {
    const streams = sites.map((site) => new Client(`http://${site}/news`))
    const sockets = sites.map((site) => new WebSocket(`ws://${site}/news`))
    const heard: string[][] = sockets.map(() => [])
    const full = sockets.map(
      (socket, index) =>
        new Promise<void>((resolve) =>
          socket.on("message", (data) => {
            if (heard[index]?.push(String(data)) === 3) resolve()
          }),
        ),
    )
    await Promise.all(streams.map((stream) => stream.read(1)))
    await Promise.all(sockets.map((socket, index) => heard[index]?.length || once(socket, "message")))
    for (const [index, site] of sites.entries())
      await fetch(`http://${site}/news`, { method: "POST", body: JSON.stringify({ index }) })
    await Promise.all(full)
    const wanted = ["started", '{"index":0}', '{"index":1}']
    assert.equal(heard, [wanted, wanted])
    for (const stream of streams) {
      assert.equal(
        (await stream.read(3)).map(([, data]) => data),
        wanted,
      )
      stream.leave()
    }
    for (const socket of sockets) socket.terminate()
  })

  if (name === "redis") redisClaims(tests, () => ({ server, sites, first: processes[0] as ChildProcess }))
  tests.run()
}

/** Adds the tests in which the server or a process ends. */
function redisClaims(
  tests: (title: string, body: () => Promise<void>) => void,
  state: () => {
    readonly server: TestServer
    readonly sites: readonly string[]
    readonly first: ChildProcess
  },
): void {
  tests("after Redis was restarted, a stream of messages gets a gap, and then later messages", async () => {
    const { server, sites } = state()
    const stream = new Client(`http://${sites[0]}/news`)
    assert.equal(await stream.read(1), [["message", "started"]])
    await server.kill()
    await server.start()
    assert.equal((await stream.read(2)).slice(1), [["gap", ""]])
    await fetch(`http://${sites[1]}/news`, { method: "POST", body: "7" })
    assert.equal((await stream.read(3)).at(-1), ["message", "7"])
    stream.leave()
  })

  tests("when the process that runs the function is killed, another one runs it after the lease", async () => {
    const { server, sites, first } = state()
    const path = "job?subject=eve"
    const client = new Client(`http://${sites[0]}/${path}`)
    const before = await client.read(5)
    const ended = once(first, "exit")
    first.kill("SIGKILL")
    await ended
    await fetch(`http://${sites[1]}/${path}`, { method: "POST" })
    // The lease ends now instead of after its 15 seconds.
    const redis = new Redis(server.port, "127.0.0.1")
    const locks = await redis.keys("fw:lock:*")
    assert.is(locks.length, 1)
    await redis.pexpire(locks[0] as string, 1)
    redis.disconnect()
    const second = new Client(`http://${sites[1]}/${path}`, client.id)
    const pid = (events: readonly Read[]) => [...new Set(events.map(([, data]) => JSON.parse(data).pid))]
    const after = await second.read()
    assert.equal(pid(before), [first.pid])
    assert.is(after.length, 20, "the function did not begin again, although it does not look at events.last")
    assert.is(pid(after).length, 1)
    assert.not.equal(pid(after), pid(before))
  })
}

const tests = suite("streams: sqlite")
const directory = mkdtempSync(join(tmpdir(), "fw-streams-"))
const stores: readonly Store<"log" | "lock">[] = [1, 2].map(() => sqliteStore(join(directory, "state.db")))
tests.after(async () => {
  await Promise.all(stores.map((store) => store.close()))
  rmSync(directory, { recursive: true, force: true })
})
eventStreamClaims(tests, () => stores as [Store<"log" | "lock">, Store<"log" | "lock">])
tests.run()
