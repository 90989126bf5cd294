/** Requests as operations: from the first middleware until the response is known, and until its body is sent. */
import { platform } from "#platform"
import { countBytes } from "../answer/count-bytes.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { Operation as AnyOperation, OperationChannel } from "./operations.ts"

/**
 * Something that a program does, as the messages of the channels have it: the same object at the start and at the end, so
 * that a subscriber can keep its own data about it in a `WeakMap`.
 *
 * @example
 * const describe = ({ name, start, end }: Operation) => `${name} took ${end - start} ms`
 */
export interface Operation extends AnyOperation {
  readonly c: Context | undefined
}

/**
 * A request, as the messages of `fw:request:start`, `fw:request:end` and `fw:request:sent` have it.
 *
 * @example
 * const describe = ({ name, status, start, end }: RequestOperation) => `${name} ${status} ${end - start} ms`
 */
export class RequestOperation extends AnyOperation implements Operation {
  declare readonly c: Context
  /** The pattern of the route, also that of a mounted app below its prefix: `/users/{id}`. `""` if none matches. */
  pattern = ""
  /** The status of the response; 0 before there is one. */
  status = 0
  /** The Content-Type of the response. */
  type = ""
  /** Bytes of the body: known from the end on, or from `sent` on for a stream. */
  bytes = 0
  /** When the body had been sent, or its reader had gone, in milliseconds of `performance.now()`; 0 until then. */
  sent = 0
  /** True if the client had gone before the response was known. */
  isAborted = false
}

export const requestChannel = new OperationChannel("request")

/** The requests that run while somebody listens. */
const operations = new WeakMap<Context, RequestOperation>()

/** Runs a request as an operation. {@link endRequest} ends it. */
export function beginRequest<Result>(c: Context, run: () => Result): Result {
  const operation = new RequestOperation("request", c.method, c)
  operations.set(c, operation)
  return requestChannel.begin(operation, run)
}

/** Notes the pattern that a mounted app has found, if the request is watched. */
export function noteMountedPattern(c: Context, pattern: string): void {
  const operation = operations.get(c)
  if (!operation || pattern === "") return
  const prefix = c.pattern.replace(/\/\*?$/, "")
  operation.pattern = prefix && pattern === "/" ? prefix : prefix + pattern
}

/** Publishes that the response to a request is known, and when its body is sent. Returns the response to send. */
export function endRequest(c: Context, response: Response): Response {
  const operation = operations.get(c)
  if (!operation) return response
  const exchange = access.getExchange(c)
  operation.pattern ||= c.pattern
  operation.name = operation.pattern ? `${c.method} ${operation.pattern}` : c.method
  operation.status = response.status
  operation.type = exchange.getResponseHeader(response, "content-type")
  operation.isAborted = access.isAborted(c)
  requestChannel.end(operation, c.error)
  const bytes = c.method === "HEAD" ? 0 : exchange.getSize(response)
  const endSending = (sent: number) => {
    operation.bytes = sent
    operation.sent = performance.now()
    platform.env.channel?.("fw:request:sent").publish(operation)
  }
  const body = bytes === null && !response.bodyUsed ? response.body : null
  if (body && !body.locked) return new Response(countBytes(body, endSending), response)
  endSending(bytes ?? 0)
  return response
}
