/**
 * Converts a Lambda event to a Request: payload 2.0 (function URLs, HTTP APIs), payload 1.0 (REST APIs) and
 * load balancers.
 */

import { HttpError } from "../../lib/errors.ts"
import { fault } from "../../lib/fault.ts"
import { listElements } from "../../lib/request/header-grammar.ts"
import { badHost, refuseMethod, validHost } from "../shared/target.ts"

/** One or several values by name. */
type Values = Readonly<Record<string, string | undefined>>
type Lists = Readonly<Record<string, readonly string[] | undefined>>

/**
 * The event of an HTTP request: the fields that are read.
 *
 * @example const event: LambdaEvent = { version: "2.0", rawPath: "/", requestContext: { http: { method: "GET" } } }
 */
export interface LambdaEvent {
  /** `2.0` for function URLs and HTTP APIs. */
  readonly version?: string
  readonly rawPath?: string
  readonly rawQueryString?: string
  readonly cookies?: readonly string[]
  /** For payload 1.0 and load balancers. */
  readonly httpMethod?: string
  readonly path?: string
  readonly queryStringParameters?: Values | null
  readonly multiValueQueryStringParameters?: Lists | null
  readonly headers?: Values | null
  readonly multiValueHeaders?: Lists | null
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
export interface ReadOptions {
  /**
   * Prefix to remove from every path, such as the mapping of a custom domain. At the URL that AWS assigns,
   * the stage of an HTTP API is removed without this option.
   */
  readonly basePath?: string
}

/** The contents of an event. */
export interface ReadRequest {
  readonly request: Request
  readonly clientIP: string
}

/** The parts of a request in an event. */
interface Parts {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly clientIP: string
}

/**
 * Reads an event; returns a Response for a request that is not valid.
 *
 * @param signal signal of the request.
 * @throws FwError `lambda` for an event that is not an HTTP request.
 */
export function readEvent(
  event: LambdaEvent,
  options: ReadOptions,
  signal?: AbortSignal,
): ReadRequest | Response {
  const parts = partsOf(event)
  try {
    const headers = headersOf(event)
    const refused = refuseMethod(parts.method)
    if (refused) throw refused
    const path = withoutPrefix(parts.path, event, options)
    const url = new URL(
      `${originOf(event, headers)}${encodePath(path)}${parts.search.replaceAll("#", "%23")}`,
    )
    const body = parts.method === "GET" || parts.method === "HEAD" ? null : bodyOf(event)
    const init: RequestInit = { method: parts.method, headers, body, ...(signal && { signal }) }
    return { request: new Request(url, init), clientIP: parts.clientIP }
  } catch (error) {
    const shown = error instanceof HttpError ? error : new HttpError(400, "the request is not valid HTTP")
    return Response.json(shown, { status: shown.status, headers: { "content-type": "application/json" } })
  }
}

function partsOf(event: LambdaEvent): Parts {
  const { requestContext: context, httpMethod } = Object(event) as LambdaEvent
  if (event?.version === "2.0" && context?.http) {
    const { rawPath = "/", rawQueryString = "" } = event
    const { method = "GET", sourceIp = "" } = context.http
    return { method, path: rawPath, search: rawQueryString && `?${rawQueryString}`, clientIP: sourceIp }
  }
  if (httpMethod === undefined || !context) {
    throw fault("lambda.event")
  }
  const { path = "/" } = event
  // A load balancer appends the client's address to the forwarded ones, and passes the query as it was sent.
  if (context.elb) {
    const clientIP = listElements(firstOf(event, "x-forwarded-for")).at(-1) ?? ""
    return { method: httpMethod, path, search: searchOf(event, String), clientIP }
  }
  const clientIP = context.identity?.sourceIp ?? ""
  return { method: httpMethod, path, search: searchOf(event, encodeURIComponent), clientIP }
}

function searchOf(event: LambdaEvent, encode: (text: string) => string): string {
  const lists = event.multiValueQueryStringParameters
  const names = Object.keys(lists ?? event.queryStringParameters ?? {})
  const pairs = names.flatMap((name) =>
    (lists ? (lists[name] ?? []) : [event.queryStringParameters?.[name] ?? ""]).map(
      (value) => `${encode(name)}=${encode(value)}`,
    ),
  )
  return pairs.length > 0 ? `?${pairs.join("&")}` : ""
}

/** Returns the headers. @throws TypeError for a value that a header cannot contain. */
function headersOf({ headers, multiValueHeaders, cookies }: LambdaEvent): Headers {
  const read = new Headers()
  const lines = multiValueHeaders ?? headers ?? {}
  for (const [name, value] of Object.entries(lines)) {
    const all = typeof value === "string" ? [value] : (value ?? [])
    // RFC 9113 §8.2.3: Cookie lines are joined with a semicolon.
    if (all.length > 0) read.set(name, all.join(name.toLowerCase() === "cookie" ? "; " : ", "))
  }
  if (cookies && cookies.length > 0) read.set("cookie", cookies.join("; "))
  return read
}

/** Returns a header of the event; its name may be in any case. */
function firstOf({ headers, multiValueHeaders }: LambdaEvent, wanted: string): string {
  for (const [name, value] of Object.entries(multiValueHeaders ?? headers ?? {}))
    if (name.toLowerCase() === wanted) return typeof value === "string" ? value : (value?.join(", ") ?? "")
  return ""
}

/**
 * Returns scheme and host. Services in front of a function end TLS and say so; only a load balancer passes
 * plain HTTP.
 */
function originOf({ requestContext }: LambdaEvent, headers: Headers): string {
  const host = headers.get("host") ?? requestContext?.domainName ?? "localhost"
  if (!validHost(host)) throw badHost()
  const scheme = headers.get("x-forwarded-proto") === "http" ? "http" : "https"
  return `${scheme}://${host || "localhost"}`
}

/** Returns the path for the app. At the URL that AWS assigns, an HTTP API has its stage in front. */
function withoutPrefix(path: string, { requestContext, version }: LambdaEvent, options: ReadOptions): string {
  const { stage = "$default", domainName = "" } = requestContext ?? {}
  const isStaged =
    version === "2.0" && stage !== "$default" && /\.execute-api\.[\w-]+\.amazonaws\.com/.test(domainName)
  const staged = isStaged ? without(path, `/${stage}`) : path
  return options.basePath === undefined ? staged : without(staged, options.basePath)
}

function without(path: string, prefix: string): string {
  if (path === prefix) return "/"
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
}

/**
 * Encodes a path that may be decoded, as HTTP APIs pass it, or not, as function URLs do: characters that are
 * invalid in a path are encoded, and encoded ones are kept.
 *
 * @throws URIError for half a surrogate pair.
 */
function encodePath(path: string): string {
  const whole = path.startsWith("/") ? path : `/${path}`
  return whole.replace(/%(?![\da-f]{2})|[^\x21-\x7e]+|["#<>?\\^`{|}]/gi, encodeURIComponent)
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): Uint8Array<ArrayBuffer> | null {
  if (typeof body !== "string") return null
  // As bytes, because a text would add a Content-Type.
  return Uint8Array.from(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"))
}
