/** The lines of the request logger as in the core, faster: it keeps the parts that many lines share. */
import type { Log } from "../../lib/log/logger.ts"
import { outcome, rank, secondStamp, type TextLog, textLog, word } from "../../lib/log/text-log.ts"
import type { PackedText } from "../../lib/platform.ts"
import { packText } from "./packed-text.ts"

/** The clock is read again after so many milliseconds, because it may have been set. */
const mostAge = 10
/** The number of outcomes that are kept, a power of two. */
const slots = 1024
/** Outcomes with a longer duration or a larger body are not kept. */
const mostKept = { ms: 64, bytes: 32_768 }

/** Returns a function that logs requests, with the same lines as `textLog`. */
export function keptTextLog(parts: TextLog): Log {
  const { least, write, out, now, skips, paint, addsToAll } = parts
  const rare = textLog(parts)
  if (addsToAll) return rare
  // A clock of the program is read for each line.
  const age = now === Date.now ? mostAge : 0
  const stamp = secondStamp(now)
  const endOf = keptOutcomes(paint)
  let method = ""
  let head = empty
  let until = 0
  return (c, status, start, at, bytes, error) => {
    if (error !== undefined || rank(status) > 2 || rank(status) < least)
      return rare(c, status, start, at, bytes, error)
    const path = c.originalPath
    if (skips?.(path)) return
    if (at >= until || c.method !== method) {
      method = c.method
      head = packText(`${stamp()}${word(method)} `)
      until = at + Math.min(age, 999 - (now() % 1000))
    }
    const end = endOf(status, at - start, bytes)
    if (!out?.writeLine?.(head, path, end)) write(head.text + word(path) + end.text)
  }
}

const empty = packText("")

/** Returns a function that returns the end of a line, which it may have kept. */
function keptOutcomes(paint: TextLog["paint"]) {
  const keys = new Int32Array(slots)
  const ends = Array.from({ length: slots }, () => empty)
  return (status: number, ms: number, bytes: number | null): PackedText => {
    const rounded = Math.round(ms)
    if (rounded >= mostKept.ms || bytes === null || bytes >= mostKept.bytes)
      return packText(` ${outcome(paint, status, ms, bytes)}\n`)
    // 10 + 6 + 15 bits, and never 0.
    const key = (status << 21) | (rounded << 15) | bytes
    const slot = (key ^ (key >> 10) ^ (key >> 20)) & (slots - 1)
    if (keys[slot] !== key) {
      keys[slot] = key
      ends[slot] = packText(` ${outcome(paint, status, ms, bytes)}\n`)
    }
    return ends[slot] as PackedText
  }
}
