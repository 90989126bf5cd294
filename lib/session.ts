/** `session()`, which keeps data of a visitor from one request to the next. Exported as `fw/session`. */
import { checkKeys } from "./checks.ts"
import { Context } from "./context.ts"
import { HttpError } from "./errors.ts"
import { Outage } from "./lifecycle/outage.ts"
import { isCookieDomain } from "./request/cookies.ts"
import { isToken } from "./request/header-grammar.ts"
import { type CookieAttributes, SessionCookie } from "./session/cookie.ts"
import { sessionFault } from "./session/fault.ts"
import type { Session } from "./session/session.ts"
import { Sessions, type Visit } from "./session/sessions.ts"
import { checkCapability, maxSeconds } from "./store/checks.ts"
import type { KV, Store } from "./store/types.ts"
import type { MiddlewareFunc } from "./types.ts"

export type { SessionData } from "./session/data.ts"
export { Session } from "./session/session.ts"

declare module "./context.ts" {
  interface Context<Params extends string = string> {
    /**
     * The session of the visitor. It exists in requests for which `session()` of `fw/session` runs.
     *
     * @throws FwError `session` in other requests.
     */
    readonly session: Session
  }
}

/**
 * Options of `session()`.
 *
 * @example
 * import { memoryStore } from "fw/store"
 * const options: SessionOptions = { store: memoryStore(), idle: 3600, lifetime: 86_400 }
 * app.use(session(options))
 */
export interface SessionOptions {
  /** Where sessions are stored: a store of `fw/store`, or an object with a `kv` of your own ({@link KV}). */
  readonly store: { readonly kv: KV }
  /** Seconds without a request after which a session ends. Default: 604,800, a week. */
  readonly idle?: number
  /**
   * Seconds after which a session ends in any case, counted from its beginning or from the sign-in. Default: 2,592,000,
   * 30 days.
   */
  readonly lifetime?: number
  /**
   * Name of the cookie, without a prefix. If the cookie is secure, `__Host-` is added, or `__Secure-` if there is a
   * domain. Default: `session`.
   */
  readonly cookie?: string
  /**
   * Whether browsers send the cookie with requests from pages of other sites. `Strict`: never, not even for links.
   * `Lax`: for links only. `None`: always; this needs a secure cookie. Default: `Lax`.
   */
  readonly sameSite?: "Lax" | "Strict" | "None"
  /**
   * True to send the cookie over https only. `auto` means: if the request came over https; behind a proxy, the app's
   * `trustedProxies` decide about that. Default: true in production and with `sameSite: "None"`, otherwise `auto`.
   */
  readonly secure?: boolean | "auto"
  /** A domain whose hosts share the session, such as `shop.example`. Default: only the host that has set the cookie. */
  readonly domain?: string
}

/**
 * The middleware that `session()` returns.
 *
 * @example
 * import { memoryStore } from "fw/store"
 * const sessions: SessionMiddleware = session({ store: memoryStore() })
 * app.use(sessions)
 * await sessions.destroyAll("user 7")
 */
export interface SessionMiddleware extends MiddlewareFunc {
  /** Ends every session of a subject in all processes, for example after a new password. */
  destroyAll(subject: string): Promise<void>
}

const optionNames = ["store", "idle", "lifetime", "cookie", "sameSite", "secure", "domain"]
const weekSeconds = 604_800
const monthSeconds = 2_592_000

/** The session state of each running request. */
const visitsByContext = new WeakMap<object, Visit>()
/** Requests in which the program has used the session. */
const contextsWithSession = new WeakSet<object>()

/**
 * Gives each visitor a session, `c.session`. A cookie holds a signed random id, and a store holds the data. The cookie
 * is set together with the first value. Changes are saved when the handler has returned, each value on its own, so that
 * concurrent requests do not undo each other's changes. A response with a status of 500 or more saves nothing. While
 * the store fails, requests are answered with 503.
 *
 * @throws FwError `session` for an option that is not valid, `store` for a store without `kv`, and `secrets` if
 * `FW_SECRETS` is missing although it is needed: in production, with several workers, and with a store that other
 * processes share, except with `NODE_ENV=test`.
 * @example
 * import { memoryStore } from "fw/store"
 * app.use(session({ store: memoryStore() }))
 * app.post("/theme", (c) => {
 *   c.session.set("theme", "dark")
 *   return c.noContent()
 * })
 * app.get("/theme", (c) => c.json(200, c.session.get("theme")))
 * const first = await app.request("/theme", { method: "POST" })
 * const cookie = first.headers.getSetCookie()[0]?.split(";")[0] ?? ""
 * const second = await app.request("/theme", { headers: { cookie } })
 * await second.json() // → "dark"
 */
