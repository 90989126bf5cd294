/** The log of the program: `c.log` in a request, and `log` outside of requests. */
import { platform } from "#platform"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault } from "../errors/fault.ts"
import { type LogLevel, logLevels } from "./log-level.ts"
import { getProcessWriter } from "./process-log.ts"
import { addFields, type Log, type LogFields, type LogRecord, type LogSink, publishRecord } from "./record.ts"

/** Creates the log of a request, or of the program. @param ownFields fields that every line gets. */
export function createLog(c?: Context, ownFields?: LogFields): Log {
  const write = (level: Exclude<LogLevel, "off">, message: unknown, fields: LogFields | Error | undefined) => {
    const { env } = platform
    const writer = (c && access.getLogWriter(c)) ?? getProcessWriter(env)
    const lines = c && access.getExchange(c).lines
    const isEnabled = logLevels.indexOf(level) >= writer.minRank
    if (!isEnabled && !lines) return
    const record: LogRecord = { time: new Date(writer.now()).toISOString(), level, message: toMessage(message) }
    if (ownFields) addFields(record, ownFields, writer.secretNames)
    const errorOrFields = message instanceof Error ? message : fields
    if (errorOrFields instanceof Error) addFields(record, { error: errorOrFields }, writer.secretNames)
    else if (typeof errorOrFields === "object" && errorOrFields !== null)
      addFields(record, errorOrFields, writer.secretNames)
    const id = c?.getString("request_id")
    if (id) record.requestID ??= id
    if (c?.pattern) record.pattern ??= c.pattern
    lines?.push(record)
    if (!isEnabled) return
    publishRecord(env.getChannel?.("fw:log"), record, c)
    writer.write(record)
  }
  return {
    debug: (message, fields) => write("debug", message, fields),
    info: (message, fields) => write("info", message, fields),
    warn: (message, fields) => write("warn", message, fields),
    error: (message, fields) => write("error", message, fields),
    with: (fields) => createLog(c, { ...ownFields, ...fields }),
  }
}

/** Converts a message to text. A symbol becomes an empty text, because converting it would throw. */
function toMessage(message: unknown): string {
  return message instanceof Error ? message.message : `${typeof message === "symbol" ? "" : message}`
}

/**
 * The program's log outside of requests: at the start, in a timer, in a job. In a request, use `c.log`, whose lines
 * also say which request they belong to.
 *
 * @example log.info("the import begins", { files: 3 })
 */
export const log: Log = /* @__PURE__ */ createLog()

/** The functions of a pino logger that fw calls. */
type Pino = Readonly<Record<LogRecord["level"], (fields: LogFields, message: string) => void>>

/**
 * Passes all lines of the log to [pino](https://getpino.io): those of the program, of requests, and about bugs. The
 * levels of fw apply first, then those of pino.
 *
 * @throws FwError `logger_config` for a value that is not a logger.
 * @example
 * const pino = { debug() {}, info() {}, warn() {}, error() {} } // import { pino } from "pino"
 * app.setLogger({ sink: pinoLog(pino) })
 */
export function pinoLog(pino: Pino): LogSink {
  if (typeof pino?.info !== "function") throw fault("logger_config.pino", [pino])
  return ({ time: _time, level, message, ...fields }) => pino[level](fields, message)
}
