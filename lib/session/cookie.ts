/** The cookie of a session: a signed random id. */
import { platform } from "#platform"
import type { Context } from "../context.ts"
import { type Cookie, readCookie, writeCookie } from "../request/cookies.ts"
import { signCookie, verifyCookie } from "../request/signed-cookies.ts"
import { severalWorkers } from "../store/workers.ts"

const variable = "FW_SECRETS"
/** 32 bytes in base64url. */
const shape = /^[\w-]{43}$/

/** An id for the cookie, and the seconds for which it is valid; without an id the cookie is deleted. */
export interface CookieChange {
  readonly id: string | undefined
  readonly maxAge: number
}

/** Returns 32 random bytes in base64url. */
export function randomID(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** Returns bytes in base64url, without padding. */
export function base64url(bytes: Uint8Array): string {
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
  readonly #isProduction: boolean

  /**
   * Creates it.
   *
   * @param isShared other processes know the sessions, so they must accept the cookies.
   * @throws FwError `secrets` without secrets, in production, with several workers and with a shared store.
   */
  constructor(name: string, isShared: boolean) {
    const { env } = platform
    this.#name = name
    // A worker gets its variables with a request, so that nothing is known here. It is treated as production.
    const hasVariables = Object.keys(env.vars).length > 0
    const isStated = ["GO_ENV", "NODE_ENV"].some((name) => env.get(name) === "production")
    this.#isProduction = !hasVariables || isStated
    const hasSecrets = (env.get(variable) ?? "") !== ""
    // With a secret of its own, each process would refuse the cookies of the others.
    const needsSecrets = this.#isProduction || isShared || severalWorkers() !== undefined
    this.#secret = needsSecrets || hasSecrets ? undefined : randomID()
    // Reading the secrets checks them.
    if (hasVariables && this.#secret === undefined) void verifyCookie({ env: {} }, name, "", { signed: true })
  }

  /** Returns the id that a request has, if its signature is right; undefined otherwise. */
  async read(c: Context): Promise<string | undefined> {
    const { name } = this.#form(c)
    const text = readCookie(c.header("cookie"), name)
    if (text === "") return undefined
    const id = await verifyCookie(this.#secrets(c), name, text, { signed: true })
    return shape.test(id) ? id : undefined
  }

  /** Sets the cookie, or deletes it. */
  async write(c: Context, { id, maxAge }: CookieChange): Promise<void> {
    const form = this.#form(c)
    if (id === undefined) {
      c.setCookie({ ...form, value: "", maxAge: 0 })
      return
    }
    const cookie: Cookie = { ...form, value: id, maxAge }
    await signCookie(this.#secrets(c), cookie, writeCookie(cookie), (line) =>
      c.appendHeader("Set-Cookie", line),
    )
  }

  /** Returns the name and attributes. Only development over plain http has a cookie without `Secure`. */
  #form(c: Context): Omit<Cookie, "value"> {
    const secure = this.#isProduction || c.origin.startsWith("https:")
    const name = secure ? `__Host-${this.#name}` : this.#name
    return { name, path: "/", httpOnly: true, secure, sameSite: "Lax" }
  }

  #secrets(c: Context): { readonly env: object } {
    return this.#secret === undefined ? c : { env: { [variable]: this.#secret } }
  }
}
