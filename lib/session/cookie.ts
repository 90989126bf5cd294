/** Reads and writes the cookie of a session, which contains a signed random id. */
import { platform } from "#platform"
import type { Context } from "../context.ts"
import { type Cookie, readCookie, writeCookie } from "../request/cookies.ts"
import { secretsVariable } from "../request/secrets.ts"
import { signCookie, verifyCookie } from "../request/signed-cookies.ts"
import { toBase64URL } from "../request/signing-keys.ts"
import { findWorkerCount } from "../store/worker-count.ts"

/** An id: 32 bytes in base64url. */
const idPattern = /^[\w-]{43}$/

/** What to do with the cookie: set it to an id that is valid for some seconds, or delete it if there is no id. */
export interface CookieChange {
  readonly id: string | undefined
  readonly maxAge: number
}

/** The attributes of the cookie that the program chooses. */
export interface CookieAttributes {
  readonly sameSite: "Lax" | "Strict" | "None"
  /**
   * `auto` means: in requests over https. Default: true in production and with `SameSite=None`, which requires it;
   * otherwise `auto`.
   */
  readonly secure: boolean | "auto" | undefined
  readonly domain: string | undefined
}

/** Returns a new random id: 32 bytes in base64url. */
export function createRandomID(): string {
  return toBase64URL(crypto.getRandomValues(new Uint8Array(32)))
}

/** Reads and writes the cookie. */
export class SessionCookie {
  readonly #name: string
  /** A secret for development. It is lost when the process ends, and with it all sessions. */
  readonly #secret: string | undefined
  readonly #attributes: CookieAttributes

  /**
   * Creates the reader and writer of the cookie.
   *
   * @param isShared true if other processes use the same sessions, and so must accept the same cookies.
   * @throws FwError `secrets` if there are no secrets in production, with several workers, or, except in tests, with a
   * shared store.
   */
  constructor(name: string, isShared: boolean, attributes: CookieAttributes) {
    const { env } = platform
    this.#name = name
    // Workers get their variables only with a request. Without variables, production is assumed.
    const hasVariables = Object.keys(env.vars).length > 0
    const isProductionSet = ["GO_ENV", "NODE_ENV"].some((name) => env.get(name) === "production")
    const isProduction = !hasVariables || isProductionSet
    const { secure = isProduction || attributes.sameSite === "None" ? true : "auto" } = attributes
    this.#attributes = { ...attributes, secure }
    const hasSecrets = (env.get(secretsVariable) ?? "") !== ""
    // With a secret of its own, each process would refuse the cookies of the others. Tests run in one process.
    const isTest = env.get("NODE_ENV") === "test"
    const needsSecrets = isProduction || (isShared && !isTest) || findWorkerCount() !== undefined
    this.#secret = needsSecrets || hasSecrets ? undefined : createRandomID()
    // Reading secrets also checks them.
    if (hasVariables && this.#secret === undefined) void verifyCookie({ env: {} }, name, "", { signed: true })
  }

  /** Returns the id in a request, if its signature is valid; otherwise undefined. */
  async read(c: Context): Promise<string | undefined> {
    const { name } = this.#createBase(c)
    const text = readCookie(c.header("cookie"), name)
    if (text === "") return undefined
    const id = await verifyCookie(this.#getSecretContext(c), name, text, { signed: true })
    return idPattern.test(id) ? id : undefined
  }

  /** Sets the cookie, or deletes it. */
  async write(c: Context, { id, maxAge }: CookieChange): Promise<void> {
    const attributes = this.#createBase(c)
    if (id === undefined) {
      c.setCookie({ ...attributes, value: "", maxAge: 0 })
      return
    }
    const cookie: Cookie = { ...attributes, value: id, maxAge }
    await signCookie(this.#getSecretContext(c), cookie, writeCookie(cookie), (line) =>
      c.appendHeader("Set-Cookie", line),
    )
  }

  /**
   * Returns the name and the attributes of the cookie. Browsers accept a prefix in the name only with certain
   * attributes (RFC 6265bis §4.1.3).
   */
  #createBase(c: Context): Omit<Cookie, "value"> {
    const { sameSite, domain, secure: secureOption } = this.#attributes
    const secure = secureOption === "auto" ? c.origin.startsWith("https:") : secureOption === true
    const prefix = domain === undefined ? "__Host-" : "__Secure-"
    const name = secure ? prefix + this.#name : this.#name
    return { name, path: "/", httpOnly: true, secure, sameSite, ...(domain !== undefined && { domain }) }
  }

  #getSecretContext(c: Context): { readonly env: object } {
    return this.#secret === undefined ? c : { env: { [secretsVariable]: this.#secret } }
  }
}
