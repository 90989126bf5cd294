/**
 * Tests of files that are larger than the memory: 1 GiB is uploaded to a server with a heap of 128 MiB, and `GIB`
 * gigabytes, half a one without it, go to an S3 server and back.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { pathToFileURL } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { startS3 } from "../support/files/s3-server.ts"
import { root } from "../support/tsc.ts"

const MiB = 1024 ** 2
const GiB = 1024 * MiB
const gigabytes = Number(process.env.GIB ?? 0.5)
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

const stored = join(directory, "stored.mjs")
writeFileSync(
  stored,
  `import { createHash } from "node:crypto"
import { s3Files } from ${JSON.stringify(pathToFileURL(join(root, "dist/adapters/files.js")).href)}
const { url: endpoint, bucket, credentials, size } = JSON.parse(process.argv[2])
const files = s3Files({ endpoint, bucket, region: "us-east-1", credentials, timeout: 600 })
let most = 0
const digest = (hash, chunk) => {
  most = Math.max(most, process.memoryUsage.rss())
  hash.update(chunk)
}
const [sent, read] = [createHash("sha256"), createHash("sha256")]
let left = size
const content = new ReadableStream({
  pull(controller) {
    if (left === 0) return controller.close()
    // The chunks differ, so that parts in a wrong order are another file.
    const chunk = new Uint8Array(${MiB}).fill(left / ${MiB})
    left -= chunk.length
    digest(sent, chunk)
    controller.enqueue(chunk)
  },
})
const put = await files.put("large", content)
for await (const chunk of (await files.get("large")).body) digest(read, chunk)
const isSame = sent.digest("hex") === read.digest("hex")
console.log(JSON.stringify({ put, isSame, most }))
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
  assert.equal(readdirSync(directory).sort(), ["saved", "server.mjs", "stored.mjs"])
  assert.ok(most < mostMemory, `the server used ${Math.round(most / MiB)} MiB of memory`)
})

large(`a file of ${gigabytes} GiB is stored in S3 and read again, and not kept in memory`, async () => {
  const { url, bucket, credentials, end } = await startS3()
  try {
    const given = JSON.stringify({ url, bucket, credentials, size: gigabytes * GiB })
    const child = spawn(process.execPath, ["--max-old-space-size=128", stored, given], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const { put, isSame, most } = JSON.parse(await text(child.stdout)) as { put: number; isSame: boolean; most: number }
    assert.equal({ put, isSame }, { put: gigabytes * GiB, isSame: true })
    assert.ok(most < mostMemory, `the program used ${Math.round(most / MiB)} MiB of memory`)
  } finally {
    await end()
  }
})

large.run()
