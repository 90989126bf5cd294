/**
 * Masks secrets in requests before a page, a terminal or a coding agent sees them. A secret is recognized by its
 * name or because it looks random. A replay uses the original values.
 */
import { isSecretName } from "../../../lib/log/record.ts"
import { createSecretsRemover } from "../tools/secrets.ts"

/** The text that replaces a secret. */
const mask = "***"
/** More names of secrets, which occur in requests but seldom in logs. */
const ownNames = ["passphrase", "credential", "session", "private", "signature", "csrf", "otp", "cvv"]
/** Headers with values that look random but are public. */
const publicHeaders =
  /^(?:etag|if-(?:none-)?match|traceparent|tracestate|x-request-id|sec-websocket-(?:key|accept)|sec-ch-.*)$/i
/** The shortest text that may be a secret. Shorter ones may be words. */
const minLength = 20
/**
 * Matches characters of tokens in hexadecimal, Base32, Base64 and Base64url. A dot separates the parts of a token.
 */
const tokenRuns = /[A-Za-z0-9_+/=-]{20,}/g
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Matches a name, a separator and a value, in JSON, a query, a form or a line of text. */
const namedValues = /(?<![\w[\].%-])([\w[\].%-]{1,100})("?[ \t]{0,9}[=:][ \t]{0,9})("(?:[^"\\]|\\.)*"?|[^\s&,;"<>[{]+)/g

/** Returns true if the value of a name is a secret. */
export function isSecret(name: string): boolean {
  return isSecretName(name, ownNames) || /(?:^|[_[-])(?:keys?|pass|auth|dsn|pin)\]?$/i.test(name)
}

/**
 * The smallest share of characters in a random text whose class (digit, small letter, other) differs from that of
 * the character before. In words, the class changes much less often.
 */
const changeShare = 0.25
/** The same for paths, and for texts without digits, which may be words without spaces. */
const pathChangeShare = 0.33
const wordChangeShare = 0.4

/** Returns true for a text that looks random, as tokens and keys do. */
export function looksRandom(text: string, share = changeShare): boolean {
  if (text.length < minLength || uuid.test(text)) return false
  const plain = text.replace(/[^A-Za-z0-9]/g, "")
  if (/^[0-9a-f]+$/i.test(plain)) return plain.length >= minLength && /\d/.test(plain) && /[a-f]/i.test(plain)
  const changes = [...plain].filter(
    (char, index) => index > 0 && getCharClass(char) !== getCharClass(plain[index - 1] as string),
  )
  return changes.length / plain.length >= (/\d/.test(plain) ? share : wordChangeShare)
}

function getCharClass(char: string): number {
  return /\d/.test(char) ? 0 : /[a-z]/.test(char) ? 1 : 2
}

/** Masks a run of token characters. In a path, it checks each segment, because mostly only one is a secret. */
function maskRun(run: string): string {
  if (looksRandom(run, run.startsWith("/") ? pathChangeShare : changeShare)) return mask
  return run.replace(/[^/]+/g, (part) => (looksRandom(part) ? mask : part))
}

/** Masks one cookie of a header, or one attribute of a cookie. */
function maskCookie(pair: string): string {
  const name = pair.slice(0, pair.indexOf("="))
  return pair.includes("=") && !/^\s*(?:path|domain|expires|max-age|samesite|priority)$/i.test(name)
    ? `${name}=${mask}`
    : pair
}

/** Masks the secrets in a multipart body. */
function maskParts(text: string): string {
  const parts = text.split("\r\n--").map((part) => {
    const end = part.indexOf("\r\n\r\n")
    const head = part.slice(0, Math.max(end, 0))
    const [, name = ""] = /\bname="([^"\r\n]*)"/.exec(head) ?? []
    return end >= 0 && isSecret(name) ? `${head}\r\n\r\n${mask}` : part
  })
  return parts.join("\r\n--")
}

/** Masks texts of one project. */
export class Mask {
  readonly #removeSecrets: (text: string) => string

  /** @param env the variables of the program. Values of variables with names of secrets are masked everywhere. */
  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#removeSecrets = createSecretsRemover(env)
  }

  /** Masks a text in any format: a line, a URL, a form or JSON. */
  text(text: string): string {
    return this.#removeSecrets(text)
      .replace(namedValues, (all, name: string, between: string, value: string) => {
        if (!isSecret(name)) return all
        return `${name}${between}${value.startsWith('"') ? `"${mask}"` : mask}`
      })
      .replace(tokenRuns, maskRun)
  }

  /** Masks the value of a header. Names of cookies are not masked. */
  header(name: string, value: string): string {
    if (/^(?:set-)?cookie$/i.test(name)) return value.split(";").map(maskCookie).join(";")
    if (/authorization$/i.test(name)) return value.replace(/^(\S+ )?.*$/, `$1${mask}`)
    if (isSecret(name)) return mask
    return publicHeaders.test(name) ? this.#removeSecrets(value) : this.text(value)
  }

  /** Masks a body in the way that fits its content type. */
  body(text: string, type: string): string {
    if (/\bjson\b/i.test(type)) {
      try {
        return JSON.stringify(this.data(JSON.parse(text)), null, 2)
      } catch {
        // The body is not JSON, or it was cut.
      }
    }
    if (!/^multipart\//i.test(type)) return this.text(text)
    return this.text(maskParts(text))
  }

  /** Masks the texts in plain data. */
  data(value: unknown, name = ""): unknown {
    if (isSecret(name) && value !== null && value !== undefined) return mask
    if (typeof value === "string") return this.text(value)
    if (Array.isArray(value)) return value.map((entry) => this.data(entry))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.data(entry, key)]))
  }
}
