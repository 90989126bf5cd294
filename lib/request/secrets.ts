/**
 * Checks the secrets in `FW_SECRETS`, which sign cookies. A program checks them at its start, even if it signs nothing.
 */
import { fault } from "../errors/fault.ts"

/** The name of the environment variable. */
export const secretsVariable = "FW_SECRETS"
/** Minimum length of a secret: that of a SHA-256 digest (RFC 2104 §3). */
const minSecretBytes = 32
/** Minimum number of different characters in a secret. Of ten million secrets with 32 random digits, one has fewer. */
const minDifferentChars = 6

const encoder = new TextEncoder()

/**
 * Checks the secrets of the environment, so that a program does not start if one of them can be guessed.
 *
 * @param text the value of the variable. Nothing is checked if there is none.
 * @throws FwError `secrets` for a secret that is too short or can be guessed.
 */
export function checkSecrets(text: string | undefined): void {
  if (text) parseSecrets(text)
}

/**
 * Returns the secrets in a text, which are separated by commas. @throws FwError `secrets` if there is none, and for one
 * that is too short or can be guessed.
 */
export function parseSecrets(text: string): Uint8Array<ArrayBuffer>[] {
  const secrets = text
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")
  const bytes = secrets.map((secret) => encoder.encode(secret))
  if (secrets.length === 0) throw fault("secrets", [secretsVariable])
  const shortIndex = bytes.findIndex(({ length }) => length < minSecretBytes)
  if (shortIndex >= 0) throw fault("secrets.short", [secretsVariable, shortIndex + 1, minSecretBytes])
  const weakIndex = secrets.findIndex(isRepetitive)
  if (weakIndex >= 0) throw fault("secrets.weak", [secretsVariable, weakIndex + 1])
  return bytes
}

/**
 * Returns true for a text with few different characters, or in which a shorter text is repeated. A person has typed it,
 * so it can be guessed.
 */
function isRepetitive(secret: string): boolean {
  return new Set(secret).size < minDifferentChars || (secret + secret).indexOf(secret, 1) < secret.length
}
