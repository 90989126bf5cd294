/** A response that Lambda streams: the head first, then the parts of the body. */
import type { Writable } from "node:stream"
import { headersOf } from "./answer.ts"
import type { LambdaEvent } from "./event.ts"

/**
 * The stream that Lambda passes: the part of Node's Writable that is used.
 *
 * @example
 * const send = async (stream: ResponseStream) => {
 *   stream.write("hello")
 *   stream.end()
 * }
 */
export type ResponseStream = Pick<Writable, "write" | "end" | "on" | "once" | "off">

/** The global `awslambda` of Lambda's Node runtime. */
export interface Runtime {
  streamifyResponse(
    handler: (event: LambdaEvent, stream: ResponseStream, context: unknown) => Promise<void>,
  ): (event: LambdaEvent, stream: ResponseStream, context?: unknown) => Promise<void>
  readonly HttpResponseStream: {
    from(
      stream: ResponseStream,
      head: { statusCode: number; headers: Record<string, string>; cookies: readonly string[] },
    ): ResponseStream
  }
}

/**
 * Sends a response; resolves when all of it is written. @throws the errors of its stream, after which Lambda
 * aborts the response.
 */
export async function sendStreamed(
  answer: Response,
  stream: ResponseStream,
  runtime: Runtime,
): Promise<void> {
  const head = {
    statusCode: answer.status,
    headers: headersOf(answer),
    cookies: answer.headers.getSetCookie(),
  }
  const out = runtime.HttpResponseStream.from(stream, head)
  const reader = answer.body?.getReader()
  try {
    // The head is sent with the first write, so there must be one.
    out.write("")
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      if (!out.write(chunk.value)) await drained(out)
    }
  } catch (error) {
    // Stops the source. Its errors no longer matter.
    reader?.cancel(error).catch(() => {})
    throw error
  }
  await new Promise<void>((resolve, reject) => {
    out.once("error", reject)
    out.end(resolve)
  })
}

/** Resolves when more can be written. */
function drained(stream: ResponseStream): Promise<void> {
  return new Promise((resolve, reject) => {
    const ready = () => {
      stream.off("error", fail)
      resolve()
    }
    const fail = (error: Error) => {
      stream.off("drain", ready)
      reject(error)
    }
    stream.once("drain", ready)
    stream.once("error", fail)
  })
}
