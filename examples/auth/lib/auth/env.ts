/** Reads environment variables. A wrong value stops the program at start. */
import { randomBytes } from "node:crypto"
import { FwError } from "fw"

/** Returns true in production, where every secret must be set. */
export function isProduction(): boolean {
  return [process.env.NODE_ENV, process.env.GO_ENV].includes("production")
}

/** Returns a variable; `""` if it is not set. */
export function readSetting(name: string): string {
  return process.env[name] ?? ""
}

/**
 * Returns a secret as bytes. In development, a random one is generated at each start, because a constant one could
 * end up in production.
 *
 * @throws FwError if the secret is shorter than 32 bytes (RFC 7518 §3.2), and in production if it is missing.
 */
export function readSecret(name: string): Uint8Array {
  const text = readSetting(name)
  if (text === "" && !isProduction()) return randomBytes(32)
  const bytes = new TextEncoder().encode(text)
  if (bytes.length >= 32) return bytes
  throw new FwError(
    "secret",
    text === "" ? `${name} is not set` : `${name} has ${bytes.length} bytes, and 32 is the least`,
    `Set it to something random, the same on every machine: ${name}="$(openssl rand -base64 48)"`,
  )
}

/** Returns a whole number. @throws FwError for other text, and for a number out of range. */
export function readCount(name: string, fallback: number, [min, max]: readonly [number, number]): number {
  const text = readSetting(name)
  const value = text === "" ? fallback : /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new FwError("setting", `${name} is ${JSON.stringify(text)}`, `Write a number from ${min} to ${max}.`)
}
