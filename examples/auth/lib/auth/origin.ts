/**
 * The public address of the application, which passkeys and links in mails need. It comes from the environment,
 * because a client can send any `Host`.
 */
import { type Context, FwError } from "fw"
import { isProduction, readSetting } from "./env.ts"

/** The configured address, or null. */
const configuredOrigin = readOrigin()

function readOrigin(): string | null {
  const text = readSetting("AUTH_ORIGIN")
  if (text === "") return null
  if (URL.canParse(text) && new URL(text).origin === text && isSafe(text)) return text
  throw new FwError(
    "origin",
    `AUTH_ORIGIN is ${JSON.stringify(text)}`,
    "Write the scheme and the host without a path, such as https://shop.example. Only localhost may go without https.",
  )
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

/** Checks that the address is known. @throws FwError in production without one. */
export function checkOrigin(use: string): void {
  if (configuredOrigin === null && isProduction()) throw createMissingError(use)
}

/**
 * Returns the address, such as `https://shop.example`. In development it is taken from a request to a local
 * address, so that every port works.
 *
 * @param use the feature that needs the address, for the message.
 */
export function getOrigin(c: Context, use: string): string {
  if (configuredOrigin !== null) return configuredOrigin
  if (isProduction() || !isLocal(c.origin)) throw createMissingError(use)
  return c.origin
}

function createMissingError(use: string): FwError {
  return new FwError(
    "origin",
    `AUTH_ORIGIN is not set, and ${use} needs it`,
    "Write the public address of the application, such as AUTH_ORIGIN=https://shop.example.",
  )
}
