/** One request and the way to answer it, as an adapter hands them to the app. Each adapter has one; `app.fetch` uses {@link FetchExchange}. */
import { limited, readAll } from "./body.ts"
import { splitTarget } from "./path.ts"

/** A body in the forms that an answer can have. */
export type BodyData = string | Uint8Array | ReadableStream<Uint8Array> | null

/** What `new Response()` takes, under the types of every runtime. */
export type ResponseBody = NonNullable<ConstructorParameters<typeof Response>[0]>

/** One header to put on an answer: `append` keeps what is there. */
export interface HeaderChange {
  readonly name: string
  readonly value: string
  readonly append: boolean
}

/** The request's parts, read on demand, and the making of answers. */
export interface Exchange {
  readonly method: string
  /** The raw path, not decoded. */
  readonly path: string
  /** The query with its `?`, or `""`. */
  readonly search: string
  /** The peer's address, or `""` where the runtime gives none. */
  readonly address: string
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  /** Whether a body follows the headers. */
  readonly hasBody: boolean
  /** A request header by its lower-case name; `""` when absent, `", "` between several. */
  header(name: string): string
  /** The whole body. @throws HttpError 413 past `limit` bytes, 400 when it breaks off. */
  read(limit: number): Promise<Uint8Array>
  /** The body as it arrives, counted: the stream errors with an HttpError 413 past `limit` bytes. */
  stream(limit: number): ReadableStream<Uint8Array> | null
  /** The request as a WHATWG Request with the given body. */
  toRequest(body: BodyData): Request
  /** Makes an answer. `headers` has lower-case names. */
  respond(status: number, headers: Record<string, string>, body: BodyData): Response
  /** Puts headers on an answer, in order. Gives another Response where this one's headers are immutable. */
  change(response: Response, changes: readonly HeaderChange[]): Response
  /** Bytes of an answer's body where they are known without reading it, else null. */
  size(response: Response): number | null
}

/** An exchange over a Request: what `app.fetch` gets. */
export class FetchExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly search: string
  readonly address: string
  readonly #request: Request

  constructor(request: Request, address = "") {
    const { path, search } = splitTarget(request.url)
    this.#request = request
    this.method = request.method
    this.path = path
    this.search = search
    this.address = address
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  get hasBody(): boolean {
    return this.#request.body !== null && this.#request.headers.get("content-length") !== "0"
  }

  header(name: string): string {
    try {
      return this.#request.headers.get(name) ?? ""
    } catch {
      // What no header can be called, none is.
      return ""
    }
  }

  async read(limit: number): Promise<Uint8Array> {
    const { body } = this.#request
    return body ? readAll(body, limit) : new Uint8Array()
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    const { body } = this.#request
    return body && limited(body, limit)
  }

  toRequest(body: BodyData): Request {
    if (body === null) return this.#request
    // Node asks for `duplex` with a streamed body (fetch standard, RequestInit); its absence from older types is the only reason for the wider type.
    const init: RequestInit & { duplex: "half" } = { body: body as ResponseBody, duplex: "half" }
    return new Request(this.#request, init)
  }

  respond(status: number, headers: Record<string, string>, body: BodyData): Response {
    return new Response(body as ResponseBody | null, { status, headers })
  }

  change(response: Response, changes: readonly HeaderChange[]): Response {
    return changeHeaders(response, changes)
  }

  size(response: Response): number | null {
    return knownSize(response)
  }
}

/** Puts headers on a real Response; one with immutable headers (from `fetch`, `Response.redirect`) is made anew. */
export function changeHeaders(response: Response, changes: readonly HeaderChange[]): Response {
  try {
    apply(response.headers, changes)
    return response
  } catch {
    const copy = new Response(response.body, response)
    apply(copy.headers, changes)
    return copy
  }
}

/** A Response of its own with the same content. One that cannot be copied, such as a WebSocket's 101, is given back. */
export function copyOf(response: Response): Response {
  try {
    return new Response(response.body, response)
  } catch {
    return response
  }
}

/** Those of the changes that an answer does not carry already: what it says of a header itself stays. */
export function missingFrom({ headers }: Response, changes: readonly HeaderChange[]): HeaderChange[] {
  return changes.filter(({ name, value, append }) => {
    if (!append) return !headers.has(name)
    if (name === "set-cookie") return !headers.getSetCookie().includes(value)
    return !`, ${headers.get(name)}, `.includes(`, ${value}, `)
  })
}

function apply(headers: Headers, changes: readonly HeaderChange[]): void {
  for (const { name, value, append } of changes)
    append ? headers.append(name, value) : headers.set(name, value)
}

/** What a real Response says of its length. */
export function knownSize(response: Response): number | null {
  const length = response.headers.get("content-length")
  if (length !== null) return Number(length)
  return response.body ? null : 0
}
