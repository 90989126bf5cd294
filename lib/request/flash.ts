/** Messages for the next page of a browser, in a cookie that is shown once. */
import type { Context } from "../context.ts"
import { describe } from "../text.ts"

const name = "fw_flash"
/** Bytes of the cookie's value. Browsers keep 4,096 of a whole cookie (RFC 6265 §6.1). */
const most = 3800

/** The messages that a request leaves, and those that it was sent with and has not shown. */
const waiting = new WeakMap<Context, readonly string[]>()

/** Does what `c.flash()` does. */
export function addFlash(c: Context, text: string): void {
  if (typeof text !== "string") throw new TypeError(`c.flash() takes a string, not ${describe(text)}`)
  const messages = fitting([...waitingOf(c), text])
  waiting.set(c, messages)
  write(c, JSON.stringify(messages))
}

/**
 * Returns the messages that a cookie can hold: the last ones, and of the last one its beginning. A page that shows no messages
 * must not make every later form fail.
 */
function fitting(messages: readonly string[]): readonly string[] {
  let kept = messages
  while (kept.length > 1 && sizeOf(kept) > most) kept = kept.slice(1)
  if (sizeOf(kept) <= most) return kept
  let text = (kept[0] as string).slice(0, most)
  do {
    // Half of a character beyond U+FFFF is not a character.
    text = text.slice(0, Math.floor(text.length * 0.9)).replace(/[\ud800-\udbff]$/, "")
  } while (sizeOf([`${text}…`]) > most)
  return [`${text}…`]
}

function sizeOf(messages: readonly string[]): number {
  return encodeURIComponent(JSON.stringify(messages)).length
}

/** Does what `c.flashed()` does. */
export function takeFlashes(c: Context): readonly string[] {
  const messages = waitingOf(c)
  waiting.set(c, [])
  if (messages.length > 0) write(c, "", 0)
  return messages
}

function waitingOf(c: Context): readonly string[] {
  return waiting.get(c) ?? messagesIn(c.cookie(name))
}

/** Reads the messages of a cookie. A client can send any text: other text than was written here is ignored. */
function messagesIn(cookie: string): readonly string[] {
  try {
    const messages: unknown = JSON.parse(cookie || "[]")
    return Array.isArray(messages) && messages.every((one) => typeof one === "string") ? messages : []
  } catch {
    return []
  }
}

function write(c: Context, value: string, maxAge?: number): void {
  const secure = c.origin.startsWith("https:")
  const lasting = maxAge === undefined ? {} : { maxAge }
  c.setCookie({ name, value, path: "/", httpOnly: true, sameSite: "Lax", secure, ...lasting })
}
