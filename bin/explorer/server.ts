/**
 * The server of `fw openapi serve`: the explorer's page, the document and the relay. It listens only on loopback.
 */
import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { answerClientError } from "../../adapters/node/client-error.ts"
import { limits } from "../../adapters/node/limits.ts"
import { formatDocument } from "../openapi/openapi.ts"
import { bindError, isAllowedHost, isFromOtherSite } from "../system/local-server.ts"
import { packageDirectory } from "../system/package.ts"
import { findRefusalReason, type Refusal, relay } from "./relay.ts"

/** What the explorer shows. */
export interface ExplorerState {
  readonly document: unknown
  /** The error of the project or file. `document` is the last valid one, or empty. */
  readonly problem: string | null
}

const assetsDirectory = `${packageDirectory}dist/explorer/`
const contentTypes: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
}
/** Lets the page connect only to this server. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob: data:; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
/** Time between two heartbeats, in milliseconds. Proxies and browsers close streams without data. */
const heartbeatMs = 20_000

/** Serves the explorer on a port. */
export class ExplorerServer {
  readonly #server: Server
  /** The streams of events to open pages. */
  readonly #streams = new Set<ServerResponse>()
  readonly #timer: NodeJS.Timeout
  #current: ExplorerState
  /** A new value for every state. A page that was disconnected compares it with its own value. */
  #revision = randomUUID()

  constructor(state: ExplorerState) {
    this.#current = state
    this.#server = createServer({ ...limits }, (incoming, outgoing) => void this.#handleRequest(incoming, outgoing))
    this.#server.on("clientError", answerClientError)
    this.#timer = setInterval(() => this.#broadcast(": \n\n"), heartbeatMs).unref()
  }

  /** The actual port, also if port 0 was requested. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /**
   * Starts listening.
   *
   * @throws FwError if the port is not available.
   */
  listen(port: number): Promise<void> {
    const host = "127.0.0.1"
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => reject(bindError(error, { host, port, command: "fw openapi serve" }))
      this.#server.once("error", fail)
      this.#server.listen({ host, port }, () => {
        this.#server.off("error", fail)
        resolve()
      })
    })
  }

  /** Replaces the state, also in open pages. */
  show(state: ExplorerState): void {
    this.#current = state
    this.#revision = randomUUID()
    this.#broadcast(this.#formatChange())
  }

  #formatChange(): string {
    return `event: change\ndata: ${this.#revision}\n\n`
  }

  /** Stops the server and closes open connections. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  #broadcast(text: string): void {
    for (const stream of this.#streams) stream.write(text)
  }

  async #handleRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    incoming.on("error", () => {})
    const { headers, method, url = "" } = incoming
    const path = url.replace(/\?.*/, "")
    if (!isAllowedHost(headers.host ?? "")) {
      sendJSON(outgoing, 403, toFailure("host_not_allowed", "the explorer answers only requests to localhost"))
      return
    }
    if (path === "/docs/send") this.#relayRequest(incoming, outgoing)
    else if (method === "GET" || method === "HEAD") await this.#handleGet(path, outgoing)
    else sendJSON(outgoing, 405, toFailure("method_not_allowed", `${path} answers GET`), { allow: "GET, HEAD" })
  }

  async #handleGet(path: string, outgoing: ServerResponse): Promise<void> {
    if (path === "/") outgoing.writeHead(302, { location: "/docs" }).end()
    else if (path === "/openapi.json") sendJSON(outgoing, 200, this.#current.document)
    else if (path === "/openapi.yaml") await this.#sendYAML(outgoing)
    else if (path === "/docs/state") sendJSON(outgoing, 200, this.#describeState())
    else if (path === "/docs/events") this.#openStream(outgoing)
    else await serveAsset(path, outgoing)
  }

  async #sendYAML(outgoing: ServerResponse): Promise<void> {
    const text = await formatDocument(this.#current.document as object, "yaml")
    outgoing.writeHead(200, { "content-type": "application/yaml", ...commonHeaders }).end(text)
  }

  #describeState() {
    const { document, problem } = this.#current
    return { refusal: findRefusalReason(document), problem, revision: this.#revision }
  }

  #relayRequest(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const refuse = ({ status, error, message }: Refusal) => {
      if (!incoming.complete) outgoing.shouldKeepAlive = false
      incoming.resume()
      sendJSON(outgoing, status, toFailure(error, message))
    }
    // Pages of other sites must not send requests to this machine through the relay.
    const isFromOwnPage =
      incoming.method === "POST" && !isFromOtherSite(incoming) && incoming.headers["fw-request"] !== undefined
    if (isFromOwnPage) relay(this.#current.document, incoming, outgoing, refuse)
    else refuse({ status: 403, error: "forbidden", message: "only the explorer's own page sends requests" })
  }

  #openStream(outgoing: ServerResponse): void {
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    outgoing.write(`retry: 500\n${this.#formatChange()}`)
    this.#streams.add(outgoing)
    outgoing.once("close", () => this.#streams.delete(outgoing))
  }
}

async function serveAsset(path: string, outgoing: ServerResponse): Promise<void> {
  const name = path === "/docs" || path === "/docs/" ? "index.html" : /^\/docs\/([a-z-]+\.(?:css|js))$/.exec(path)?.[1]
  const bytes = name ? await readFile(assetsDirectory + name).catch(() => null) : null
  if (!name || !bytes) {
    sendJSON(outgoing, 404, toFailure("not_found", `there is nothing at ${path}: the explorer is at /docs`))
    return
  }
  outgoing.writeHead(200, {
    "content-type": contentTypes[name.slice(name.lastIndexOf(".") + 1)],
    "content-length": bytes.length,
    "content-security-policy": contentSecurityPolicy,
    ...commonHeaders,
  })
  outgoing.end(bytes)
}

const commonHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
}

function toFailure(error: string, message: string) {
  return { error, message }
}

function sendJSON(outgoing: ServerResponse, status: number, data: unknown, headers: Record<string, string> = {}): void {
  if (outgoing.destroyed) return
  outgoing.writeHead(status, { "content-type": "application/json", ...commonHeaders, ...headers })
  outgoing.end(`${JSON.stringify(data, null, 2)}\n`)
}
