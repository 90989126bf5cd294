/** Removes secrets from texts that `fw dev` passes to other programs. */
import { hideSecrets } from "../../tools/program.ts"

/** Matches names of variables whose values are secrets. */
const secretName = /secret|token|passw|passphrase|credential|private|api_?key|(?:^|_)(?:keys?|pass|auth|dsn)$/i
/** Shorter values may be ordinary words that occur in other texts. */
const minSecretLength = 6
/** Matches credentials in headers (RFC 9110 §11.4). */
const credentials = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi

/**
 * Returns a function that replaces secrets in a text by three stars: the values of variables such as `API_KEY`,
 * passwords in URLs, and credentials in headers.
 */
export function createSecretsRemover(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const secrets = Object.entries(env).flatMap(([name, value = ""]) => {
    // Variables such as FW_SECRETS contain several secrets, separated by commas.
    return secretName.test(name) ? [value, ...value.split(",")].filter((one) => one.length >= minSecretLength) : []
  })
  // The longest value comes first, because it may contain another one.
  const sorted = [...new Set(secrets)].sort((a, b) => b.length - a.length)
  return (text) => {
    let clean = text
    for (const value of sorted) clean = clean.replaceAll(value, "***")
    return hideSecrets(clean).replace(credentials, "$1 ***")
  }
}

/** Returns a copy of plain data. A function replaces every text in it. */
export function mapTexts<T>(data: T, change: (text: string) => string): T {
  const map = (value: unknown): unknown => {
    if (typeof value === "string") return change(value)
    if (Array.isArray(value)) return value.map(map)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, map(one)]))
  }
  return map(data) as T
}
