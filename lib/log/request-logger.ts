/** From an answered request to its log entry. Used by the pipeline, and by the `logger()` middleware in its place. */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { HttpError } from "../errors.ts"
import type { Env } from "../platform.ts"
import { servedFiles } from "../static/served-files.ts"
import { isBug } from "./is-bug.ts"
import { type LogEntry, type RequestLog, type RequestLoggerConfig, resolveLogger } from "./logger.ts"

/** Logs the requests of one app. */
export class RequestLogger {
  readonly #log: RequestLog

  /** @throws FwError for a configuration or a `FW_LOG_LEVEL` that is not valid. */
  constructor(config: RequestLoggerConfig, env: Env) {
    this.#log = resolveLogger(config, env)
  }

  /**
   * Logs a request. An answer whose length nobody knows is logged once it is sent, so it may come back as another Response.
   *
   * @param start `performance.now()` when the request came.
   */
  record(c: Context, response: Response, start: number): Response {
    const error = isBug(c, c.error) ? c.error : c.error instanceof HttpError ? c.error : undefined
    if (!this.#log.leavesBugs) c.reported = true
    if (error === undefined && !this.#log.enabled(response.status, servedFiles.has(c))) return response
    const bytes = c.method === "HEAD" ? 0 : access.exchange(c).size(response)
    const done = (sent: number) =>
      this.#log.log(new Entry(c, response.status, performance.now() - start, sent, error))
    if (bytes !== null) {
      done(bytes)
      return response
    }
    const body = response.body as ReadableStream<Uint8Array>
    // Whoever sends it will say what is wrong with it.
    if (body.locked || response.bodyUsed) {
      done(0)
      return response
    }
    return new Response(counted(body, done), response)
  }
}

/** Passes a stream on and says how many bytes it had, at its end or where it breaks off. */
function counted(
  body: ReadableStream<Uint8Array>,
  done: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  let over = false
  // Cancelling ends the read that waits, which then looks like the end of the stream.
  const end = () => {
    if (!over) done(bytes)
    over = true
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await reader.read().catch((error) => {
          end()
          throw error
        })
        if (chunk.done) {
          if (over) return
          end()
          return controller.close()
        }
        bytes += chunk.value.byteLength
        controller.enqueue(chunk.value)
      },
      cancel(reason) {
        end()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Reads address and user agent only when they are shown. */
class Entry implements LogEntry {
  // Declared and not defined: a definition is code, which every worker carries.
  readonly #c: Context
  declare readonly method: string
  declare readonly path: string
  declare readonly pattern: string
  declare readonly status: number
  declare readonly ms: number
  declare readonly bytes: number
  declare readonly error: unknown

  constructor(c: Context, status: number, ms: number, bytes: number, error: unknown) {
    this.#c = c
    this.method = c.method
    this.path = c.originalPath
    this.pattern = c.pattern
    this.status = status
    this.ms = ms
    this.bytes = bytes
    this.error = error
  }

  get ip(): string {
    return this.#c.clientIP
  }

  get userAgent(): string {
    return this.#c.header("user-agent")
  }
}
