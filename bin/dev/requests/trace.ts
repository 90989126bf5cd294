/**
 * Records the operations of each request in a server process of `fw dev`, from fw's diagnostics channels, and
 * reports them to the parent.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { subscribe } from "node:diagnostics_channel"
import { publishFetches } from "../../../adapters/shared/outgoing.ts"
import { readErrorMessage } from "../../../lib/log/error-report.ts"
import type { LogMessage } from "../../../lib/log/record.ts"
import { formatTiming } from "../../../lib/middleware/server-timing.ts"
import { formatIssue } from "../../../lib/request/schema.ts"
import { shortenText } from "../../../lib/text.ts"
import { type Operation, type OperationKind, operationKinds } from "../../../lib/trace/operations.ts"
import type { RequestOperation } from "../../../lib/trace/requests.ts"
import { addTime, noTime, type TotalTime } from "./total-time.ts"

/** The types of operations that fw reports. Those that are left out do not end during a request. */
const kinds = operationKinds.filter((kind) => !["request", "job", "socket"].includes(kind))

/** An operation of a request. */
export interface TracedPart {
  /** `log` is a line that the program printed. */
  readonly kind: OperationKind | "log"
  readonly name: string
  /** Start and end, in milliseconds since the start of the request. */
  readonly start: number
  readonly end: number
  /** Details: the text of a query, the issues of a validation, the fields of a line. */
  readonly detail?: string
  /** The number of rows that a query returned. */
  readonly rows?: number
  /** The message of the error that ended the operation. */
  readonly error?: string
}

/** What a server process reports about a request. */
export interface TraceReport {
  /** The parent's number for the request. */
  readonly request: number
  /** An operation that has ended. */
  readonly part?: TracedPart
  /** The number of all operations so far, also of those that are not reported. */
  readonly count: number
  /** The pattern of the route, at the end of the request. */
  readonly pattern?: string
}

/** The largest number of operations to report for a request, because a loop may make thousands of queries. */
const maxParts = 500
/** The longest name or detail to report, in characters. */
const maxTextLength = 2000
const clip = (text: string) => shortenText(text, maxTextLength)

/** A request that runs. */
interface RunningRequest {
  readonly id: number
  readonly start: number
  count: number
  /** The times of all operations so far, by label. */
  readonly times: Map<string, TotalTime>
}

const runningRequest = new AsyncLocalStorage<RunningRequest>()

/**
 * Starts recording for a request. Everything that its handler starts asynchronously belongs to it.
 *
 * @param id the parent's number for the request.
 */
export function beginTrace(id: number): void {
  runningRequest.enterWith({ id, start: performance.now(), count: 0, times: new Map() })
}

/** Returns the number of the current request; undefined outside a request. */
export function findRequestID(): number | undefined {
  return runningRequest.getStore()?.id
}

/**
 * Subscribes to the channels.
 *
 * @param send sends a report to the parent.
 */
export function watchProgram(send: (report: TraceReport) => void): void {
  const add = (describe: (start: number) => TracedPart) => {
    const request = runningRequest.getStore()
    if (!request) return
    const part = describe(request.start)
    if (part.kind !== "log") {
      const label = /^(?:query|store|fetch)$/.test(part.kind) ? part.kind : `${part.kind}: ${part.name}`
      request.times.set(label, addTime(request.times.get(label) ?? noTime, part))
    }
    request.count += 1
    if (request.count <= maxParts) send({ request: request.id, part, count: request.count })
  }
  for (const kind of kinds) {
    subscribe(`fw:${kind}:end`, (message) => {
      const operation = message as Operation
      add((start) => ({
        kind,
        name: formatName(operation),
        start: operation.start - start,
        end: operation.end - start,
        ...describeOperation(operation),
      }))
    })
  }
  subscribe("fw:request:end", (message) => {
    const request = runningRequest.getStore()
    const { pattern } = message as RequestOperation
    if (request) send({ request: request.id, count: request.count, pattern })
  })
  subscribe("fw:log", (message) => {
    const { record } = message as LogMessage
    const { level, message: text, time: _time, requestID: _id, pattern: _pattern, ...fields } = record
    // This is fw's log line about the request itself.
    if ("status" in fields && "method" in fields) return
    const detail = Object.keys(fields).length > 0 ? clip(JSON.stringify(fields)) : undefined
    addLine(`${level}: ${text}`, detail)
  })
  const addLine = (name: string, detail?: string) =>
    add((start) => {
      const time = performance.now() - start
      return { kind: "log", name: clip(name), start: time, end: time, ...(detail && { detail }) }
    })
  watchOutput(addLine)
  publishFetches()
}

/** Reports the lines that the program prints while it answers a request. */
function watchOutput(addLine: (text: string) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = (...args: unknown[]) => {
      const text = String(args[0]).trimEnd()
      if (text !== "") addLine(text)
      return write(...args)
    }
  }
}

function formatName({ name, attributes }: Operation): string {
  const { "url.full": url } = attributes
  return url === undefined ? name : clip(`${name} ${url}`)
}

function describeOperation({ attributes, issues, error }: Operation): Pick<TracedPart, "detail" | "rows" | "error"> {
  const { "db.query.text": query, "db.response.returned_rows": rows, "fw.store.prefix": prefix } = attributes
  const { "http.response.status_code": status, "messaging.message.id": job } = attributes
  const detail = issues?.map(formatIssue).join("\n") ?? query ?? prefix ?? status ?? job
  return {
    ...(detail !== undefined && { detail: clip(String(detail)) }),
    ...(typeof rows === "number" && { rows }),
    ...(error !== undefined && { error: clip(readErrorMessage(error)) }),
  }
}

/** The largest number of entries in the header. */
const maxTimings = 20

/**
 * Returns the header `Server-Timing` for the current request, so that the browser's developer tools show where the
 * time went. Queries, stores and `fetch` have one entry each, other operations one per name.
 */
export function formatServerTiming(): string {
  const times = [...(runningRequest.getStore()?.times ?? [])].slice(0, maxTimings)
  return times.map(([label, { ms }]) => formatTiming(label, ms)).join(", ")
}
