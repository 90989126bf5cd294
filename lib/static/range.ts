/** Reads the header `Range` (RFC 9110 §14). */

import { listElements } from "../request/header-grammar.ts"

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const rangesPattern = /^bytes=(.*)$/i
const rangePattern = /^(\d*)-(\d*)$/

/**
 * Parses a `Range` header for a size in bytes. Returns the range, `"unsatisfiable"` (416), or null to ignore the
 * header. It is ignored if it is malformed, has another unit, or has several ranges. A server may ignore several ranges
 * (§14.2), and they cost more than they save.
 */
export function readRange(header: string, size: number): ByteRange | "unsatisfiable" | null {
  const [range, another] = listElements(rangesPattern.exec(header)?.[1] ?? "")
  const match = another === undefined && rangePattern.exec(range ?? "")
  if (!match) return null
  const [, first = "", last = ""] = match
  if (first === "") return last === "" ? null : toSuffixRange(Number(last), size)
  const start = Number(first)
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== "" && Number(last) < start) return null
  return start < size ? { start, end } : "unsatisfiable"
}

/**
 * Returns the range of the last `length` bytes. For an empty file such a range is satisfiable (§14.1.2), but
 * `Content-Range` cannot express it.
 */
function toSuffixRange(length: number, size: number): ByteRange | "unsatisfiable" | null {
  if (length === 0) return "unsatisfiable"
  return size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 }
}
