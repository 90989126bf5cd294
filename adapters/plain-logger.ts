/** The request logger of workers: a line to the console, which the platform stamps and keeps. `logger()` has the whole one. Used by their platform. */
import { access, type Context } from "../lib/context.ts"
import { HttpError } from "../lib/errors.ts"
import { fault } from "../lib/fault.ts"
import { isBug } from "../lib/is-bug.ts"
import { logLevels } from "../lib/log-level.ts"
import type { RequestLoggerConfig } from "../lib/logger.ts"
import type { RequestRecorder } from "../lib/platform.ts"
import { report } from "./console-report.ts"

const keys = ["level", "showIP", "showUserAgent", "skipPaths", "format", "write", "now"]

/** Logs requests; `format` and `now` are the platform's own. */
export class PlainLogger implements RequestRecorder {
  readonly #config: RequestLoggerConfig
  readonly #least: number

  /** @throws FwError `logger_config` for an unknown option or level. */
  constructor(config: RequestLoggerConfig) {
    this.#config = config
    this.#least = logLevels.indexOf(config.level ?? "info")
    const wrong = Object.keys(config).find((key) => !keys.includes(key)) ?? (this.#least < 0 ? "level" : "")
    if (wrong) throw fault("logger_config", wrong, keys)
  }

  record(c: Context, response: Response, start: number): Response {
    const { write = console.log, showIP, showUserAgent, skipPaths = [] } = this.#config
    access.bugTaken(c)
    if (isBug(c, c.error)) report(c.error)
    const { status } = response
    const path = access.arrivedAt(c)
    const rank = status < 400 ? 1 : status < 500 ? 2 : 3
    if (rank < this.#least || skipPaths.some((skip) => covers(skip, path))) return response
    const who = `${showIP ? ` ${c.clientIP}` : ""}${showUserAgent ? ` ${JSON.stringify(c.header("user-agent"))}` : ""}`
    const why = c.error instanceof HttpError && this.#least === 0 ? `: ${c.error.message}` : ""
    write(`${c.method} ${path} ${status} in ${Math.round(performance.now() - start)}ms${who}${why}`)
    return response
  }
}

/** A final `*` covers what is below and the path itself. */
function covers(skip: string, path: string): boolean {
  if (!skip.endsWith("*")) return skip === path
  return path.startsWith(skip.slice(0, -1)) || path === skip.slice(0, -2)
}
