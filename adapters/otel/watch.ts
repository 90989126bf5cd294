/** Creates spans from the channels of `lib/trace/`. */

import type { Context } from "../../lib/context.ts"
import { access } from "../../lib/context-access.ts"
import { HttpError } from "../../lib/errors.ts"
import type { LogMessage } from "../../lib/log/record.ts"
import type { OperationKind } from "../../lib/trace/operations.ts"
import type { Operation, RequestOperation } from "../../lib/trace/requests.ts"
import { listen, listenForEnds } from "../shared/channels.ts"
import { readErrorName } from "../shared/http-attributes.ts"
import { type FetchOperation, publishFetches } from "../shared/outgoing.ts"
import { describeRequest } from "./http.ts"
import { toException } from "./otlp.ts"
import type { SpanEnd, SpanKind, Tracer } from "./tracer.ts"

/** The kinds of operations that get a span, each with the prefix for the names of its spans and with their kind. */
const spanTypes: Readonly<Partial<Record<OperationKind, readonly [prefix: string, kind: SpanKind]>>> = {
  proxy: ["", "internal"],
  middleware: ["middleware ", "internal"],
  handler: ["handler ", "internal"],
  validation: ["validate ", "internal"],
  render: ["render ", "internal"],
  store: ["", "client"],
  query: ["", "client"],
  fetch: ["", "client"],
  enqueue: ["send ", "producer"],
  job: ["process ", "consumer"],
  socket: ["socket ", "internal"],
  span: ["", "internal"],
}

/** Kinds of spans that cost time in every request. A program must ask for them. */
export const optionalKinds = ["middleware", "handler"] as const
export type OptionalKind = (typeof optionalKinds)[number]

/** Which hosts get the trace, which optional spans are created, and the functions to call. */
export interface WatchOptions {
  /** The hosts that get the headers of the trace, written as in a URL. */
  readonly hosts: readonly string[]
  readonly kinds: readonly OptionalKind[]
  /** Called when the response to a request has been sent. */
  readonly onSent: (request: RequestOperation) => void
  /** Takes the lines of the log. */
  readonly onLine: ((message: LogMessage) => void) | undefined
}

/** Begins to create spans. */
export function watchOperations<Handle extends object>(
  tracer: Tracer<Handle>,
  { hosts, kinds, onSent, onLine }: WatchOptions,
): void {
  const getSpan = (operation: { readonly span: object | undefined } | undefined) =>
    operation?.span as Handle | undefined
  const getRequestSpan = (c: Context | undefined) => getSpan(c && access.getOperation(c))
  const runSafely = <Result>(run: () => Result): Result | undefined => {
    try {
      return run()
    } catch {
      // Tracing must never break a program.
      return undefined
    }
  }
  const setSpan = (operation: Operation, span: Handle) => {
    operation.span = span
    operation.around = (run) => tracer.run(span, run)
  }
  listen("fw:request:start", (message) => {
    const request = message as RequestOperation
    const span = runSafely(() => tracer.beginRequest(request.c))
    if (span) setSpan(request, span)
  })
  listen("fw:request:end", (message) => {
    const request = message as RequestOperation
    const span = getSpan(request)
    if (span) tracer.noteRoute?.(span, request.pattern)
  })
  listenForEnds(
    (request) => runSafely(() => tracer.end(getSpan(request) as Handle, describeRequest(request))),
    (request) => {
      const span = getSpan(request)
      return span !== undefined && tracer.isRecorded(span)
    },
  )
  listen("fw:request:sent", (message) => onSent(message as RequestOperation))
  for (const [kind, [prefix, spanKind]] of Object.entries(spanTypes)) {
    if ((optionalKinds as readonly string[]).includes(kind) && !(kinds as readonly string[]).includes(kind)) continue
    listen(`fw:${kind}:start`, (message) => {
      const operation = message as Operation
      // When a WebSocket is opened, the code of the request has already ended. So the span of the request is used.
      const parent = tracer.getCurrent() ?? getRequestSpan(operation.c)
      const begin = () => {
        const name = `${prefix}${operation.name}`
        if (operation.isInstrumented && tracer.hasOthers) return undefined
        if (parent) return tracer.beginChild(parent, name, spanKind, operation.attributes)
        return kind === "job" ? tracer.beginRoot(name, spanKind, operation.attributes) : undefined
      }
      const span = parent && !tracer.isRecorded(parent) ? undefined : runSafely(begin)
      if (span) setSpan(operation, span)
    })
    listen(`fw:${kind}:end`, (message) => {
      const operation = message as Operation
      const span = getSpan(operation)
      if (span) runSafely(() => tracer.end(span, describeOperation(operation)))
    })
  }
  listen("fw:fetch:start", (message) => {
    const operation = message as FetchOperation
    const { url, addHeader, isInstrumented } = operation
    const span = getSpan(operation) ?? tracer.getCurrent()
    if (span && !isInstrumented && (hosts.includes(url.host) || hosts.includes(url.hostname)))
      for (const header of tracer.createHeaders(span)) addHeader(...header)
  })
  publishFetches()
  listen("fw:log", (message) => {
    const { record, c } = message as LogMessage
    const span = tracer.getCurrent() ?? getRequestSpan(c as Context | undefined)
    if (span) Object.assign(record, tracer.getIDs(span))
    onLine?.(message as LogMessage)
  })
}

/**
 * Returns what the span of an operation gets at its end. An error that the program meant as an answer counts as a
 * failure only from status 500.
 */
function describeOperation({ attributes, error, issues }: Operation): SpanEnd {
  const allAttributes = { ...attributes, ...(issues && { "fw.validation.issues": issues.length }) }
  if (error === undefined) return { attributes: allAttributes, isError: "error.type" in attributes }
  if (error instanceof HttpError) return { attributes: allAttributes, isError: error.status >= 500 }
  return {
    attributes: { ...allAttributes, "error.type": readErrorName(error) },
    isError: true,
    exception: toException(error),
  }
}
