/** Logs the requests of an app. */

import { countBytes } from "../answer/count-bytes.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import type { Env } from "../env.ts"
import { HttpError } from "../errors.ts"
import { isUnprintedBug } from "./is-bug.ts"
import { type RequestLoggerConfig, type ResolvedLogger, resolveLogger } from "./logger.ts"
import type { LogWriter } from "./record.ts"

/** Creates the logger of an app. @throws FwError for an invalid option or `FW_LOG_LEVEL`. */
export function createRequestLogger(config: RequestLoggerConfig, env: Env): RequestLogger {
  return new RequestLogger(config, env)
}

/** Logs the requests of an app. */
export class RequestLogger {
  readonly #logger: ResolvedLogger
  /** The global `performance`, kept because it is a getter on Node. */
  readonly #clock = performance

  constructor(config: RequestLoggerConfig, env: Env) {
    this.#logger = resolveLogger(config, env)
  }

  /** The writer for lines of the program. */
  get writer(): LogWriter {
    return this.#logger.writer
  }

  /** Returns the time in milliseconds. Pass it to `record`. */
  now(): number {
    return this.#clock.now()
  }

  /**
   * Logs a request. If the length of the response is unknown, the request is logged after the response was sent. For
   * that, the result may be another Response than the argument.
   *
   * @param start the result of `now()` when the request arrived.
   */
  record(c: Context, response: Response, start: number): Response {
    const log = this.#logger
    const { status } = response
    const error = c.error === undefined ? undefined : findLoggedError(c)
    if (!log.leavesBugsToPlatform) c.reported = true
    if (error === undefined && !log.isEnabled(status, c)) return response
    const bytes = c.method === "HEAD" ? 0 : access.getExchange(c).getSize(response)
    if (bytes !== null) {
      log.log(c, status, start, this.now(), bytes, error)
      return response
    }
    const logSize = (byteCount: number) => log.log(c, status, start, this.now(), byteCount, error)
    const body = response.body as ReadableStream<Uint8Array>
    // The sender will report why the body cannot be read.
    if (body.locked || response.bodyUsed) {
      logSize(0)
      return response
    }
    return new Response(countBytes(body, logSize), response)
  }
}

/** Returns the error of a request if the log should show it. */
function findLoggedError(c: Context): unknown {
  return c.error instanceof HttpError || isUnprintedBug(c) ? c.error : undefined
}
