/** Adds the live reload script to pages, and only to pages. */
import type { IncomingMessage } from "node:http"
import { prefersHTML } from "../../../lib/request/accept.ts"
import { noKey } from "./sent-pages.ts"

/** Paths that the parent answers itself. With them, the pages' policy needs only 'self'. */
export const reservedPaths = {
  script: "/__fw/client.js",
  events: "/__fw/events",
  open: "/__fw/open",
  migrate: "/__fw/migrate",
  status: "/__fw/status",
  /** The HTML that was sent for a page. The page's key comes at the end of the path. */
  page: "/__fw/page?",
  /** The reason why no route answered a page. The path of the page comes at the end. */
  unanswered: "/__fw/unanswered?path=",
} as const

/**
 * The header that an open page sends when it requests itself after a save. The program sees a navigation to the
 * destination that the header names.
 */
export const pageHeader = "x-fw-page"

/** The changed headers of a response, and the addition to its body. */
export interface ResponseAddition {
  readonly headers: string[]
  readonly tail: string
}

/** Returns true if a browser requests a page, not a part of one for a script. */
export function isNavigation({ method, headers }: IncomingMessage): boolean {
  // Forms send only GET and POST. What their POST returns is a page like any other.
  if (method !== "GET" && method !== "HEAD" && method !== "POST") return false
  if (headers[pageHeader] !== undefined) return true
  const destination = headers["sec-fetch-dest"]
  // Browsers send this header only to origins that they trust: to localhost, but not to an address in the network.
  if (destination !== undefined) return /^(?:document|iframe|frame)$/.test(String(destination))
  return isForWholePage(headers) && prefersHTML(headers.accept ?? "")
}

/**
 * Returns true for a request for a whole page. htmx and other libraries fetch fragments, which must not contain the
 * script.
 */
function isForWholePage(headers: IncomingMessage["headers"]): boolean {
  return headers["hx-request"] === undefined && headers["x-requested-with"] === undefined
}

function takesPage(incoming: IncomingMessage): boolean {
  const { method, headers } = incoming
  if (isNavigation(incoming)) return true
  const anything = headers["sec-fetch-dest"] === undefined && /^(?:$|.*\*\/\*)/.test(headers.accept ?? "")
  return (method === "GET" || method === "HEAD") && anything && isForWholePage(headers)
}

/**
 * Returns the script's tag, with the page's own nonce if its policy has one. The tag comes last in the page; HTML
 * parsers move it into the body. The tag in the result of a form names the method, because loading that page again
 * would send the form again. The key of the page replaces {@link noKey} when its body is known.
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
 * Returns the addition to a response; null if it stays unchanged.
 *
 * @param note the parts of the warning that the page shows about itself, or null.
 */
export function createAddition(
  incoming: IncomingMessage,
  answer: IncomingMessage,
  note: unknown,
): ResponseAddition | null {
  const { headers, rawHeaders, statusCode } = answer
  if (!takesPage(incoming)) return null
  const isPage =
    /^text\/html\s*(?:;|$)/i.test(headers["content-type"] ?? "") &&
    /^(?:identity)?$/i.test(headers["content-encoding"] ?? "") &&
    // A download must have exactly the bytes that the program sent.
    !/^attachment\b/i.test(headers["content-disposition"] ?? "") &&
    statusCode !== 204 &&
    statusCode !== 205 &&
    statusCode !== 206
  // A 304 stands for the page with its script, under the page's tag.
  if (!isPage && !(statusCode === 304 && headers.etag !== undefined)) return null
  const tail = isPage ? toScriptTag(answer, incoming.method === "POST", note) : ""
  return { headers: changeHeaders(rawHeaders, tail.length), tail: statusCode === 304 ? "" : tail }
}

/** Removes headers that describe the bytes of the body, which change (RFC 9530, RFC 9110 §8.8, §14.3). */
function changeHeaders(raw: readonly string[], added: number): string[] {
  const list: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string
    const value = raw[i + 1] as string
    const lower = name.toLowerCase()
    if (/^(?:accept-ranges|content-md5|digest|content-digest|repr-digest)$/.test(lower)) continue
    if (lower === "content-length") list.push(name, String(Number(value) + added))
    else if (lower === "etag") list.push(name, value.startsWith("W/") ? value : `W/${value}`)
    else list.push(name, value)
  }
  return list
}
