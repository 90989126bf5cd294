/** The tool `fw_request`: sends a request to the running `fw dev`. */
import { CookieJar } from "../../lib/request/cookie-jar.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { decodeText, findDev, type LocalAnswer, sendLocal } from "../dev/tools/dev-client.ts"
import { toolFault } from "../messages/tools.ts"
import type * as specs from "../specs/mcp.ts"

/** A response and a part of its body. */
export interface DevResponseData {
  readonly status: number
  /** Headers by name, in lower case. Several headers of the same name are joined by line breaks. */
  readonly headers: Readonly<Record<string, string>>
  /** A part of the body; empty if the body is not text. */
  readonly body: string
  /** True if the body is text. */
  readonly isText: boolean
  /** Length of the whole body, in characters; in bytes if it is not text. */
  readonly total: number
  readonly offset: number
  /** False if the body is longer than what was read, or did not end within some seconds. */
  readonly complete: boolean
}

type Options = OptionsOf<typeof specs.devRequest>

/** The cookies of the session, by project. One process serves one session. */
const jars = new Map<string, CookieJar>()

/** Headers that depend on the connection. */
const connectionHeaders = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect)$/i
const tokenPattern = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * Sends the request as a page of the application would: with the cookies of earlier answers, and its origin.
 *
 * @throws FwError `arguments`, `no_dev_server`, and `no_answer` if the server does not answer.
 */
export async function run(options: Options, { cwd, signal }: Pick<Io, "cwd" | "signal">): Promise<DevResponseData> {
  const { method, path, headers, body, limit, offset, clearCookies } = options
  if (!/^\/[\x21-\x7e]*$/.test(path)) throw toolFault("arguments.type", ["path", JSON.stringify(path), pathRule])
  if (!tokenPattern.test(method)) throw toolFault("arguments.type", ["method", JSON.stringify(method), "a method"])
  const pairs = headers.map(parseHeader)
  const { address } = await findDev(cwd, signal)
  if (clearCookies) jars.delete(cwd)
  const jar = jars.get(cwd) ?? new CookieJar(Date.now)
  jars.set(cwd, jar)
  const url = new URL(address + path)
  const upperMethod = method.toUpperCase()
  const sent = [...addBrowserHeaders(upperMethod, url, pairs), ...toCookieHeader(jar, url)]
  const localRequest = { method: upperMethod, path, headers: sent, body, signal }
  const answer = await sendLocal(address, localRequest).catch((cause: Error) => {
    signal.throwIfAborted()
    throw toolFault("no_answer", [cause.message], { cause })
  })
  for (const [name, value] of answer.headers) if (/^set-cookie$/i.test(name)) jar.set(value, url)
  return toData(answer, limit, offset)
}

type Header = readonly [name: string, value: string]

/** Adds what a browser sends with a request of the application's own page, unless the caller has given it. */
function addBrowserHeaders(method: string, { origin }: URL, headers: readonly Header[]): Header[] {
  const browserHeaders: Header[] = [["sec-fetch-site", "same-origin"]]
  if (method !== "GET" && method !== "HEAD") browserHeaders.push(["origin", origin])
  const givenNames = new Set(headers.map(([name]) => name.toLowerCase()))
  return [...headers, ...browserHeaders.filter(([name]) => !givenNames.has(name))]
}

function toCookieHeader(jar: CookieJar, url: URL): Header[] {
  const value = jar.header(url)
  return value === "" ? [] : [["cookie", value]]
}

const pathRule = "a path that begins with / and is percent-encoded, such as /users/7?tab=a%20b"

/** Splits a header into name and value. */
function parseHeader(header: string): Header {
  const colon = header.indexOf(":")
  const name = header.slice(0, colon).trim()
  const value = header.slice(colon + 1).trim()
  if (colon > 0 && tokenPattern.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && !connectionHeaders.test(name))
    return [name, value]
  const rule = "a list such as accept: text/html, without those that the connection determines"
  throw toolFault("arguments.type", ["headers", JSON.stringify(header.slice(0, 200)), rule])
}

function toData({ status, headers, body, isComplete }: LocalAnswer, limit: number, offset: number): DevResponseData {
  const headersByName: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    headersByName[key] = headersByName[key] === undefined ? value : `${headersByName[key]}\n${value}`
  }
  const text = decodeText(body, isComplete)
  return {
    status,
    headers: headersByName,
    body: text?.slice(offset, offset + limit) ?? "",
    isText: text !== null,
    total: text?.length ?? body.length,
    offset,
    complete: isComplete,
  }
}

/** Returns the response in the format of HTTP. */
export function print({ status, headers, body, isText, total, offset, complete }: DevResponseData): string {
  const end = offset + body.length
  const lines = Object.entries(headers).flatMap(([name, values]) => {
    return values.split("\n").map((value) => `${name}: ${value}`)
  })
  const notes = [
    ...(isText ? [] : [`The body has ${total} bytes and is not text.`]),
    ...(isText && body.length < total
      ? [
          `Shown: characters ${offset} to ${end} of ${total}.${end < total ? ` For the next ones, pass --offset ${end}.` : ""}`,
        ]
      : []),
    ...(complete ? [] : ["The body was cut: it is long, or did not end."]),
  ]
  return [String(status), ...lines, "", body, ...notes].join("\n")
}
