/** Runs contract cases on Node: each against `app.fetch` and over a real socket, and fails on any difference. Called by the tests. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../../adapters/node.ts"
import type { App } from "../../../lib/index.ts"
import { type Ask, askOf, type Case, type Expected } from "./case.ts"

/** What came back, whichever way. */
export interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly body: string
}

// Bugs on purpose: their reports would drown the test's own output.
process.env.FW_LOG_LEVEL ??= "off"

/** Headers that belong to the connection and not to the answer. */
const transport = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "set-cookie",
  "transfer-encoding",
])

/** The bytes and headers that a request is sent with. */
async function wireOf(ask: Ask & { method: string }) {
  const headers = new Headers(ask.headers)
  if (ask.body === undefined) return { headers, bytes: undefined }
  const request = new Request("http://host", { method: "POST", body: ask.body, headers })
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (!ask.chunked) request.headers.set("content-length", String(bytes.byteLength))
  return { headers: request.headers, bytes }
}

/** Asks through `app.fetch`. */
export async function viaFetch(app: App, question: string | Ask): Promise<Seen> {
  const ask = askOf(question)
  const { headers, bytes } = await wireOf(ask)
  const init: RequestInit & { duplex: "half" } = { method: ask.method, headers, duplex: "half" }
  if (bytes) init.body = ask.chunked ? new Blob([bytes]).stream() : bytes
  const response = await app.fetch(new Request(`http://localhost${ask.path}`, init))
  const seen: Record<string, string> = {}
  for (const [name, value] of response.headers) if (!transport.has(name)) seen[name] = value
  return {
    status: response.status,
    headers: seen,
    cookies: response.headers.getSetCookie(),
    body: await response.text(),
  }
}

/** Asks over a socket, on a server of its own. */
export async function viaSocket(app: App, question: string | Ask): Promise<Seen> {
  const server = await serve(app, { host: "127.0.0.1", port: 0 })
  try {
    return await sendTo(Number(server.addr.split(":").at(-1)), question)
  } finally {
    await server.shutdown()
  }
}

/** Sends a request as it is written: no spelling of its path is mended on the way. */
export async function sendTo(port: number, question: string | Ask): Promise<Seen> {
  const ask = askOf(question)
  const { headers, bytes } = await wireOf(ask)
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method: ask.method, path: ask.path, agent: false }
    const outgoing = httpRequest({ ...options, headers: { host: "localhost" } })
    for (const [name, value] of headers) outgoing.setHeader(name, value)
    outgoing.on("error", reject)
    outgoing.on("response", async (incoming) => {
      try {
        const chunks: Uint8Array[] = []
        for await (const chunk of incoming) chunks.push(chunk)
        resolve({
          status: incoming.statusCode as number,
          headers: plainHeaders(incoming.headers),
          cookies: incoming.headers["set-cookie"] ?? [],
          body: Buffer.concat(chunks).toString(),
        })
      } catch (cause) {
        reject(cause)
      }
    })
    if (bytes) outgoing.write(bytes)
    outgoing.end()
  })
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string] => !transport.has(entry[0]) && typeof entry[1] === "string",
    ),
  )
}

/** Holds an answer to what is expected of it. */
export function check(seen: Seen, expected: Expected, name: string): void {
  const { status = 200, headers = {}, cookies, body, json } = expected
  const whole = `${name}: ${JSON.stringify(seen)}`
  assert.is(seen.status, status, whole)
  for (const [header, value] of Object.entries(headers)) {
    const given = seen.headers[header.toLowerCase()]
    if (value instanceof RegExp) assert.match(given ?? "", value, whole)
    else assert.is(given ?? null, value, whole)
  }
  if (cookies) assert.equal(seen.cookies, cookies, whole)
  if (typeof body === "string") assert.is(seen.body, body, whole)
  else if (body) assert.match(seen.body, body, whole)
  if ("json" in expected) {
    assert.match(seen.headers["content-type"] ?? "", /^application\/json$/, whole)
    assert.equal(JSON.parse(seen.body), json, whole)
  }
}

/** Makes a test of each case. */
export function contract(cases: readonly Case[]): void {
  for (const { row, name, app, request, expect, via } of cases) {
    const title = `${row}: ${name}`
    test(title, async () => {
      const fetched = via === "socket" ? undefined : await viaFetch(await app(), request)
      if (fetched) check(fetched, expect, `app.fetch ${title}`)
      const sent = via === "fetch" ? undefined : await viaSocket(await app(), request)
      if (sent) check(sent, expect, `socket ${title}`)
      if (fetched && sent)
        assert.equal(sent, fetched, `${title}: the socket answers otherwise than app.fetch`)
    })
  }
}
