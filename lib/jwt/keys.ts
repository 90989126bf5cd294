/** Reads and fetches the keys that `jwt()` trusts, and says which algorithm each key is for. */
import { HttpError } from "../errors.ts"
import { middlewareFault } from "../middleware/fault.ts"
import { readAll } from "../request/body-streams.ts"
import { decodeJSON } from "../request/json.ts"

/**
 * A key as JSON (RFC 7517). Its private fields are not read.
 *
 * @example const key: JWK = { kty: "RSA", kid: "2026", alg: "RS256", n: "sXchWx…", e: "AQAB" }
 */
export interface JWK {
  readonly kty: string
  readonly kid?: string
  readonly alg?: string
  readonly use?: string
  readonly key_ops?: readonly string[]
  readonly [name: string]: unknown
}

/**
 * A set of keys (RFC 7517 §5).
 *
 * @example const keys: JWKSet = { keys: [{ kty: "EC", crv: "P-256", x: "f83OJ3D2…", y: "x_FEzRu9…" }] }
 */
export interface JWKSet {
  readonly keys: readonly JWK[]
}

/**
 * An algorithm that `jwt()` supports. `none` is not among them. @example const algorithms: JWTAlgorithm[] = ["ES256",
 * "RS256"]
 */
export type JWTAlgorithm = keyof typeof algorithms

/** The type of key of each algorithm, and its curve (RFC 7518 §3, RFC 8037). */
const algorithms = {
  HS256: ["oct"],
  HS384: ["oct"],
  HS512: ["oct"],
  RS256: ["RSA"],
  RS384: ["RSA"],
  RS512: ["RSA"],
  PS256: ["RSA"],
  PS384: ["RSA"],
  PS512: ["RSA"],
  ES256: ["EC", "P-256"],
  ES384: ["EC", "P-384"],
  ES512: ["EC", "P-521"],
  EdDSA: ["OKP", "Ed25519"],
  // The name that RFC 9864 gives to EdDSA with this curve.
  Ed25519: ["OKP", "Ed25519"],
} as const

const algorithmNames = /* @__PURE__ */ Object.keys(algorithms) as readonly JWTAlgorithm[]

/** A key that may verify tokens. */
export interface TrustedKey {
  readonly jwk: JWK
  /** What the library gets: only the fields of the key that verify signatures. */
  readonly material: { readonly kty: string } | Uint8Array
}

/** The keys from the options of `jwt()`, or those at a URL. */
export interface KeySource {
  /**
   * Returns the known keys.
   *
   * @param kid the id of the key that a token names. If it is unknown, the source may look for new keys.
   */
  keys(kid: string | undefined): readonly TrustedKey[] | Promise<readonly TrustedKey[]>
}

/**
 * Checks a list of algorithms. @throws FwError `jwt` for a value that is not a list of known algorithms; `none` is not
 * a known one.
 */
export function checkAlgorithms(list: unknown): asserts list is readonly JWTAlgorithm[] | undefined {
  if (list === undefined) return
  if (Array.isArray(list) && list.length > 0 && list.every((name) => algorithmNames.includes(name))) return
  throw middlewareFault("jwt.algorithms", [algorithmNames])
}

/** Returns true if an algorithm uses a secret that the issuer shares with the application. */
export function isSymmetric(name: JWTAlgorithm): boolean {
  return algorithms[name][0] === "oct"
}

/**
 * Returns true if a key may be used with an algorithm: its type and curve fit, and so do its fields (RFC 7517 §4.2 to
 * §4.4).
 */
export function isKeyFor({ jwk: key }: TrustedKey, name: JWTAlgorithm): boolean {
  const [kty, curve]: readonly [string, string?] = algorithms[name]
  if (key.kty !== kty || (curve !== undefined && key.crv !== curve)) return false
  if (key.use !== undefined && key.use !== "sig") return false
  if (Array.isArray(key.key_ops) && !key.key_ops.includes("verify")) return false
  return key.alg === undefined || key.alg === name || (kty === "OKP" && algorithmNames.includes(key.alg as never))
}

/**
 * Returns the algorithms that a key states by its `alg` or its curve. An RSA key or a secret without `alg` states none.
 */
export function listAlgorithms(key: TrustedKey): readonly JWTAlgorithm[] {
  return algorithmNames.filter(
    (name) => isKeyFor(key, name) && (key.jwk.alg !== undefined || algorithms[name].length > 1),
  )
}

/** Checks keys. @throws FwError `jwt` for a value that is neither a key nor a set of keys. */
export function checkKeySet(value: unknown): readonly TrustedKey[] {
  const list = readKeys(value) ?? (isKey(value) ? [toTrustedKey(value)] : [])
  if (list.length > 0) return list
  throw middlewareFault("jwt.keys")
}

function isKey(value: unknown): value is JWK {
  return typeof (value as Partial<JWK> | null)?.kty === "string"
}

/** Returns the keys of a set; null for any other value. Keys of unknown types are ignored (RFC 7517 §5). */
function readKeys(value: unknown): readonly TrustedKey[] | null {
  const { keys } = Object(value) as Partial<JWKSet>
  return Array.isArray(keys) ? keys.filter(isKey).map(toTrustedKey) : null
}

