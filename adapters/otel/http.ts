/** Makes the attributes of HTTP spans (semantic conventions of OpenTelemetry, HTTP, stable since 1.23). */
import { HttpError } from "../../lib/errors.ts"
import type { RequestOperation } from "../../lib/trace/requests.ts"
import { readErrorName, redactQuery, toMethodAttributes, toServerAttributes } from "../shared/http-attributes.ts"
import { toException } from "./otlp.ts"
import type { Attributes } from "./span.ts"
import type { SpanEnd } from "./tracer.ts"

/** Returns the name, the attributes and the error that the span of a request gets when it ends. */
export function describeRequest({ c, pattern, status, error, isAborted }: RequestOperation): SpanEnd {
  const method = toMethodAttributes(c.method)
  const bug = error === undefined || error instanceof HttpError ? undefined : error
  const isError = status >= 500
  const origin = new URL(c.origin)
  const attributes: Attributes = {
    ...method,
    ...toServerAttributes(origin),
    "url.scheme": origin.protocol.slice(0, -1),
    "url.path": c.originalPath,
    "http.response.status_code": status,
    "url.query": redactQuery(c.search) || undefined,
    "http.route": pattern || undefined,
    "client.address": c.clientIP || undefined,
    "user_agent.original": c.header("user-agent") || undefined,
    "error.type": isError ? (bug === undefined ? `${status}` : readErrorName(bug)) : undefined,
    "fw.request.aborted": isAborted || undefined,
  }
  const verb = method["http.request.method"] === "_OTHER" ? "HTTP" : c.method
  return {
    name: pattern ? `${verb} ${pattern}` : verb,
    attributes,
    isError,
    exception: bug === undefined || isAborted ? undefined : toException(bug),
  }
}
