/** Tests that a request has exactly one line in the log, however its answer ends. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler } from "../../../adapters/node.ts"
import { App, type RequestLoggerConfig } from "../../../lib/index.ts"
import { request, Wire } from "../../support/adapters/node/wire.ts"

const directory = mkdtempSync(join(tmpdir(), "fw-log-"))
writeFileSync(join(directory, "a.txt"), "text")
writeFileSync(join(directory, "large.bin"), Buffer.alloc(64 * 1024 * 1024))

/** The lines of a log, for which a test can wait. */
class Lines {
  readonly all: string[] = []
  #wake: () => void = () => {}

  readonly write = (text: string) => {
    this.all.push(text)
    this.#wake()
  }

  /** Waits for a line that contains a text. */
  async until(text: string): Promise<void> {
    while (!this.all.some((line) => line.includes(text)))
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
  }
}

const level = process.env.FW_LOG_LEVEL
test.before(() => {
  delete process.env.FW_LOG_LEVEL
})
test.after(() => {
  process.env.FW_LOG_LEVEL = level
  rmSync(directory, { recursive: true })
})

async function* endless() {
  for (;;) yield "x".repeat(1000)
}

async function* silent(signal: AbortSignal) {
  yield "begun"
  await new Promise((resolve) => signal.addEventListener("abort", resolve))
}

function streaming(lines: Lines): App {
  const app = new App({ staticDir: directory, logger: { write: lines.write } })
  const inner = new App({ logger: false })
  inner.get("/stream", (c) => c.stream(200, endless()))
  app.get("/stream", (c) => c.stream(200, endless()))
  app.get("/silent", (c) => c.stream(200, silent(c.signal)))
  app.get("/sse", (c) =>
    c.sse(async (events) => {
      await events.send("begun")
      await events.closed
    }),
  )
  app.get("/response", () => new Response(new Blob(["x".repeat(8_000_000)]).stream()))
  app.get("/whole", (c) => c.stream(200, new Blob(["whole"]).stream()))
  app.router.mount("/inner", inner.fetch)
  app.get("/last", (c) => c.string(200, "last"))
  return app
}

const paths = ["/stream", "/silent", "/sse", "/response", "/whole", "/inner/stream", "/static/large.bin"]

/** Names of servers, and functions that start an app on them. */
const servers: [name: string, start: (app: App) => Promise<{ addr: string; stop: () => Promise<unknown> }>][] = [
  [
    "listen()",
    async (app) => {
      await app.listen("127.0.0.1:0")
      return { addr: app.addr, stop: () => app.shutdown() }
    },
  ],
  [
    "nodeHandler()",
    async (app) => {
      const server: Server = createServer(nodeHandler(app))
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as AddressInfo
      return { addr: `127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
    },
  ],
]

for (const [name, start] of servers) {
  for (const path of paths) {
    test(`an app with ${name} logs ${path} once if the client disconnects`, async () => {
      const lines = new Lines()
      const app = streaming(lines)
      const { addr, stop } = await start(app)
      const wire = await Wire.open(addr)
      wire.send(request(`GET ${path}`))
      await wire.until("\r\n\r\n")
      wire.socket.destroy()
      await lines.until(`GET ${path} 200`)
      // If the first request had a second line, it would appear before the line of this request.
      const last = await Wire.open(addr)
      last.send(request("GET /last", ["Connection: close"]))
      await last.end()
      await lines.until("GET /last 200")
      await stop()
      assert.is(lines.all.filter((line) => line.includes(`GET ${path} `)).length, 1, lines.all.join(""))
    })
  }
}

/**
 * Settings, and the paths that are logged: of a file that exists, of one that is missing, and of the last request.
 */
const environments: [env: Record<string, string>, config: RequestLoggerConfig, logged: string[]][] = [
  [{}, {}, ["/static/a.txt", "/static/none.txt", "/last"]],
  [{ FW_DEV: "true" }, {}, ["/static/none.txt", "/last"]],
  [{ FW_DEV: "true" }, { level: "debug" }, ["/static/a.txt", "/static/none.txt", "/last"]],
  [{ FW_DEV: "true", FW_LOG_LEVEL: "debug" }, {}, ["/static/a.txt", "/static/none.txt", "/last"]],
]
for (const [env, config, logged] of environments) {
  test(`with ${JSON.stringify({ ...env, ...config })} the log has ${logged.join(" and ")}`, async () => {
    Object.assign(process.env, env)
    const lines: string[] = []
    const app = new App({
      staticDir: directory,
      logger: { ...config, write: (line) => void lines.push(line) },
    })
    app.get("/last", (c) => c.string(200, "last"))
    for (const path of ["/static/a.txt", "/static/none.txt", "/last"]) await (await app.request(path)).arrayBuffer()
    for (const name of Object.keys(env)) delete process.env[name]
    const paths = lines.map((line) => / GET (\S+) /.exec(line)?.[1])
    assert.equal(paths, logged)
  })
}

test.run()
