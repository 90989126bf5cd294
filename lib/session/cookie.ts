/** The cookie of a session: a signed random id. */
import { platform } from "#platform"
import type { Context } from "../context.ts"
import { type Cookie, readCookie, writeCookie } from "../request/cookies.ts"
import { signCookie, verifyCookie } from "../request/signed-cookies.ts"
import { findWorkerCount } from "../store/worker-count.ts"

const secretsVariable = "FW_SECRETS"
/** 32 bytes in base64url. */
const idPattern = /^[\w-]{43}$/

/** An id for the cookie, and the seconds for which it is valid; without an id the cookie is deleted. */
export interface CookieChange {
  readonly id: string | undefined
  readonly maxAge: number
}

/** The attributes of the cookie that a program chooses. */
export interface CookieAttributes {
  readonly sameSite: "Lax" | "Strict" | "None"
  /** `auto`: in requests over https. Default: true in production and with `SameSite=None`, which needs it; `auto` otherwise. */
  readonly secure: boolean | "auto" | undefined
  readonly domain: string | undefined
}

/** Returns 32 random bytes in base64url. */
export function createRandomID(): string {
  return toBase64URL(crypto.getRandomValues(new Uint8Array(32)))
}

/** Returns bytes in base64url, without padding. */
export function toBase64URL(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}

/** Reads and writes the cookie. */
export class SessionCookie {
  readonly #name: string
  /** A secret for development, with which sessions end when the process ends. */
  readonly #secret: string | undefined
  readonly #attributes: CookieAttributes

  /**
   * Creates it.
   *
   * @param isShared other processes know the sessions, so they must accept the cookies.
   * @throws FwError `secrets` without secrets, in production, with several workers and, except in tests, with a shared store.
   */
  constructor(name: string, isShared: boolean, attributes: CookieAttributes) {
    const { env } = platform
    this.#name = name
    // A worker gets its variables with a request, so that nothing is known here. It is treated as production.
    const hasVariables = Object.keys(env.vars).length > 0
    const isStated = ["GO_ENV", "NODE_ENV"].some((name) => env.get(name) === "production")
    const isProduction = !hasVariables || isStated
    const { secure = isProduction || attributes.sameSite === "None" ? true : "auto" } = attributes
    this.#attributes = { ...attributes, secure }
    const hasSecrets = (env.get(secretsVariable) ?? "") !== ""
    // With a secret of its own, each process would refuse the cookies of the others. A test file is one process.
    const isTest = env.get("NODE_ENV") === "test"
    const needsSecrets = isProduction || (isShared && !isTest) || findWorkerCount() !== undefined
    this.#secret = needsSecrets || hasSecrets ? undefined : createRandomID()
    // Reading the secrets checks them.
    if (hasVariables && this.#secret === undefined) void verifyCookie({ env: {} }, name, "", { signed: true })
  }

  /** Returns the id that a request sends, if its signature is valid; undefined otherwise. */
  async read(c: Context): Promise<string | undefined> {
    const { name } = this.#createBase(c)
    const text = readCookie(c.header("cookie"), name)
    if (text === "") return undefined
    const id = await verifyCookie(this.#getSecretContext(c), name, text, { signed: true })
    return idPattern.test(id) ? id : undefined
  }

  /** Sets the cookie, or deletes it. */
  async write(c: Context, { id, maxAge }: CookieChange): Promise<void> {
    const form = this.#createBase(c)
    if (id === undefined) {
      c.setCookie({ ...form, value: "", maxAge: 0 })
      return
    }
    const cookie: Cookie = { ...form, value: id, maxAge }
    await signCookie(this.#getSecretContext(c), cookie, writeCookie(cookie), (line) =>
      c.appendHeader("Set-Cookie", line),
    )
  }

  /**
   * Returns the name and attributes. Browsers accept a prefix only if the cookie keeps what it promises (RFC 6265bis
   * §4.1.3).
   */
  #createBase(c: Context): Omit<Cookie, "value"> {
    const { sameSite, domain, secure: wanted } = this.#attributes
    const secure = wanted === "auto" ? c.origin.startsWith("https:") : wanted === true
    const prefix = domain === undefined ? "__Host-" : "__Secure-"
    const name = secure ? prefix + this.#name : this.#name
    return { name, path: "/", httpOnly: true, secure, sameSite, ...(domain !== undefined && { domain }) }
  }

  #getSecretContext(c: Context): { readonly env: object } {
    return this.#secret === undefined ? c : { env: { [secretsVariable]: this.#secret } }
  }
}
