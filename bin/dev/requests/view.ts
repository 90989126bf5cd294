/** Prepares requests for people and programs: masks secrets, and finds out what answered. */
import type { Problem } from "../../project/problems.ts"
import { decodeText } from "../tools/dev-client.ts"
import { mapTexts } from "../tools/secrets.ts"
import { toCurl } from "./curl.ts"
import type { HeaderPairs, KeptBody, KeptRequest } from "./kept-requests.ts"
import type { Mask } from "./mask.ts"
import { addTime, noTime } from "./total-time.ts"
import type { TracedPart } from "./trace.ts"

/** A request in a list. */
export interface RequestEntry extends Readonly<Pick<KeptRequest, "id" | "method" | "url" | "status" | "replayOf">> {
  /** Time of arrival, in the format of RFC 3339. */
  readonly time: string
  /** Time until the answer was sent, in milliseconds; null before that. */
  readonly ms: number | null
  /** The pattern of the route; `""` if no route matched. */
  readonly pattern: string
  /** True if the answer is a static file. */
  readonly isFile: boolean
  /** The number of bugs, and of differences between the answer and its type. */
  readonly problems: number
}

/** A body as text. */
export interface ShownBody {
  /** The text; empty if the body is not text. */
  readonly text: string
  readonly isText: boolean
  /** Sizes of the whole body and of its stored part, in bytes. */
  readonly total: number
  readonly kept: number
}

/** A request with all details. */
export interface RequestDetail
  extends RequestEntry,
    Readonly<Pick<KeptRequest, "headers" | "answerHeaders" | "errors">> {
  readonly body: ShownBody
  readonly answerBody: ShownBody
  /** The operations of the program, in order. Equal ones are one entry. */
  readonly parts: readonly ShownPart[]
  /** The number of operations that are not in `parts`, because a request may have thousands. */
  readonly more: number
  /** The function that answered, such as `handler app/page.tpl`; `""` if it is not known. */
  readonly answeredBy: string
  /** The differences between the answer and its type; null if they were not compared. */
  readonly findings: readonly Problem[] | null
  readonly curl: string
}

/** An operation, with its place among the others. */
interface NestedPart extends TracedPart {
  /** The position of the operation around it; -1 for none. */
  readonly parent: number
  /** The number of operations around it. */
  readonly depth: number
}

/**
 * An operation, or several equal ones inside the same operation, such as a query for each row of another one. Then
 * `start` is that of the first one, `end` that of the last one, and `rows` is the sum.
 */
export interface ShownPart extends Omit<NestedPart, "parent"> {
  readonly count: number
  /** The milliseconds in which at least one of them ran. */
  readonly ms: number
}

/** Returns a request for a list. */
export function toEntry(request: KeptRequest, mask: Mask): RequestEntry {
  const { id, time, method, url, status, ms, pattern = "", parts, replayOf, errors, findings } = request
  const isFile = pattern === "" && [200, 206, 304].includes(status) && !parts.some(({ kind }) => kind === "handler")
  return {
    id,
    time: new Date(time).toISOString(),
    method,
    url: mask.text(url),
    status,
    ms: ms === undefined ? null : round(ms),
    pattern,
    isFile,
    replayOf,
    problems: errors.length + (findings?.length ?? 0),
  }
}

/**
 * Returns a request with all details.
 *
 * @param origin the address of `fw dev`.
 */
