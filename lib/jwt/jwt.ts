/** `jwt()`: requires every request to have a signed token (RFC 7519). Tokens are verified as RFC 8725 recommends. */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import {
  createChallenge,
  createTokenSecurity,
  quoteRealm,
  readCredentials,
  type TokenSecurity,
} from "../middleware/authorization.ts"
import { middlewareFault } from "../middleware/fault.ts"
import { readCookie } from "../request/cookies.ts"
import { isToken } from "../request/header-grammar.ts"
import type { MiddlewareFunc } from "../types.ts"
import { isOptionalText, isValidClaims, type JWTClaims } from "./claims.ts"
import {
  checkAlgorithms,
  checkKeySet,
  checkURL,
  isKeyFor,
  isSymmetric,
  type JWK,
  type JWKSet,
  type JWTAlgorithm,
  type KeySource,
  listAlgorithms,
  RemoteKeys,
  type TrustedKey,
  toSecretKey,
} from "./keys.ts"

/**
 * Options of `jwt()`: one of `secret`, `keys` and `jwksURL`, and rules for the token.
 *
 * @example
 * const options: JWTOptions = { secret: "a secret of at least 32 bytes, here in clear", issuer: "https://shop.example" }
 * app.use(jwt(options))
 */
export interface JWTOptions {
  /**
   * The secret that this application shares with the issuer, for HS256, HS384 and HS512. It must have at least as many
   * bytes as the hash; text is encoded in UTF-8.
   */
  readonly secret?: string | Uint8Array
  /** Public keys of the issuer. */
  readonly keys?: JWK | JWKSet
  /**
   * The URL at which the issuer publishes its keys. The keys are fetched when a token needs them, and cached for ten
   * minutes. Requires `algorithms`.
   */
  readonly jwksURL?: string | URL
  /**
   * The accepted algorithms. Default: HS256 with a secret; otherwise the algorithms that the keys state in `alg` or by
   * their curve. An RSA key without `alg` states none.
   */
  readonly algorithms?: readonly JWTAlgorithm[]
  /** The accepted issuers (claim `iss`). Default: any. */
  readonly issuer?: string | readonly string[]
  /** Names of this application. The claim `aud` must contain one of them. Default: any `aud`. */
  readonly audience?: string | readonly string[]
  /** The required `typ` in the header of the token, such as `at+jwt` (RFC 9068). Default: any. */
  readonly type?: string
  /** Seconds by which the clocks of issuer and server may differ. Default: 5. */
  readonly clockTolerance?: number
  /** True if a token must have the claim `exp`, the time at which it expires. Default: true. */
  readonly requireExp?: boolean
  /** The name of a cookie that holds the token. Default: the token is in the header `Authorization: Bearer <token>`. */
  readonly cookie?: string
  /**
   * The scheme before the token, for clients that send another one, such as `Authorization: Token abc`. Cannot be used
   * with `cookie`. Default: `Bearer`.
   */
  readonly prefix?: string
  /** The realm in `WWW-Authenticate`. Default: none. */
  readonly realm?: string
  /**
   * Checks the claims of a valid token. The request is accepted only if the result is `true`. An HttpError that it
   * throws is the response; any other error is a 500.
   */
  readonly verify?: (claims: JWTClaims, c: Context) => boolean | Promise<boolean>
  /** Fetches `jwksURL`. Default: the runtime's `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number
}

/** Security that `jwt()` declares for OpenAPI. */
type JWTSecurity<Options> = Options extends { readonly cookie: infer Name extends string }
  ? `cookie ${Name}`
  : TokenSecurity<Options extends { readonly prefix: infer Prefix extends string } ? Prefix : "Bearer", "bearer JWT">

const optionNames: readonly (keyof JWTOptions)[] = [
  "secret",
  "keys",
  "jwksURL",
  "algorithms",
  "issuer",
  "audience",
  "type",
  "clockTolerance",
  "requireExp",
  "cookie",
  "prefix",
  "realm",
  "verify",
  "fetch",
  "now",
]

/**
 * Accepts requests that have a valid token, signed by a trusted issuer. Stores the claims as `jwt`, and the claim `sub`
 * as `user_id`. Answers all other requests with 401.
 *
 * @throws FwError `jwt` for an unknown or invalid option, and for keys without a suitable algorithm.
 * @example
 * app.use(jwt({ jwksURL: "https://issuer.example/jwks.json", algorithms: ["RS256"], issuer: "https://issuer.example" }))
 * app.get("/me", (c) => c.json(200, c.get<JWTClaims>("jwt")))
 * const answer = await app.request("/me")
 * answer.status // → 401
 */
export function jwt<const Options extends JWTOptions>(
  options: Options,
): MiddlewareFunc & { readonly security: JWTSecurity<Options> } {
  checkOptions(options)
  const { cookie, prefix = "Bearer", verify } = options as JWTOptions
  const scheme = prefix.toLowerCase()
  const headerSecurity = createTokenSecurity(prefix, "bearer JWT", "jwt", "jwt()")
  const check = createChecker(options)
  const refuse = createRefusal(options)
  const middleware: MiddlewareFunc = (next) => async (c) => {
    const token =
      cookie === undefined
        ? readCredentials(c.header("authorization"), scheme, /^\S+$/)
        : readCookie(c.header("cookie"), cookie)
    if (token === "") return refuse(cookie === undefined ? "missing authorization header" : "missing cookie", "")
    if (token === null) return refuse("invalid authorization format", "invalid_request")
    const claims = await check(token)
    if (typeof claims === "string")
      return refuse(claims === "expired" ? "the token has expired" : "invalid token", "invalid_token")
    if (verify && (await verify(claims, c)) !== true) return refuse("invalid token", "invalid_token")
    c.set("jwt", claims)
    if (claims.sub !== undefined) c.set("user_id", claims.sub)
    return next(c)
  }
  const security = (cookie === undefined ? headerSecurity : `cookie ${cookie}`) as JWTSecurity<Options>
  return Object.assign(middleware, { security })
}

/** Maximum number of characters of a token. A longer token is refused before it is decoded. */
const maxTokenLength = 8192

/**
 * A part of a token in Base64URL. Each sequence of bytes has one valid spelling (RFC 7515 §2), but runtimes accept
 * others.
 */
const tokenPart = "(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?"
const compactToken = new RegExp(`^${tokenPart}\\.${tokenPart}\\.${tokenPart}$`)

/** Returns a function that checks a token. It returns the claims, or the error code for `WWW-Authenticate`. */
function createChecker(options: JWTOptions) {
  const { now = Date.now, clockTolerance = 5 } = options
  const rules = toClaimRules(options)
  const { source, allowedAlgorithms } = resolveTrust(options, now)
  return async (token: string): Promise<JWTClaims | "expired" | "invalid"> => {
    if (token.length > maxTokenLength || !compactToken.test(token)) return "invalid"
    const currentDate = new Date(now())
    const { jwtVerify } = await import("#vendor/jose")
    try {
      const findKey = (header: object) => selectKey(source, header as TokenHeader)
      const { payload } = await jwtVerify(token, findKey, { ...rules, algorithms: [...allowedAlgorithms], currentDate })
      return isValidClaims(payload, currentDate.getTime() / 1000 + clockTolerance) ? payload : "invalid"
    } catch (error) {
      if (error instanceof HttpError) throw error
      return (error as { readonly code?: unknown }).code === "ERR_JWT_EXPIRED" ? "expired" : "invalid"
    }
  }
}

/** The header of a token whose signature is not verified yet. */
interface TokenHeader {
  readonly alg: JWTAlgorithm
  readonly kid?: unknown
  readonly typ?: unknown
}

/**
 * Returns the key for a token. @throws HttpError 503 if the keys cannot be fetched. @throws Error if no key or several
 * keys fit, and if the header has `crit`, because no extensions are supported (RFC 7515 §4.1.11).
 */
async function selectKey(source: KeySource, header: TokenHeader): Promise<TrustedKey["material"]> {
  const { alg, kid, typ } = header
  if (["crit", "__proto__"].some((name) => Object.hasOwn(header, name)) || !isOptionalText(kid) || !isOptionalText(typ))
    throw new Error("the header of the token is not valid")
  const keys = (await source.keys(kid)).filter((key) => isKeyFor(key, alg))
  // If a token names a key, only that key may verify it. If it names none, exactly one key must fit (RFC 8725 §3.5).
  const namedKeys = kid === undefined ? keys : keys.filter(({ jwk }) => jwk.kid === kid)
  const [key, ...others] = namedKeys.length > 0 ? namedKeys : keys.filter(({ jwk }) => jwk.kid === undefined)
  if (key && others.length === 0) return key.material
  throw new Error("the token has no key, or several")
}

/**
 * Returns the accepted keys and algorithms. Each algorithm fits the type of the keys, so a public key can never be used
 * as a secret (RFC 8725 §2.1).
 */
function resolveTrust(
  options: JWTOptions,
  now: () => number,
): { source: KeySource; allowedAlgorithms: readonly JWTAlgorithm[] } {
  const { secret, keys, jwksURL, algorithms, fetch: fetchURL = fetch } = options
  if (jwksURL !== undefined) {
    const url = checkURL(jwksURL)
    if (!algorithms) throw middlewareFault("jwt.url_algorithms")
    if (algorithms.some(isSymmetric)) throw middlewareFault("jwt.url_symmetric")
    return {
      source: new RemoteKeys({ url, fetch: (...args) => fetchURL(...args), now }),
      allowedAlgorithms: algorithms,
    }
  }
  const allowedAlgorithms = algorithms ?? (secret === undefined ? undefined : ["HS256" as const])
  if (secret !== undefined) {
    if (!allowedAlgorithms?.every(isSymmetric)) throw middlewareFault("jwt.secret_algorithm")
    const list = [toSecretKey(secret, allowedAlgorithms)]
    return { source: { keys: () => list }, allowedAlgorithms }
  }
  const trustedKeys = checkKeySet(keys)
  const keyAlgorithms = allowedAlgorithms ?? [...new Set(trustedKeys.flatMap(listAlgorithms))]
  if (keyAlgorithms.length === 0) throw middlewareFault("jwt.keys_algorithm")
  if (!trustedKeys.some((key) => keyAlgorithms.some((name) => isKeyFor(key, name))))
    throw middlewareFault("jwt.keys_mismatch", [keyAlgorithms])
  return { source: { keys: () => trustedKeys }, allowedAlgorithms: keyAlgorithms }
}

/** Converts the rules for claims to options of the library. */
function toClaimRules({ issuer, audience, type, clockTolerance = 5, requireExp = true }: JWTOptions) {
  if (!(typeof clockTolerance === "number" && clockTolerance >= 0 && clockTolerance <= 600))
    throw middlewareFault("jwt.clock")
  return {
    ...toNames("issuer", issuer),
    ...toNames("audience", audience),
    ...(type !== undefined && { typ: type }),
    clockTolerance,
    requiredClaims: requireExp ? ["exp"] : [],
  }
}

function toNames(option: "issuer" | "audience", value: unknown): { readonly [option: string]: string[] } {
  if (value === undefined) return {}
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > 0 && list.every((name): name is string => typeof name === "string" && name !== ""))
    return { [option]: [...list] }
  throw middlewareFault("jwt.names", [option, value])
}

