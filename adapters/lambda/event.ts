/** From a Lambda event to a Request: payload 2.0 (function URLs, HTTP APIs), payload 1.0 (REST APIs) and load balancers. */
import { FwError, HttpError } from "../../lib/errors.ts"
import { badHost, refuseMethod, validHost } from "../shared/target.ts"

/** A value by name, or several. */
type Values = Readonly<Record<string, string | undefined>>
type Lists = Readonly<Record<string, readonly string[] | undefined>>

/**
 * The event of an HTTP request, the part that is read.
 *
 * @example const event: LambdaEvent = { version: "2.0", rawPath: "/", requestContext: { http: { method: "GET" } } }
 */
export interface LambdaEvent {
  /** `2.0` for function URLs and HTTP APIs. */
  readonly version?: string
  readonly rawPath?: string
  readonly rawQueryString?: string
  readonly cookies?: readonly string[]
  /** Of payload 1.0 and load balancers. */
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

/** How an event is read. */
export interface ReadOptions {
  /**
   * A prefix that is taken off every path, such as the mapping of a custom domain. The stage of an HTTP API is taken off
   * without it, at the address that AWS gives.
   */
  readonly basePath?: string
}

/** What an event says. */
export interface ReadRequest {
  readonly request: Request
  readonly clientIP: string
}

/** Where the parts of a request are in an event. */
interface Parts {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly clientIP: string
}

/**
 * Reads an event; a Response where it says what no request may be.
 *
 * @param signal of the request.
 * @throws FwError `lambda` for an event that is no HTTP request.
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
    throw new FwError(
      "lambda",
      "the event is not an HTTP request",
      "Connect the function to a function URL, an API of API Gateway or a load balancer. Other events need a handler of their own.",
    )
  }
  const { path = "/" } = event
  // A load balancer puts the address of who connected behind the others; it hands on the query as it was sent.
  if (context.elb) {
    const clientIP = firstOf(event, "x-forwarded-for").split(",").at(-1)?.trim() ?? ""
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

/** @throws TypeError for what no header can hold. */
function headersOf({ headers, multiValueHeaders, cookies }: LambdaEvent): Headers {
  const read = new Headers()
  const lines = multiValueHeaders ?? headers ?? {}
  for (const [name, value] of Object.entries(lines)) {
    const all = typeof value === "string" ? [value] : (value ?? [])
    // RFC 9113 §8.2.3: lines of Cookie are joined by a semicolon.
    if (all.length > 0) read.set(name, all.join(name.toLowerCase() === "cookie" ? "; " : ", "))
  }
  if (cookies && cookies.length > 0) read.set("cookie", cookies.join("; "))
  return read
}

/** A header of the event, in whatever case it is written. */
function firstOf({ headers, multiValueHeaders }: LambdaEvent, wanted: string): string {
  for (const [name, value] of Object.entries(multiValueHeaders ?? headers ?? {}))
    if (name.toLowerCase() === wanted) return typeof value === "string" ? value : (value?.join(", ") ?? "")
  return ""
}

/** Scheme and host. What stands before a function ends TLS, and says so; only a load balancer passes on plain HTTP. */
function originOf({ requestContext }: LambdaEvent, headers: Headers): string {
  const host = headers.get("host") ?? requestContext?.domainName ?? "localhost"
  if (!validHost(host)) throw badHost()
  const scheme = headers.get("x-forwarded-proto") === "http" ? "http" : "https"
  return `${scheme}://${host || "localhost"}`
}

/** The path as the app knows it. At the address that AWS gives, an HTTP API has its stage in front. */
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
 * A path that may be decoded, as HTTP APIs hand it over, or not, as function URLs do: what cannot stand in a path is
 * encoded, and what is encoded already stays.
 *
 * @throws URIError for half a surrogate pair.
 */
function encodePath(path: string): string {
  const whole = path.startsWith("/") ? path : `/${path}`
  return whole.replace(/%(?![\da-f]{2})|[^\x21-\x7e]+|["#<>?\\^`{|}]/gi, encodeURIComponent)
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): Uint8Array<ArrayBuffer> | null {
  if (typeof body !== "string") return null
  // Bytes: a text would bring a Content-Type of its own.
  return Uint8Array.from(Buffer.from(body, isBase64Encoded ? "base64" : "utf8"))
}
