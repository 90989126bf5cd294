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
  const messages = [...waitingOf(c), text]
  const value = JSON.stringify(messages)
  if (encodeURIComponent(value).length > most)
    throw new TypeError(
      `c.flash(): the waiting messages are longer than the ${most} bytes that a cookie holds`,
    )
  waiting.set(c, messages)
  write(c, value)
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
