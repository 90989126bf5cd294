/**
 * `fw requests`, also the MCP tool `fw_requests`: lists the latest requests to the running `fw dev`, or shows one
 * with all details.
 */
import { formatTable } from "../cli/layout.ts"
import type { OptionsOf } from "../cli/spec.ts"
import { type Io, makeStyle, type View } from "../cli/terminal.ts"
import type { HeaderPairs } from "../dev/requests/kept-requests.ts"
import { describePart, type RequestDetail, type RequestEntry, type ShownBody } from "../dev/requests/view.ts"
import { findDev, sendLocal } from "../dev/tools/dev-client.ts"
import { toolFault } from "../messages/tools.ts"
import { formatProblem } from "../project/problems.ts"
import type * as specs from "../specs/project.ts"

/** A part of the list. The newest request comes first. */
export interface RequestList {
  readonly requests: readonly RequestEntry[]
  readonly total: number
  readonly offset: number
}

/** A request with all details. */
export type OneRequest = RequestDetail & { readonly routing?: string }

/** The longest body to show, in characters. */
const maxBodyLength = 8000

/**
 * Asks the running `fw dev`.
 *
 * @throws FwError `no_dev_server`, and `no_request` for a number that is not stored.
 */
export async function run(
  { id = "", limit, offset, files }: OptionsOf<typeof specs.requests>,
  { cwd, signal }: Pick<Io, "cwd" | "signal">,
): Promise<RequestList | OneRequest> {
  const { address } = await findDev(cwd, signal)
  const query = id === "" ? "" : `?request=${encodeURIComponent(id)}`
  const answer = await sendLocal(address, { method: "GET", path: `/__fw/requests${query}`, headers: [], signal })
  if (answer.status === 404) throw toolFault("no_request", [id])
  const data = JSON.parse(answer.body.toString("utf8")) as { requests: readonly RequestEntry[] } | OneRequest
  if (!("requests" in data)) return { ...data, body: shortenBody(data.body), answerBody: shortenBody(data.answerBody) }
  const entries = data.requests.filter(({ isFile }) => files || !isFile)
  return { requests: entries.slice(offset, offset + limit), total: entries.length, offset }
}

function shortenBody(body: ShownBody): ShownBody {
  return body.text.length > maxBodyLength ? { ...body, text: `${body.text.slice(0, maxBodyLength)}…` } : body
}

export function print(result: RequestList | OneRequest, view: Pick<View, "style" | "width">): string {
  return "requests" in result ? printList(result, view) : printDetail(result)
}

function printList({ requests, total, offset }: RequestList, { style, width }: Pick<View, "style" | "width">): string {
  if (total === 0) return "There are no requests yet.\n"
  const rows = requests.map(({ id, time, method, url, status, ms, problems }) => [
    String(id),
    time.slice(11, 19),
    status === 0 ? "…" : String(status),
    ms === null ? "…" : `${ms} ms`,
    `${method} ${url}${problems > 0 ? ` (${problems} problem${problems > 1 ? "s" : ""})` : ""}`,
  ])
  const paint = (cell: string, column: number) => (column === 2 && /^[45]/.test(cell) ? style.red(cell) : cell)
  const next = offset + requests.length
  const more = next < total ? `Shown: ${requests.length} of ${total}. For older ones, pass --offset ${next}.\n` : ""
  return `${formatTable(rows, paint, width)}${more}`
}

function printDetail(detail: OneRequest): string {
  const { method, url, status, ms, pattern, answeredBy, slowest, parts, more, errors, findings, routing } = detail
  const indent = (text: string, spaces: number) => text.replace(/^/gm, " ".repeat(spaces))
  const sections = [
    `${method} ${url}: ${status || "no answer yet"}${ms === null ? "" : ` in ${ms} ms`}`,
    `Answered by: ${answeredBy || "not known"}. Route: ${pattern || "none"}`,
    ...slowest.map(({ what, count, ms: ownMs }) => `Takes ${ownMs} ms: ${what}${count > 1 ? `, ${count} times` : ""}`),
    ...[...errors, ...(findings ?? [])].map((problem) => formatProblem(problem, makeStyle(false))),
    "What the program did",
    ...parts.map((part) => {
      const { kind, name, start, depth, error, count, ms: ownMs } = part
      const time = kind === "log" ? `at ${start} ms` : `${ownMs} ms${count > 1 ? `, ${count} times` : ""}`
      const about = describePart(part)
      const lines = [`${kind} ${name}: ${time}`, ...(about ? [indent(about, 2)] : []), ...(error ? [`  ${error}`] : [])]
      return indent(lines.join("\n"), 2 + 2 * depth)
    }),
    ...(more > 0 ? [`  It did more: ${more} operations are not shown.`] : []),
    `The request\n${printMessage(detail.headers, detail.body)}`,
    `The answer\n${printMessage(detail.answerHeaders, detail.answerBody)}`,
    ...(routing ? [`How the router decides\n${indent(routing.trimEnd(), 2)}`] : []),
  ]
  return `${sections.join("\n")}\n`
}

function printMessage(headers: HeaderPairs, { text, isText, total }: ShownBody): string {
  const body = total === 0 ? [] : ["", isText ? text : `(${total} bytes, not text or compressed)`]
  return [...headers.map(([name, value]) => `${name}: ${value}`), ...body].join("\n").replace(/^(?=.)/gm, "  ")
}
