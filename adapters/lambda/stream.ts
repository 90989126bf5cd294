/** An answer that Lambda streams: head first, then the body as it comes. Used by `lambda.ts`. */
import type { Writable } from "node:stream"
import { headersOf } from "./answer.ts"
import type { LambdaEvent } from "./event.ts"

/**
 * The stream that Lambda hands over: a Writable of Node, the part that is used.
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

/** Sends an answer; resolves once all of it is out. @throws what its stream throws: Lambda breaks the answer off. */
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
    // The head goes out with the first write, so there has to be one.
    out.write("")
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      if (!out.write(chunk.value)) await drained(out)
    }
  } catch (error) {
    // Its source is told to stop; what it says to that changes nothing.
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
