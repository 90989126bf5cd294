/**
 * Passes requests and upgraded connections to a server process over its socket. It changes only what a proxy must
 * change.
 */
import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { parseConnectionNames } from "../../lib/answer/connection-headers.ts"
import { clientAddressHeader } from "./client-address.ts"
import { createAddition, isNavigation, pageHeader } from "./page/inject.ts"
import { noKey, type SentPages } from "./page/sent-pages.ts"
import { findPageNote } from "./problems/request-notes.ts"
import { type KeptRequest, keepAnswer, keepRequestBody, requestHeader, toPairs } from "./requests/kept-requests.ts"

/**
 * Opens a connection for each request. There are no idle connections, so the server cannot close one just when it
 * is used again. A connection stays open until the request has ended, because the server may read the rest of the
 * body after its response.
 */
class FreshAgent extends Agent {
  override keepSocketAlive(): boolean {
    return false
  }
}

/** A server process to which requests are passed. */
export class Upstream {
  /** Path of its socket. */
  readonly socket: string
  readonly agent = new FreshAgent({ keepAlive: true })
  readonly #responses = new Set<ServerResponse>()
  readonly #tunnels = new Set<Duplex>()
  /** Functions that end the active event streams. */
  readonly #streams = new Set<() => void>()
  readonly #finishListeners: (() => void)[] = []

  constructor(socket: string) {
    this.socket = socket
  }