export function toDetail(request: KeptRequest, mask: Mask, origin: string): RequestDetail {
  const { headers, body, answerHeaders, answerBody, errors, findings } = request
  const parts = nest(request.parts)
  const masked = maskMessage(headers, body, mask)
  const details = {
    parts: groupEqual(parts),
    more: Math.max(0, request.count - request.parts.length),
    answeredBy: findAnswerer(parts) || (isOwnAnswer(request) ? "fw dev, because the last change does not work" : ""),
    errors,
    findings: findings ?? null,
  }
  const answer = maskMessage(answerHeaders, answerBody, mask)
  const entry = toEntry(request, mask)
  return {
    ...entry,
    ...mapTexts(details, (text) => mask.text(text)),
    ...masked,
    answerHeaders: answer.headers,
    answerBody: answer.body,
    curl: toCurl(origin + entry.url, { ...entry, ...masked }),
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}

function maskMessage(headers: HeaderPairs, body: KeptBody, mask: Mask) {
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? ""
  const encoding = headers.find(([name]) => /^content-encoding$/i.test(name))?.[1] ?? "identity"
  const text = encoding === "identity" ? decodeText(body.data, body.data.length === body.total) : null
  return {
    headers: headers.map(([name, value]) => [name, mask.header(name, value)] as const),
    body: {
      text: text === null ? "" : mask.body(text, type),
      isText: text !== null,
      total: body.total,
      kept: body.data.length,
    },
  }
}

/** The types of operations that can contain others. */
const enclosingKinds: ReadonlySet<string> = new Set(["proxy", "middleware", "handler", "render", "span"])

/** The types of operations that ask something outside of the process. Repeating them is what makes many pages slow. */
const externalKinds: ReadonlySet<string> = new Set(["query", "store", "fetch"])

/** Makes one entry of equal operations inside the same operation. One that failed has an entry of its own. */
function groupEqual(parts: readonly NestedPart[]): ShownPart[] {
  const groups = new Map<string, NestedPart[]>()
  for (const [index, part] of parts.entries()) {
    const { kind, name, detail, parent, error } = part
    const isAlone = !externalKinds.has(kind) || error !== undefined
    const key = isAlone ? `${index}` : JSON.stringify([parent, kind, name, detail])
    const group = groups.get(key)
    if (group) group.push(part)
    else groups.set(key, [part])
  }
  return [...groups.values()].map((group) => {
    const { parent: _parent, ...first } = group[0] as NestedPart
    const { ms, latestEnd } = group.reduce(addTime, noTime)
    const rows = group.reduce((sum, one) => sum + (one.rows ?? 0), 0)
    return {
      ...first,
      start: round(first.start),
      end: round(latestEnd),
      ...(first.rows !== undefined && { rows }),
      count: group.length,
      ms: round(ms),
    }
  })
}

/** Returns a time as text. */
export function formatTime(ms: number | null): string {
  return ms === null ? "…" : ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(2)} s`
}

/** Returns what is known about a request as a whole, as pairs of a name and a text. */
export function listFacts(detail: RequestDetail): readonly (readonly [name: string, text: string])[] {
  const { status, ms, answeredBy, pattern, findings, time, replayOf } = detail
  const type = findings?.length === 0 ? "as the code says" : "not as the code says"
  return [
    ["Answer", `${status || "none yet"} in ${formatTime(ms)}`],
    ["Answered by", answeredBy || "not known"],
    ["Route", pattern || "none"],
    ["Type", findings ? type : "not compared"],
    ["Arrived", time],
    ...(replayOf > 0 ? [["Replay", `of request ${replayOf}`] as const] : []),
  ]
}

/** Returns the lines below an operation: its details, the number of rows of a query, and its error. */
export function describePart({ detail, rows, count, error }: ShownPart): string {
  const size = rows === undefined ? "" : `${rows} ${rows === 1 ? "row" : "rows"}${count > 1 ? " in all" : ""}`
  return [detail, size, error].filter(Boolean).join("\n")
}

/** Returns the headers and the body of a request or an answer as text. */
export function formatMessage(headers: HeaderPairs, { text, isText, total, kept }: ShownBody): string {
  const cut = kept < total ? `, the first ${kept} of them` : ""
  const size = `Body: ${total} bytes${isText ? "" : ", not text or compressed"}${cut}`
  return [...headers.map(([name, value]) => `${name}: ${value}`), "", total === 0 ? "No body" : size, text]
    .join("\n")
    .trimEnd()
}

/** Sorts operations by their start, and finds for each the operations that were still running. */
function nest(parts: readonly TracedPart[]): NestedPart[] {
  // Of operations with the same start, the outer one ends last, so it was reported last.
  const sorted = parts.toReversed().sort((one, other) => one.start - other.start)
  const open: number[] = []
  return sorted.map((part, index) => {
    while (open.length > 0 && (sorted[open.at(-1) as number] as TracedPart).end < part.end) open.pop()
    const place = { parent: open.at(-1) ?? -1, depth: open.length }
    if (enclosingKinds.has(part.kind)) open.push(index)
    return { ...part, ...place }
  })
}

/** Returns true if the parent has answered and not the program. */
function isOwnAnswer({ status, answerHeaders, pattern }: KeptRequest): boolean {
  return status > 0 && answerHeaders.length === 0 && pattern === undefined
}

/**
 * Returns the innermost function that ran. It has answered, because the functions that it could have called did not
 * run.
 */
function findAnswerer(parts: readonly NestedPart[]): string {
  const functions = parts.filter(({ kind }) => kind === "proxy" || kind === "middleware" || kind === "handler")
  const last = functions.findLast(({ kind }) => kind === "handler") ?? functions.at(-1)
  return last ? `${last.kind} ${last.name}` : ""
}
