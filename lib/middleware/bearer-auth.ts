/** `bearerAuth()`: requires a token for every request (RFC 6750). */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import type { MiddlewareFunc } from "../types.ts"
import {
  checkEither,
  createChallenge,
  createTokenSecurity,
  quoteRealm,
  readCredentials,
  type TokenSecurity,
} from "./authorization.ts"
import { middlewareFault } from "./fault.ts"
import { isSameSecret } from "./is-same-secret.ts"

/**
 * Options of `bearerAuth()`: `tokens` or `verify`.
 *
 * @example
 * const owners = new Map([["t0ken", "ada"]])
 * const options: BearerAuthOptions = {
 *   verify(token, c) {
 *     c.set("user_id", owners.get(token))
 *     return owners.has(token)
 *   },
 * }
 * app.use(bearerAuth(options))
 */
export interface BearerAuthOptions<Prefix extends string = string> {
  /** Valid tokens. They are compared in constant time. */
  readonly tokens?: readonly string[]
  /**
   * Returns true to accept a request. It may store values in the context. An HttpError that it throws is the response;
   * any other error is a 500.
   */
  readonly verify?: (token: string, c: Context) => boolean | Promise<boolean>
  /** The realm in `WWW-Authenticate`. Default: none. */
  readonly realm?: string
  /**
   * The scheme before the token, for clients that send another one, such as `Authorization: Token abc`. Default:
   * `Bearer`.
   */
  readonly prefix?: Prefix
}

/** The format of a token (RFC 6750 §2.1, "b64token"). */
const b64token = /^[\w\-.~+/]+=*$/

/**
 * Accepts requests with a valid token: `Authorization: Bearer <token>`. Answers all others with 401 and
 * `WWW-Authenticate: Bearer`.
 *
 * @throws FwError `bearer_auth` for an unknown or invalid option.
 * @example
 * app.use(bearerAuth({ tokens: ["t0ken"] }))
 * const answer = await app.request("/", { headers: { Authorization: "Bearer other" } })
 * await answer.json() // → { error: "unauthorized", message: "invalid token" }
 */
export function bearerAuth<const Prefix extends string = "Bearer">(
  options: BearerAuthOptions<Prefix>,
): MiddlewareFunc & { readonly security: TokenSecurity<Prefix, "bearer"> } {
  checkKeys(options, ["tokens", "verify", "realm", "prefix"], "bearer_auth", "bearerAuth()")
  checkEither(options, "tokens", "bearer_auth", "bearerAuth()")
  const { prefix = "Bearer" as Prefix } = options
  const security = createTokenSecurity(prefix, "bearer", "bearer_auth", "bearerAuth()")
  const verify = options.verify ?? createVerifier(options.tokens as readonly string[])
  const realm = options.realm === undefined ? [] : [`realm=${quoteRealm(options.realm, "bearer_auth", "bearerAuth()")}`]
  // A request without a token gets no error code (RFC 6750 §3.1).
  const refuse = (message: string, error: string) => createChallenge(message, prefix, [...realm, error])
  const middleware: MiddlewareFunc = (next) => async (c) => {
    const token = readCredentials(c.header("authorization"), prefix.toLowerCase(), b64token)
    if (token === "") return refuse("missing authorization header", "")
    if (token === null) return refuse("invalid authorization format", 'error="invalid_request"')
    if ((await verify(token, c)) !== true) return refuse("invalid token", 'error="invalid_token"')
    return next(c)
  }
  return Object.assign(middleware, { security })
}

function createVerifier(tokens: readonly string[]): NonNullable<BearerAuthOptions["verify"]> {
  if (!Array.isArray(tokens) || tokens.length === 0 || !tokens.every((token) => b64token.test(String(token ?? "")))) {
    throw middlewareFault("bearer_auth.tokens")
  }
  const validTokens = [...tokens]
  return async (sentToken) => {
    // The token is compared with all valid tokens. Otherwise the time would tell which one it resembles.
    const results = await Promise.all(validTokens.map((token) => isSameSecret(sentToken, token)))
    return results.includes(true)
  }
}
