/** Tests of uploads that are larger than the memory: 1 GiB goes through a server with a heap of 128 MiB. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { root } from "../support/tsc.ts"

const MiB = 1024 ** 2
const GiB = 1024 * MiB
/**
 * A server needs about 100 MiB besides its heap, even without a request. Half of the upload would not fit into this
 * limit.
 */
const mostMemory = 400 * MiB

const directory = mkdtempSync(join(tmpdir(), "fw-large-"))
const library = JSON.stringify(pathToFileURL(join(root, "dist/lib/index.js")).href)
const program = join(directory, "server.mjs")
writeFileSync(
  program,
  `import { App, bodyLimit } from ${library}
const app = new App({ logger: false })
let most = 0
const look = () => { most = Math.max(most, process.memoryUsage.rss()) }
app.post("/count", bodyLimit(${2 * GiB}, { buffered: 100_000 }), async (c) => {
  let size = 0
  for await (const part of c.parts()) for await (const chunk of part.body) {
    size += chunk.length
    look()
  }
  return c.json(200, { size, most })
})
app.post("/save", bodyLimit(${2 * GiB}, { buffered: 100_000 }), async (c) => {
  let size = 0
  for await (const part of c.parts()) {
    size += await part.save(${JSON.stringify(join(directory, "saved"))})
    look()
  }
  return c.json(200, { size, most })
})
await app.listen("127.0.0.1:0")
console.log(app.addr)
`,
)

let server: ChildProcess
let port: number

const large = suite("uploads larger than the memory")

large.before(async () => {
  server = spawn(process.execPath, ["--max-old-space-size=128", program], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(server.stdout as NodeJS.ReadableStream, "data")
  port = Number(String(line).trim().split(":").at(-1))
})

large.after(async () => {
  const ended = once(server, "exit")
  server.kill()
  await ended
  rmSync(directory, { recursive: true, force: true })
})

/** Sends a form with one file of this size as fast as the server reads it, and returns its answer. */
async function send(path: string, size: number): Promise<{ size: number; most: number }> {
  const before = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
  const after = "\r\n--b--\r\n"
  const socket = connect(port, "127.0.0.1")
  let answer = ""
  socket.setEncoding("utf8").on("data", (text) => {
    answer += text
  })
  const ended = once(socket, "end")
  await write(
    socket,
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
      `Content-Length: ${before.length + size + after.length}\r\n\r\n${before}`,
  )
  const chunk = Buffer.alloc(MiB, "a line of an upload\r\n")
  for (let left = size; left > 0; left -= chunk.length) await write(socket, chunk.subarray(0, left))
  await write(socket, after)
  await ended
  socket.destroy()
  assert.match(answer, /^HTTP\/1\.1 200 /)
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))
}

async function write(socket: Socket, data: string | Buffer): Promise<void> {
  if (!socket.write(data)) await once(socket, "drain")
}

large("an upload of 1 GiB is read while it arrives, and not kept in memory", async () => {
  const { size, most } = await send("/count", GiB)
  assert.is(size, GiB)
  assert.ok(most > 0 && most < mostMemory, `the server used ${Math.round(most / MiB)} MiB of memory`)
})

large("an upload of 1 GiB is saved completely while it arrives", async () => {
  const { size, most } = await send("/save", GiB)
  assert.is(size, GiB)
  assert.is(statSync(join(directory, "saved")).size, GiB)
  assert.equal(readdirSync(directory).sort(), ["saved", "server.mjs"])
  assert.ok(most < mostMemory, `the server used ${Math.round(most / MiB)} MiB of memory`)
})

large.run()
