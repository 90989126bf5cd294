/** Logs the requests of an app. */

import { countBytes } from "../answer/count-bytes.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import type { Env } from "../env.ts"
import { HttpError } from "../errors.ts"
import { isUnseenBug } from "./is-bug.ts"
import { type RequestLoggerConfig, type ResolvedLogger, resolveLogger } from "./logger.ts"
import type { LogWriter } from "./record.ts"

/** Creates the logger of an app. @throws FwError for an invalid configuration or `FW_LOG_LEVEL`. */
export function createRequestLogger(config: RequestLoggerConfig, env: Env): RequestLogger {
  return new RequestLogger(config, env)
}

/** Logs the requests of an app. */
export class RequestLogger {
  readonly #logger: ResolvedLogger
  /** On Node, `performance` is a getter, and reading it takes half as long as reading the clock. */
  readonly #clock = performance

  /** Creates the logger. @throws FwError for an invalid configuration or `FW_LOG_LEVEL`. */
  constructor(config: RequestLoggerConfig, env: Env) {
    this.#logger = resolveLogger(config, env)
  }

  /** Writes the lines of the program. */
  get writer(): LogWriter {
    return this.#logger.writer
  }

  /** Returns the time in milliseconds, to be passed to `record`. */
  now(): number {
    return this.#clock.now()
  }

  /**
   * Logs a request. A response of unknown length is logged after it is sent, so it may be replaced by another
   * Response.
   *
   * @param start `now()` when the request came.
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
    const logSize = (sent: number) => log.log(c, status, start, this.now(), sent, error)
    const body = response.body as ReadableStream<Uint8Array>
    // The sender will report the error.
    if (body.locked || response.bodyUsed) {
      logSize(0)
      return response
    }
    return new Response(countBytes(body, logSize), response)
  }
}

/** Returns the error of a request if it is logged. */
function findLoggedError(c: Context): unknown {
  return c.error instanceof HttpError || isUnseenBug(c) ? c.error : undefined
}
