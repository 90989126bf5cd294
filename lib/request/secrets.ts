/** The secrets in `FW_SECRETS`, which sign cookies. Checked when a program starts, whatever it signs later. */
import { fault } from "../errors/fault.ts"

/** The name of the variable. */
export const secretsVariable = "FW_SECRETS"
/** Bytes of a secret: those of a SHA-256 digest (RFC 2104 §3). */
const minSecretBytes = 32
/** Different characters of a secret. 32 random digits have fewer once in ten million times. */
const minDifferentChars = 6

const encoder = new TextEncoder()

/**
 * Checks the secrets of the environment, so that a program with one that can be guessed does not start.
 *
 * @param text the value of the variable; nothing is checked without one.
 * @throws FwError `secrets` for a secret that is short or can be guessed.
 */
export function checkSecrets(text: string | undefined): void {
  if (text) parseSecrets(text)
}

/** Returns the secrets of a text, separated by commas. @throws FwError `secrets` without any, and for one that is short or can be guessed. */
export function parseSecrets(text: string): Uint8Array<ArrayBuffer>[] {
  const secrets = text
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")
  const bytes = secrets.map((secret) => encoder.encode(secret))
  if (secrets.length === 0) throw fault("secrets", [secretsVariable])
  const short = bytes.findIndex(({ length }) => length < minSecretBytes)
  if (short >= 0) throw fault("secrets.short", [secretsVariable, short + 1, minSecretBytes])
  const weak = secrets.findIndex(repeats)
  if (weak >= 0) throw fault("secrets.weak", [secretsVariable, weak + 1])
  return bytes
}

/** Returns true for a text of a few characters, and for one that repeats another: a person typed it, and can be guessed. */
function repeats(secret: string): boolean {
  return new Set(secret).size < minDifferentChars || (secret + secret).indexOf(secret, 1) < secret.length
}
