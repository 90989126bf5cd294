/** Creates spans for outgoing requests of `fetch()` on Node, from the channels of undici. */
import { listen } from "../shared/channels.ts"
import { readErrorName, redactQuery, toMethod } from "./http.ts"
import type { Tracer } from "./tracer.ts"

/** The members of a request of undici that fw uses. */
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

/**
 * Begins to create spans for requests that are sent while another request is answered.
 *
 * @param hosts the hosts that get the headers of the trace, written as in a URL.
 */
export function watchFetch<Handle extends object>(tracer: Tracer<Handle>, hosts: readonly string[]): void {
  const spans = new WeakMap<UndiciRequest, Handle>()
  listen("undici:request:create", (message) => {
    const { request } = message as UndiciMessage
    const parent = tracer.current
    // If the request has `traceparent`, another instrumentation of the program has already created a span.
    if (!parent || hasTraceparent(request)) return
    const url = new URL(request.path, request.origin)
    let span = parent
    if (tracer.isRecorded(parent)) {
      span = tracer.beginChild(parent, request.method, "client", {
        ...toMethod(request.method),
        "server.address": url.hostname,
        "server.port": Number(url.port) || (url.protocol === "https:" ? 443 : 80),
        "url.full": `${url.origin}${url.pathname}${url.search && `?${redactQuery(url.search)}`}`,
      })
      spans.set(request, span)
    }
    if (hosts.includes(url.host) || hosts.includes(url.hostname))
      for (const [name, value] of tracer.createHeaders(span)) request.addHeader(name, value)
  })
  listen("undici:request:headers", (message) => {
    const { request, response } = message as UndiciMessage
    const span = spans.get(request)
    const status = response?.statusCode ?? 0
    if (!span) return
    spans.delete(request)
    const attributes = { "http.response.status_code": status, ...(status >= 400 && { "error.type": `${status}` }) }
    tracer.end(span, { attributes, isError: status >= 400 })
  })
  listen("undici:request:error", (message) => {
    const { request, error } = message as UndiciMessage
    const span = spans.get(request)
    if (!span) return
    spans.delete(request)
    tracer.end(span, { attributes: { "error.type": readErrorName(error) }, isError: true })
  })
}

function hasTraceparent({ headers }: UndiciRequest): boolean {
  if (typeof headers === "string") return /^traceparent:/im.test(headers)
  return headers.some((name, index) => index % 2 === 0 && `${name}`.toLowerCase() === "traceparent")
}
