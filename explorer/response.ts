/** Shows a response, also while its body is still arriving. */
import { type Misfit, misfitsOf, pathText } from "./check.ts"
import { keepCookies } from "./credentials.ts"
import type { Api, ApiResponse, Operation } from "./document.ts"
import { h } from "./dom.ts"
import { paint, paintable, paintValue } from "./paint.ts"
import type { Incoming } from "./relay.ts"

/** Most of a body that is shown, in bytes. */
const limit = 1_000_000

/** The operation that a response is compared with. */
export interface Documented {
  readonly api: Api
  readonly operation: Operation
}

/** Shows a response in an element and marks mismatches with the document. Resolves when the body has ended. */
export async function showResponse(
  into: HTMLElement,
  answer: Incoming,
  documented: Documented,
): Promise<void> {
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
  const verdict = h("div", { class: "verdict" })
  into.replaceChildren(head, verdict, table, code)
  const bytes = await read(answer.body, (sofar, total) => {
    size.textContent = sizeText(total)
    if (isText(type)) code.textContent = sofar
  })
  size.textContent = sizeText(bytes.length)
  if (/^image\//.test(type)) code.replaceWith(image(bytes, type))
  else if (isText(type)) {
    const text = new TextDecoder().decode(bytes)
    const { value, misfits } = compare(documented, status, type, text)
    verdict.replaceChildren(...verdictOn(misfits))
    const marked = value !== undefined && text.length <= paintable
    code.replaceChildren(...(marked ? paintValue(value, misfits) : paint(pretty(text, type), type)))
  } else if (bytes.length > 0) code.replaceWith(download(bytes, type))
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

/** Returns the value of a JSON response, and its mismatches with the document's schema for this status. */
function compare({ api, operation }: Documented, status: number, type: string, text: string) {
  const nothing = { value: undefined, misfits: [] as Misfit[] }
  const said = documentedAnswer(operation, status)
  if (!said)
    return { ...nothing, misfits: [{ path: [], message: `status ${status} is not in the document` }] }
  if (!/[/+]json/.test(type)) return nothing
  try {
    const value: unknown = JSON.parse(text)
    const media = Object.entries(said.content).find(([name]) => mediaName(name) === mediaName(type))
    return { value, misfits: media ? misfitsOf(api, media[1].schema, value) : [] }
  } catch {
    return { ...nothing, misfits: [{ path: [], message: "is not JSON, although the content type says so" }] }
  }
}

/**
 * Returns the documented response for a status: its own, that of its class such as 4XX, or the default
 * (OpenAPI 3.1.0, Responses Object).
 */
function documentedAnswer({ responses }: Operation, status: number): ApiResponse | undefined {
  const names = [String(status), `${String(status)[0]}XX`, "default"]
  return names
    .map((name) => responses.find((one) => one.status.toUpperCase() === name.toUpperCase()))
    .find(Boolean)
}

function mediaName(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase()
}

/** Returns the mismatches as a list; empty if there are none. */
function verdictOn(misfits: readonly Misfit[]): Node[] {
  if (misfits.length === 0) return []
  const items = misfits.slice(0, 10).map(({ path, message }) => {
    const place = pathText(path)
    return h("li", {}, place && h("code", {}, place), place && " ", message)
  })
  const more = misfits.length - items.length
  return [
    h("p", { class: "failure" }, "The response does not match the document:"),
    h("ul", { class: "misfits" }, items, more > 0 && h("li", {}, `and ${more} more`)),
  ]
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
