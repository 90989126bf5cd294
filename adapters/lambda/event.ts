/**
 * Converts a Lambda event to a Request. Supports payload 2.0 (function URLs, HTTP APIs), payload 1.0 (REST APIs) and
 * load balancers.
 */

import { FwError, HttpError } from "../../lib/errors.ts"
import { hostFault } from "../../lib/lifecycle/host-fault.ts"
import { readAddress } from "../../lib/request/address.ts"
import { setSignal } from "../../lib/request/body-streams.ts"
import { listElements } from "../../lib/request/header-grammar.ts"
import { isHeaderText } from "../../lib/request/headers.ts"
import { createHostError, isValidHost, refuseMethod } from "../shared/request-line.ts"

/** The value of each header, or of each query parameter, by its name. */
type ValueByName = Readonly<Record<string, string | null | undefined>>
type ListByName = Readonly<Record<string, readonly string[] | undefined>>

/**
 * The event of an HTTP request, with the fields that fw reads.
 *
 * @example const event: LambdaEvent = { version: "2.0", rawPath: "/", requestContext: { http: { method: "GET" } } }
 */
export interface LambdaEvent {
  /** `2.0` for function URLs and HTTP APIs; missing for load balancers. */
  readonly version?: string
  readonly rawPath?: string
  readonly rawQueryString?: string
  readonly cookies?: readonly string[]
  /** Set in payload 1.0, and by load balancers. */
  readonly httpMethod?: string
  readonly path?: string
  readonly queryStringParameters?: ValueByName | null
  readonly multiValueQueryStringParameters?: ListByName | null
  readonly headers?: ValueByName | null
  readonly multiValueHeaders?: ListByName | null
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
  readonly requestContext?: {
    readonly http?: { readonly method?: string; readonly sourceIp?: string }
    readonly identity?: { readonly sourceIp?: string | null }
    readonly elb?: object
    readonly domainName?: string
    readonly stage?: string
  }
}

/** Options for reading an event. */
export interface EventOptions {
  /**
   * A prefix that is removed from every path, such as the mapping of a custom domain. At the URL that AWS assigns, the
   * stage of an HTTP API is removed without this option.
   */
  readonly basePath?: string
}

/** The request that an event contains, and the address of its client. */
export interface EventRequest {
  readonly request: Request
  readonly clientIP: string
}

/** The request in an event, before the Request is created. */
interface RequestParts {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly clientIP: string
}

/**
 * Reads an event. Returns a Response if the request in it is not valid.
 *
 * @param signal the signal for the request.
 * @throws FwError `lambda` for an event that is not an HTTP request.
 */
export function readEvent(event: LambdaEvent, options: EventOptions, signal?: AbortSignal): EventRequest | Response {
  try {
    const parts = readParts(event)
    const headers = readHeaders(event)
    const refusal = refuseMethod(parts.method)
    if (refusal) throw refusal
    const path = removePrefixes(parts.path, event, options)
    const url = new URL(`${readOrigin(event, headers)}${encodePath(path)}${parts.search.replaceAll("#", "%23")}`)
    const body = parts.method === "GET" || parts.method === "HEAD" ? null : readBody(event)
    const init: RequestInit = { method: parts.method, headers, body, ...(signal && { signal }) }
    const request = new Request(url, init)
    if (signal) setSignal(request, () => signal)
    return { request, clientIP: readAddress(parts.clientIP) }
  } catch (error) {
    if (error instanceof FwError) throw error
    const httpError = error instanceof HttpError ? error : new HttpError(400, "the request is not valid HTTP")
    return Response.json(httpError, {
      status: httpError.status,
      headers: { "content-type": "application/json" },
    })
  }
}

function readParts(event: LambdaEvent): RequestParts {
  const { requestContext: context, httpMethod } = Object(event) as LambdaEvent
  if (event?.version === "2.0" && context?.http) {
    const { rawPath = "/", rawQueryString = "" } = event
    const { method = "GET", sourceIp = "" } = context.http
    return { method, path: rawPath, search: rawQueryString && `?${rawQueryString}`, clientIP: sourceIp }
  }
  if (httpMethod === undefined || !context) {
    throw hostFault("lambda.event")
  }
  const { path = "/" } = event
  // A load balancer appends the client's address to the forwarded ones, and passes the query exactly as it was sent.
  if (context.elb) {
    const addresses = listValues(event.multiValueHeaders, event.headers)
      .filter(([name]) => name.toLowerCase() === "x-forwarded-for")
      .flatMap(([name, values]) => values.flatMap((value) => listElements(toText(name, value))))
    return { method: httpMethod, path, search: buildSearch(event, String), clientIP: addresses.at(-1) ?? "" }
  }
  const clientIP = context.identity?.sourceIp ?? ""
  return { method: httpMethod, path, search: buildSearch(event, encodeURIComponent), clientIP }
}

