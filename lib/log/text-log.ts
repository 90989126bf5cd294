/** Formats records of requests as text. */

import { escapeUnit } from "./error-report.ts"
import type { RequestRecord } from "./record.ts"
import { formatTime } from "./record-text.ts"

/** Returns the line of a request: `[12:34:56] GET /users 200 in 45ms (1.2KB)`. */
export function formatRequest(record: RequestRecord, isColored: boolean): string {
  const { status, ms, bytes, ip, userAgent, requestID } = record
  const duration = ms < 9999.5 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`
  let line = `${formatHead(record)} ${isColored ? colorStatus(status) : status} in ${duration} (${formatSize(bytes)})`
  if (ip !== undefined) line += ` ${escapeWord(ip)}`
  if (userAgent !== undefined) line += ` ${quoteText(userAgent)}`
  // The id is as long as the rest of the line, so it is printed only with errors.
  if (requestID && status >= 500) line += ` requestID=${escapeWord(requestID)}`
  return `${line}\n`
}

/** Returns the text about the error of a request. */
export function formatRequestError(record: RequestRecord): string {
  const { requestID, error } = record
  return `${formatHead(record)} ${requestID ? `requestID=${escapeWord(requestID)} ` : ""}${error}\n`
}

function formatHead({ time, method, path }: RequestRecord): string {
  return `${formatTime(time)} ${escapeWord(method)} ${escapeWord(path)}`
}

/** Colours a status red, yellow, cyan or green, by its first digit. */
function colorStatus(status: number): string {
  return `\x1b[${status >= 500 ? 31 : status >= 400 ? 33 : status >= 300 ? 36 : 32}m${status}\x1b[0m`
}

const sizeUnits = ["KB", "MB", "GB", "TB"]

/** Returns a size: `0B`, `512B`, `1.2KB`. Units are multiples of 1024. */
function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  let value = bytes / 1024
  let unit = 0
  // With 1024 as the limit, 1023.95 would be printed as 1024.0.
  while (value >= 1023.95 && unit < sizeUnits.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(1)}${sizeUnits[unit]}`
}

/** Escapes everything but printable ASCII without spaces, so that a word cannot look like several. */
export function escapeWord(value: string): string {
  return value.replace(/[^\x21-\x7e]/g, escapeUnit)
}

function quoteText(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&").replace(/[^\x20-\x7e]/g, escapeUnit)}"`
}
