/**
 * Prepares responses that the program did not create, before they are sent: those of `fetch()`, of mounted handlers,
 * and of packages with a Response class of their own. A program that returns one is a gateway (RFC 9110 §7.6).
 */

import { platform } from "#platform"
import { misuse } from "../errors/fault.ts"
import { bodilessStatuses, manualEncoding, type ResponseBody } from "../exchange.ts"
import { hasElement, parseEntityTags } from "../request/header-grammar.ts"
import { checkHeaderValue, toHeaderName } from "../request/headers.ts"
import { isHopByHopHeader, parseConnectionNames } from "./connection-headers.ts"
import { toStream } from "./stream.ts"

/** Fields with a digest of the bytes in their `Content-Encoding` (RFC 9530 §2, §3). */
export const digestHeaders: readonly string[] = ["content-digest", "content-md5", "digest", "repr-digest"]

/** Fields that describe a body in its `Content-Encoding`. They are wrong after `fetch()` has decoded the body. */
const codedBodyHeaders = ["accept-ranges", "content-encoding", "content-length", ...digestHeaders]

/** Where a response is from: the program itself, a handler that it mounted, or another server. */
type ResponseOrigin = "own" | "mounted" | "fetched"

/** Options in a `Connection` header that the server handles itself. A response need not be changed for them. */
const serverOptions: readonly string[] = ["close", "keep-alive", "upgrade"]

/** The responses that this module has created. */
const preparedCopies = new WeakSet<Response>()

/** Returns true for a response that this module has created. */
export function isPreparedCopy(response: Response): boolean {
  return preparedCopies.has(response)
}

/**
 * Returns a response without the fields that belong to the connection on which it arrived: the fields of every
 * connection, and those that its `Connection` names. If `fetch()` has decoded the body, the fields of the encoded body
 * are removed too. Only fields of this response are removed, so another server cannot take away what middleware adds.
 *
 * @throws TypeError for a 206 whose body `fetch()` has decoded, because no client could use the part.
 */
export function removeHopByHopHeaders(response: Response, origin: ResponseOrigin = findOrigin(response)): Response {
  // Only the runtime can create a 101, and `new Response()` refuses the status 0 of `Response.error()`.
  if (response.status < 200) return response
  const names = listHeadersToRemove(response, origin)
  const isDecoded = origin === "fetched" && hasDecodedBody(response)
  if (names.length === 0 && !isDecoded) return response
  if (origin !== "fetched") platform.keepContentType?.(response)
  const headers = new Headers(response.headers)
  for (const name of names) headers.delete(name)
  // A handler of the same program may ask the server to close the client's connection.
  if (origin !== "fetched" && hasElement(response.headers.get("connection") ?? "", "close"))
    headers.set("connection", "close")
  if (isDecoded) fixDecodedHeaders(response.status, headers)
  const { body, status, statusText } = response
  const copy = new Response(body, { status, statusText, headers, ...manualEncoding })
  preparedCopies.add(copy)
  return copy
}

/** Returns where a response is from. Only a response of `fetch()` has a URL. */
function findOrigin({ url }: Response): ResponseOrigin {
  return url ? "fetched" : "own"
}

function listHeadersToRemove({ headers, status }: Response, origin: ResponseOrigin): string[] {
  const connectionNames = parseConnectionNames(headers.get("connection"))
  if (origin === "own") {
    if (connectionNames.every((name) => serverOptions.includes(name))) return []
    return ["connection", ...connectionNames]
  }
  return [...headers.keys()].filter((name) => {
    // A 426 says in `Upgrade` what protocol to use (RFC 9110 §15.5.22).
    if (name === "upgrade" && status === 426) return false
    return connectionNames.includes(name) || isHopByHopHeader(name)
  })
}

function hasDecodedBody({ headers }: Response): boolean {
  const coding = headers.get("content-encoding")
  return coding !== null && platform.decodes(coding)
}

/** Changes the fields of an encoded body to those of the decoded body, as nginx does when it decodes. */
function fixDecodedHeaders(status: number, headers: Headers): void {
  if (status === 206) throw misuse("response.decoded_part")
  for (const name of codedBodyHeaders) headers.delete(name)
  // A strong tag is only for exactly the same bytes (RFC 9110 §8.8.1).
  const [tag] = parseEntityTags(headers.get("etag") ?? "")
  if (tag && !tag.startsWith("W/")) headers.set("etag", `W/${tag}`)
}

/** A Response of another realm or package, or an object that looks like one. Its fields may have any type. */
interface ForeignResponse {
  readonly status: number
  readonly statusText?: string
  readonly url?: string
  readonly headers?: Iterable<readonly [string, string]> | Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The headers of node-fetch. Only this method keeps the lines of `Set-Cookie` apart. */
interface RawHeaders {
  raw(): Readonly<Record<string, readonly string[]>>
}

/**
 * Converts a Response of another realm or package to the runtime's own class. A runtime sends no other.
 *
 * @throws TypeError for a status, a reason or a header that cannot be sent, and for a value that is not a body.
 */
export function toOwnResponse(response: ForeignResponse): Response {
  checkHead(response)
  const { status, statusText = "", url } = response
  const headers = new Headers()
  for (const [name, value] of listHeaderPairs(response.headers))
    headers.append(toHeaderName(name), checkHeaderValue(name, value))
  const body = bodilessStatuses.includes(status) ? null : toBody(response.body)
  const copy = new Response(body, { status, statusText, headers })
  preparedCopies.add(copy)
  return removeHopByHopHeaders(copy, url ? "fetched" : "own")
}

/** Checks the status and the reason of a response. @throws TypeError */
export function checkHead({ status, statusText = "" }: ForeignResponse): void {
  if (status === 0) throw misuse("response.error")
  if (!Number.isInteger(status) || status < 200 || status > 599) throw misuse("status", status)
  // RFC 9112 §4, "reason-phrase".
  if (typeof statusText !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(statusText)) throw misuse("response.reason")
}

function listHeaderPairs(headers: ForeignResponse["headers"] = []): Iterable<readonly [string, string]> {
  const { raw } = headers as Partial<RawHeaders>
  if (typeof raw === "function") {
    const lines = Object.entries(raw.call(headers) as ReturnType<RawHeaders["raw"]>)
    return lines.flatMap(([name, values]) => values.map((value) => [name, value] as const))
  }
  return Symbol.iterator in headers ? headers : Object.entries(headers)
}

function toBody(body: unknown): ResponseBody | null {
  if (body === undefined || body === null) return null
  const isStream = typeof (body as Partial<ReadableStream>).getReader === "function"
  // A stream of Node, as in node-fetch.
  if (!isStream && typeof Object(body)[Symbol.asyncIterator] === "function") return toStream(body as never)
  return body as ResponseBody
}