/** Returns a key without its private fields. The library would refuse a key that has them. */
function toTrustedKey(jwk: JWK): TrustedKey {
  const { kty, crv, x, y, n, e, k } = jwk
  const publicFields = Object.entries({ crv, x, y, n, e, k }).filter(([, value]) => value !== undefined)
  return { jwk, material: { kty, ...Object.fromEntries(publicFields) } }
}

/**
 * Returns a secret as a key. @throws FwError `jwt` if it is shorter than the longest hash of the allowed algorithms
 * (RFC 7518 §3.2).
 */
export function toSecretKey(secret: string | Uint8Array, algorithms: readonly JWTAlgorithm[]): TrustedKey {
  const material = typeof secret === "string" ? new TextEncoder().encode(secret) : secret.slice()
  const minBytes = Math.max(...algorithms.map((name) => Number(name.slice(2)) / 8))
  // The message shows neither the secret nor its length.
  if (material.byteLength < minBytes) throw middlewareFault("jwt.secret_length", [minBytes, algorithms])
  return { jwk: { kty: "oct" }, material }
}

/**
 * Checks the URL of a set of keys. @throws FwError `jwt` if it is not `https:`. Anyone who can change the keys can
 * issue tokens, so plain HTTP is allowed only on this machine.
 */
export function checkURL(value: unknown): URL {
  const text = value instanceof URL ? value.href : value
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url?.protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url && (url.protocol === "https:" || isLocal)) return url
  throw middlewareFault("jwt.url")
}

/** Options of a set of keys at a URL. */
export interface RemoteKeysOptions {
  readonly url: URL
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Clock, in milliseconds since 1970. */
  readonly now: () => number
}

/** Seconds after which the keys are fetched again. */
const freshSeconds = 600
/** Seconds for which known keys are used while the issuer does not respond. */
const staleSeconds = 3600
/**
 * Minimum number of seconds between two fetches because of unknown keys. Without it, anyone could cause fetches by
 * sending tokens with invented ids.
 */
const unknownKeyPauseSeconds = 30
/** Seconds to wait after a fetch has failed. */
const failurePauseSeconds = 5
/** Timeout of a fetch, in milliseconds. */
const timeoutMs = 5000
/** Maximum size of a set of keys. */
const maxBytes = 512 * 1024

/** The keys at a URL. */
export class RemoteKeys implements KeySource {
  readonly #options: RemoteKeysOptions
  #cachedKeys: readonly TrustedKey[] | undefined
  #fetchedAt = 0
  #triedAt = Number.NEGATIVE_INFINITY
  #hasFailed = false
  #refreshPromise: Promise<void> | undefined

  constructor(options: RemoteKeysOptions) {
    this.#options = options
  }

  /**
   * Returns the keys. @throws HttpError 503 if the issuer does not return keys, and no known keys may be used any more.
   */
  async keys(kid: string | undefined): Promise<readonly TrustedKey[]> {
    const cachedKeys = this.#cachedKeys
    const isUnknownKey = kid !== undefined && !cachedKeys?.some(({ jwk }) => jwk.kid === kid)
    if (cachedKeys && this.#getSecondsSince(this.#fetchedAt) < freshSeconds && !isUnknownKey) return cachedKeys
    const pauseSeconds = this.#hasFailed ? failurePauseSeconds : unknownKeyPauseSeconds
    if (this.#refreshPromise || this.#getSecondsSince(this.#triedAt) >= pauseSeconds) await this.#refresh()
    if (this.#cachedKeys && this.#getSecondsSince(this.#fetchedAt) < staleSeconds) return this.#cachedKeys
    throw createUnavailableError()
  }

  #getSecondsSince(time: number): number {
    return (this.#options.now() - time) / 1000
  }

  /** Fetches keys. Concurrent calls share one fetch. After a failure, the known keys stay. */
  #refresh(): Promise<void> {
    this.#refreshPromise ??= this.#fetch().finally(() => {
      this.#refreshPromise = undefined
    })
    return this.#refreshPromise
  }

  async #fetch(): Promise<void> {
    this.#triedAt = this.#options.now()
    try {
      this.#cachedKeys = await fetchKeys(this.#options)
      this.#fetchedAt = this.#options.now()
      this.#hasFailed = false
    } catch (cause) {
      this.#hasFailed = true
      if (!this.#cachedKeys) throw createUnavailableError(cause)
    }
  }
}

function createUnavailableError(cause?: unknown): HttpError<503> {
  return new HttpError(503, "the keys for this token cannot be fetched", {
    headers: { "Retry-After": String(failurePauseSeconds) },
    cause,
  })
}

async function fetchKeys({ url, fetch }: RemoteKeysOptions): Promise<readonly TrustedKey[]> {
  const response = await fetch(url.href, {
    headers: { accept: "application/jwk-set+json, application/json" },
    // A redirect could lead to another issuer, so it is not followed. Workers refuse the value "error".
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`the issuer answered ${response.status}`)
  const keys = readKeys(decodeJSON(await readAll(response.body, maxBytes)))
  if (!keys) throw new Error("the issuer gave no set of keys")
  return keys
}
