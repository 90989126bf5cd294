/**
 * Publishes requests as operations: their start, the time when the response is known, and the time when its body is
 * sent.
 */
import { platform } from "#platform"
import { countBody } from "../answer/count-bytes.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import type { Channel } from "./channel.ts"
import { Operation as AnyOperation, channels } from "./operations.ts"

/**
 * Something that a program does, as subscribers of the channels get it. Start and end have the same object, so a
 * subscriber can keep its own data about it in a `WeakMap`.
 *
 * @example
 * const describe = ({ name, start, end }: Operation) => `${name} took ${end - start} ms`
 */
export interface Operation extends AnyOperation {
  readonly c: Context | undefined
}

/**
 * A request, as subscribers of `fw:request:start`, `fw:request:end` and `fw:request:sent` get it.
 *
 * @example
 * const describe = ({ name, status, start, end }: RequestOperation) => `${name} ${status} ${end - start} ms`
 */
export class RequestOperation extends AnyOperation implements Operation {
  declare readonly c: Context
  /** The pattern of the route: `/users/{id}`. For a mounted app it includes the prefix. `""` if no route matches. */
  pattern = ""
  /** The status of the response; 0 before there is one. */
  status = 0
  /**
   * The time when the body was sent or the client has disconnected, in milliseconds of `performance.now()`; 0 before
   * that.
   */
  sent = 0
  /** The response. Facts that few subscribers need are read from it only when they ask. */
  response: Response | undefined = undefined

  /** The Content-Type of the response. */
  get type(): string {
    return this.response ? access.getExchange(this.c).getResponseHeader(this.response, "content-type") : ""
  }

  /** True for a stream of events, which lasts as long as the client wants. */
  get isEventStream(): boolean {
    return /^text\/event-stream\b/i.test(this.type)
  }

  /** True if the client has disconnected. */
  get isAborted(): boolean {
    return access.isAborted(this.c)
  }
}

/** Runs a request as an operation, until {@link endRequest} ends it. */
export function beginRequest<Result>(c: Context, run: () => Result): Result {
  const operation = new RequestOperation("request", c.method, c)
  access.setOperation(c, operation)
  return channels.request.begin(operation, run)
}

/** Stores the pattern that a mounted app has matched, if the request is watched. */
export function setMountedPattern(c: Context, pattern: string): void {
  const operation = access.getOperation(c) as RequestOperation | undefined
  if (!operation || pattern === "") return
  const prefix = c.pattern.replace(/\/\*?$/, "")
  operation.pattern = prefix && pattern === "/" ? prefix : prefix + pattern
}

/** Publishes that the response to a request is known, and later that its body is sent. Returns the response to send. */
export function endRequest(c: Context, response: Response): Response {
  const operation = access.getOperation(c) as RequestOperation | undefined
  if (!operation) return response
  operation.pattern ||= c.pattern
  operation.name = operation.pattern ? `${c.method} ${operation.pattern}` : c.method
  operation.status = response.status
  operation.response = response
  channels.request.end(operation, c.error)
  const exchange = access.getExchange(c)
  // Computing the size of content in memory takes time, and nobody asks for it here.
  const isWhole = c.method === "HEAD" || exchange.getContent(response) !== null
  return countBody(response, isWhole ? 0 : exchange.getSize(response), () => endSending(operation))
}

let sentChannel: Channel | undefined

function endSending(operation: RequestOperation): void {
  operation.sent = performance.now()
  sentChannel ??= platform.env.getChannel?.("fw:request:sent")
  sentChannel?.publish(operation)
}
