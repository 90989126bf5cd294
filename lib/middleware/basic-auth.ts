/** `basicAuth()`: requires a name and a password for every request (RFC 7617). */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import type { MiddlewareFunc } from "../types.ts"
import { checkEither, createChallenge, quoteRealm, readCredentials } from "./authorization.ts"
import { middlewareFault } from "./fault.ts"
import { isSameSecret } from "./is-same-secret.ts"

/**
 * Options of `basicAuth()`: `users` or `verify`.
 *
 * @example
 * const options: BasicAuthOptions = { verify: (name, password) => name === "ada" && password === "let-me-in" }
 * app.use(basicAuth(options))
 */
export interface BasicAuthOptions {
  /**
   * Passwords by name, such as `{ ada: process.env.PASSWORD }`. On workers, use `env.PASSWORD` of `cloudflare:workers`.
   * Passwords are compared in constant time.
   */
  readonly users?: Readonly<Record<string, string>>
  /**
   * Returns true to accept a request. It may store values in the context. An HttpError that it throws is the response;
   * any other error is a 500.
   */
  readonly verify?: (name: string, password: string, c: Context) => boolean | Promise<boolean>
  /** The text that browsers show when they ask for the password. Default: `Restricted`. */
  readonly realm?: string
}

/**
 * Accepts requests with a valid name and password, and stores the name as `user_id`. Answers all others with 401 and
 * `WWW-Authenticate: Basic`, which makes browsers ask for the password. Names and passwords are sent unencrypted, so
 * use TLS.
 *
 * @throws FwError `basic_auth` for an unknown or invalid option.
 * @example
 * app.use(basicAuth({ users: { ada: process.env.ADMIN_PASSWORD ?? "let-me-in" }, realm: "Admin" }))
 * const answer = await app.request("/")
 * answer.headers.get("WWW-Authenticate") // → 'Basic realm="Admin", charset="UTF-8"'
 */
export function basicAuth(options: BasicAuthOptions): MiddlewareFunc & { readonly security: "basic" } {
  checkKeys(options, ["users", "verify", "realm"], "basic_auth", "basicAuth()")
  checkEither(options, "users", "basic_auth", "basicAuth()")
  const verify = options.verify ?? createVerifier(options.users as Readonly<Record<string, string>>)
  const realm = quoteRealm(options.realm ?? "Restricted", "basic_auth", "basicAuth()")
  // RFC 7617 §2.1: with `charset`, browsers send names and passwords in UTF-8.
  const refuse = (message: string) => createChallenge(message, "Basic", [`realm=${realm}`, `charset="UTF-8"`])
  const middleware: MiddlewareFunc = (next) => async (c) => {
    const credentials = readCredentials(c.header("authorization"), "basic", /^[A-Za-z0-9+/]+={0,2}$/)
    if (credentials === "") return refuse("missing authorization header")
    const pair = credentials && decodeCredentials(credentials)
    if (!pair) return refuse("invalid authorization format")
    const [name, password] = pair
    if ((await verify(name, password, c)) !== true) return refuse("invalid credentials")
    c.set("user_id", name)
    return next(c)
  }
  return Object.assign(middleware, { security: "basic" as const })
}

/**
 * Decodes name and password. The name ends at the first colon, and neither may contain control characters (RFC 7617
 * §2).
 */
function decodeCredentials(credentials: string): [name: string, password: string] | null {
  try {
    const bytes = Uint8Array.from(atob(credentials), (char) => char.charCodeAt(0))
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    const colon = text.indexOf(":")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 §2 forbids them.
    if (colon < 0 || /[\x00-\x1f\x7f-\x9f]/.test(text)) return null
    return [text.slice(0, colon), text.slice(colon + 1)]
  } catch {
    return null
  }
}

function createVerifier(passwordsByUser: Readonly<Record<string, string>>): NonNullable<BasicAuthOptions["verify"]> {
  const users = new Map(
    Object.entries(
      Object(passwordsByUser) === passwordsByUser && !Array.isArray(passwordsByUser) ? passwordsByUser : {},
    ),
  )
  if (users.size === 0) throw middlewareFault("basic_auth.none")
  for (const [name, password] of users) {
    if (typeof password === "string" && password !== "" && !name.includes(":")) continue
    // Only the name is shown, because the mistake may be in the password, which is a secret.
    throw middlewareFault("basic_auth.user", [name])
  }
  return async (name, password) => {
    const expected = users.get(name)
    // The comparison also runs for an unknown name. Otherwise the time would tell which names exist.
    return (await isSameSecret(password, expected ?? "")) && expected !== undefined
  }
}
