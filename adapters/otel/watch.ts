/** Makes spans of what the program does: of the channels of `lib/trace/`. */

import type { Context } from "../../lib/context.ts"
import { access } from "../../lib/context-access.ts"
import { HttpError } from "../../lib/errors.ts"
import type { LogMessage } from "../../lib/log/record.ts"
import type { OperationKind } from "../../lib/trace/operations.ts"
import type { Operation, RequestOperation } from "../../lib/trace/requests.ts"
import { hold, listen } from "../shared/channels.ts"
import { describeRequest, readErrorName } from "./http.ts"
import { toException } from "./otlp.ts"
import type { SpanEnd, SpanKind, Tracer } from "./tracer.ts"

/** The kinds of operations within a request, and how their spans are named and which kind they have. */
const children: Readonly<Partial<Record<OperationKind, readonly [prefix: string, kind: SpanKind]>>> = {
  proxy: ["", "internal"],
  middleware: ["middleware ", "internal"],
  handler: ["handler ", "internal"],
  validation: ["validate ", "internal"],
  render: ["render ", "internal"],
  store: ["", "client"],
  query: ["", "client"],
  job: ["", "consumer"],
  socket: ["socket ", "internal"],
  span: ["", "internal"],
}

/** Kinds that cost something for every request, and are asked for. */
export const optionalKinds = ["middleware", "handler"] as const
export type OptionalKind = (typeof optionalKinds)[number]

/** What is watched. */
export interface WatchOptions {
  readonly kinds: readonly OptionalKind[]
  /** Called when the response of a request is sent. */
  readonly onSent: (request: RequestOperation) => void
  /** Takes the lines of the log. */
  readonly onLine: ((message: LogMessage) => void) | undefined
}

/** Begins to make spans. */
export function watchOperations<Handle extends object>(
  tracer: Tracer<Handle>,
  { kinds, onSent, onLine }: WatchOptions,
): void {
  const getSpan = (operation: { readonly span: object | undefined } | undefined) =>
    operation?.span as Handle | undefined
  const getRequestSpan = (c: Context | undefined) => getSpan(c && access.getOperation(c))
  const { store } = tracer
  const attempt = <Result>(run: () => Result): Result | undefined => {
    try {
      return run()
    } catch {
      // What watches a program must not break it.
      return undefined
    }
  }
  hold("fw:request:start").bindStore(store, (message) => {
    const request = message as RequestOperation
    const span = attempt(() => tracer.beginRequest(request.c))
    if (!span) return store.getStore()
    request.span = span
    return tracer.toValue(span)
  })
  const endRequest = (request: RequestOperation, isEventStream: boolean) => {
    const span = getSpan(request)
    if (!span || !tracer.isRecorded(span)) return
    // A stream of events lasts as long as the client wants.
    if (request.type.startsWith("text/event-stream") === isEventStream)
      attempt(() => tracer.end(span, describeRequest(request)))
  }
  listen("fw:request:end", (message) => {
    const request = message as RequestOperation
    const span = getSpan(request)
    if (span) tracer.noteRoute?.(span, request.pattern)
    endRequest(request, true)
  })
  listen("fw:request:sent", (message) => {
    const request = message as RequestOperation
    endRequest(request, false)
    onSent(request)
  })
  for (const [kind, [prefix, spanKind]] of Object.entries(children)) {
    if ((optionalKinds as readonly string[]).includes(kind) && !(kinds as readonly string[]).includes(kind)) continue
    hold(`fw:${kind}:start`).bindStore(store, (message) => {
      const operation = message as Operation
      // A WebSocket is opened when the server has left the request.
      const parent = tracer.current ?? getRequestSpan(operation.c)
      const begin = () => {
        const name = `${prefix}${operation.name}`
        if (operation.isInstrumented && tracer.hasOthers) return undefined
        if (parent) return tracer.beginChild(parent, name, spanKind, operation.attributes)
        return kind === "job" ? tracer.beginRoot(name) : undefined
      }
      const span = parent && !tracer.isRecorded(parent) ? undefined : attempt(begin)
      if (!span) return store.getStore()
      operation.span = span
      return tracer.toValue(span)
    })
    listen(`fw:${kind}:end`, (message) => {
      const operation = message as Operation
      const span = getSpan(operation)
      if (span) attempt(() => tracer.end(span, describeOperation(operation)))
    })
  }
  listen("fw:log", (message) => {
    const { record, c } = message as LogMessage
    const span = tracer.current ?? getRequestSpan(c as Context | undefined)
    if (span) Object.assign(record, tracer.getIDs(span))
    onLine?.(message as LogMessage)
  })
}

/** Returns how the span of an operation ends. An answer that the program chose is no failure, unless it is one of the server. */
function describeOperation({ attributes, error, issues }: Operation): SpanEnd {
  const all = { ...attributes, ...(issues && { "fw.validation.issues": issues.length }) }
  if (error === undefined) return { attributes: all, isError: false }
  if (error instanceof HttpError) return { attributes: all, isError: error.status >= 500 }
  return { attributes: { ...all, "error.type": readErrorName(error) }, isError: true, exception: toException(error) }
}
