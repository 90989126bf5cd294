/** Tests of WebSockets on Node: the contract's cases over real connections, and cases that need a server. */
import { execFile } from "node:child_process"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, request } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { nodeUpgrade, serve } from "../../../adapters/node.ts"
import { App, type FwError, type Operation, type SocketHandler } from "../../../lib/index.ts"
import { tls } from "../../support/adapters/tls.ts"
import { socketCases } from "../../support/contract/all.ts"
import { contract } from "../../support/contract/runner.ts"
import { socketRequestCases } from "../../support/contract/socket-requests.ts"
import { runSocketCase } from "../../support/contract/socket-runner.ts"
import { atRest } from "../../support/rest.ts"

contract(socketRequestCases)

const options = { host: "127.0.0.1", port: 0 }
const getPort = (addr: string) => Number(addr.split(":").at(-1))

for (const one of socketCases) {
  test(`sockets: ${one.name}`, async () => {
    const server = await serve(await one.app(), options)
    try {
      await runSocketCase(one, getPort(server.addr))
    } finally {
      await server.shutdown()
    }
  })
}

/** Starts a server with one socket route at `/`. */
async function serving(handler: SocketHandler) {
  const app = new App({ logger: false })
  app.socket("/", () => handler)
  const server = await serve(app, options)
  return { app, server, url: `ws://${server.addr}/` }
}

async function opened(url: string): Promise<WebSocket> {
  const client = new WebSocket(url)
  client.on("error", () => {})
  await once(client, "open")
  return client
}

/** Sends bytes to the server, and returns everything that it sends until it closes the connection. */
async function answerTo(port: number, text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1")
  let answer = ""
  socket.on("data", (data) => {
    answer += data
  })
  socket.on("error", () => {})
  socket.write(text)
  await once(socket, "close")
  return answer
}

