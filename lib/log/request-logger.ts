/** Creates the log entry of an answered request. */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { isShown } from "../dev-bugs.ts"
import { HttpError } from "../errors.ts"
import type { Env } from "../platform.ts"
import { servedFiles } from "../static/served-files.ts"
import { isBug } from "./is-bug.ts"
import { type LogEntry, type RequestLog, type RequestLoggerConfig, resolveLogger } from "./logger.ts"

declare const FW_DEV_ERRORS: boolean

/** Logs the requests of an app. */
export class RequestLogger {
  readonly #log: RequestLog

  /** Creates the logger. @throws FwError for an invalid configuration or `FW_LOG_LEVEL`. */
  constructor(config: RequestLoggerConfig, env: Env) {
    this.#log = resolveLogger(config, env)
  }

  /**
   * Logs a request. A response of unknown length is logged after it is sent, so it may be replaced by another
   * Response.
   *
   * @param start `performance.now()` when the request came.
   */
  record(c: Context, response: Response, start: number): Response {
    const isKnown = (typeof FW_DEV_ERRORS === "undefined" || FW_DEV_ERRORS) && isShown(c)
    const error = c.error instanceof HttpError || (isBug(c, c.error) && !isKnown) ? c.error : undefined
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
    // The sender will report the error.
    if (body.locked || response.bodyUsed) {
      done(0)
      return response
    }
    return new Response(counted(body, done), response)
  }
}

/** Passes a stream on and reports its size, at its end or when it fails. */
function counted(
  body: ReadableStream<Uint8Array>,
  done: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  let over = false
  // Cancelling ends the pending read, which then looks like the end of the stream.
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

/** Reads address and user agent only if they are logged. */
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
