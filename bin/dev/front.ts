/** The port of `fw dev`: every request arrives here, waits for the newest program, and is passed on. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { answerClientError } from "../../adapters/node/client-error.ts"
import { limits } from "../../adapters/node/limits.ts"
import type { Problem } from "../project/problems.ts"
import { bindError, isAllowedHost, isFromOtherSite } from "../system/local-server.ts"
import { clientScript } from "./client.ts"
import { reserved } from "./inject.ts"
import { json, type OwnAnswer, problemAnswer } from "./page.ts"
import { passRequest, passUpgrade, type Upstream } from "./proxy.ts"

/** The functions of the session that the front uses. */
export interface Backend {
  /**
   * Returns the server for a request; waits while a new program is being built. Returns the problems if there
   * is none.
   */
  target(): Promise<Upstream | readonly Problem[]>
  /**
   * Returns the reason why a server process did not answer a request; null if it still runs and only closed
   * the connection.
   */
  lost(target: Upstream): Promise<readonly Problem[] | null>
  /**
   * Opens a place such as `app/page.tpl:3:7` in the editor. Returns false if it is not a file of the project.
   * Rejects if the editor cannot be started.
   */
  edit(place: string): Promise<boolean>
  /** Adds a page that listens. */
  listener(outgoing: ServerResponse): void
}

/** Options for listening. */
export interface FrontOptions {
  readonly host: string
  readonly port: number
}

const scriptAnswer = { status: 200, type: "text/javascript; charset=utf-8", body: clientScript }

/** The parent's HTTP server. */
export class Front {
  readonly #options: FrontOptions
  readonly #backend: Backend
  readonly #server: Server
  /**
   * Connections, each with true while it has a request. Browsers open some in advance, and may never use
   * them.
   */
  readonly #sockets = new Map<Duplex, boolean>()
  #closing = false

  constructor(options: FrontOptions, backend: Backend) {
    this.#options = options
    this.#backend = backend
    this.#server = createServer({ ...limits })
    const take = (incoming: IncomingMessage, outgoing: ServerResponse) => void this.#take(incoming, outgoing)
    this.#server.on("request", take)
    this.#server.on("checkContinue", take)
    this.#server.on("upgrade", (incoming, socket, head) => void this.#upgrade(incoming, socket, head))
    this.#server.on("clientError", answerClientError)
    this.#server.on("connection", (socket) => {
      this.#sockets.set(socket, false)
      socket.once("close", () => this.#sockets.delete(socket))
    })
  }

  /** The port in use, also after 0. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Starts listening. @throws FwError if the port is not available. */
  listen(): Promise<void> {
    const { host, port } = this.#options
    return new Promise((resolve, reject) => {
      this.#server.once("error", (error) => reject(bindError(error, { host, port, command: "fw dev" })))
      this.#server.listen({ host, port }, () => {
        this.#server.removeAllListeners("error")
        resolve()
      })
    })
  }

  /** Accepts no more connections, and waits for running requests, at most until the signal aborts. */
  async close(signal: AbortSignal): Promise<void> {
    this.#closing = true
    for (const [socket, busy] of this.#sockets) if (!busy) socket.destroy()
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      signal.addEventListener("abort", () => this.#server.closeAllConnections(), { once: true })
    })
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // A client that disconnects while its request waits is not an error.
    incoming.on("error", () => {})
    this.#follow(incoming.socket, outgoing)
    const refusal = refuse(incoming, this.#options.host)
    if (refusal) return answer(incoming, outgoing, refusal)
    if (incoming.url === reserved.open) return this.#open(incoming, outgoing)
    if (isReserved(incoming.url)) return this.#serveReserved(incoming, outgoing)
    const target = await this.#backend.target()
    if (outgoing.destroyed) return
    const problems = (list: readonly Problem[] | null) => {
      if (list) answer(incoming, outgoing, problemAnswer(list, incoming.headers.accept ?? ""))
      else outgoing.destroy()
    }
    if ("length" in target) return problems(target)
    passRequest(target, incoming, outgoing, () => void this.#backend.lost(target).then(problems))
  }

  #follow(socket: Duplex, outgoing: ServerResponse): void {
    this.#sockets.set(socket, true)
    outgoing.once("close", () => {
      if (this.#closing) socket.end(() => socket.destroy())
      else if (this.#sockets.has(socket)) this.#sockets.set(socket, false)
    })
  }

  #serveReserved(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url } = incoming
    outgoing.setHeader("cross-origin-resource-policy", "same-origin")
    if (method === "GET" && url === reserved.events) this.#backend.listener(outgoing)
    else if (method === "GET" || method === "HEAD") answer(incoming, outgoing, scriptAnswer)
    else answer(incoming, outgoing, json(405, { error: "method_not_allowed", message: `${url} answers GET` }))
  }

  async #open(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, headers, socket } = incoming
    // Clients that are not browsers send no Origin, and browsers send one with every POST (Fetch §3.1).
    if (method !== "POST" || headers.origin === undefined || !isLoopback(socket.remoteAddress)) {
      const message = `${reserved.open} takes a POST of a page of this origin, from this machine`
      return answer(incoming, outgoing, json(403, { error: "forbidden", message }))
    }
    const place = await readPlace(incoming)
    const result = await this.#backend.edit(place).then(
      (isOpened) =>
        isOpened ? json(200, { opened: place }) : json(404, { error: "not_found", message: noPlace }),
      () => json(500, { error: "editor", message: noEditor }),
    )
    answer(incoming, outgoing, result)
  }

  async #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => {})
    const refusal = refuse(incoming, this.#options.host)
    if (refusal) return answerRaw(socket, refusal)
    const target = await this.#backend.target()
    if (socket.destroyed) return
    if ("length" in target) answerRaw(socket, problemAnswer(target, ""))
    else passUpgrade(target, incoming, socket, head)
  }
}

const noPlace = "this is not a file of the project"
const noEditor = "the editor could not be started"
/** Longest text of a place, in bytes. */
const longestPlace = 4096

async function readPlace(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size > longestPlace) return ""
    parts.push(part)
  }
  return Buffer.concat(parts).toString("utf8")
}

function isLoopback(address: string | undefined): boolean {
  return /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address ?? "")
}

function isReserved(url: string | undefined): boolean {
  return url === reserved.script || url === reserved.events || url === reserved.open
}

/** Refuses requests that must not reach the program or the parent's own paths. */
function refuse(incoming: IncomingMessage, host: string): OwnAnswer | null {
  const { headers, url } = incoming
  if (headers.host !== undefined && !isAllowedHost(headers.host, host)) {
    const name = headers.host.replace(/:\d*$/, "")
    const message =
      `fw dev does not answer for the host ${JSON.stringify(name)}: another site could read this one through it ` +
      `(DNS rebinding). Use localhost or an IP address, or start with: fw dev --host ${name}`
    return json(403, { error: "host_not_allowed", message })
  }
  if (isReserved(url) && isFromOtherSite(incoming)) {
    return json(403, { error: "forbidden", message: `${url} is for pages of this origin only` })
  }
  return null
}

function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, type, body }: OwnAnswer,
): void {
  if (outgoing.destroyed) return
  // The rest of the request is not needed; unread, it would reset the connection before the response arrives.
  if (!incoming.complete) outgoing.shouldKeepAlive = false
  incoming.resume()
  outgoing.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  })
  outgoing.end(body)
}

function answerRaw(socket: Duplex, { status, type, body }: OwnAnswer): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
