/** Messages for the next page that a browser sees. They are in a cookie, and are shown once. */
import type { Context } from "../context.ts"
import { describeType } from "../text.ts"

const cookieName = "fw_flash"
/** Maximum length of the cookie's value. Browsers keep 4,096 bytes of a whole cookie (RFC 6265 §6.1). */
const maxValueChars = 3800

/** The messages of a request: those that came in its cookie and were not shown, and those that it has added. */
const waitingMessages = new WeakMap<Context, readonly string[]>()

/** Adds a message, for `c.flash()`. */
export function addFlash(c: Context, text: string): void {
  if (typeof text !== "string") throw new TypeError(`c.flash() takes a string, not ${describeType(text)}`)
  const messages = fitMessages([...getWaitingMessages(c), text])
  waitingMessages.set(c, messages)
  writeFlashCookie(c, JSON.stringify(messages))
}

/**
 * Returns the last messages, as many as fit into the cookie. If even the last message is too long, it is cut. So a form
 * never fails because earlier messages were not shown.
 */
function fitMessages(messages: readonly string[]): readonly string[] {
  let remainingMessages = messages
  while (remainingMessages.length > 1 && measureMessages(remainingMessages) > maxValueChars)
    remainingMessages = remainingMessages.slice(1)
  if (measureMessages(remainingMessages) <= maxValueChars) return remainingMessages
  let text = (remainingMessages[0] as string).slice(0, maxValueChars)
  do {
    // The cut must not leave half of a character beyond U+FFFF.
    text = text.slice(0, Math.floor(text.length * 0.9)).replace(/[\ud800-\udbff]$/, "")
  } while (measureMessages([`${text}…`]) > maxValueChars)
  return [`${text}…`]
}

function measureMessages(messages: readonly string[]): number {
  return encodeURIComponent(JSON.stringify(messages)).length
}

/** Returns the messages and removes them, for `c.flashed()`. */
export function takeFlashes(c: Context): readonly string[] {
  const messages = getWaitingMessages(c)
  waitingMessages.set(c, [])
  if (messages.length > 0) writeFlashCookie(c, "", 0)
  return messages
}

function getWaitingMessages(c: Context): readonly string[] {
  return waitingMessages.get(c) ?? parseMessages(c.cookie(cookieName))
}

/** Reads the messages in a cookie. Clients can send any text, so text that fw has not written is ignored. */
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
  const lifetime = maxAge === undefined ? {} : { maxAge }
  c.setCookie({ name: cookieName, value, path: "/", httpOnly: true, sameSite: "Lax", secure, ...lifetime })
}
