/** The keys that `jwt()` trusts: passed as options, or fetched from an issuer and cached. */
import { HttpError } from "../errors.ts"
import { middlewareFault } from "../middleware/fault.ts"
import { importKey, type JWK, type JWKSet, type JWTAlgorithm, type VerifyKey } from "./algorithms.ts"

/** A source of keys. */
export interface KeySource {
  /**
   * Returns the known keys.
   *
   * @param kid the key that a token names. An unknown one may be new.
   */
  keys(kid: string | undefined): readonly JWK[] | Promise<readonly JWK[]>
}

/** Options of a set of keys at a URL. */
export interface RemoteOptions {
  readonly url: URL
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Clock, in milliseconds since 1970. */
  readonly now: () => number
}

/** Seconds after which keys are fetched again. */
const fresh = 600
/** Seconds for which old keys are used if the issuer does not respond. */
const stale = 3600
/** Seconds between two fetches for unknown keys, because anyone can send tokens that name them. */
const pause = 30
/** Seconds after a failed fetch. */
const pauseAfterFailure = 5
/** Timeout of a fetch, in milliseconds. */
const patience = 5000
/** Largest set, in bytes. */
const most = 512 * 1024

/**
 * Checks a URL. @throws FwError `jwt` if it is not `https:`. Plain HTTP is allowed only on this machine,
 * because anyone who can change the keys can issue tokens.
 */
export function checkURL(given: unknown): URL {
  const text = given instanceof URL ? given.href : given
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url?.protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url && (url.protocol === "https:" || isLocal)) return url
  throw middlewareFault("jwt.url")
}

/** Checks keys. @throws FwError `jwt` for a value that is neither a key nor a set of keys. */
export function checkKeySet(given: unknown): readonly JWK[] {
  const list = readKeys(given) ?? (isKey(given) ? [given] : null)
  if (list && list.length > 0) return list
  throw middlewareFault("jwt.keys")
}

function isKey(value: unknown): value is JWK {
  return typeof (value as Partial<JWK> | null)?.kty === "string"
}

/** Returns the keys of a set; null for any other value. Keys of unknown types are ignored (RFC 7517 §5). */
function readKeys(value: unknown): readonly JWK[] | null {
  const { keys } = Object(value) as Partial<JWKSet>
  return Array.isArray(keys) ? keys.filter(isKey) : null
}

/** Keys at a URL. Concurrent requests wait for the same fetch. */
export class RemoteKeys implements KeySource {
  readonly #options: RemoteOptions
  #known: readonly JWK[] | undefined
  #fetchedAt = 0
  #triedAt = Number.NEGATIVE_INFINITY
  #failed = false
  #running: Promise<void> | undefined

  constructor(options: RemoteOptions) {
    this.#options = options
  }

  /**
   * Returns the keys. @throws HttpError 503 if the issuer does not return keys, and there are none that may
   * still be used.
   */
  async keys(kid: string | undefined): Promise<readonly JWK[]> {
    const known = this.#known
    const age = (this.#options.now() - this.#fetchedAt) / 1000
    const isNew = kid !== undefined && !known?.some((key) => key.kid === kid)
    if (known && age < fresh && !isNew) return known
    const waited = (this.#options.now() - this.#triedAt) / 1000
    if (this.#running || waited >= (this.#failed ? pauseAfterFailure : pause)) await this.#refresh()
    if (this.#known && (this.#options.now() - this.#fetchedAt) / 1000 < stale) return this.#known
    throw unavailable()
  }

  /** Fetches keys, once at a time. After a failure, the known keys stay. */
  #refresh(): Promise<void> {
    this.#running ??= this.#fetch().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #fetch(): Promise<void> {
    this.#triedAt = this.#options.now()
    try {
      this.#known = await fetchKeys(this.#options)
      this.#fetchedAt = this.#options.now()
      this.#failed = false
    } catch (cause) {
      this.#failed = true
      if (!this.#known) throw unavailable(cause)
    }
  }
}

function unavailable(cause?: unknown): HttpError<503> {
  return new HttpError(503, "the keys for this token cannot be fetched", {
    headers: { "Retry-After": String(pauseAfterFailure) },
    cause,
  })
}

async function fetchKeys({ url, fetch }: RemoteOptions): Promise<readonly JWK[]> {
  const response = await fetch(url.href, {
    headers: { accept: "application/jwk-set+json, application/json" },
    // A redirect could lead to another issuer.
    redirect: "error",
    signal: AbortSignal.timeout(patience),
  })
  if (!response.ok) throw new Error(`the issuer answered ${response.status}`)
  const keys = readKeys(JSON.parse(await readText(response)))
  if (!keys) throw new Error("the issuer gave no set of keys")
  return keys
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let size = 0
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || !value) return text + decoder.decode()
    size += value.byteLength
    if (size > most) {
      reader?.cancel().catch(() => {})
      throw new Error(`the issuer's keys are more than ${most} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Imported keys, by key and algorithm. */
export class ImportedKeys {
  readonly #made = new WeakMap<JWK, Map<JWTAlgorithm, Promise<VerifyKey | null>>>()

  /** Returns the imported key for an algorithm; null if it is invalid or too weak. */
  get(key: JWK, algorithm: JWTAlgorithm): Promise<VerifyKey | null> {
    const made = this.#made.get(key) ?? new Map<JWTAlgorithm, Promise<VerifyKey | null>>()
    this.#made.set(key, made)
    const imported = made.get(algorithm) ?? importKey(key, algorithm).catch(() => null)
    made.set(algorithm, imported)
    return imported
  }
}
