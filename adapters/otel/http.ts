/** Makes the attributes of HTTP spans (semantic conventions of OpenTelemetry, HTTP, stable since 1.23). */
import { HttpError } from "../../lib/errors.ts"
import { isSecretName } from "../../lib/log/record.ts"
import type { RequestOperation } from "../../lib/trace/requests.ts"
import { toKnownMethod } from "../shared/known-methods.ts"
import { toException } from "./otlp.ts"
import type { Attributes, SpanEnd } from "./tracer.ts"

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 }

/** Returns what the span of a request gets at its end. */
export function describeRequest({ c, pattern, status, error, isAborted }: RequestOperation): SpanEnd {
  const method = toMethod(c.method)
  const bug = error === undefined || error instanceof HttpError ? undefined : error
  const isError = status >= 500
  const { protocol, hostname, port } = new URL(c.origin)
  const attributes: Attributes = {
    ...method,
    "url.scheme": protocol.slice(0, -1),
    "url.path": c.originalPath,
    "server.address": hostname,
    "server.port": port ? Number(port) : (defaultPorts[protocol] ?? 0),
    "http.response.status_code": status,
  }
  const query = redactQuery(c.search)
  if (query) attributes["url.query"] = query
  if (pattern) attributes["http.route"] = pattern
  const { clientIP } = c
  if (clientIP) attributes["client.address"] = clientIP
  const userAgent = c.header("user-agent")
  if (userAgent) attributes["user_agent.original"] = userAgent
  if (isError) attributes["error.type"] = bug === undefined ? `${status}` : readErrorName(bug)
  if (isAborted) attributes["fw.request.aborted"] = true
  const verb = method["http.request.method"] === "_OTHER" ? "HTTP" : c.method
  return {
    name: pattern ? `${verb} ${pattern}` : verb,
    attributes,
    isError,
    exception: bug === undefined || isAborted ? undefined : toException(bug),
  }
}

/** Returns the attributes for a method. If it is not a known one, they include the text that was sent. */
export function toMethod(method: string): Attributes {
  const known = toKnownMethod(method)
  return { "http.request.method": known, ...(known !== method && { "http.request.method_original": method }) }
}

/** Returns a query without its `?`. The values of secrets are replaced. */
export function redactQuery(search: string): string {
  return search
    .replace(/^\?/, "")
    .split("&")
    .map((pair) => {
      const [name = ""] = pair.split("=", 1)
      const isSecret = isSecretName(name) || /^(?:sig|signature|x-amz-signature|x-goog-signature)$/i.test(name)
      return isSecret && name !== pair ? `${name}=REDACTED` : pair
    })
    .join("&")
}

/** Returns the name of an error's class. */
export function readErrorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
