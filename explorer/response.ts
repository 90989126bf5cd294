/** Shows what came back, also while more of it is coming. Used by the form. */
import { keepCookies } from "./credentials.ts"
import { h } from "./dom.ts"
import type { Incoming } from "./relay.ts"

/** So much of a body is shown, in bytes. */
const limit = 1_000_000

/** Fills an element with an answer; resolves when its body has ended. */
export async function showResponse(into: HTMLElement, answer: Incoming): Promise<void> {
  const { status, statusText, headers, took } = answer
  keepCookies(headers.filter(([name]) => name.toLowerCase() === "set-cookie").map(([, value]) => value))
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? ""
  const size = h("span", { class: "quiet" })
  const head = h(
    "p",
    { class: "row" },
    h("strong", { class: `status s${String(status)[0]}` }, `${status} ${statusText}`),
    h("span", { class: "quiet" }, `${Math.round(took)} ms`),
    size,
  )
  const rows = headers.map(([name, value]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)),
  )
  const table = h(
    "details",
    {},
    h("summary", {}, `Headers (${headers.length})`),
    h("table", {}, h("tbody", {}, rows)),
  )
  const code = h("pre", { tabindex: 0, "aria-label": "Response body" })
  into.replaceChildren(head, table, code)
  const bytes = await read(answer.body, (sofar, total) => {
    size.textContent = sizeText(total)
    if (isText(type)) code.textContent = sofar
  })
  size.textContent = sizeText(bytes.length)
  if (/^image\//.test(type)) code.replaceWith(image(bytes, type))
  else if (isText(type)) code.replaceChildren(...paint(pretty(new TextDecoder().decode(bytes), type), type))
  else if (bytes.length > 0) code.replaceWith(download(bytes, type))
  else code.replaceWith(h("p", { class: "quiet" }, "No body."))
}

async function read(
  body: ReadableStream<Uint8Array> | null,
  tell: (text: string, total: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  const decoder = new TextDecoder()
  let text = ""
  let total = 0
  const reader = body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || !value) break
    parts.push(value)
    total += value.length
    if (text.length < limit) text += decoder.decode(value, { stream: true })
    tell(text, total)
  }
  const bytes = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function isText(type: string): boolean {
  return type === "" || /^text\/|[/+](?:json|xml|javascript|yaml|x-www-form-urlencoded|graphql)/.test(type)
}

function pretty(text: string, type: string): string {
  const shown = text.length > limit ? `${text.slice(0, limit)}\n… ${sizeText(text.length)} in all` : text
  if (!/[/+]json/.test(type) || shown !== text) return shown
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** JSON in colours: names, strings, numbers and words. Anything else as it is. */
export function paint(text: string, type: string): Node[] {
  if (!/json/.test(type) || text.length > 100_000) return [document.createTextNode(text)]
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(-?\d[\d.eE+-]*|true|false|null)\b/g
  const nodes: Node[] = []
  let at = 0
  for (const match of text.matchAll(token)) {
    nodes.push(document.createTextNode(text.slice(at, match.index)))
    const kind = match[2] !== undefined ? "key" : match[1] !== undefined ? "string" : "word"
    nodes.push(h("span", { class: `j-${kind}` }, match[1] ?? match[3] ?? ""))
    if (match[2]) nodes.push(document.createTextNode(match[2]))
    at = match.index + match[0].length
  }
  nodes.push(document.createTextNode(text.slice(at)))
  return nodes
}

function image(bytes: Uint8Array<ArrayBuffer>, type: string): HTMLElement {
  return h("img", { src: URL.createObjectURL(new Blob([bytes], { type })), alt: "Response body" })
}

function download(bytes: Uint8Array<ArrayBuffer>, type: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }))
  return h(
    "p",
    {},
    h("a", { href, download: "response" }, `Save the body (${type}, ${sizeText(bytes.length)})`),
  )
}

function sizeText(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`
}
