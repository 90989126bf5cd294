/** The pages that reset a password: the cookie with the token of the link, and their middleware. */
import { type Context, type MiddlewareFunc, notFound } from "fw"
import { dropCookie, keepCookie } from "./cookies.ts"
import { hasMail } from "./mail.ts"
import { resetLifetime } from "./resets.ts"

const cookie = { name: "reset_token", path: "/reset" } as const

/** The use of the public address of the application, for messages. */
export const resetting = "resetting passwords by mail"

/**
 * Keeps the token of a link in a cookie, and goes to the page. Its address then has no token, which would be in the
 * history, in logs, and in the `Referer` of what the page loads.
 */
export function openReset(c: Context): Response {
  const token = c.query("token")
  c.setHeader("Referrer-Policy", "no-referrer")
  keepCookie(c, cookie, /^[0-9a-f]{64}$/.test(token) ? token : "", resetLifetime)
  return c.redirect(303, "/reset")
}

export function resetTokenOf(c: Context): string {
  return c.cookie(cookie.name)
}

export function forgetReset(c: Context): void {
  dropCookie(c, cookie)
}

/** Answers 404 if the application cannot send mail. */
export function requireMail(): MiddlewareFunc {
  return (next) => (c) => {
    if (!hasMail) throw notFound("resetting passwords is not set up")
    c.setHeader("Cache-Control", "no-store")
    return next(c)
  }
}
