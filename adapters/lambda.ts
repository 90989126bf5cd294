/**
 * The adapter for AWS Lambda, exported as `fw/lambda`. An app becomes a handler for function URLs, API Gateway and load
 * balancers.
 */

import { checkKeys } from "../lib/checks.ts"
import { fault } from "../lib/errors/fault.ts"
import { hostFault } from "../lib/lifecycle/host-fault.ts"
import type { AppFetch } from "../lib/request/around.ts"
import { BackgroundWork } from "./lambda/background-work.ts"
import { type EventOptions, type LambdaEvent, readEvent } from "./lambda/event.ts"
import { type LambdaResult, toLambdaResult } from "./lambda/result.ts"
import { type LambdaRuntime, type ResponseStream, StreamClient, sendStream } from "./lambda/send-stream.ts"

export type { LambdaEvent } from "./lambda/event.ts"
export type { LambdaResult } from "./lambda/result.ts"
export type { ResponseStream } from "./lambda/send-stream.ts"

/**
 * Options of the handlers.
 *
 * @example
 * const options: LambdaOptions = { basePath: "/shop", env: (event, context) => ({ ...process.env, event, context }) }
 * const handler = lambdaHandler(app, options)
 */
export interface LambdaOptions extends EventOptions {
  /**
   * Returns the bindings, `c.env`, for an invocation, such as `(event, context) => ({ ...process.env, event, context
   * })`. Default: the environment variables.
   */
  readonly env?: (event: LambdaEvent, context: unknown) => object
}

/**
 * A function that Lambda calls with an event. It returns the response.
 *
 * @example const handler: LambdaHandler = lambdaHandler(app)
 */
export type LambdaHandler = (event: LambdaEvent, context?: unknown) => Promise<LambdaResult>

/**
 * A function that Lambda calls with an event and with a stream for the response.
 *
 * @example const handler: LambdaStreamHandler = lambdaStreamHandler(app)
 */
export type LambdaStreamHandler = (event: LambdaEvent, stream: ResponseStream, context?: unknown) => Promise<void>

/** An app, of this copy of fw or of another one. */
interface AnyApp {
  readonly fetch: AppFetch
}

/**
 * Returns an app as a Lambda handler. It accepts the events of function URLs, HTTP APIs (payload 1.0 and 2.0), REST
 * APIs and load balancers. The response is sent as a whole, after all promises of `c.waitUntil()` have settled, because
 * Lambda may stop the process then.
 *
 * @throws FwError `lambda` for an unknown or invalid option; during a call also for an event that is not an HTTP
 * request.
 * @example
 * export const handler = lambdaHandler(app)
 */
export function lambdaHandler(app: AnyApp, options: LambdaOptions = {}): LambdaHandler {
  checkArguments(app, options, "lambdaHandler()")
  return async (event, context) => {
    const { answer, background } = await answerEvent(app, event, context, options)
    const result = await toLambdaResult(answer, event)
    await background.waitForAll()
    return result
  }
}

/**
 * Returns an app as a Lambda handler that streams responses: pages whose data is still loading, event streams, and
 * responses over 6 MB. It is for function URLs with the `InvokeMode` `RESPONSE_STREAM`. When the client disconnects,
 * `c.signal` aborts, the stream is cancelled, and the invocation ends after the promises of `c.waitUntil()`.
 *
 * @throws FwError `lambda` for the same reasons as {@link lambdaHandler}, and outside of Lambda's Node runtime.
 * @example
 * export const handler = lambdaStreamHandler(app)
 */
export function lambdaStreamHandler(app: AnyApp, options: LambdaOptions = {}): LambdaStreamHandler {
  checkArguments(app, options, "lambdaStreamHandler()")
  const { awslambda } = globalThis as { awslambda?: LambdaRuntime }
  if (typeof awslambda?.streamifyResponse !== "function") throw hostFault("lambda.stream")
  return awslambda.streamifyResponse(async (event, stream, context) => {
    const client = new StreamClient(stream)
    const { answer, background } = await answerEvent(app, event, context, options, client.signal)
    // If the client disconnects, background work still continues.
    try {
      await sendStream(answer, stream, awslambda, client)
    } finally {
      await background.waitForAll()
    }
  })
}

async function answerEvent(
  app: AnyApp,
  event: LambdaEvent,
  context: unknown,
  options: LambdaOptions,
  signal?: AbortSignal,
): Promise<{ answer: Response; background: BackgroundWork }> {
  const background = new BackgroundWork()
  const eventRequest = readEvent(event, options, signal)
  if (eventRequest instanceof Response) return { answer: eventRequest, background }
  const answer = await app.fetch(eventRequest.request, {
    clientIP: eventRequest.clientIP,
    env: options.env?.(event, context),
    waitUntil: (promise) => background.add(promise),
  })
  return { answer, background }
}

function checkArguments(app: AnyApp, options: LambdaOptions, call: string): void {
  checkKeys(options, ["basePath", "env"], "lambda", call)
  const { basePath, env } = options
  if (typeof (app as Partial<AnyApp> | undefined)?.fetch !== "function")
    throw fault("app", [call, app], { code: "lambda" })
  if (basePath !== undefined && !(typeof basePath === "string" && /^\/[^?#]*[^/?#]$/.test(basePath)))
    throw hostFault("lambda.base_path", [call, basePath])
  if (env !== undefined && typeof env !== "function") throw hostFault("lambda.env", [call, typeof env])
}
