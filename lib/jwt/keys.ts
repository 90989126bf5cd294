/** The keys that `jwt()` trusts: given with its options, or fetched from an issuer and kept. */
import { HttpError } from "../errors.ts"
import { middlewareFault } from "../middleware/fault.ts"
import { importKey, type JWK, type JWKSet, type JWTAlgorithm, type VerifyKey } from "./algorithms.ts"

/** Where keys come from. */
export interface KeySource {
  /** The keys that are known. @param kid the key that a token names: one that is not known may be new. */
  keys(kid: string | undefined): readonly JWK[] | Promise<readonly JWK[]>
}

/** A set of keys at a URL, and how it is fetched. */
export interface RemoteOptions {
  readonly url: URL
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number
}

/** Seconds that keys are used before they are fetched again. */
const fresh = 600
/** Seconds that old keys are used for while the issuer does not answer. */
const stale = 3600
/** Seconds between two fetches for keys that nobody knows: anyone can make tokens that name them. */
const pause = 30
/** Seconds after a fetch that failed. */
const pauseAfterFailure = 5
/** Milliseconds that a fetch may take. */
const patience = 5000
/** Bytes that a set may have. */
const most = 512 * 1024

/** @throws FwError `jwt` for what is not an `https:` URL. Plain HTTP is for this machine alone: who changes the keys decides who comes in. */
export function checkURL(given: unknown): URL {
  const text = given instanceof URL ? given.href : given
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url?.protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url && (url.protocol === "https:" || isLocal)) return url
  throw middlewareFault("jwt.url")
}

/** @throws FwError `jwt` for what is neither a key nor a set of keys. */
export function checkKeySet(given: unknown): readonly JWK[] {
  const list = readKeys(given) ?? (isKey(given) ? [given] : null)
  if (list && list.length > 0) return list
  throw middlewareFault("jwt.keys")
}

function isKey(value: unknown): value is JWK {
  return typeof (value as Partial<JWK> | null)?.kty === "string"
}

/** The keys of a set; null for what is not one. A key of an unknown kind does no harm (RFC 7517 §5). */
function readKeys(value: unknown): readonly JWK[] | null {
  const { keys } = Object(value) as Partial<JWKSet>
  return Array.isArray(keys) ? keys.filter(isKey) : null
}

/** Keys at a URL. Requests that come while they are fetched wait for the same fetch. */
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

  /** @throws HttpError 503 where the issuer gives no keys, and there are none that may still be used. */
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

  /** Fetches once at a time. A failure leaves what is known. */
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
    // Another address would decide who comes in.
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

/** Imported keys, by the key and the algorithm that it is used for. */
export class ImportedKeys {
  readonly #made = new WeakMap<JWK, Map<JWTAlgorithm, Promise<VerifyKey | null>>>()

  /** The key for an algorithm; null for one that is broken or too weak. */
  get(key: JWK, algorithm: JWTAlgorithm): Promise<VerifyKey | null> {
    const made = this.#made.get(key) ?? new Map<JWTAlgorithm, Promise<VerifyKey | null>>()
    this.#made.set(key, made)
    const imported = made.get(algorithm) ?? importKey(key, algorithm).catch(() => null)
    made.set(algorithm, imported)
    return imported
  }
}
