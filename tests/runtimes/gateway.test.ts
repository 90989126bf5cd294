/** Tests apps that pass on the answers of another server, with the `fetch()` of each runtime. */
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { brotliCompressSync, brotliDecompressSync, deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { bundleProgram } from "../support/adapters/published.ts"
import { getCommand, type Running, start } from "../support/adapters/runtimes.ts"

const text = "hello world ".repeat(300)

/** Content codings, and functions that encode them. No `fetch()` knows the last one. */
const codings: Readonly<Record<string, (text: string) => Buffer>> = {
  identity: Buffer.from,
  gzip: (plain) => gzipSync(plain),
  br: (plain) => brotliCompressSync(plain),
  deflate: (plain) => deflateSync(plain),
  "gzip, br": (plain) => brotliCompressSync(gzipSync(plain)),
  aes128gcm: Buffer.from,
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}

/**
 * Headers that every answer of the other server has: first those that the client may get, then those that it may
 * not.
 */
const passed = { "x-kept": "1", "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] }
const ofConnection = { connection: "x-secret, keep-alive", "x-secret": "1", "proxy-authenticate": "Basic" }

/** The answers of the other server, by the first segment of the path. */
const kinds: Readonly<Record<string, (coding: string) => [status: number, headers: object, body?: Buffer | string]>> = {
  length: (coding) => {
    const body = (codings[coding] as (text: string) => Buffer)(text)
    return [200, { "content-encoding": coding, "content-length": body.byteLength, etag: '"tag"' }, body]
  },
  chunks: (coding) => [200, { "content-encoding": coding }, (codings[coding] as (text: string) => Buffer)(text)],
  "not-modified": () => [304, { etag: '"tag"' }],
  part: () => [206, { "content-range": "bytes 0-1/9", "content-length": 2 }, "he"],
  redirect: () => [302, { location: "/length/gzip" }],
  empty: () => [204, {}],
}

const server = createServer((incoming, outgoing) => {
  const [kind, coding] = (incoming.url as string).slice(1).split("/").map(decodeURIComponent) as [string, string]
  const [status, headers, body] = kinds[kind]?.(coding) ?? [500, {}]
  outgoing.writeHead(status, { ...passed, ...ofConnection, ...headers })
  outgoing.end(incoming.method === "HEAD" ? undefined : body)
})

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

function ask(port: string, method: string, path: string): Promise<Answer> {
  const options = {
    port,
    method,
    path,
    host: "127.0.0.1",
    headers: { "accept-encoding": "gzip" },
    agent: false,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(options, async (incoming) => {
      const { statusCode: status, headers } = incoming
      resolve({ status, headers, body: await buffer(incoming) })
    })
    outgoing.on("error", reject).end()
  })
}

/** Returns the text of an answer, read by a client that trusts its headers. */
function readText({ headers, body }: Answer): string {
  const names = (headers["content-encoding"] ?? "").split(", ").reverse()
  return names.reduce((bytes, name) => decoders[name]?.(bytes) ?? bytes, body).toString()
}

function checkFields({ headers }: Answer, what: string): void {
  for (const [name, value] of Object.entries(passed))
    if (name !== "content-type") assert.equal(headers[name], value, `${what}: ${name}`)
  for (const name of ["x-secret", "proxy-authenticate", "keep-alive"])
    assert.is(headers[name], undefined, `${what}: ${name}`)
}

const ways = ["handler", "clone", "compressed", "mounted"]

test.before(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
test.after(() => {
  server.close()
  server.closeAllConnections()
})

for (const runtime of ["node", "bun", "deno"] as const) {
  let running: Running
  let port: string

  test(`${runtime}: the gateway starts`, async () => {
    const { port: other } = server.address() as AddressInfo
    const script = await bundleProgram("tests/support/adapters/gateway-program.ts")
    running = start([...getCommand(runtime), script, `http://127.0.0.1:${other}`])
    port = await running.line()
  })

  for (const way of ways) {
    for (const kind of ["length", "chunks"]) {
      for (const coding of Object.keys(codings)) {
        const path = `/${way}/${kind}/${encodeURIComponent(coding)}`
        test(`${runtime}: ${path} can be read`, async () => {
          const answer = await ask(port, "GET", path)
          assert.is(answer.status, 200)
          assert.is(readText(answer), text)
          checkFields(answer, "GET")
        })

        test(`${runtime}: HEAD ${path} sends no length other than that of GET`, async () => {
          const [got, head] = await Promise.all([ask(port, "GET", path), ask(port, "HEAD", path)])
          assert.is(head.status, 200)
          checkFields(head, "HEAD")
          assert.is(head.body.byteLength, 0)
          const length = head.headers["content-length"]
          if (length !== undefined) assert.is(Number(length), got.body.byteLength)
        })
      }
    }

    const others: ReadonlyArray<readonly [kind: string, status: number, text: string, headers?: object]> = [
      ["not-modified", 304, "", { etag: '"tag"' }],
      ["part", 206, "he", { "content-range": "bytes 0-1/9" }],
      ["redirect", 302, "", { location: "/length/gzip" }],
      ["empty", 204, ""],
    ]
    for (const [kind, status, body, headers = {}] of others) {
      test(`${runtime}: /${way}/${kind} is passed on`, async () => {
        const answer = await ask(port, "GET", `/${way}/${kind}`)
        assert.is(answer.status, status)
        assert.is(readText(answer), body)
        checkFields(answer, kind)
        for (const [name, value] of Object.entries(headers)) assert.is(answer.headers[name], value, name)
      })
    }
  }

  test(`${runtime}: the gateway ends`, async () => {
    await running.stop()
  })
}

test.run()
