/** Formats records of the program's log as text. */
import { escapeControls } from "./error-report.ts"
import type { LogRecord } from "./record.ts"

/**
 * Fields that are left out of the text. Time, level and message are printed in another way, the request's own line is
 * near, and traces cannot be followed from a terminal.
 */
const hiddenFields = new Set(["time", "level", "message", "pattern", "trace_id", "span_id"])

/** Returns a record as text: `[12:34:56] info order placed order=7`. */
export function formatRecord(record: LogRecord, isColored: boolean): string {
  const { time, level, message } = record
  const color = level === "error" ? 31 : level === "warn" ? 33 : 0
  let line = `${formatTime(time)} ${isColored && color ? `\x1b[${color}m${level}\x1b[0m` : level} ${escapeControls(message)}`
  let report = ""
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined || hiddenFields.has(name) || (name === "requestID" && level !== "error")) continue
    if (typeof value === "string" && value.includes("\n")) report += formatLines(name, value)
    else line += ` ${escapeControls(`${name}=${formatValue(value)}`)}`
  }
  return `${line}\n${report}`
}

/** Returns the local time of a record as `[12:34:56]`. */
export function formatTime(time: string): string {
  return `[${new Date(time).toTimeString().slice(0, 8)}]`
}

/** Returns a field with several lines, such as an error, for the lines below the record. */
function formatLines(name: string, value: string): string {
  const lines = value.split("\n").map((line) => `    ${escapeControls(line)}\n`)
  return `    ${escapeControls(name)}:${lines.join("").slice(3)}`
}

function formatValue(value: unknown): string {
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value)
}