  /** Tracks a request until its response is sent. */
  trackRequest(outgoing: ServerResponse): void {
    this.#responses.add(outgoing)
    outgoing.once("close", () => {
      this.#responses.delete(outgoing)
      if (this.#responses.size === 0) for (const resolve of this.#finishListeners.splice(0)) resolve()
    })
  }

  /** Tracks an upgraded connection until it closes. */
  trackTunnel(socket: Duplex): void {
    this.#tunnels.add(socket)
    socket.once("close", () => this.#tunnels.delete(socket))
  }

  /** Tracks a response that may never end. */
  trackStream(outgoing: ServerResponse, end: () => void): void {
    this.#streams.add(end)
    outgoing.once("close", () => this.#streams.delete(end))
  }

  /** Ends upgraded connections and event streams. Their clients connect again, to the new server. */
  endLongConnections(): void {
    for (const socket of this.#tunnels) socket.destroy()
    for (const end of this.#streams) end()
  }

  /** Ends upgraded connections and event streams, and waits for running requests. */
  finish(): Promise<void> {
    this.endLongConnections()
    if (this.#responses.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#finishListeners.push(resolve))
  }
}

/** Headers that apply to a single connection (RFC 9110 §7.6.1). node:http sets Transfer-Encoding itself. */
const hopByHopHeaders = new Set(["connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"])

/** Returns the headers to pass on, as a flat list. Their order and the case of their names do not change. */
function selectHeaders(rawHeaders: readonly string[], connection: string, keptNames: readonly string[] = []): string[] {
  const connectionNames = parseConnectionNames(connection)
  const list: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    const lower = name.toLowerCase()
    // Host and Content-Length stay, even if the Connection header lists them.
    const isDropped =
      hopByHopHeaders.has(lower) ||
      (connectionNames.includes(lower) && !/^(?:host|content-length|trailer)$/.test(lower))
    if (!isDropped || keptNames.includes(lower)) list.push(name, rawHeaders[i + 1] as string)
  }
  return list
}

/** Removes headers that the parent and the server process use between each other. */
function removeOwnHeaders(list: readonly string[]): string[] {
  return list.filter((_, i) => !/^x-fw-/i.test(list[i & ~1] as string))
}

function toRequestHeaders(incoming: IncomingMessage, kept: KeptRequest): string[] {
  const { headers, rawHeaders, method, socket } = incoming
  const list = removeOwnHeaders(selectHeaders(rawHeaders, headers.connection ?? "", ["transfer-encoding"]))
  // HTTP/1.0 does not require a Host header. The request to the server process is HTTP/1.1, which requires it (RFC
  // 9112 §3.2).
  if (headers.host === undefined) list.push("Host", "")
  const hasLength = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined
  // A request with neither Content-Length nor Transfer-Encoding has no body, but node:http would send a chunked one.
  if (!hasLength && !/^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method as string)) list.push("Content-Length", "0")
  if (isNavigation(incoming)) requestPlainHTML(list)
  if (headers[pageHeader] !== undefined) setNavigation(list, String(headers[pageHeader]))
  list.push(clientAddressHeader, socket.remoteAddress ?? "", requestHeader, String(kept.id))
  return list
}

/** Asks for a response without compression, because the script can only be added to plain HTML. */
function requestPlainHTML(list: string[]): void {
  for (let i = 0; i < list.length; i += 2) {
    if (/^accept-encoding$/i.test(list[i] as string)) list[i + 1] = "identity"
  }
}

/**
 * Turns the request that an open page sends for itself into a navigation, as the program would see it (Fetch
 * Metadata Request Headers §2).
 */
function setNavigation(list: string[], destination: string): void {
  for (let i = 0; i < list.length; i += 2) {
    const name = (list[i] as string).toLowerCase()
    if (name === "sec-fetch-dest") list[i + 1] = destination === "iframe" ? "iframe" : "document"
    else if (name === "sec-fetch-mode") list[i + 1] = "navigate"
  }
}

/** The functions that {@link passRequest} calls, and where it stores the page and the request. */
export interface RequestHooks {
  /** Called if the process ends before its response has begun. */
  readonly onLost: (error: Error) => void
  /** Called with each response. Returns true if it has sent another response instead. */
  readonly replaceAnswer: (response: IncomingMessage) => boolean
  /** Stores the pages that are sent. */
  readonly pages: Pick<SentPages, "record">
  /** The stored copy of the request. */
  readonly kept: KeptRequest
}

/** Passes a request on and its response back, each at the speed of the receiver. */
export function passRequest(
  target: Upstream,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { onLost, replaceAnswer, pages, kept }: RequestHooks,
): void {
  target.trackRequest(outgoing)
  const upstream = request({
    socketPath: target.socket,
    agent: target.agent,
    method: incoming.method as string,
    path: incoming.url as string,
    headers: toRequestHeaders(incoming, kept),
  })
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) upstream.destroy()
  })
  let mayBodyArrive = incoming.headers.expect === undefined
  upstream.on("continue", () => {
    mayBodyArrive = true
    outgoing.writeContinue()
  })
  upstream.on("response", (answer) => {
    // A client that waits for permission to send its body may send it or not, so it is not known what the next
    // bytes are.
    if (!mayBodyArrive && !incoming.complete) outgoing.shouldKeepAlive = false
    if (replaceAnswer(answer)) return void upstream.destroy()
    keepAnswer(kept, answer)
    passAnswer(answer, incoming, outgoing, pages)
    if (/^text\/event-stream\s*(?:;|$)/i.test(answer.headers["content-type"] ?? "")) {
      target.trackStream(outgoing, () => {
        answer.unpipe(outgoing)
        outgoing.end(() => answer.destroy())
      })
    }
    answer.once("end", () => {
      if (incoming.complete) return
      // After a complete response, node:http stops sending the body of the request. The rest of the body is read
      // and discarded; requestTimeout limits how long that takes.
      incoming.unpipe(upstream)
      upstream.destroy()
      incoming.resume()
    })
  })
  upstream.on("error", (error) => {
    incoming.unpipe(upstream)
    if (outgoing.destroyed) return
    if (!outgoing.headersSent) return onLost(error)
    // The response is complete, but the body was not read, so the connection cannot be used again.
    if (outgoing.writableEnded) incoming.socket.end()
    else outgoing.destroy()
  })
  // A listener starts the stream, so both listeners are added together.
  keepRequestBody(kept, incoming)
  passBody(incoming, upstream)
}

function passBody(incoming: IncomingMessage, upstream: ClientRequest): void {
  // If the request is passed on for the second time, its body was already read.
  if (incoming.readableEnded) return void upstream.end()
  incoming.pipe(upstream, { end: false })
  incoming.once("end", () => {
    if (incoming.rawTrailers.length > 0) upstream.addTrailers(toPairs(incoming.rawTrailers))
    upstream.end()
  })
}

function passAnswer(
  answer: IncomingMessage,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  pages: RequestHooks["pages"],
): void {
  // The Date header stays as the process sent it. None is added.
  outgoing.sendDate = false
  const addition = createAddition(incoming, answer, findPageNote(answer))
  const headers = removeOwnHeaders(
    selectHeaders(addition?.headers ?? answer.rawHeaders, answer.headers.connection ?? ""),
  )
  outgoing.writeHead(answer.statusCode as number, answer.statusMessage, headers)
  answer.pipe(outgoing, { end: false })
  const findKey = addition?.tail.includes(noKey) ? pages.record(answer) : () => noKey
  // If headers arrive without a body, as for an event stream, they are sent at once.
  setImmediate(() => outgoing.destroyed || outgoing.flushHeaders())
  answer.once("end", () => {
    if (answer.rawTrailers.length > 0) outgoing.addTrailers(toPairs(answer.rawTrailers))
    outgoing.end(addition?.tail.replace(noKey, findKey))
  })
  answer.once("error", () => outgoing.destroy())
  answer.once("close", () => answer.complete || outgoing.destroy())
}

/**
 * Passes an upgrade request on as bytes, in both directions. `Connection: close` makes the server process end the
 * connection after an ordinary response, so that no second request bypasses the parent.
 */
export function passUpgrade(
  target: Upstream,
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  kept: KeptRequest,
): void {
  const { method, url, headers, rawHeaders } = incoming
  const upstream: Socket = connect({ path: target.socket, allowHalfOpen: true })
  const list = removeOwnHeaders(
    selectHeaders(rawHeaders, headers.connection ?? "", ["upgrade", "te", "transfer-encoding"]),
  )
  list.push("Connection", "Upgrade, close", clientAddressHeader, incoming.socket.remoteAddress ?? "")
  list.push(requestHeader, String(kept.id))
  const lines = toPairs(list).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `${method} ${url} HTTP/1.1\r\n${lines.join("")}\r\n`
  // Head and request are written together. Otherwise a quick response could close the connection before the second
  // write, and get lost.
  upstream.write(Buffer.concat([Buffer.from(request, "latin1"), head]))
  target.trackTunnel(upstream)
  upstream.once("data", (part: Buffer) => {
    kept.status = Number(/^HTTP\/1\.1 (\d{3})/.exec(part.toString("latin1", 0, 12))?.[1] ?? 0)
  })
  socket.pipe(upstream)
  upstream.pipe(socket)
  for (const [one, other] of [
    [socket, upstream],
    [upstream, socket],
  ] as const) {
    one.on("error", () => {})
    // Received data is still passed on, because it may contain a response.
    one.on("close", () => other.end(() => other.destroy()))
  }
}
