/** Shows a response, even while its body is still arriving. */

import { storeCookies } from "./credentials.ts"
import type { Api, ApiResponse, Operation } from "./document.ts"
import { h } from "./dom.ts"
import { findMismatches, formatPath, type Mismatch } from "./find-mismatches.ts"
import { maxPaintedChars, paintJSON, paintValue } from "./paint.ts"
import type { IncomingResponse } from "./relay.ts"

/** Maximum number of bytes of a body that are shown. */
const maxShownBytes = 1_000_000

/** The operation that a response is compared with. */
export interface DocumentedOperation {
  readonly api: Api
  readonly operation: Operation
}

/** Shows a response in an element, and marks where it differs from the document. Resolves when the body has ended. */
export async function showResponse(
  container: HTMLElement,
  answer: IncomingResponse,
  documented: DocumentedOperation,
): Promise<void> {
  const { status, statusText, headers, durationMs } = answer
  storeCookies(headers.filter(([name]) => name.toLowerCase() === "set-cookie").map(([, value]) => value))
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? ""
  const size = h("span", { class: "quiet" })
  const head = h(
    "p",
    { class: "row" },
    h("strong", { class: `status s${String(status)[0]}` }, `${status} ${statusText}`),
    h("span", { class: "quiet" }, `${Math.round(durationMs)} ms`),
    size,
  )
  const rows = headers.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)))
  const table = h("details", {}, h("summary", {}, `Headers (${headers.length})`), h("table", {}, h("tbody", {}, rows)))
  const code = h("pre", { tabindex: 0, "aria-label": "Response body" })
  const verdict = h("div", { class: "verdict" })
  container.replaceChildren(head, verdict, table, code)
  const bytes = await readBody(answer.body, (sofar, total) => {
    size.textContent = formatSize(total)
    if (isTextType(type)) code.textContent = sofar
  })
  size.textContent = formatSize(bytes.length)
  if (/^image\//.test(type)) code.replaceWith(createImage(bytes, type))
  else if (isTextType(type)) {
    const text = new TextDecoder().decode(bytes)
    const { value, misfits } = compareWithDocument(documented, status, type, text)
    verdict.replaceChildren(...createVerdict(misfits))
    const marked = value !== undefined && text.length <= maxPaintedChars
    code.replaceChildren(...(marked ? paintValue(value, misfits) : paintJSON(formatBody(text, type), type)))
  } else if (bytes.length > 0) code.replaceWith(createDownloadLink(bytes, type))
  else code.replaceWith(h("p", { class: "quiet" }, "No body."))
}

async function readBody(
  body: ReadableStream<Uint8Array> | null,
  onProgress: (text: string, total: number) => void,
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
    if (text.length < maxShownBytes) text += decoder.decode(value, { stream: true })
    onProgress(text, total)
  }
  const bytes = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function isTextType(type: string): boolean {
  return type === "" || /^text\/|[/+](?:json|xml|javascript|yaml|x-www-form-urlencoded|graphql)/.test(type)
}

function formatBody(text: string, type: string): string {
  const excerpt =
    text.length > maxShownBytes ? `${text.slice(0, maxShownBytes)}\n… ${formatSize(text.length)} in all` : text
  if (!/[/+]json/.test(type) || excerpt !== text) return excerpt
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Returns the value of a JSON response, and how it differs from the schema for this status. */
function compareWithDocument({ api, operation }: DocumentedOperation, status: number, type: string, text: string) {
  const nothing = { value: undefined, misfits: [] as Mismatch[] }
  const documentedResponse = findDocumentedResponse(operation, status)
  if (!documentedResponse)
    return { ...nothing, misfits: [{ path: [], message: `status ${status} is not in the document` }] }
  if (!/[/+]json/.test(type)) return nothing
  try {
    const value: unknown = JSON.parse(text)
    const media = Object.entries(documentedResponse.content).find(([name]) => toMediaType(name) === toMediaType(type))
    return { value, misfits: media ? findMismatches(api, media[1].schema, value) : [] }
  } catch {
    return { ...nothing, misfits: [{ path: [], message: "is not JSON, although the content type says so" }] }
  }
}

/**
 * Returns the response that the document has for a status: that of the status itself, of its class such as 4XX, or the
 * default (OpenAPI 3.1.0, Responses Object).
 */
function findDocumentedResponse({ responses }: Operation, status: number): ApiResponse | undefined {
  const names = [String(status), `${String(status)[0]}XX`, "default"]
  return names.map((name) => responses.find((one) => one.status.toUpperCase() === name.toUpperCase())).find(Boolean)
}

function toMediaType(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase()
}

/** Returns the list of mismatches; empty if there are none. */
function createVerdict(misfits: readonly Mismatch[]): Node[] {
  if (misfits.length === 0) return []
  const items = misfits.slice(0, 10).map(({ path, message }) => {
    const place = formatPath(path)
    return h("li", {}, place && h("code", {}, place), place && " ", message)
  })
  const more = misfits.length - items.length
  return [
    h("p", { class: "failure" }, "The response does not match the document:"),
    h("ul", { class: "misfits" }, items, more > 0 && h("li", {}, `and ${more} more`)),
  ]
}

function createImage(bytes: Uint8Array<ArrayBuffer>, type: string): HTMLElement {
  return h("img", { src: URL.createObjectURL(new Blob([bytes], { type })), alt: "Response body" })
}

function createDownloadLink(bytes: Uint8Array<ArrayBuffer>, type: string): HTMLElement {
  const href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }))
  return h("p", {}, h("a", { href, download: "response" }, `Save the body (${type}, ${formatSize(bytes.length)})`))
}

function formatSize(bytes: number): string {
  return bytes < 1000
    ? `${bytes} B`
    : bytes < 1e6
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`
}
