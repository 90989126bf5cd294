/** Prepares requests for people and programs: masks secrets, and finds out what answered. */
import type { Problem } from "../../project/problems.ts"
import { mapTexts } from "../tools/secrets.ts"
import { toCurl } from "./curl.ts"
import type { HeaderPairs, KeptBody, KeptRequest } from "./kept-requests.ts"
import type { Mask } from "./mask.ts"
import type { TracedPart } from "./trace.ts"

/** A request in a list. */
export interface RequestEntry {
  readonly id: number
  /** Time of arrival, in the format of RFC 3339. */
  readonly time: string
  readonly method: string
  readonly url: string
  /** The status of the answer; 0 before the answer. */
  readonly status: number
  /** Time until the answer was sent, in milliseconds; null before that. */
  readonly ms: number | null
  /** The pattern of the route; `""` if no route matched. */
  readonly pattern: string
  /** True if the answer is a static file. */
  readonly isFile: boolean
  /** The number of the request that this one replays; 0 if it is not a replay. */
  readonly replayOf: number
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
export interface RequestDetail extends RequestEntry {
  /** How long the request waited for a program that was being built, in milliseconds. */
  readonly waited: number
  readonly headers: HeaderPairs
  readonly body: ShownBody
  readonly answerHeaders: HeaderPairs
  readonly answerBody: ShownBody
  /** The operations of the program, in order. Equal ones are one entry. */
  readonly parts: readonly ShownPart[]
  /** The number of operations that are not in `parts`, because a request may have thousands. */
  readonly more: number
  /** The function that answered, such as `handler app/page.tpl`; `""` if it is not known. */
  readonly answeredBy: string
  /** The operations that took the most time themselves, the longest first. */
  readonly slowest: readonly SlowPart[]
  readonly errors: readonly Problem[]
  /** The differences between the answer and its type; null if they were not compared. */
  readonly findings: readonly Problem[] | null
  readonly curl: string
}

/** An operation. */
interface NestedPart extends TracedPart {
  /** The number of operations around it. */
  readonly depth: number
}

/**
 * An operation, or several equal ones inside the same operation, such as a query for each row of another one. Then
 * `start` is that of the first one, `end` that of the last one, and `rows` is the sum.
 */
export interface ShownPart extends NestedPart {
  readonly count: number
  /** The milliseconds in which at least one of them ran. */
  readonly ms: number
}

/**
 * All operations with the same type, name and query, and their time in milliseconds, without the operations inside them.
 */
export interface SlowPart {
  readonly what: string
  readonly count: number
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
  const { headers, body, answerHeaders, answerBody, waited, errors, findings } = request
  const parts = addDepths(request.parts)
  const masked = maskMessage(headers, body, mask)
  const details = {
    waited: round(waited),
    parts: groupEqual(parts),
    more: Math.max(0, request.count - request.parts.length),
    answeredBy: findAnswerer(parts) || (isOwnAnswer(request) ? "fw dev, because the last change does not work" : ""),
    slowest: findSlowest(parts),
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
  const text = encoding === "identity" ? decode(body) : null
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

/** Returns a body as text; null if it is not valid UTF-8. */
function decode({ data, total }: KeptBody): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(data, { stream: data.length < total })
    return text.includes("\0") ? null : text
  } catch {
    return null
  }
}

/** The types of operations that can contain others. */
const enclosingKinds: ReadonlySet<string> = new Set(["proxy", "middleware", "handler", "render", "span"])

/** The types of operations that ask something outside of the process. Repeating them is what makes many pages slow. */
const externalKinds: ReadonlySet<string> = new Set(["query", "store", "fetch"])

/** Makes one entry of equal operations inside the same operation. One that failed has an entry of its own. */
function groupEqual(parts: readonly NestedPart[]): ShownPart[] {
  const groups: NestedPart[][] = []
  /** The groups inside the operations that are open, by their depth. */
  const open: Map<string, NestedPart[]>[] = []
  for (const part of parts) {
    open.length = Math.min(open.length, part.depth + 1)
    open[part.depth] ??= new Map()
    const key = externalKinds.has(part.kind) && part.error === undefined ? toLabel(part) : undefined
    const group = (key !== undefined && open[part.depth]?.get(key)) || []
    if (group.length === 0) groups.push(group)
    if (key !== undefined) open[part.depth]?.set(key, group)
    group.push(part)
  }
  return groups.map((group) => {
    const [first] = group as [NestedPart]
    const rows = group.reduce((sum, one) => sum + (one.rows ?? 0), 0)
    const end = Math.max(...group.map((one) => one.end))
    return {
      ...first,
      start: round(first.start),
      end: round(end),
      ...(first.rows !== undefined && { rows }),
      count: group.length,
      ms: round(measureTime(group)),
    }
  })
}

/** Returns the lines below an operation: its details, and the number of rows of a query. */
export function describePart({ detail, rows, count }: ShownPart): string {
  const size = rows === undefined ? [] : [`${rows} ${rows === 1 ? "row" : "rows"}${count > 1 ? " in all" : ""}`]
  return [...(detail ? [detail] : []), ...size].join("\n")
}

/** Sorts operations by their start, and counts for each the operations that were still running. */
function addDepths(parts: readonly TracedPart[]): NestedPart[] {
  // Of operations with the same start, the outer one ends last, so it was reported last.
  const sorted = parts.toReversed().sort((one, other) => one.start - other.start)
  const openParts: TracedPart[] = []
  return sorted.map((part) => {
    while (openParts.length > 0 && (openParts.at(-1) as TracedPart).end < part.end) openParts.pop()
    const depth = openParts.length
    if (enclosingKinds.has(part.kind)) openParts.push(part)
    return { ...part, depth }
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

/** The number of slow operations to name. */
const maxSlowParts = 3
/** The longest text that names a slow operation, in characters. */
const maxLabelLength = 200

/** Returns a text that equal operations have in common. */
function toLabel({ kind, name, detail }: TracedPart): string {
  if (kind === "query") return `${kind} ${(detail ?? name).replace(/\s+/g, " ").trim()}`
  return externalKinds.has(kind) ? `${kind} ${[name, detail].filter(Boolean).join(" ")}` : `${kind} ${name}`
}

function findSlowest(parts: readonly NestedPart[]): SlowPart[] {
  const groups = new Map<string, { readonly same: NestedPart[]; readonly inner: NestedPart[] }>()
  for (const [index, part] of parts.entries()) {
    const { kind, depth } = part
    if (kind === "log") continue
    const label = toLabel(part)
    const { same, inner } = groups.get(label) ?? { same: [], inner: [] }
    groups.set(label, { same, inner })
    same.push(part)
    for (const other of parts.slice(index + 1)) {
      if (other.depth <= depth && other.kind !== "log") break
      inner.push(other)
    }
  }
  const slow = [...groups].map(([label, { same, inner }]) => {
    const what = label.length > maxLabelLength ? `${label.slice(0, maxLabelLength)}…` : label
    return { what, count: same.length, ms: round(measureTime([...same, ...inner]) - measureTime(inner)) }
  })
  return slow
    .filter(({ ms }) => ms >= 1)
    .sort((one, other) => other.ms - one.ms)
    .slice(0, maxSlowParts)
}

/** Returns the milliseconds in which at least one of the parts ran: many may run at the same time. */
function measureTime(parts: readonly TracedPart[]): number {
  let [total, until] = [0, 0]
  for (const { start, end } of parts.toSorted((one, other) => one.start - other.start)) {
    total += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return total
}
