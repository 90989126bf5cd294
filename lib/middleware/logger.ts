/** `logger()`: the request logger as a middleware. */
import { platform } from "#platform"
import type { RequestLoggerConfig } from "../log/logger.ts"
import { createRequestLogger } from "../log/request-logger.ts"
import type { MiddlewareFunc } from "../types.ts"

/**
 * Logs each request. With `app.use()` it takes the place of the app's own logger, so that no request is logged twice.
 *
 * @throws FwError that names the invalid field.
 * @example
 * app.group("/api", (api) => {
 *   api.use(logger({ showIP: true, format: "json" }))
 *   api.get("/", (c) => c.noContent())
 * })
 */
export function logger(config: RequestLoggerConfig = {}): MiddlewareFunc {
  const log = createRequestLogger(config, platform.env)
  const middleware: MiddlewareFunc = (next) => async (c) => {
    const start = performance.now()
    return log.record(c, await next(c), start)
  }
  return Object.assign(middleware, { replacesLogger: true as const })
}
