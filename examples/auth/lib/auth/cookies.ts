/** The cookies of signing in: scripts cannot read them, and forms of other sites do not send them. */
import type { Context } from "fw"
import { isProduction } from "./env.ts"
import { isLocal } from "./origin.ts"

/** A cookie, without the attributes that all of them have. */
export interface AuthCookie {
  readonly name: string
  readonly path: string
}

/** Sets a cookie for a number of seconds. */
export function keepCookie(c: Context, { name, path }: AuthCookie, value: string, maxAge: number): void {
  c.setCookie({ name, value, path, maxAge, httpOnly: true, secure: isSecure(c), sameSite: "Lax" })
}

/** Deletes a cookie. */
export function dropCookie(c: Context, cookie: AuthCookie): void {
  keepCookie(c, cookie, "", -1)
}

/**
 * Browsers accept secure cookies over HTTPS, and from localhost. In development the application can be opened from another
 * device without HTTPS, where signing in would do nothing.
 */
function isSecure(c: Context): boolean {
  return isProduction() || c.origin.startsWith("https:") || isLocal(c.origin)
}
