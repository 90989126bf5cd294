/** Publishes each request that the program sends as an operation, so that it can be traced. */
import { channels, Operation } from "../../lib/trace/operations.ts"
import { listen } from "./channels.ts"
import { redactQuery, toMethodAttributes, toServerAttributes } from "./http-attributes.ts"

/** A request that the program sends, as the messages of `fw:fetch:start` and `fw:fetch:end` have it. */
export class FetchOperation extends Operation {
  readonly url: URL
  readonly addHeader: (name: string, value: string) => void

  /** @param isTraced true if the request has `traceparent` already. */
  constructor(method: string, url: URL, isTraced: boolean, addHeader: FetchOperation["addHeader"]) {
    super("fetch", method, undefined, {
      ...toMethodAttributes(method),
      ...toServerAttributes(url),
      "url.full": `${url.origin}${url.pathname}${url.search && `?${redactQuery(url.search)}`}`,
    })
    this.url = url
    this.isInstrumented = isTraced
    this.addHeader = addHeader
  }

  /** Records the status of the answer. */
  setStatus(status: number): void {
    this.attributes["http.response.status_code"] = status
    if (status >= 400) this.attributes["error.type"] = `${status}`
  }
}

/** The members of a request of undici that fw uses (undici, docs/api/DiagnosticsChannel.md). */
interface UndiciRequest {
  readonly origin: string | URL
  readonly path: string
  readonly method: string
  readonly headers: string | readonly unknown[]
  addHeader(name: string, value: string): unknown
}

interface UndiciMessage {
  readonly request: UndiciRequest
  readonly response?: { readonly statusCode: number }
  readonly error?: unknown
}

/** True on Node, whose `fetch()` is undici. In workers, the version is an empty text. */
const hasUndici = "process" in globalThis && Boolean(process.versions.undici)
let isPublished = false

/** Publishes each `fetch()` from now on. On runtimes other than Node, only {@link sendPublished} publishes. */
export function publishFetches(): void {
  if (isPublished || !hasUndici) return
  isPublished = true
  const operationsByRequest = new WeakMap<UndiciRequest, FetchOperation>()
  listen("undici:request:create", (message) => {
    const { request } = message as UndiciMessage
    if (!channels.fetch.isWatched) return
    const url = new URL(request.path, request.origin)
    const operation = new FetchOperation(request.method, url, isTraced(request), (name, value) => {
      request.addHeader(name, value)
    })
    operationsByRequest.set(request, operation)
    channels.fetch.begin(operation, () => {})
  })
  const end = (message: unknown) => {
    const { request, response, error } = message as UndiciMessage
    const operation = operationsByRequest.get(request)
    if (!operation) return
    operationsByRequest.delete(request)
    if (response) operation.setStatus(response.statusCode)
    channels.fetch.end(operation, error)
  }
  listen("undici:request:headers", end)
  listen("undici:request:error", end)
}

function isTraced({ headers }: UndiciRequest): boolean {
  if (typeof headers === "string") return /^traceparent:/im.test(headers)
  return headers.some((name, index) => index % 2 === 0 && `${name}`.toLowerCase() === "traceparent")
}

/** Sends a request as `fetch()` does, and publishes it where {@link publishFetches} cannot. */
export const sendPublished: typeof fetch = async (input, init) => {
  if (hasUndici || !channels.fetch.isWatched) return fetch(input, init)
  const request = input instanceof Request ? input : new Request(input)
  const headers = new Headers(init?.headers ?? request.headers)
  const addHeader = (name: string, value: string) => headers.set(name, value)
  const method = init?.method ?? request.method
  const operation = new FetchOperation(method, new URL(request.url), headers.has("traceparent"), addHeader)
  return channels.fetch.runOperation(operation, async () => {
    // The options are passed on as they are, because runtimes have options of their own.
    const response = await fetch(input, { ...init, headers })
    operation.setStatus(response.status)
    return response
  })
}
