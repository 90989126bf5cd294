/**
 * An HTTP/1.1 client that corrects nothing: it sends requests as they are written, and returns answers as they are
 * framed.
 */
import { connect, type Socket } from "node:net"
import { gunzipSync, inflateSync } from "node:zlib"
import { type Ask, toAsk } from "./case.ts"

/** A response, however it was requested. */
export interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
  readonly body: string
  /** The Content-Length that was sent, `""` for none. Another runtime may send chunks instead. */
  readonly length: string
  /** True if the connection broke off before the answer was complete. */
  readonly broken: boolean
}

/** The address of a server, and text to send on each connection before the request. */
export interface Server {
  readonly port: number
  /** Header lines, each with its CRLF, that name the case to a program that serves all cases on one port. */
  readonly extra?: string
}

/** Headers that belong to the connection and not to the answer. */
export const transport = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "set-cookie",
  "transfer-encoding",
])

/** The longest time of a request in milliseconds. A request that takes longer would never end. */
const patience = 10_000

/** Returns the bytes and headers of a request. */
export async function formatWire(ask: Ask & { method: string }) {
  const headers = new Headers(ask.headers)
  if (ask.body === undefined) return { headers, bytes: undefined }
  const request = new Request("http://host", { method: "POST", body: ask.body, headers })
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (!ask.chunked) request.headers.set("content-length", String(bytes.byteLength))
  return { headers: request.headers, bytes }
}

async function encode(ask: Ask & { method: string }, extra: string): Promise<Buffer> {
  if (ask.raw !== undefined) {
    // The headers are inserted after the request line, where every server reads them.
    const line = ask.raw.indexOf("\r\n") + 2
    return Buffer.from(ask.raw.slice(0, line) + extra + ask.raw.slice(line), "latin1")
  }
  const { headers, bytes } = await formatWire(ask)
  if (!headers.has("host")) headers.set("host", "localhost")
  if (!headers.has("connection")) headers.set("connection", "close")
  if (bytes && ask.chunked) headers.set("transfer-encoding", "chunked")
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("")
  const head = Buffer.from(`${ask.method} ${ask.path} HTTP/1.1\r\n${extra}${lines}\r\n`, "latin1")
  if (!bytes) return head
  if (!ask.chunked) return Buffer.concat([head, bytes])
  const size = Buffer.from(`${bytes.byteLength.toString(16)}\r\n`)
  return Buffer.concat([
    head,
    ...(bytes.byteLength > 0 ? [size, bytes, Buffer.from("\r\n")] : []),
    Buffer.from("0\r\n\r\n"),
  ])
}

const nothing: Seen = { status: 0, headers: {}, cookies: [], body: "", length: "", broken: true }

/** Sends a request. Resolves to its answer, which may have broken off. Rejects if no answer arrives. */
export async function send(server: Server, question: string | Ask): Promise<Seen> {
  const ask = toAsk(question)
  const bytes = await encode(ask, server.extra ?? "")
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1")
    const reader = new AnswerReader(ask.method)
    const end = (act: () => void) => {
      clearTimeout(timer)
      socket.destroy()
      act()
    }
    const timer = setTimeout(() => {
      end(() => reject(new Error(`no whole answer within ${patience} ms, but ${JSON.stringify(reader.text)}`)))
    }, patience)
    socket.on("data", (chunk) => {
      const seen = reader.take(chunk)
      if (seen) end(() => resolve(seen))
    })
    const close = (error?: Error) => {
      const seen = error ? null : reader.finish()
      end(() => resolve(seen ?? { ...nothing, body: reader.text }))
    }
    socket.on("error", close).on("end", () => close())
    socket.write(bytes)
  })
}

/** Repeats a request until the answer's body matches the request's `until`. */
export async function sendUntil(server: Server, question: string | Ask): Promise<Seen> {
  const { until } = toAsk(question)
  const deadline = Date.now() + patience
  for (;;) {
    const seen = await send(server, question)
    if (!until || until.test(seen.body)) return seen
    if (Date.now() > deadline) throw new Error(`the answer never was ${until}, at last ${JSON.stringify(seen.body)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * Sends a request and keeps its connection open, so that the client can disconnect later. Resolves when the request
 * is written.
 */
export async function open({ port, extra = "" }: Server, question: string | Ask): Promise<Socket> {
  const bytes = await encode(toAsk(question), extra)
  const socket = connect(port, "127.0.0.1")
  // Errors of this connection do not matter: another request asks how the server reacted to the disconnect.
  socket.on("error", () => {})
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  socket.resume()
  return socket
}

/** Reads one answer from the bytes of a connection. */
class AnswerReader {
  readonly #method: string
  #bytes = Buffer.alloc(0)

  constructor(method: string) {
    this.#method = method
  }

  /** All bytes that have arrived, as text. */
  get text(): string {
    return this.#bytes.toString("latin1")
  }

  /** Adds a chunk. Returns the answer if it is complete. */
  take(chunk: Buffer): Seen | null {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    return this.#read(false)
  }

  /** Returns the answer that ends with its connection. */
  finish(): Seen | null {
    return this.#read(true)
  }

  #read(ended: boolean): Seen | null {
    const end = this.#bytes.indexOf("\r\n\r\n")
    if (end < 0) return null
    const [line = "", ...lines] = this.#bytes.subarray(0, end).toString("latin1").split("\r\n")
    const status = Number(line.split(" ")[1])
    const rest = this.#bytes.subarray(end + 4)
    if (status === 100) {
      this.#bytes = rest
      return this.#read(ended)
    }
    const fields = lines.map((text) => {
      const colon = text.indexOf(":")
      return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()] as const
    })
    const all = (name: string) => fields.filter(([key]) => key === name).map(([, value]) => value)
    const body = this.#body(status, rest, all("content-length")[0], all("transfer-encoding")[0], ended)
    if (body === null) return null
    const headers: Record<string, string> = {}
    for (const [name, value] of fields) {
      if (!transport.has(name)) headers[name] = name in headers ? `${headers[name]}, ${value}` : value
    }
    const length = all("content-length").join(", ")
    const text = decoded(body, headers["content-encoding"])
    return { status, headers, cookies: all("set-cookie"), body: text, length, broken: false }
  }

  /** Returns the body by RFC 9112 §6.3, or null if it is not complete yet. */
  #body(status: number, rest: Buffer, length: string | undefined, coding: string | undefined, ended: boolean) {
    if (this.#method === "HEAD" || status === 204 || status === 304) return Buffer.alloc(0)
    if (coding?.toLowerCase() === "chunked") return unchunk(rest)
    if (length === undefined) return ended ? rest : null
    return rest.byteLength >= Number(length) ? rest.subarray(0, Number(length)) : null
  }
}

/** Returns a body as decoded text, because runtimes compress differently. */
export function decoded(body: Uint8Array, coding: string | undefined): string {
  const bytes =
    body.byteLength === 0
      ? body
      : coding === "gzip"
        ? gunzipSync(body)
        : coding === "deflate"
          ? inflateSync(body)
          : body
  return Buffer.from(bytes).toString()
}

/** Returns the body of chunks, or null while the last one is missing. */
function unchunk(bytes: Buffer): Buffer | null {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = bytes.indexOf("\r\n", at)
    if (line < 0) return null
    const size = Number.parseInt(bytes.subarray(at, line).toString("latin1"), 16)
    if (Number.isNaN(size)) throw new Error(`no chunk: ${JSON.stringify(bytes.subarray(at).toString("latin1"))}`)
    const end = line + 2 + size
    if (bytes.byteLength < end + 2) return null
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(line + 2, end))
    at = end + 2
  }
}