const handshake = {
  Host: "127.0.0.1",
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
const wrong: ReadonlyArray<
  readonly [name: string, change: Record<string, string | null>, start: RegExp, more?: RegExp]
> = [
  ["another version", { "Sec-WebSocket-Version": "8" }, /^HTTP\/1\.1 426 /, /sec-websocket-version: 13\r\n/i],
  ["no version", { "Sec-WebSocket-Version": null }, /^HTTP\/1\.1 426 /],
  ["no key", { "Sec-WebSocket-Key": null }, /^HTTP\/1\.1 400 /, /"no valid|no valid Sec-WebSocket-Key/],
  ["a key that is too short", { "Sec-WebSocket-Key": "abc=" }, /^HTTP\/1\.1 400 /],
  ["invalid subprotocols", { "Sec-WebSocket-Protocol": "a, b c" }, /^HTTP\/1\.1 400 /],
  ["a subprotocol twice", { "Sec-WebSocket-Protocol": "a, a" }, /^HTTP\/1\.1 400 /],
  ["an invalid host", { Host: "a b" }, /^HTTP\/1\.1 400 /],
]
for (const [name, change, start, more] of wrong) {
  test(`a wrong handshake is refused: ${name}`, async () => {
    const { server } = await serving({})
    const lines = Object.entries({ ...handshake, ...change }).filter(([, value]) => value !== null)
    const head = lines.map(([header, value]) => `${header}: ${value}\r\n`).join("")
    const answer = await answerTo(getPort(server.addr), `GET / HTTP/1.1\r\n${head}\r\n`)
    assert.match(answer, start)
    assert.match(answer, /"error":"/)
    if (more) assert.match(answer, more)
    await server.shutdown()
  })
}

test("requests for an upgrade to another protocol are answered as ordinary ones, with their bodies", async () => {
  const app = new App({ logger: false })
  app.socket("/", () => ({}))
  app.post("/", async (c) => c.string(200, await c.text()))
  const server = await serve(app, options)
  for (const protocol of ["h2c", "websocket"]) {
    const outgoing = request({ ...options, port: getPort(server.addr), method: "POST", agent: false })
    outgoing.setHeader("Connection", "Upgrade").setHeader("Upgrade", protocol)
    outgoing.end("body")
    const [answer] = await once(outgoing, "response")
    answer.setEncoding("utf8")
    assert.is((await once(answer, "data"))[0], "body", protocol)
  }
  await server.shutdown()
})

test("a graceful shutdown closes sockets with 1001, and waits for them", async () => {
  const steps: string[] = []
  const { server, url } = await serving({
    async close(socket, code) {
      assert.ok(socket.signal.aborted)
      await new Promise((resolve) => setImmediate(resolve))
      steps.push(`closed ${code}`)
    },
  })
  const client = await opened(url)
  const closed = once(client, "close")
  await server.shutdown()
  steps.push("stopped")
  const [code, reason] = await closed
  assert.is(code, 1001)
  assert.is(String(reason), "the server is stopping")
  assert.equal(steps, ["closed 1001", "stopped"])
})

test("a shutdown that is aborted rejects with the reason, although a client does not close its socket", async () => {
  const { server, url } = await serving({})
  const client = await opened(url)
  // A paused client reads nothing, so it does not answer the close frame.
  client.pause()
  const error = await server.shutdown(AbortSignal.abort(new Error("no time"))).catch((thrown) => thrown)
  assert.is((error as Error).message, "no time")
  client.terminate()
})

test("fw:socket: a connection is published from its opening until it is closed", async () => {
  const { server, url } = await serving({ message: (socket) => socket.close() })
  const seen: [string, Operation][] = []
  const closed = new Promise<void>((resolve) => {
    const onStart = (message: unknown) => void seen.push(["start", message as Operation])
    const onEnd = (message: unknown) => {
      seen.push(["end", message as Operation])
      unsubscribe("fw:socket:start", onStart)
      unsubscribe("fw:socket:end", onEnd)
      resolve()
    }
    subscribe("fw:socket:start", onStart)
    subscribe("fw:socket:end", onEnd)
  })
  const client = await opened(url)
  client.send("close")
  await closed
  await server.shutdown()
  const operation = seen[0]?.[1]
  assert.equal(
    seen.map(([point, same]) => [point, same === operation]),
    [
      ["start", true],
      ["end", true],
    ],
  )
  assert.equal([operation?.kind, operation?.name, operation?.c?.path], ["socket", "/", "/"])
})

test("if a client disconnects, the socket closes with 1006, and c.signal aborts", async () => {
  const app = new App({ logger: false })
  let tell: (value: unknown) => void = () => {}
  const told = new Promise((resolve) => {
    tell = resolve
  })
  app.socket("/", (c) => ({
    close: (socket, code) => tell([code, c.signal.aborted, socket.signal.aborted]),
  }))
  const server = await serve(app, options)
  const client = await opened(`ws://${server.addr}/`)
  client.terminate()
  assert.equal(await told, [1006, true, true])
  await server.shutdown()
})

test("a client that answers no ping is disconnected with 1006", async () => {
  let tell: (code: number) => void = () => {}
  const told = new Promise<number>((resolve) => {
    tell = resolve
  })
  const { server, url } = await serving({ heartbeat: 0.02, close: (_, code) => tell(code) })
  const client = new WebSocket(url, { autoPong: false })
  client.on("error", () => {})
  assert.is(await told, 1006)
  await server.shutdown()
})

test("a client that answers pings stays connected", async () => {
  const { server, url } = await serving({ heartbeat: 0.1, message: (socket) => socket.send("here") })
  const client = await opened(url)
  for (let pings = 0; pings < 5; pings++) await once(client, "ping")
  client.send("still there?")
  assert.is(String((await once(client, "message"))[0]), "here")
  client.close()
  await server.shutdown()
})

test("a client that stops reading is disconnected if the handler sends without waiting", async () => {
  let sent = 0
  let tell: (reason: unknown) => void = () => {}
  const told = new Promise((resolve) => {
    tell = resolve
  })
  const { server, url } = await serving({
    message(socket) {
      for (; sent < 1000 && !socket.signal.aborted; sent++) socket.send("x".repeat(1024 * 1024))
      tell(socket.signal.reason)
    },
  })
  const client = await opened(url)
  client.pause()
  client.send("go")
  assert.is(((await told) as Error).name, "AbortError")
  assert.ok(sent < 50, `${sent} MiB were sent`)
  client.terminate()
  await server.shutdown()
})

test("send() waits while the client reads nothing", async () => {
  let sent = 0
  const { server, url } = await serving({
    async message(socket) {
      for (; sent < 1000; sent++) await socket.send("x".repeat(256 * 1024))
    },
  })
  const client = await opened(url)
  client.pause()
  client.send("go")
  await atRest(() => sent)
  assert.ok(sent < 200, `${sent} messages of 256 KiB are on their way`)
  client.terminate()
  await server.shutdown()
})

test("without ws, an app with sockets does not start and says what to do, and an app without sockets starts", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fw-ws-"))
  const library = new URL("../../../lib/index.ts", import.meta.url).href
  const hook = `export const resolve = (name, context, next) => {
    if (name === "ws") throw Object.assign(new Error("no ws"), { code: "ERR_MODULE_NOT_FOUND" })
    return next(name, context)
  }`
  const program = `import { register } from "node:module"
    register("data:text/javascript,${encodeURIComponent(hook)}")
    const { App } = await import(${JSON.stringify(library)})
    const app = new App({ logger: false })
    if (process.argv.includes("sockets")) app.socket("/", () => ({}))
    await app.listen("127.0.0.1:0").then(() => console.log("listens"), (error) => console.log(error.code, error.fix))
    await app.shutdown()`
  const run = promisify(execFile)
  const args = [...process.execArgv, "--input-type=module", "-e", program]
  const start = async (...words: string[]) =>
    (await run(process.execPath, [...args, ...words], { cwd: directory })).stdout.trim()
  try {
    assert.is(await start("sockets"), "ws_missing Run npm install ws.")
    assert.is(await start("none"), "listens")
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test("with tls, sockets use wss, and c.origin begins with https", async () => {
  const app = new App({ logger: false })
  app.socket("/", (c) => ({ open: (socket) => socket.send(c.origin) }))
  const server = await serve(app, { ...options, tls })
  const client = new WebSocket(`wss://localhost:${getPort(server.addr)}/`, { ca: tls.cert })
  assert.is(String((await once(client, "message"))[0]), `https://localhost:${getPort(server.addr)}`)
  const closed = once(client, "close")
  await server.shutdown()
  assert.is((await closed)[0], 1001)
})

for (const [path, expected] of [
  ["/both", "get"],
  // This route has a more exact pattern than the one below it, which answers every method.
  ["/below/deep", "get deep"],
  ["/every", "every"],
  ["/below/other", "below"],
  ["/socket", "not_implemented"],
  ["/socket/7", "not_implemented"],
] as const) {
  test(`an upgrade of ${path} is answered with ${expected}: a handler for every method does not replace one for GET`, async () => {
    const app = new App({ logger: false })
    app.get("/both", (c) => c.string(200, "get"))
    app.all("/both", (c) => c.string(200, "all"))
    app.get("/below/deep", (c) => c.string(200, "get deep"))
    app.all("/below/*", (c) => c.string(200, "below"))
    app.all("/every", (c) => c.string(200, "every"))
    app.all("/socket", (c) => c.string(200, "all"))
    app.socket("/socket", () => ({}))
    app.socket("/socket/{id}", () => ({}))
    const answer = await app.request(path, { headers: { upgrade: "websocket", connection: "upgrade" } })
    assert.match(await answer.text(), new RegExp(`^${expected}$|"${expected}"`))
  })
}

test("app.fetch() without a server accepts no upgrade", async () => {
  const app = new App({ logger: false })
  app.socket("/", () => ({}))
  const answer = await app.request("/", { headers: { upgrade: "websocket", connection: "upgrade" } })
  assert.is(answer.status, 501)
})

test("nodeUpgrade() adds sockets to your own server", async () => {
  const app = new App({ logger: false })
  app.socket("/", () => ({ message: (socket, data) => socket.send(data) }))
  const server = createServer((_, outgoing) => outgoing.end())
  server.on("upgrade", await nodeUpgrade(app))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address() as { port: number }
  const client = await opened(`ws://127.0.0.1:${address.port}/`)
  client.send("x")
  assert.is(String((await once(client, "message"))[0]), "x")
  client.close()
  await once(client, "close")
  server.close()
})

test("socket() refuses a value that is not a function", () => {
  const app = new App({ logger: false })
  assert.throws(
    () => app.socket("/", {} as never),
    (error: FwError) => error.code === "handler",
  )
})

test.run()
