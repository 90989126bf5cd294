/** Formats requests as lines of text. */

import { escapeUnit } from "./error-report.ts"
import type { LoggedRequest, LogRequest } from "./logger.ts"
import { createTimeStamp } from "./record-text.ts"

/** What a line needs in addition to its request. Optional members are missing if no option asks for them. */
export interface TextLogOptions {
  /** The lowest level that is logged, as an index in `logLevels`. */
  readonly minRank: number
  readonly write: (text: string) => void
  readonly now: () => number
  readonly isSkipped?: ((path: string) => boolean) | undefined
  /** Returns the status in colour. */
  readonly colorStatus?: ((status: number) => string) | undefined
  /** Returns the end of a line: the client, and the id of a request that has failed. */
  readonly formatEnding?: ((c: LoggedRequest, status: number) => string) | undefined
  /** Returns the text about an error; `""` for none. */
  readonly report?: ((error: unknown, c: LoggedRequest) => string) | undefined
  readonly writeBug?: ((text: string) => void) | undefined
}

/** Returns a function that logs requests as text. */
export function createTextLog({
  minRank,
  write,
  now,
  isSkipped,
  colorStatus,
  formatEnding,
  report,
  writeBug,
}: TextLogOptions): LogRequest {
  const stamp = createTimeStamp(now)
  return (c, status, start, end, bytes, error) => {
    const head = () => `${stamp()}${escapeWord(c.method)} ${escapeWord(c.originalPath)} `
    if (getLevelRank(status) >= minRank && !isSkipped?.(c.originalPath))
      write(`${head()}${formatOutcome(colorStatus, status, end - start, bytes)}${formatEnding?.(c, status) ?? ""}\n`)
    const text = error === undefined ? undefined : report?.(error, c)
    if (text) writeBug?.(`${head()}${text}\n`)
  }
}

/** Returns the text after the path: `200 in 45ms (1.2KB)`. */
function formatOutcome(paint: TextLogOptions["colorStatus"], status: number, ms: number, bytes: number | null): string {
  const duration = ms < 9999.5 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`
  return `${paint?.(status) ?? status} in ${duration} (${formatSize(bytes)})`
}

/** Returns the level of a status, as an index in `logLevels`. */
export function getLevelRank(status: number): number {
  return status >= 500 ? 3 : status >= 400 ? 2 : 1
}

const sizeUnits = ["KB", "MB", "GB", "TB"]

/** Returns a size: `0B`, `512B`, `1.2KB`. Units are multiples of 1024. A dash stands for an unknown size. */
function formatSize(bytes: number | null): string {
  if (bytes === null) return "-"
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

const plainWordPattern = /^[\x21-\x7e]*$/

/** Escapes everything but printable ASCII without spaces, so that a word cannot look like several. */
export function escapeWord(value: string): string {
  return plainWordPattern.test(value) ? value : value.replace(/[^\x21-\x7e]/g, escapeUnit)
}
