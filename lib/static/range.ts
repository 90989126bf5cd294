/** The `Range` header (RFC 9110 §14). */

import { listElements } from "../request/header-grammar.ts"

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const rangesPattern = /^bytes=(.*)$/i
const rangePattern = /^(\d*)-(\d*)$/

/**
 * Parses a `Range` header for a size in bytes: returns the range, `"unsatisfiable"` (416), or null to ignore
 * the header: another unit, a malformed header, and several ranges, which a server may ignore (§14.2) and
 * which cost more than they save.
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
 * Returns the last `length` bytes. For an empty file that is satisfiable (§14.1.2), but `Content-Range`
 * cannot express it.
 */
function toSuffixRange(length: number, size: number): ByteRange | "unsatisfiable" | null {
  if (length === 0) return "unsatisfiable"
  return size === 0 ? null : { start: Math.max(0, size - length), end: size - 1 }
}
