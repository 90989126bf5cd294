/** The records of the log: their fields, and how secrets in them are masked. */
import type { Channel } from "../trace/channel.ts"
import { clipText, formatBug } from "./error-report.ts"
import type { LogLevel } from "./log-level.ts"

/**
 * A line of the log as data. It has the fields of a line in JSON.
 *
 * @example
 * const line: LogRecord = { time: "2026-11-30T12:00:00.000Z", level: "info", message: "order placed", order: 7 }
 */
export interface LogRecord {
  /** The time in the format of RFC 3339. */
  readonly time: string
  readonly level: Exclude<LogLevel, "off">
  readonly message: string
  /** The fields of the line. An error is text, with its stack and its causes. */
  [field: string]: unknown
}

/** The line of a request as data. */
export interface RequestRecord extends LogRecord {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  /** The size of the body. */
  readonly bytes: number
  readonly pattern: string
  readonly requestID: string | undefined
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  readonly error: string | undefined
}

/**
 * Takes records in place of lines of text, for example to pass them to another logger.
 *
 * @example
 * const records: LogRecord[] = []
 * const sink: LogSink = (record) => void records.push(record)
 * const app = new App({ logger: { sink } })
 */
export type LogSink = (record: LogRecord) => void

/**
 * The fields of a line. An error is logged with its stack and its causes. Values whose names suggest a secret, such as
 * `password` and `token`, are masked, also inside objects.
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
  /** Logs details that help to find a mistake. Written in development, and with `FW_LOG_LEVEL=debug`. */
  debug(message: string, fields?: LogFields | Error): void
  /** Logs something that went as it should. */
  info(message: string, fields?: LogFields | Error): void
  /** Logs something that somebody should look at some time. */
  warn(message: string, fields?: LogFields | Error): void
  /** Logs something that somebody should look at now. */
  error(message: string, fields?: LogFields | Error): void
  /** Returns a log that adds fields to every line. */
  with(fields: LogFields): Log
}

/** Writes the lines of the program. */
export interface LogWriter {
  /** The lowest level that is written, as an index in `logLevels`. */
  readonly minRank: number
  /** Names whose values are masked, in addition to those that always are. */
  readonly secretNames: readonly string[]
  readonly now: () => number
  readonly write: LogSink
}

/** A message of the channel `fw:log`. Subscribers may add fields to the record, such as the id of a trace. */
export interface LogMessage {
  readonly record: LogRecord
  /** The request that the line is about; undefined for a line of the program. */
  readonly c: object | undefined
}

/**
 * Publishes a record on the channel `fw:log`. Called before the record is written, so that subscribers can add fields.
 */
export function publishRecord(channel: Channel | undefined, record: LogRecord, c?: object): void {
  if (channel?.hasSubscribers) channel.publish({ record, c } satisfies LogMessage)
}

const secretPattern = /password|passwd|authorization|cookie|token|secret|api[-_]?key/i
/** Text in place of a secret value. */
const mask = "[masked]"
/** Maximum depth of nested fields, and maximum number of entries of one field. */
const maxDepth = 6
const maxEntries = 100

/**
 * Returns true if the values of a name must not be shown.
 *
 * @param extraNames further names of the program. A part of a name is enough, in any case.
 */
export function isSecretName(name: string, extraNames: readonly string[] = []): boolean {
  if (secretPattern.test(name)) return true
  const lowerName = extraNames.length > 0 ? name.toLowerCase() : ""
  return extraNames.some((part) => lowerName.includes(part.toLowerCase()))
}

/** Adds fields to a record. A field with a name that records use themselves, such as `level`, gets a `_` at the end. */
export function addFields(record: LogRecord, fields: object, secretNames: readonly string[]): void {
  for (const name of Object.keys(fields))
    record[name in record ? `${name}_` : name] = isSecretName(name, secretNames)
      ? mask
      : toPlain(readField(fields, name), secretNames, new Set())
}

/** Reads a field. A getter that throws must not end the request. */
function readField(fields: object, name: string): unknown {
  try {
    return (fields as Record<string, unknown>)[name]
  } catch {
    return "(a value that cannot be read)"
  }
}

/** Returns a value for JSON, without secrets. @param ancestors the objects that contain the value. */
function toPlain(value: unknown, secretNames: readonly string[], ancestors: ReadonlySet<unknown>): unknown {
  if (typeof value === "string") return clipText(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
  if (typeof value === "boolean" || value === null || value === undefined) return value
  if (typeof value !== "object") return String(value)
  if (value instanceof Error) return formatBug(value, (name) => isSecretName(name, secretNames))
  if (ancestors.has(value)) return "[circular]"
  if (ancestors.size >= maxDepth) return "[…]"
  const innerAncestors = new Set(ancestors).add(value)
  const plain = readJSONForm(value)
  if (plain !== value) return toPlain(plain, secretNames, innerAncestors)
  if (Array.isArray(value))
    return value.slice(0, maxEntries).map((entry) => toPlain(entry, secretNames, innerAncestors))
  const entries = Object.keys(value).slice(0, maxEntries)
  return Object.fromEntries(
    entries.map((name) => [
      name,
      isSecretName(name, secretNames) ? mask : toPlain(readField(value, name), secretNames, innerAncestors),
    ]),
  )
}

/** Returns the value that represents an object in JSON: the result of `toJSON()`, or the entries of a Map or a Set. */
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
