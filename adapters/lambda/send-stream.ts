/** Sends a response through the stream of Lambda, first its head and then the chunks of its body. */
import type { Writable } from "node:stream"
import type { LambdaEvent } from "./event.ts"
import { toSentHeaders } from "./result.ts"

/**
 * The stream that Lambda passes. It has the members of Node's Writable that fw uses.
 *
 * @example
 * const send = async (stream: ResponseStream) => {
 *   stream.write("hello")
 *   stream.end()
 * }
 */
export type ResponseStream = Pick<Writable, "write" | "end" | "on" | "once" | "off"> &
  Partial<Pick<Writable, "destroyed" | "writableFinished">>

/** The global `awslambda` in Lambda's Node runtime. */
export interface LambdaRuntime {
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

/** The client of a response, which may disconnect. */
export class StreamClient {
  readonly #disconnection = new AbortController()
  #error: unknown

  constructor(stream: ResponseStream) {
    this.watch(stream)
  }

  /** Aborts when a stream to the client fails, or closes before its end. */
  get signal(): AbortSignal {
    return this.#disconnection.signal
  }

  /** Watches another stream to the same client. */
  watch(stream: ResponseStream): void {
    const onClose = () => {
      if (!stream.writableFinished) this.#disconnection.abort(new DOMException("the client went away", "AbortError"))
    }
    stream.on("error", (error) => {
      this.#error ??= error
      this.#disconnection.abort(error)
    })
    stream.on("close", onClose)
    if (stream.destroyed) onClose()
  }

  /**
   * Waits for an event, or until the client has disconnected.
   *
   * @param subscribe is called with a function, which it must call when the event occurs.
   */
  async waitFor(subscribe: (done: () => void) => void): Promise<void> {
    const { signal } = this
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = () => {
        signal.removeEventListener("abort", done)
        resolve()
      }
      signal.addEventListener("abort", done)
      subscribe(done)
    })
  }

  /** @throws the error of the stream, if it has failed. */
  throwIfFailed(): void {
    if (this.#error !== undefined) throw this.#error
  }
}

/**
 * Sends a response. Resolves when everything is written, or the client has disconnected. @throws the errors of both
 * streams. Lambda then aborts the response.
 */
export async function sendStream(
  answer: Response,
  stream: ResponseStream,
  runtime: LambdaRuntime,
  client: StreamClient,
): Promise<void> {
  const head = {
    statusCode: answer.status,
    headers: toSentHeaders(answer),
    cookies: answer.headers.getSetCookie(),
  }
  const { signal } = client
  const reader = answer.body?.getReader()
  // Stops the source, and ends a read that is waiting. Nobody needs to know about errors of the source now.
  const cancel = () => void reader?.cancel(signal.reason).catch(() => {})
  signal.addEventListener("abort", cancel)
  if (signal.aborted) cancel()
  try {
    if (!signal.aborted) await writeBody(runtime.HttpResponseStream.from(stream, head), reader, client, stream)
  } catch (error) {
    reader?.cancel(error).catch(() => {})
    throw error
  } finally {
    signal.removeEventListener("abort", cancel)
  }
  client.throwIfFailed()
}

async function writeBody(
  out: ResponseStream,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  client: StreamClient,
  stream: ResponseStream,
): Promise<void> {
  if (out !== stream) client.watch(out)
  // Lambda sends the head with the first write, even if the body is empty.
  out.write("")
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    if (client.signal.aborted) return
    if (!out.write(chunk.value)) await client.waitFor((done) => out.once("drain", done))
  }
  await client.waitFor((done) => out.end(done))
}