export function session(options: SessionOptions): SessionMiddleware {
  checkKeys(options, optionNames, "session", "session()")
  const {
    store,
    idle = Math.min(weekSeconds, options.lifetime ?? weekSeconds),
    lifetime = Math.max(monthSeconds, idle),
  } = options
  const { cookie: name = "session", sameSite = "Lax", secure, domain } = options
  checkCapability(store, "kv", "session()")
  for (const [option, value] of Object.entries({ lifetime, idle }))
    if (!Number.isSafeInteger(value) || value < 1 || value > maxSeconds)
      throw sessionFault("session.option", [option, value])
  if (idle > lifetime) throw sessionFault("session.order")
  if (!isToken(name) || /^__/.test(name)) throw sessionFault("session.option", ["cookie", name])
  checkAttributes({ sameSite, secure, domain })
  const cookie = new SessionCookie(name, isSharedStore(store), { sameSite, secure, domain })
  const sessions = new Sessions(store.kv, idle, lifetime)
  addGetter()
  return Object.assign(createMiddleware(cookie, sessions), {
    destroyAll: (subject: string) => sessions.destroyAll(subject),
  })
}

/**
 * Returns true for a name that several hosts may end with: it contains a dot, does not begin with one, and is not an
 * address.
 */
function isSharedName(domain: string): boolean {
  const last = domain.lastIndexOf(".")
  return last > 0 && domain[0] !== "." && /\D/.test(domain.slice(last + 1))
}

function checkAttributes({ sameSite, secure, domain }: CookieAttributes): void {
  if (!["Lax", "Strict", "None"].includes(sameSite)) throw sessionFault("session.option", ["sameSite", sameSite])
  if (secure !== undefined && secure !== "auto" && typeof secure !== "boolean")
    throw sessionFault("session.option", ["secure", secure])
  if (sameSite === "None" && (secure ?? true) !== true) throw sessionFault("session.none_secure", [secure])
  if (domain === undefined) return
  if (typeof domain !== "string" || !isSharedName(domain) || !isCookieDomain(domain))
    throw sessionFault("session.option", ["domain", domain])
}

/**
 * Returns true if other processes may use a store too. For a store that the program has written itself, that is not
 * known.
 */
function isSharedStore(store: object): boolean {
  const { engine } = store as Partial<Store>
  return engine !== undefined && engine !== "memory"
}

/** Returns a function that answers 503 if a call fails. Of several failures in a row, only the first is reported. */
function createGuard(): <Result>(run: () => Promise<Result>) => Promise<Result | HttpError> {
  const outage = new Outage()
  return async (run) => {
    try {
      const result = await run()
      outage.end()
      return result
    } catch (error) {
      outage.reportFailure(error)
      return new HttpError(503, "sessions are not available at the moment: try again", {
        headers: { "Retry-After": "1" },
      })
    }
  }
}

function createMiddleware(cookie: SessionCookie, sessions: Sessions): MiddlewareFunc {
  const [guardRead, guardSave] = [createGuard(), createGuard()]
  return (next) => async (c) => {
    // The middleware may be used twice, in the application and in a directory.
    if (visitsByContext.has(c)) return next(c)
    const id = await cookie.read(c)
    const visit = await guardRead(() => sessions.open(id))
    if (visit instanceof HttpError) return visit
    visitsByContext.set(c, visit)
    const response = await next(c)
    const isSaved = response.status < 500
    // A value that cannot be stored is a mistake of the program. So it is checked here, and not reported as a failure
    // of the store.
    if (isSaved) visit.check()
    const cookieChange = isSaved ? await guardSave(() => sessions.save(visit)) : undefined
    visit.close()
    if (cookieChange instanceof HttpError) return cookieChange
    if (cookieChange) await cookie.write(c, cookieChange)
    // The answer depends on the cookie, so a cache must not send it to somebody with another cookie.
    if (contextsWithSession.has(c)) c.appendHeader("Vary", "Cookie")
    return response
  }
}

/** Adds `c.session` to the class. In programs without sessions, the class does not have it. */
function addGetter(): void {
  if (Object.hasOwn(Context.prototype, "session")) return
  Object.defineProperty(Context.prototype, "session", {
    configurable: true,
    get(this: Context): Session {
      const visit = visitsByContext.get(this)
      if (!visit) throw sessionFault("session.none")
      contextsWithSession.add(this)
      return visit.session
    },
  })
}
