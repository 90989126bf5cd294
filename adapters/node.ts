/** The Node adapter, exported as `fw/node`: `serve` starts a server for an app, `nodeHandler` puts an app into one that exists. */
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { type App, dispatch } from "../lib/app.ts"
import { FwError, HttpError } from "../lib/errors.ts"
import type { ListenOptions, Server } from "../lib/platform.ts"
import { reportBug } from "../lib/request-logger.ts"
import { type ExchangeOptions, NodeExchange } from "./node-exchange.ts"
import { type SendOptions, send } from "./node-send.ts"
import { Connections } from "./node-shutdown.ts"
import { env } from "./platform.node.ts"

/** The limits of the server, in milliseconds and bytes. `docs/server.md` lists them with their reasons. */
export const limits = {
  /** Time for the headers of a request. */
  headersTimeout: 15_000,
  /** Time for a whole request, its body included. */
  requestTimeout: 120_000,
  /** Time that a connection may idle between requests: longer than the 60 s that load balancers keep theirs. */
  keepAliveTimeout: 65_000,
  /** Size of a request's line and headers together. */
  maxHeaderSize: 16 * 1024,
  /** How often timeouts are looked at. */
  connectionsCheckingInterval: 5_000,
} as const satisfies ServerOptions

/** Answers an Expect: 100-continue (RFC 9110 §10.1.1) only when the body is asked for. */
type Handle = (incoming: IncomingMessage, outgoing: ServerResponse, options: ExchangeOptions) => void

function makeHandle(app: App, connections?: Connections): Handle {
  const { bodyLimit } = app.config
  const report = (error: unknown) => reportBug(error, env)
  return (incoming, outgoing, options) => {
    connections?.answering(incoming, outgoing)
    const refusal = refuse(incoming)
    if (refusal) return sendRefusal(outgoing, refusal)
    const exchange = new NodeExchange(incoming, outgoing, options)
    const sendOptions = (): SendOptions => ({ closing: connections?.closing ?? false, drainLimit: bodyLimit, report })
    const answer = dispatch(app, exchange)
    if (answer instanceof Promise) answer.then((response) => send(exchange, incoming, outgoing, response, sendOptions()))
    else send(exchange, incoming, outgoing, answer, sendOptions())
  }
}

/** What node:http lets through and no request may be. */
function refuse(incoming: IncomingMessage): HttpError | null {
  const { method, url, headers, rawHeaders } = incoming
  // RFC 9110 §9.3.8: TRACE would send secrets back; CONNECT is for proxies. A WHATWG Request can be neither.
  if (method === "TRACE" || method === "CONNECT" || method === "TRACK") {
    return new HttpError(501, `the method ${method} is not implemented`)
  }
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === "host") hosts++
  }
  // RFC 9112 §3.2: exactly one, and a valid one.
  if (hosts > 1) return new HttpError(400, "the request has more than one Host header")
  if (hosts === 1 && !validHost(headers.host as string)) return new HttpError(400, "the Host header is no valid host")
  const target = url as string
  if (target.includes("\\")) return new HttpError(400, "the request target holds a backslash")
  if (target.charCodeAt(0) !== 0x2f && !validTarget(method as string, target)) {
    return new HttpError(400, "the request target is neither a path nor an http URL")
  }
  return null
}

let lastHost = ""

/** `uri-host [":" port]` of RFC 9110 §7.2. One host is asked for again and again: the last good one is remembered. */
function validHost(host: string): boolean {
  if (host === lastHost) return true
  const valid = host === "" || (/^(?:[\w\-.~!$&'()*+,;=%]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/.test(host) && URL.canParse(`http://${host}`))
  if (valid) lastHost = host
  return valid
}

/** Absolute form for any method, `*` for OPTIONS alone (RFC 9112 §3.2.2, §3.2.4). */
function validTarget(method: string, target: string): boolean {
  return target === "*" ? method === "OPTIONS" : /^https?:\/\//i.test(target) && URL.canParse(target)
}

function sendRefusal(outgoing: ServerResponse, error: HttpError): void {
  outgoing.writeHead(error.status, { "content-type": "application/json", connection: "close" })
  outgoing.end(JSON.stringify(error))
}

/**
 * The app as a listener of a node:http server, or inside Express (`server.use(nodeHandler(app))`) and Fastify.
 * The body must be unread: mount it before any body parser.
 *
 * @example
 * createServer(nodeHandler(app)).listen(3000)
 */
export function nodeHandler(app: App): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const handle = makeHandle(app)
  return (incoming, outgoing) => handle(incoming, outgoing, { waiting: false, joined: false })
}

/**
 * Starts a server for an app; resolves once it is bound.
 *
 * @param options `port` 0 takes a free one; without `host`, every interface.
 * @throws FwError `port_in_use`, `port_denied` or `host`, when it cannot be bound.
 */
export async function serve(app: App, options: ListenOptions): Promise<Server> {
  const connections = new Connections()
  const handle = makeHandle(app, connections)
  const server = createServer({ ...limits, joinDuplicateHeaders: true })
  server.on("request", (incoming, outgoing) => handle(incoming, outgoing, { waiting: false, joined: true }))
  server.on("checkContinue", (incoming, outgoing) => handle(incoming, outgoing, { waiting: true, joined: true }))
  server.on("clientError", answerClientError)
  connections.watch(server)
  await bind(server, options)
  let stopped: Promise<void> | undefined
  return {
    addr: formatAddress(server.address() as AddressInfo),
    shutdown(signal) {
      stopped ??= connections.shutdown(server, signal)
      return stopped
    },
  }
}

function bind(server: HttpServer, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(bindError(error, host, port)))
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.removeAllListeners("error")
      resolve()
    })
  })
}

function bindError(cause: Error & { code?: string }, host: string | undefined, port: number): FwError {
  const place = `${host ?? ""}:${port}`
  switch (cause.code) {
    case "EADDRINUSE":
      return new FwError("port_in_use", `${place} is in use by another process`, "Stop that process, or listen on another port, such as with PORT=3001.", { cause })
    case "EACCES":
      return new FwError("port_denied", `this user may not listen on ${place}`, "Ports below 1024 need a privilege: take a higher one.", { cause })
    default:
      return new FwError("host", `cannot listen on ${place}: ${cause.message}`, "Give an address of this machine, or only the port.", { cause })
  }
}

function formatAddress({ address, port }: AddressInfo): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`
}

const clientErrors: Record<string, HttpError> = {
  HPE_HEADER_OVERFLOW: new HttpError(431, `the request's headers are larger than ${limits.maxHeaderSize} bytes`, { code: "headers_too_large" }),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, "the request did not arrive in time"),
}

/** What node:http could not parse: an answer that says so, unless one is under way on this connection already. */
function answerClientError(error: Error & { code?: string }, socket: Socket & { _httpMessage?: ServerResponse | null }): void {
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const answer = clientErrors[error.code ?? ""] ?? new HttpError(400, "the request is not valid HTTP")
  const body = JSON.stringify(answer)
  const reasons: Record<number, string> = { 400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large" }
  socket.end(
    `HTTP/1.1 ${answer.status} ${reasons[answer.status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
