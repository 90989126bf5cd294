/** Adds the script of `fw dev` to pages, and to no other response. */
import type { IncomingMessage } from "node:http"
import { prefersHTML } from "../../../lib/request/accept.ts"
import { noKey } from "./sent-pages.ts"

/**
 * Paths that the parent process answers. They are on the same origin, so pages need only 'self' in their policy.
 */
export const reservedPaths = {
  script: "/__fw/client.js",
  events: "/__fw/events",
  open: "/__fw/open",
  migrate: "/__fw/migrate",
  status: "/__fw/status",
  /** The HTML that was sent for a page, whose key is the query. */
  page: "/__fw/page",
  /** The reason why no route answered a page. */
  unanswered: "/__fw/unanswered",
} as const

/**
 * The header of a request that an open page sends for itself after a save. Its value is the destination
 * (`document`, `iframe`) of the navigation that the program sees.
 */
export const pageHeader = "x-fw-page"

/** The changed headers of a response, and the text to append to its body. */
export interface ResponseAddition {
  readonly headers: string[]
  readonly tail: string
}

/** Returns true if a browser requests a whole page, and not a fragment for a script. */
export function isNavigation({ method, headers }: IncomingMessage): boolean {
  // Forms send only GET and POST. The response to a POST is a page too.
  if (method !== "GET" && method !== "HEAD" && method !== "POST") return false
  if (headers[pageHeader] !== undefined) return true
  const destination = headers["sec-fetch-dest"]
  // Browsers send this header only to trustworthy origins, such as localhost, but not to an address in the network.
  if (destination !== undefined) return /^(?:document|iframe|frame)$/.test(String(destination))
  return isForWholePage(headers) && prefersHTML(headers.accept ?? "")
}

/**
 * Returns true if the headers ask for a whole page. htmx and other libraries request fragments, to which the script
 * must not be added.
 */
function isForWholePage(headers: IncomingMessage["headers"]): boolean {
  return headers["hx-request"] === undefined && headers["x-requested-with"] === undefined
}

function acceptsPage(incoming: IncomingMessage): boolean {
  const { method, headers } = incoming
  if (isNavigation(incoming)) return true
  const acceptsAnything = headers["sec-fetch-dest"] === undefined && /^(?:$|.*\*\/\*)/.test(headers.accept ?? "")
  return (method === "GET" || method === "HEAD") && acceptsAnything && isForWholePage(headers)
}

/**
 * Returns the tag of the script, with the page's nonce if its policy has one. It is appended to the page; HTML
 * parsers move it into the body. For the result of a form, the tag contains the method, because reloading would
 * submit the form again. {@link noKey} is replaced by the page's key when the whole body is known.
 */
function toScriptTag(answer: IncomingMessage, isFormResult: boolean, note: unknown): string {
  const policy = String(answer.headers["content-security-policy"] ?? "")
  const nonce = /'nonce-([\w+/=-]+)'/.exec(policy)?.[1]
  const isUnanswered = answer.statusCode === 404 || answer.statusCode === 405
  const noteAttribute = note ? ` data-note="${encodeURIComponent(JSON.stringify(note))}"` : ""
  const reasonAttribute = isUnanswered ? " data-unanswered" : noteAttribute
  const method = isFormResult ? ' data-method="POST"' : ""
  const key = isFormResult ? "" : ` data-page="${noKey}"`
  return `<script src="${reservedPaths.script}"${reasonAttribute}${method}${nonce ? ` nonce="${nonce}"` : ""} defer${key}></script>\n`
}

/**
 * Returns the addition to a response; null if the response stays unchanged.
 *
 * @param note the parts of a warning about the page itself, or null.
 */
export function createAddition(
  incoming: IncomingMessage,
  answer: IncomingMessage,
  note: unknown,
): ResponseAddition | null {
  const { headers, rawHeaders, statusCode } = answer
  if (!acceptsPage(incoming)) return null
  const isPage =
    /^text\/html\s*(?:;|$)/i.test(headers["content-type"] ?? "") &&
    /^(?:identity)?$/i.test(headers["content-encoding"] ?? "") &&
    // A download must consist of exactly the bytes that the program sent.
    !/^attachment\b/i.test(headers["content-disposition"] ?? "") &&
    statusCode !== 204 &&
    statusCode !== 205 &&
    statusCode !== 206
  // The browser's copy of a page already contains the script, and its ETag is changed in the same way.
  if (!isPage && !(statusCode === 304 && headers.etag !== undefined)) return null
  const tail = isPage ? toScriptTag(answer, incoming.method === "POST", note) : ""
  return { headers: changeHeaders(rawHeaders, tail.length), tail: statusCode === 304 ? "" : tail }
}

/** Removes headers that describe the original bytes of the body (RFC 9530, RFC 9110 §8.8, §14.3). */
function changeHeaders(raw: readonly string[], addedBytes: number): string[] {
  const list: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string
    const value = raw[i + 1] as string
    const lower = name.toLowerCase()
    if (/^(?:accept-ranges|content-md5|digest|content-digest|repr-digest)$/.test(lower)) continue
    if (lower === "content-length") list.push(name, String(Number(value) + addedBytes))
    else if (lower === "etag") list.push(name, value.startsWith("W/") ? value : `W/${value}`)
    else list.push(name, value)
  }
  return list
}
