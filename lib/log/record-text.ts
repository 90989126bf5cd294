/** Formats records of the program's log as text. */
import { escapeControls } from "./error-report.ts"
import type { LogRecord } from "./record.ts"

/**
 * Fields that are left out of the text. Time, level and message are printed in another way, the request's own line is
 * near, and traces cannot be followed from a terminal.
 */
const hiddenFields = new Set(["time", "level", "message", "pattern", "trace_id", "span_id"])

/** Returns a function that formats a record: `[12:34:56] info order placed order=7`. */
export function createRecordText(isColored: boolean): (record: LogRecord) => string {
  let time = 0
  const stamp = createTimeStamp(() => time)
  return (record) => {
    time = Date.parse(record.time)
    const { level } = record
    const color = level === "error" ? 31 : level === "warn" ? 33 : 0
    let line = `${stamp()}${isColored && color ? `\x1b[${color}m${level}\x1b[0m` : level} ${escapeControls(record.message)}`
    let report = ""
    for (const [name, value] of Object.entries(record)) {
      if (value === undefined || hiddenFields.has(name) || (name === "requestID" && level !== "error")) continue
      if (typeof value === "string" && value.includes("\n")) report += formatLines(name, value)
      else line += ` ${escapeControls(`${name}=${formatValue(value)}`)}`
    }
    return `${line}\n${report}`
  }
}

/** Returns a field with several lines, such as an error, for the lines below the record. */
function formatLines(name: string, value: string): string {
  const lines = value.split("\n").map((line) => `    ${escapeControls(line)}\n`)
  return `    ${escapeControls(name)}:${lines.join("").slice(3)}`
}

function formatValue(value: unknown): string {
  return typeof value === "string" && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value)
}

/** Returns a function that formats the local time as `[12:34:56] `. The text is made once per second. */
export function createTimeStamp(now: () => number): () => string {
  let second = Number.NaN
  let stamp = ""
  return () => {
    const time = now()
    if (Math.floor(time / 1000) !== second) {
      second = Math.floor(time / 1000)
      const date = new Date(time)
      const parts = [date.getHours(), date.getMinutes(), date.getSeconds()]
      stamp = `[${parts.map((part) => String(part).padStart(2, "0")).join(":")}] `
    }
    return stamp
  }
}
