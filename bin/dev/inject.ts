/** Adds the live reload script to pages, and only to pages. Called by `dev-proxy.ts` for every answer. */
import type { IncomingMessage } from "node:http"

/** Where the parent answers itself. The pages' policy needs no more than 'self'. */
export const reserved = { script: "/__fw/client.js", events: "/__fw/events" } as const

/** What becomes of an answer's headers, and what is added to its body. */
export interface Addition {
  readonly headers: string[]
  readonly tail: string
}

/** Whether a browser asks for a page to show, rather than a script of a page for a part of it. */
export function isNavigation({ method, headers }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false
  const destination = headers["sec-fetch-dest"]
  // Browsers send it to origins they trust: localhost, but no plain address of the network.
  if (destination !== undefined) return /^(?:document|iframe|frame)$/.test(String(destination))
  return isPlain(headers) && (headers.accept ?? "").includes("text/html")
}

/** htmx and others fetch fragments, in which the script has no business. */
function isPlain(headers: IncomingMessage["headers"]): boolean {
  return headers["hx-request"] === undefined && headers["x-requested-with"] === undefined
}

function takesPage(incoming: IncomingMessage): boolean {
  const { method, headers } = incoming
  if (isNavigation(incoming)) return true
  const anything = headers["sec-fetch-dest"] === undefined && /^(?:$|.*\*\/\*)/.test(headers.accept ?? "")
  return (method === "GET" || method === "HEAD") && anything && isPlain(headers)
}

/** The script's tag, with the page's own nonce where its policy has one. It stands after everything else: HTML parsers take it into the body. */
function tag(policy: string): string {
  const nonce = /'nonce-([\w+/=-]+)'/.exec(policy)?.[1]
  return `<script src="${reserved.script}"${nonce ? ` nonce="${nonce}"` : ""} defer></script>\n`
}

/** What is added to an answer; null where it stays as it is. */
export function injected(incoming: IncomingMessage, answer: IncomingMessage): Addition | null {
  const { headers, rawHeaders, statusCode } = answer
  if (!takesPage(incoming)) return null
  const isPage =
    /^text\/html\s*(?:;|$)/i.test(headers["content-type"] ?? "") &&
    /^(?:identity)?$/i.test(headers["content-encoding"] ?? "") &&
    statusCode !== 204 &&
    statusCode !== 205 &&
    statusCode !== 206
  // A 304 stands for the page with its script, under the tag that the page was given.
  if (!isPage && !(statusCode === 304 && headers.etag !== undefined)) return null
  const tail = isPage ? tag(String(headers["content-security-policy"] ?? "")) : ""
  return { headers: changed(rawHeaders, tail.length), tail: statusCode === 304 ? "" : tail }
}

/** What describes the bytes of the body, which are others now (RFC 9530, RFC 9110 §8.8, §14.3). */
function changed(raw: readonly string[], added: number): string[] {
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
