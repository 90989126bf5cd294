/**
 * `fw requests`, also the MCP tool `fw_requests`: lists the latest requests to the running `fw dev`, or shows one
 * with all details.
 */
import { shortenText } from "../../lib/text.ts"
import { formatTable } from "../cli/layout.ts"
import type { OptionsOf } from "../cli/spec.ts"
import { type Io, makeStyle, type View } from "../cli/terminal.ts"
import type { RequestDetail, RequestEntry, ShownBody } from "../dev/requests/view.ts"
import { describePart, formatMessage, formatTime, listFacts } from "../dev/requests/view.ts"
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
  return { ...body, text: shortenText(body.text, maxBodyLength) }
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
    formatTime(ms),
    `${method} ${url}${problems > 0 ? ` (${problems} problem${problems > 1 ? "s" : ""})` : ""}`,
  ])
  const paint = (cell: string, column: number) => (column === 2 && /^[45]/.test(cell) ? style.red(cell) : cell)
  const next = offset + requests.length
  const more = next < total ? `Shown: ${requests.length} of ${total}. For older ones, pass --offset ${next}.\n` : ""
  return `${formatTable(rows, paint, width)}${more}`
}

function printDetail(detail: OneRequest): string {
  const { method, url, parts, more, errors, findings, routing } = detail
  const indent = (text: string, spaces: number) => text.replace(/^(?=.)/gm, " ".repeat(spaces))
  const sections = [
    `${method} ${url}`,
    ...listFacts(detail).map(([name, text]) => `${name}: ${text}`),
    ...[...errors, ...(findings ?? [])].map((problem) => formatProblem(problem, makeStyle(false))),
    "What the program did",
    ...parts.map((part) => {
      const { kind, name, start, depth, count, ms } = part
      const times = count > 1 ? `, ${count} times` : ""
      const time = kind === "log" ? `at ${formatTime(start)}` : `${formatTime(ms)}${times}`
      return indent(`${kind} ${name}: ${time}\n${indent(describePart(part), 2)}`.trimEnd(), 2 + 2 * depth)
    }),
    ...(more > 0 ? [`  It did more: ${more} operations are not shown.`] : []),
    `The request\n${indent(formatMessage(detail.headers, detail.body), 2)}`,
    `The answer\n${indent(formatMessage(detail.answerHeaders, detail.answerBody), 2)}`,
    ...(routing ? [`How the router decides\n${indent(routing.trimEnd(), 2)}`] : []),
  ]
  return `${sections.join("\n")}\n`
}
