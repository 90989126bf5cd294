/** Records of the log: their fields, and what of them is a secret. */
import type { Channel } from "../trace/channel.ts"
import { clipText, formatBug } from "./error-report.ts"
import type { LogLevel } from "./log-level.ts"

/**
 * A line of the log as data: what a line of JSON has.
 *
 * @example
 * const line: LogRecord = { time: "2026-11-30T12:00:00.000Z", level: "info", message: "order placed", order: 7 }
 */
export interface LogRecord {
  /** As in RFC 3339. */
  readonly time: string
  readonly level: Exclude<LogLevel, "off">
  readonly message: string
  /** The fields of the line. An error is a text with its stack and its causes. */
  [field: string]: unknown
}

/**
 * Takes records in place of text, such as another logger.
 *
 * @example
 * const records: LogRecord[] = []
 * const sink: LogSink = (record) => void records.push(record)
 * const app = new App({ logger: { sink } })
 */
export type LogSink = (record: LogRecord) => void

/**
 * The fields of a line. An error has its stack and its causes in the line. The values of names such as `password` and
 * `token` are masked, also within objects.
 *
 * @example
 * const fields: LogFields = { order: 7, customer: { name: "Ada" } }
 * log.info("order placed", fields)
 */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * Writes lines of the program, each with a message and fields.
 *
 * @example
 * const report = (log: Log, error: unknown) => log.error("the payment failed", { error })
 */
export interface Log {
  /** For who looks for a mistake. Written with `FW_LOG_LEVEL=debug` and in development. */
  debug(message: string, fields?: LogFields | Error): void
  /** What happened as it should. */
  info(message: string, fields?: LogFields | Error): void
  /** What somebody should look at some time. */
  warn(message: string, fields?: LogFields | Error): void
  /** What somebody should look at now. */
  error(message: string, fields?: LogFields | Error): void
  /** Returns a log that adds fields to each of its lines. */
  with(fields: LogFields): Log
}

/** Writes the lines of the program. */
export interface LogWriter {
  /** Index in `logLevels` of the lowest level that is written. */
  readonly minRank: number
  /** Names whose values are masked, besides those that always are. */
  readonly secretNames: readonly string[]
  readonly now: () => number
  readonly write: LogSink
}

/** The message of the channel `fw:log`. A subscriber may add fields to the record, such as the id of a trace. */
export interface LogMessage {
  readonly record: LogRecord
  /** The request that the line is about; undefined for a line of the program. */
  readonly c: object | undefined
}

/** Shows a record to those who watch the log, before it is written. */
export function publishRecord(channel: Channel | undefined, record: LogRecord, c?: object): void {
  if (channel?.hasSubscribers) channel.publish({ record, c } satisfies LogMessage)
}

const secretPattern = /password|passwd|authorization|cookie|token|secret|api[-_]?key/i
/** What is shown in place of a secret. */
const mask = "[masked]"
/** Fields within fields, and entries of one field, that are shown. */
const maxDepth = 6
const maxEntries = 100

/** Returns true if the value of a name must not be shown. @param own the names of the program: parts of names, in any case. */
export function isSecretName(name: string, own: readonly string[] = []): boolean {
  if (secretPattern.test(name)) return true
  const lowerName = own.length > 0 ? name.toLowerCase() : ""
  return own.some((part) => lowerName.includes(part.toLowerCase()))
}

/** Adds fields to a record. A field that is named as a part of the record, such as `level`, gets a `_` at its end. */
export function addFields(record: LogRecord, fields: object, secretNames: readonly string[]): void {
  for (const name of Object.keys(fields))
    record[name in record ? `${name}_` : name] = isSecretName(name, secretNames)
      ? mask
      : toPlain(readField(fields, name), secretNames, new Set())
}

/** Reads a field. A getter that throws must not end a request. */
function readField(fields: object, name: string): unknown {
  try {
    return (fields as Record<string, unknown>)[name]
  } catch {
    return "(a value that cannot be read)"
  }
}

/** Returns a value that JSON can represent, without secrets. @param around the objects that contain it. */
function toPlain(value: unknown, secretNames: readonly string[], around: ReadonlySet<unknown>): unknown {
  if (typeof value === "string") return clipText(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
  if (typeof value === "boolean" || value === null || value === undefined) return value
  if (typeof value !== "object") return String(value)
  if (value instanceof Error) return formatBug(value, (name) => isSecretName(name, secretNames))
  if (around.has(value)) return "[circular]"
  if (around.size >= maxDepth) return "[…]"
  const within = new Set(around).add(value)
  const plain = readJSONForm(value)
  if (plain !== value) return toPlain(plain, secretNames, within)
  if (Array.isArray(value)) return value.slice(0, maxEntries).map((entry) => toPlain(entry, secretNames, within))
  const entries = Object.keys(value).slice(0, maxEntries)
  return Object.fromEntries(
    entries.map((name) => [
      name,
      isSecretName(name, secretNames) ? mask : toPlain(readField(value, name), secretNames, within),
    ]),
  )
}

/** Returns what stands for an object: the result of its `toJSON`, as for a date, or the entries of a map or a set. */
function readJSONForm(value: object): unknown {
  try {
    if (value instanceof Map) return Object.fromEntries(value)
    if (value instanceof Set) return [...value]
    if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
    const { toJSON } = value as { toJSON?: unknown }
    return typeof toJSON === "function" ? toJSON.call(value) : value
  } catch {
    return "(a value that cannot be shown)"
  }
}
