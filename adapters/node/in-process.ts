/**
 * Requests of tests on Node: `app.request()` and `testClient()`. Node's Request and Response take most of the time of such
 * a test, so neither is made before something asks for it.
 */
import { type BodyData, type Exchange, FetchExchange, type HeaderChange } from "../../lib/exchange.ts"
import { testRequest } from "../../lib/mount/in-order.ts"
import { splitTarget } from "../../lib/path.ts"
import type { Platform } from "../../lib/platform.ts"
import { type Around, checkGiven } from "../../lib/request/around.ts"
import { answerContent, answerHeader, answerSize, changeAnswer, makeAnswer } from "./response.ts"

/** See {@link Platform.request}. */
export function requestInProcess(
  ...[answer, target, init, around]: Parameters<NonNullable<Platform["request"]>>
): ReturnType<NonNullable<Platform["request"]>> {
  const parts = partsOf(init)
  const href = parts && hrefOf(target)
  if (!href) return undefined
  checkGiven([around])
  return answer(new InProcessExchange(href, parts, around))
}

/** The parts of a request for which a Request only repeats what it is given. */
interface Parts {
  readonly method: string
  readonly headers: Headers | undefined
  readonly body: string | null
}

const bare: Parts = { method: "GET", headers: undefined, body: null }

/** Methods that a Request accepts in this spelling. */
const methods: ReadonlySet<unknown> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])

/** Returns the parts of a request; null if only a Request can check them. */
function partsOf(init: RequestInit | undefined): Parts | null {
  if (init === undefined) return bare
  if (init === null || Object.getPrototypeOf(init) !== Object.prototype) return null
  for (const name in init) if (name !== "method" && name !== "headers" && name !== "body") return null
  const { method = "GET", body = null, headers } = init
  if (!methods.has(method) || (body !== null && (method === "GET" || method === "HEAD"))) return null
  const isForm = body instanceof URLSearchParams
  if (body !== null && typeof body !== "string" && !isForm) return null
  if (headers === null) return null
  try {
    const own = headers === undefined && body === null ? undefined : new Headers(headers)
    // Fetch standard, "extract a body".
    const type = isForm ? "application/x-www-form-urlencoded;charset=UTF-8" : plainText
    if (body !== null && own && !own.has("content-type")) own.set("content-type", type)
    return { method, headers: own, body: isForm ? String(body) : body }
  } catch {
    // The constructor of Request throws the same error, with its own name in it.
    return null
  }
}

const plainText = "text/plain;charset=UTF-8"
const localOrigin = "http://localhost"

/** Paths and queries that a URL does not change. Two slashes at the start would be a host. */
const plainTarget =
  /^(?!\/\/)(?:\/(?:[\w\-~!$&'()*+,;=:@][\w\-.~!$&'()*+,;=:@]*)?)+(?:\?[\w\-.~!$&()*+,;=:@/?%]*)?$/

/** Returns an absolute URL; null if a Request refuses it. @throws TypeError for a text that is not one. */
function hrefOf(target: string | URL): string | null {
  if (typeof target === "string" && plainTarget.test(target)) return localOrigin + target
  const { href, username, password } = new URL(target, localOrigin)
  return username || password ? null : href
}

const encoder = new TextEncoder()

/** A request whose Request is made when something asks for more than its parts. */
class InProcessExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly env: object | undefined
  readonly #href: string
  readonly #parts: Parts
  readonly #around: Around
  #whole: FetchExchange | undefined = undefined
  #isRead = false

  constructor(href: string, parts: Parts, around: Around) {
    const { path, search } = splitTarget(href)
    this.method = parts.method
    this.path = path
    this.search = search
    this.env = around.env
    this.#href = href
    this.#parts = parts
    this.#around = around
  }

  /** Returns the exchange over a real Request, in the state of this one. */
  #make(): FetchExchange {
    if (this.#whole) return this.#whole
    const { method, headers, body } = this.#parts
    const request = testRequest(this.#href, { method, body, ...(headers && { headers }) })
    if (this.#isRead) void request.arrayBuffer()
    this.#whole = new FetchExchange(request, [this.#around])
    return this.#whole
  }

  /** The Request, as {@link FetchExchange} has it. */
  get request(): Request {
    return this.#make().request
  }

  get address(): string {
    return this.#around.clientIP ?? ""
  }

  get origin(): string {
    return new URL(this.#href).origin
  }

  get signal(): AbortSignal {
    return this.#make().signal
  }

  /** Always false, because only a Request with a signal of the test can be aborted. */
  get aborted(): boolean {
    return false
  }

  waitUntil(promise: Promise<unknown>): void {
    this.#around.waitUntil?.(promise)
  }

  get hasBody(): boolean {
    return this.#parts.body !== null && this.header("content-length") !== "0"
  }

  header(name: string): string {
    // The program may have changed the headers of the Request.
    if (this.#whole) return this.#whole.header(name)
    try {
      return this.#parts.headers?.get(name) ?? ""
    } catch {
      // An invalid header name has no value.
      return ""
    }
  }

  async read<T>(limit: number, make: (bytes: Uint8Array) => T): Promise<T> {
    const bytes = encoder.encode(this.#parts.body ?? "")
    // A second reader, and one whose limit is too low, gets what a Request gives.
    if (this.#whole || this.#isRead || bytes.byteLength > limit) return this.#make().read(limit, make)
    this.#isRead = this.#parts.body !== null
    return make(bytes)
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    return this.#make().stream(limit)
  }

  toRequest(body: BodyData): Request {
    return this.#make().toRequest(body)
  }

  respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    return makeAnswer(status, headers, body)
  }

  change(response: Response, changes: readonly HeaderChange[]): Response {
    return changeAnswer(response, changes)
  }

  size(response: Response): number | null {
    return answerSize(response)
  }

  headerOf(response: Response, name: string): string {
    return answerHeader(response, name)
  }

  contentOf(response: Response): string | Uint8Array | null {
    return answerContent(response)
  }
}
