/** Forwards requests of the explorer to the document's first server, if that server is on this machine. */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP } from "node:net"
import { pipeline } from "node:stream"

/** A request to forward, as the page sends it in the header `fw-request`. */
interface RelayRequest {
  readonly method: string
  /** Path and query, appended to the path of the server's URL. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** The answer if a request is not forwarded. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
}

/**
 * Headers that are not forwarded, because they belong to the connection (RFC 9110 §7.6.1) or the relay sets them.
 */
const excludedHeaders = new Set([
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** Returns the URL of the document's first server; null if it is not absolute. */
function findFirstServer(document: unknown): URL | null {
  const url = (document as { servers?: readonly { url?: unknown }[] })?.servers?.[0]?.url
  return typeof url === "string" && /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null
}

/** Returns true if a URL's host always means this machine (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
export function isLoopback({ hostname }: URL): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]") return true
  return isIP(hostname) === 4 && hostname.startsWith("127.")
}

/** Returns the reason why requests cannot be sent to the document's first server; null if they can. */
export function findRefusalReason(document: unknown): string | null {
  const server = findFirstServer(document)
  if (!server) return "Requests cannot be sent: the document names no server by an absolute URL."
  if (isLoopback(server)) return null
  return `Requests are not sent: ${server.origin} is not on this machine. Copy one as a curl command instead.`
}

/**
 * Forwards a request. The header `fw-response` contains the status and the headers of the response, and the body is
 * passed through.
 */
export function relay(
  document: unknown,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  refuse: (refusal: Refusal) => void,
): void {
  const message = findRefusalReason(document)
  if (message) {
    refuse({ status: 403, error: "not_loopback", message })
    return
  }
  const relayRequest = readRelayRequest(incoming.headers["fw-request"])
  const url = relayRequest && resolveTarget(findFirstServer(document) as URL, relayRequest.target)
  if (!url) {
    refuse({ status: 400, error: "bad_request", message: "the request cannot be sent" })
    return
  }
  try {
    forward(url, relayRequest, incoming, outgoing, refuse)
  } catch (error) {
    refuse({ status: 400, error: "bad_request", message: (error as Error).message })
  }
}

function readRelayRequest(header: string | string[] | undefined): RelayRequest | null {
  try {
    const { method, target, headers } = JSON.parse(decodeURIComponent(String(header))) as RelayRequest
    const isPair = (pair: unknown) =>
      Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string")
    const isValid = typeof method === "string" && typeof target === "string" && target.startsWith("/")
    return isValid && Array.isArray(headers) && headers.every(isPair) ? { method, target, headers } : null
  } catch {
    return null
  }
}

/** Returns the URL of a target. It cannot leave the server: `//elsewhere` is a path here. */
function resolveTarget(server: URL, target: string): URL | null {
  const text = `${server.origin}${server.pathname.replace(/\/$/, "")}${target}`
  const url = URL.canParse(text) ? new URL(text) : null
  return url?.origin === server.origin ? url : null
}

function forward(
  url: URL,
  relayRequest: RelayRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  refuse: (refusal: Refusal) => void,
): void {
  const length = incoming.headers["content-length"]
  // Throws for an invalid header or method, before a connection is opened.
  const options = { method: relayRequest.method, headers: toHeaders(relayRequest, length), agent: false }
  const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options)
  request.on("error", (error: Error & { code?: string }) => {
    if (outgoing.headersSent) {
      outgoing.destroy()
      return
    }
    const message =
      error.code === "ECONNREFUSED"
        ? `nothing listens at ${url.origin}: start the application, for example with "fw dev"`
        : `${url.origin} did not answer: ${error.message}`
    refuse({ status: 502, error: "no_answer", message })
  })
  request.on("response", (response) => sendResponse(response, outgoing))
  outgoing.once("close", () => request.destroy())
  if (length === undefined || length === "0") request.end()
  else incoming.pipe(request)
}

function toHeaders({ headers }: RelayRequest, length = "0"): Record<string, string[]> {
  const all: Record<string, string[]> = length === "0" ? {} : { "content-length": [length] }
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    if (!excludedHeaders.has(key)) all[key] = [...(all[key] ?? []), value]
  }
  return all
}

function sendResponse(response: IncomingMessage, outgoing: ServerResponse): void {
  const { statusCode, statusMessage, rawHeaders } = response
  const headers = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]]] : []))
  const head = { status: statusCode, statusText: statusMessage, headers }
  // The content type of the response is not used: the browser would run an HTML page as a page of the explorer.
  outgoing.writeHead(200, {
    "content-type": "application/octet-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "fw-response": encodeURIComponent(JSON.stringify(head)),
  })
  outgoing.flushHeaders()
  pipeline(response, outgoing, () => {})
}
