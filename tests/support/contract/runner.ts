/** Runs contract cases on Node with `app.fetch` and over a real socket, and fails on any difference. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../../../adapters/node.ts"
import type { App } from "../../../lib/index.ts"
import { type Ask, type Case, type Expected, toAsk } from "./case.ts"
import { decoded, formatWire, open, type Seen, type Server, send, sendUntil, transport } from "./wire.ts"

// The cases cause errors on purpose, whose reports would hide the results.
process.env.FW_LOG_LEVEL ??= "off"

/** Sends a request with `app.fetch`. */
export async function viaFetch(app: App, question: string | Ask): Promise<Seen> {
  const ask = toAsk(question)
  const { headers, bytes } = await formatWire(ask)
  const init: RequestInit & { duplex: "half" } = { method: ask.method, headers, duplex: "half" }
  if (bytes) init.body = ask.chunked ? new Blob([bytes]).stream() : bytes
  return readAnswer(await app.fetch(new Request(`http://localhost${ask.path}`, init)))
}

/** Sends a request with `app.request()`. A body is passed as text if it is valid text, because this is faster. */
export async function viaRequest(app: App, question: string | Ask): Promise<Seen> {
  const ask = toAsk(question)
  const { headers, bytes } = await formatWire(ask)
  // A text without a type would get one.
  const text = headers.has("content-type") ? new TextDecoder().decode(bytes) : ""
  const body = bytes && (Buffer.from(text).equals(bytes) ? text : bytes)
  // A target with two slashes would be read as a host.
  const target = ask.path.startsWith("//") ? `http://localhost${ask.path}` : ask.path
  const init = { method: ask.method, headers, ...(body !== undefined && { body }) }
  return readAnswer(await app.request(target, init, { clientIP: "" }))
}

async function readAnswer(response: Response): Promise<Seen> {
  const seen: Record<string, string> = {}
  for (const [name, value] of response.headers) if (!transport.has(name)) seen[name] = value
  return {
    status: response.status,
    headers: seen,
    cookies: response.headers.getSetCookie(),
    body: decoded(new Uint8Array(await response.arrayBuffer()), seen["content-encoding"]),
    length: "",
    broken: false,
  }
}

/** Sends a request over a socket to its own server. */
export async function viaSocket(app: App, question: string | Ask): Promise<Seen> {
  return withServer(app, (port) => send({ port }, question))
}

async function withServer(app: App, use: (port: number) => Promise<Seen>): Promise<Seen> {
  const server = await serve(app, { host: "127.0.0.1", port: 0 })
  try {
    return await use(Number(server.addr.split(":").at(-1)))
  } finally {
    await server.shutdown()
  }
}

/** Sends a request whose path is not corrected. */
export function sendTo(port: number, question: string | Ask): Promise<Seen> {
  return send({ port }, question)
}

/** Runs a whole case on a server: the steps before, and the tested request. */
export async function play({ before = [], request }: Case, server: Server): Promise<Seen> {
  const opened: { destroy(): void }[] = []
  try {
    for (const step of before) {
      if (typeof step === "object" && "open" in step) opened.push(await open(server, step.open))
      else if (typeof step === "object" && "leave" in step) opened.shift()?.destroy()
      else await sendUntil(server, step)
    }
    return await sendUntil(server, request)
  } finally {
    for (const socket of opened) socket.destroy()
  }
}

/** Compares an answer with the expected one. */
export function check(seen: Seen, expected: Expected, name: string): void {
  const { status = 200, headers = {}, cookies, body, json } = expected
  const whole = `${name}: ${JSON.stringify(seen)}`
  assert.is(seen.broken, expected.broken === true, whole)
  if (expected.broken) return
  assert.is(seen.status, status, whole)
  for (const [header, value] of Object.entries(headers)) {
    const name = header.toLowerCase()
    // A server may add the length that it has found. The body shows that it is correct.
    if (name === "content-length" && (seen.length === "" || value === null)) continue
    const given = name === "content-length" ? seen.length : seen.headers[name]
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

/** Compares two answers except for their framing, which depends on the server. */
export function same(a: Seen, b: Seen, message: string): void {
  assert.equal({ ...a, length: "" }, { ...b, length: "" }, message)
}

/** Adds a test for each case. */
export function contract(cases: readonly Case[]): void {
  for (const one of cases) {
    const { subject, name, app, request, expect, via, before } = one
    const title = `${subject}: ${name}`
    test(title, async () => {
      const fetched = via === "socket" || before ? undefined : await viaFetch(await app(), request)
      if (fetched) {
        check(fetched, expect, `app.fetch ${title}`)
        const requested = await viaRequest(await app(), request)
        same(requested, fetched, `${title}: app.request() answers otherwise than app.fetch`)
      }
      const sent = via === "fetch" ? undefined : await withServer(await app(), (port) => play(one, { port }))
      if (sent) check(sent, expect, `socket ${title}`)
      if (fetched && sent) same(sent, fetched, `${title}: the socket answers otherwise than app.fetch`)
    })
  }
}
