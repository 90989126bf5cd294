/** Messages for the next page of a browser, in a cookie that is shown once. */
import type { Context } from "../context.ts"
import { describeType } from "../text.ts"

const cookieName = "fw_flash"
/** Bytes of the cookie's value. Browsers keep 4,096 of a whole cookie (RFC 6265 §6.1). */
const maxValueChars = 3800

/** The messages that a request leaves, and those that it was sent with and has not shown. */
const waitingMessages = new WeakMap<Context, readonly string[]>()

/** Does what `c.flash()` does. */
export function addFlash(c: Context, text: string): void {
  if (typeof text !== "string") throw new TypeError(`c.flash() takes a string, not ${describeType(text)}`)
  const messages = fitMessages([...getWaitingMessages(c), text])
  waitingMessages.set(c, messages)
  writeFlashCookie(c, JSON.stringify(messages))
}

/**
 * Returns the messages that a cookie can hold: the last ones; if the last one is too long, its beginning. A page that
 * shows no messages must not make every later form fail.
 */
function fitMessages(messages: readonly string[]): readonly string[] {
  let remainingMessages = messages
  while (remainingMessages.length > 1 && measureMessages(remainingMessages) > maxValueChars)
    remainingMessages = remainingMessages.slice(1)
  if (measureMessages(remainingMessages) <= maxValueChars) return remainingMessages
  let text = (remainingMessages[0] as string).slice(0, maxValueChars)
  do {
    // Half of a character beyond U+FFFF is not a character.
    text = text.slice(0, Math.floor(text.length * 0.9)).replace(/[\ud800-\udbff]$/, "")
  } while (measureMessages([`${text}…`]) > maxValueChars)
  return [`${text}…`]
}

function measureMessages(messages: readonly string[]): number {
  return encodeURIComponent(JSON.stringify(messages)).length
}

/** Does what `c.flashed()` does. */
export function takeFlashes(c: Context): readonly string[] {
  const messages = getWaitingMessages(c)
  waitingMessages.set(c, [])
  if (messages.length > 0) writeFlashCookie(c, "", 0)
  return messages
}

function getWaitingMessages(c: Context): readonly string[] {
  return waitingMessages.get(c) ?? parseMessages(c.cookie(cookieName))
}

/** Reads the messages of a cookie. A client can send any text: text that was not written here is ignored. */
function parseMessages(cookie: string): readonly string[] {
  try {
    const messages: unknown = JSON.parse(cookie || "[]")
    return Array.isArray(messages) && messages.every((one) => typeof one === "string") ? messages : []
  } catch {
    return []
  }
}

function writeFlashCookie(c: Context, value: string, maxAge?: number): void {
  const secure = c.origin.startsWith("https:")
  const lasting = maxAge === undefined ? {} : { maxAge }
  c.setCookie({ name: cookieName, value, path: "/", httpOnly: true, sameSite: "Lax", secure, ...lasting })
}
