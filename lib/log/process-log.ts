/**
 * Writes lines that belong to no request: bugs, outages, the start and the end of the process. They are text, or
 * records if the logger of an app writes records. Also has the default writer for the lines of `log`.
 */
import type { Env } from "../env.ts"
import { escapeControls, formatBug } from "./error-report.ts"
import { LogLevelInfo, logLevels, readLogLevel } from "./log-level.ts"
import type { RequestLoggerConfig } from "./logger.ts"
import { type LogRecord, type LogWriter, publishRecord } from "./record.ts"
import { formatRecord } from "./record-text.ts"

/** The members of the environment that lines about the process need. */
type ProcessEnv = Pick<Env, "get" | "getChannel"> & Required<Pick<Env, "out" | "err">>

let processWriter: LogWriter | undefined
let writesRecords = false
let isFormatChosen = false

/**
 * Sets the writer of lines that belong to no request. If one app of the program writes records, another app that writes
 * text does not change that.
 *
 * @param isRecordWriter true if the writer takes records, so that the lines about the process are records too.
 * @param isChosenFormat true if the program has chosen the format. Then the error that ends the process has that format too.
 */
export function setProcessWriter(writer: LogWriter, isRecordWriter: boolean, isChosenFormat = false): void {
  if (writesRecords && !isRecordWriter) return
  isFormatChosen = isRecordWriter && isChosenFormat
  processWriter = writer
  writesRecords = isRecordWriter
}

/** Makes lines about the process JSON from now on. For programs whose output another program reads. */
export function useJSON(env: ProcessEnv): void {
  setProcessWriter(createWriter(env, true), true, true)
}

/** Returns true if lines about the process are records. */
export function usesRecords(): boolean {
  return writesRecords
}

/** Returns the writer of lines that belong to no request. */
export function getProcessWriter(env: Env): LogWriter {
  processWriter ??= createWriter(env, writesJSON(env))
  return processWriter
}

/**
 * Returns true if lines are JSON by default. They are text on a terminal, under `fw dev`, and where there is only a
 * console, which shows errors best.
 */
export function writesJSON({ get, out }: Pick<Env, "get" | "out">): boolean {
  return out !== undefined && !out.isTerminal && get("FW_DEV") !== "true"
}

/**
 * Creates a writer for the lines of `log` and `c.log`. Their default level is `info` in production too, because the
 * program asked for the lines.
 */
export function createWriter(
  env: Pick<Env, "get" | "out">,
  isJSON: boolean,
  { level, mask = [], now = Date.now, write, sink }: RequestLoggerConfig = {},
): LogWriter {
  const { isColored, writeText } = openOutput(env, write)
  return {
    minRank: logLevels.indexOf(readLogLevel(env.get, level, LogLevelInfo)),
    secretNames: mask,
    now,
    write: sink ?? ((record) => writeText(isJSON ? formatJSONLine(record) : formatRecord(record, isColored))),
  }
}

/** Returns the function that writes text, and whether the text may contain colours. @param write replaces the output. */
export function openOutput({ get, out }: Pick<Env, "get" | "out">, write?: (text: string) => void) {
  return {
    // https://no-color.org: the variable counts only if it is not empty.
    isColored: write === undefined && out?.isTerminal === true && !get("NO_COLOR"),
    writeText: write ?? ((text: string) => (out ? out.write(text) : console.log(text.trimEnd()))),
  }
}

/** Writes a bug as {@link writeError} does, unless `FW_LOG_LEVEL` is `off`. */
export function reportBug(bug: unknown, env: ProcessEnv): void {
  if (readLogLevel(env.get) !== "off") writeError(formatBug(bug), env)
}

/**
 * Writes an error, whatever `FW_LOG_LEVEL` is: as a record if lines about the process are records, otherwise as text to
 * standard error.
 */
export function writeError(error: string, env: ProcessEnv): void {
  const isWritten = writeRecord(env, "error", error.split("\n", 1).join(""), { error })
  if (!isWritten) env.err.write(`${error}\n`)
}

/**
 * Writes the error that ends the process. Unless the program has chosen a format, it is text on standard error, because
 * people look there when a program does not start.
 */
export function writeLastError(error: string, env: ProcessEnv): void {
  if (isFormatChosen) writeError(error, env)
  else env.err.write(`${error}\n`)
}

/**
 * Writes a message: as a record if lines about the process are records. Otherwise text for `info` goes to standard
 * output, and text for `warn` to standard error.
 */
export function writeMessage(level: "info" | "warn", message: string, env: ProcessEnv): void {
  const isWritten = writeRecord(env, level, message)
  if (isWritten) return
  if (level === "info") env.out.write(`${message}\n`)
  else env.err.write(`fw: ${message}\n`)
}

/**
 * Publishes a record for subscribers of the channel, and writes it. Returns false if the caller must write the line as
 * text.
 */
function writeRecord(env: ProcessEnv, level: LogRecord["level"], message: string, rest: object = {}): boolean {
  const channel = env.getChannel?.("fw:log")
  if (!writesRecords && !channel?.hasSubscribers) return false
  const now = processWriter?.now ?? Date.now
  const record = { time: new Date(now()).toISOString(), level, message, ...rest }
  publishRecord(channel, record)
  if (writesRecords) processWriter?.write(record)
  return writesRecords
}

/**
 * Returns a record as a line of JSON. JSON escapes line feeds, but not C1 control characters and not characters that
 * reorder text.
 */
export function formatJSONLine(record: object): string {
  const line = JSON.stringify(record)
  return `${/^[\x20-\x7e]*$/.test(line) ? line : escapeControls(line)}\n`
}