/**
 * Returns the query. `?a` and `?a=` are the same in an event. The result is `?a`, because some programs treat a name
 * without a value in a special way, and `c.query()` reads both in the same way.
 */
function buildSearch(event: LambdaEvent, encode: (text: string) => string): string {
  const all = listValues(event.multiValueQueryStringParameters, event.queryStringParameters)
  const pairs = all.flatMap(([name, values]) =>
    values.map((rawValue) => {
      const value = toText(name, rawValue)
      return value === "" && name !== "" ? encode(name) : `${encode(name)}=${encode(value)}`
    }),
  )
  return pairs.length > 0 ? `?${pairs.join("&")}` : ""
}

/** Returns the headers. @throws TypeError for a value that a header cannot contain. */
function readHeaders({ headers, multiValueHeaders, cookies }: LambdaEvent): Headers {
  const result = new Headers()
  const lines = listValues(multiValueHeaders, headers)
  for (const [name, values] of cookies ? [...lines, ["cookie", cookies] as const] : lines) {
    const texts = values.filter((value) => value !== null && value !== undefined)
    // Two spellings of a name are the same header. A repeated Host becomes a list, which is not a valid host. Values of
    // Cookie are joined with semicolons (RFC 9113 §8.2.3).
    const earlierValue = result.get(name)
    const all = [
      ...(earlierValue === null ? [] : [earlierValue]),
      ...texts.map((text) => toHeaderValue(toText(name, text))),
    ]
    if (all.length > 0) result.set(name, all.join(name.toLowerCase() === "cookie" ? "; " : ", "))
  }
  return result
}

/** Returns the value of a header as other servers read it. @throws TypeError for control characters (RFC 9110 §5.5). */
function toHeaderValue(text: string): string {
  const value = toLatin1(text)
  if (!isHeaderText(value)) throw new TypeError("a header has a control character")
  return value
}

/**
 * Returns the UTF-8 bytes of a text, each as one character. Servers read headers as Latin-1 in this way, but a load
 * balancer decodes them as UTF-8. With this, programs get the same value everywhere.
 */
function toLatin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1")
}

/** Returns all names with their values. They are read from the lists, if the event has lists. */
function listValues(
  lists: ListByName | null | undefined,
  values: ValueByName | null | undefined,
): [name: string, values: readonly unknown[]][] {
  return Object.entries(lists ?? values ?? {}).map(([name, value]) => [name, Array.isArray(value) ? value : [value]])
}

/**
 * Returns a value as text; `""` if it is missing. @throws FwError `lambda` for an object, which no AWS service sends.
 */
function toText(name: string, value: unknown): string {
  if (Object(value) === value) throw hostFault("lambda.value", [name, value])
  return String(value ?? "")
}

/**
 * Returns scheme and host. The services in front of a function end TLS and report the scheme. Only load balancers also
 * pass plain HTTP on.
 */
function readOrigin({ requestContext }: LambdaEvent, headers: Headers): string {
  const host = headers.get("host") ?? requestContext?.domainName ?? "localhost"
  if (!isValidHost(host)) throw createHostError()
  const scheme = listElements(headers.get("x-forwarded-proto") ?? "")[0]?.toLowerCase() === "http" ? "http" : "https"
  return `${scheme}://${host || "localhost"}`
}

/**
 * Returns the path for the app. At the URL that AWS assigns, the path of an HTTP API begins with its stage, which is
 * removed.
 */
function removePrefixes(path: string, { requestContext, version }: LambdaEvent, options: EventOptions): string {
  const { stage = "$default", domainName = "" } = requestContext ?? {}
  const hasStage = version === "2.0" && stage !== "$default" && /\.execute-api\.[\w-]+\.amazonaws\.com/.test(domainName)
  const appPath = hasStage ? removePrefix(path, `/${stage}`) : path
  return options.basePath === undefined ? appPath : removePrefix(appPath, options.basePath)
}

function removePrefix(path: string, prefix: string): string {
  if (path === prefix) return "/"
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

/**
 * Encodes characters that are not valid in a path, and leaves encoded characters as they are. HTTP APIs pass decoded
 * paths, function URLs pass encoded ones.
 *
 * @throws URIError for half of a surrogate pair.
 */
function encodePath(path: string): string {
  const absolutePath = path.startsWith("/") ? path : `/${path}`
  return absolutePath.replace(/%(?![\da-f]{2})|[^\x21-\x7e]+|["#<>?\\^`{|}]/gi, encodeURIComponent)
}

function readBody({ body, isBase64Encoded }: LambdaEvent): Uint8Array<ArrayBuffer> | null {
  // Load balancers send an empty text if there is no body.
  if (typeof body !== "string" || body === "") return null
  // If the body were text, the Request would add a Content-Type.
  return Uint8Array.from(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"))
}
