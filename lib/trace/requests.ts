/** Requests as operations: from the first middleware until the response is known, and until its body is sent. */
import { platform } from "#platform"
import { countBytes } from "../answer/count-bytes.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import type { Channel } from "./channel.ts"
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
  /** Bytes of a body that was streamed; -1 for any other. */
  streamedBytes = -1
  /** When the body had been sent, or its reader had gone, in milliseconds of `performance.now()`; 0 until then. */
  sent = 0
  /** The response: what only few subscribers ask for is read of it when they do. */
  response: Response | undefined = undefined

  /** The Content-Type of the response. */
  get type(): string {
    return this.response ? access.getExchange(this.c).getResponseHeader(this.response, "content-type") : ""
  }

  /** Bytes of the body: known from the end on, or from `sent` on for a stream. */
  get bytes(): number {
    if (this.streamedBytes >= 0 || !this.response) return Math.max(0, this.streamedBytes)
    return this.c.method === "HEAD" ? 0 : (access.getExchange(this.c).getSize(this.response) ?? 0)
  }

  /** True if the client has gone. */
  get isAborted(): boolean {
    return access.isAborted(this.c)
  }
}

export const requestChannel = new OperationChannel("request")

/** Runs a request as an operation. {@link endRequest} ends it. */
export function beginRequest<Result>(c: Context, run: () => Result): Result {
  const operation = new RequestOperation("request", c.method, c)
  access.setOperation(c, operation)
  return requestChannel.begin(operation, run)
}

/** Notes the pattern that a mounted app has found, if the request is watched. */
export function noteMountedPattern(c: Context, pattern: string): void {
  const operation = access.getOperation(c) as RequestOperation | undefined
  if (!operation || pattern === "") return
  const prefix = c.pattern.replace(/\/\*?$/, "")
  operation.pattern = prefix && pattern === "/" ? prefix : prefix + pattern
}

/** Publishes that the response to a request is known, and when its body is sent. Returns the response to send. */
export function endRequest(c: Context, response: Response): Response {
  const operation = access.getOperation(c) as RequestOperation | undefined
  if (!operation) return response
  operation.pattern ||= c.pattern
  operation.name = operation.pattern ? `${c.method} ${operation.pattern}` : c.method
  operation.status = response.status
  operation.response = response
  requestChannel.end(operation, c.error)
  if (isStreamed(c, response)) return watchBody(operation, response)
  endSending(operation, operation.end)
  return response
}

/** Returns true for a response whose size is known only when its body has been sent. */
function isStreamed(c: Context, response: Response): boolean {
  const exchange = access.getExchange(c)
  if (c.method === "HEAD" || exchange.getContent(response) !== null || exchange.getSize(response) !== null) return false
  return !response.bodyUsed && response.body?.locked === false
}

function watchBody(operation: RequestOperation, response: Response): Response {
  const body = response.body as ReadableStream<Uint8Array>
  const counted = countBytes(body, (bytes) => {
    operation.streamedBytes = bytes
    endSending(operation, performance.now())
  })
  return new Response(counted, response)
}

let sentChannel: Channel | undefined

function endSending(operation: RequestOperation, at: number): void {
  operation.sent = at
  sentChannel ??= platform.env.channel?.("fw:request:sent")
  sentChannel?.publish(operation)
}