function checkOptions(options: JWTOptions): void {
  checkKeys(options, optionNames, "jwt", "jwt()", {
    type: "string",
    requireExp: "boolean",
    cookie: "string",
    prefix: "string",
    verify: "function",
    fetch: "function",
    now: "function",
  })
  const { secret, keys, jwksURL, algorithms, cookie, prefix } = options
  if ([secret, keys, jwksURL].filter((one) => one !== undefined).length !== 1) throw middlewareFault("jwt.key")
  if (secret !== undefined && typeof secret !== "string" && !(secret instanceof Uint8Array))
    throw middlewareFault("jwt.secret", [secret])
  if (cookie !== undefined && !isToken(cookie)) throw middlewareFault("jwt.cookie")
  if (cookie !== undefined && prefix !== undefined) throw middlewareFault("jwt.cookie_prefix")
  checkAlgorithms(algorithms)
}

/**
 * Returns a function that creates the error for a refused request. A request without a token gets no error code (RFC
 * 6750 §3.1).
 */
function createRefusal({
  realm,
  cookie,
  prefix = "Bearer",
}: JWTOptions): (message: string, error: string) => HttpError<401> {
  const realmParameter = realm === undefined ? [] : [`realm=${quoteRealm(realm, "jwt", "jwt()")}`]
  return (message, error) => {
    const reason = error === "" || cookie !== undefined ? [] : [`error="${error}"`]
    return createChallenge(message, prefix, [...realmParameter, ...reason])
  }
}
