/**
 * The public address of the application, which passkeys and links in mails need. It comes from the environment,
 * because a client can send any `Host`.
 */
import { type Context, FwError } from "fw"
import { isProduction, readSetting } from "./env.ts"

const origin = readSetting("AUTH_ORIGIN")
const isValid = isSafe(origin) && new URL(origin).origin === origin

if (!isValid && (origin !== "" || isProduction())) throw createError()

/**
 * Returns the address, such as `https://shop.example`. In development it is taken from a request to a local
 * address, so that every port works.
 */
export function getOrigin(c: Context): string {
  if (isValid) return origin
  if (!isLocal(c.origin)) throw createError()
  return c.origin
}

/** Returns true for an address with HTTPS, and for a local one. */
export function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol } = new URL(address)
  return protocol === "https:" || (protocol === "http:" && isLocal(address))
}

/** Returns true for a local address. */
export function isLocal(address: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(address).hostname)
}

function createError(): FwError {
  return new FwError(
    "origin",
    `AUTH_ORIGIN is ${JSON.stringify(origin)}, and passkeys and links in mails need it`,
    "Write the scheme and the host without a path, such as https://shop.example. Only localhost may go without https.",
  )
}
