/** Sends requests and reads answers. This part of a client is the same for every API. */

/**
 * The operations of the API. In a generated client, `fw generate client` replaces this declaration and the three below
 * it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the generated interface has a function for each operation
interface Client {}
const operations: Readonly<Record<string, Operation>> = {}
const dates: Readonly<Record<string, DatesIn>> = {}
const defaultBaseURL: string = ""

// Everything below this line is copied.

/**
 * Creates a client. Its functions return every answer that the API describes, including errors: test `ok` or `status`.
 *
 * @throws UnexpectedAnswer, from a call, for an answer that the API does not describe. Errors of fetch are passed on,
 * such as a failed connection or an aborted signal.
 */
export function createClient(options: ClientOptions = {}): Client {
  const table: Readonly<Record<string, Operation>> = operations
  const calls: Record<string, Call> = {}
  for (const [name, operation] of Object.entries(table))
    calls[name] = (input = {}) => send(operation, input, options)
  return calls as unknown as Client
}

/** Options of the client. */
export interface ClientOptions {
  /** The start of all addresses, such as `https://api.example.com`. Default in browsers: the origin of the page. */
  readonly baseURL?: string | undefined
  /** Sends a request, such as `app.fetch` in tests. Default: the runtime's fetch. */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined
  /** A token that is sent as `Authorization: Bearer …`, or a function that returns the token before every request. */
  readonly bearer?: Given<string | undefined> | undefined
  /** Headers of every request, or a function that returns them before every request. */
  readonly headers?: Given<HeaderValues> | undefined
  /** More options of fetch, such as `{ credentials: "include" }`. */
  readonly init?: RequestInit | undefined
}

/** A value, or a function that returns it before every request. */
type Given<Value> = Value | (() => Value | Promise<Value>)

/** Headers by name. A header whose value is undefined is not sent. */
export interface HeaderValues {
  readonly [name: string]: string | number | boolean | readonly string[] | undefined
}

/** Bytes that fetch can send, such as a Blob, a buffer or a stream. */
export type BodyValue = NonNullable<RequestInit["body"]>

/** Options of every function. */
export interface CallOptions {
  /** Aborts the request, or the stream of events in its answer. */
  readonly signal?: AbortSignal | undefined
  /** Headers of this request. */
  readonly headers?: HeaderValues | undefined
}

/** A successful answer: its status is 2xx, or a redirect that the API describes. */
export interface Ok<Status, Data> {
  readonly ok: true
  readonly status: Status
  readonly data: Data
  readonly error?: undefined
  /** The whole answer, for its headers. The body has been read already. */
  readonly response: Response
}

/** An answer that reports an error. */
export interface Failed<Status, Body> {
  readonly ok: false
  readonly status: Status
  readonly data?: undefined
  readonly error: Body
  /** The whole answer, for its headers. The body has been read already. */
  readonly response: Response
}

/**
 * Any status that the API does not name. It is a number at run time. As a type of its own, it lets `status === 200`
 * select the answers with status 200 only.
 */
export type { OtherStatus }

declare enum OtherStatus {
  Any = -1,
}

/** An event of a stream (HTML standard, "Server-sent events"). */
export interface ServerEvent {
  /** Its type; `message` if the server names none. */
  readonly event: string
  readonly data: string
  /** The last id that the server sent; `""` before the first. */
  readonly id: string
}

/** An error that the client throws for an answer that the API does not describe, such as an error page of a gateway. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer"
  readonly response: Response
  /** The body as text; empty if it was not read. */
  readonly text: string

  constructor(message: string, response: Response, text = "") {
    super(message)
    this.response = response
    this.text = text
  }
}

/**
 * Where an answer has dates: `"date"` if the value is one, otherwise inside a list or an object, in one of several
 * types, or as the entry of `dates` says that `type` names.
 */
type DatesIn =
  | "date"
  | ((DatesInside | { readonly any: readonly DatesIn[] } | { readonly type: string }) & Meant)

/** Where a list or an object has dates: by key, by the pattern of a key, and in all other values. */
interface DatesInside {
  readonly at?: Readonly<Record<string, DatesIn | null>>
  readonly like?: Readonly<Record<string, DatesIn | null>>
  readonly each?: DatesIn
}

/** Conditions that a value must meet to be of a type: values of some properties, and properties that it must have. */
interface Meant {
  readonly when?: Readonly<Record<string, readonly unknown[]>>
  readonly has?: readonly string[]
}

interface Operation {
  readonly method: string
  /** The path with its parameters: `{id}`, or `{path...}` for one that may contain slashes. */
  readonly path: string
  readonly form?: "multipart"
  /** The media type of the body by status; `""` if the answer has no body. */
  readonly answers: Readonly<Record<string, string>>
  /** Where the body has dates, by status. */
  readonly dates?: Readonly<Record<string, DatesIn>>
}

interface Input extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: object
  readonly cookies?: object
  readonly body?: unknown
  readonly form?: object
  readonly text?: string
  readonly bytes?: BodyValue
}

type Call = (input?: Input) => Promise<unknown>

async function send(operation: Operation, input: Input, options: ClientOptions): Promise<unknown> {
  const { signal } = input
  const { body, type } = buildBody(operation, input)
  const request = new Request(buildAddress(operation, input, options), {
    ...options.init,
    method: operation.method,
    headers: await buildHeaders(operation, input, options, type),
    ...(body !== undefined && { body }),
    ...(body instanceof ReadableStream && { duplex: "half" }),
    ...(signal && { signal }),
    ...(Object.keys(operation.answers).some((status) => status.startsWith("3")) && { redirect: "manual" }),
  })
  const response = await (options.fetch ?? fetch)(request)
  return readResult(operation, response)
}

function buildAddress(
  { path }: Operation,
  { params = {}, query = {} }: Input,
  options: ClientOptions,
): string {
  const filled = path.replace(/\{([^{}]+?)(\.\.\.)?\}/g, (_, name: string, rest?: string) => {
    const text = toText(params[name])
    return (rest ? text.split("/") : [text]).map((part) => encodeSegment(part, name)).join("/")
  })
  const search = new URLSearchParams(listTexts(query)).toString()
  return getBaseURL(options) + filled + (search && `?${search}`)
}

/**
 * Encodes a segment of a path. `.`, `..` and an empty text are refused: a URL drops the first two, even encoded, and
 * without the third another route would answer.
 */
function encodeSegment(text: string, name: string): string {
  if (text !== "" && text !== "." && text !== "..") return encodeURIComponent(text)
  throw new TypeError(`The parameter "${name}" cannot be "${text}" in a path`)
}

function getBaseURL({ baseURL = defaultBaseURL, fetch: own }: ClientOptions): string {
  const base = baseURL.replace(/\/+$/, "")
  const { location } = globalThis as { readonly location?: unknown }
  if (/^[a-z][a-z\d+.-]*:/i.test(base) || location !== undefined) return base
  if (own) return `http://localhost${base}`
  throw new TypeError("createClient() needs a baseURL here, such as https://api.example.com")
}

async function buildHeaders(
  { answers }: Operation,
  { headers, cookies = {} }: Input,
  options: ClientOptions,
  type: string | undefined,
): Promise<Headers> {
  const made = new Headers({ accept: getAcceptHeader(answers) })
  const token = await getCurrent(options.bearer)
  const jar = listTexts(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  if (token !== undefined) made.set("authorization", `Bearer ${token}`)
  if (type !== undefined) made.set("content-type", type)
  if (jar.length > 0) made.set("cookie", jar.join("; "))
  for (const given of [await getCurrent(options.headers), headers])
    for (const [name, value] of Object.entries(given ?? {}))
      if (value !== undefined) made.set(name, String(value))
  return made
}

function getCurrent<Value>(given: Given<Value> | undefined): Value | Promise<Value> | undefined {
  return typeof given === "function" ? (given as () => Value | Promise<Value>)() : given
}

/** Returns the Accept header. It includes JSON even where the result is something else, because errors are JSON. */
function getAcceptHeader(answers: Readonly<Record<string, string>>): string {
  const wanted = Object.entries(answers).filter(([status, media]) => Number(status) < 400 && media !== "")
  const [media = "application/json"] = wanted.map(([, media]) => media)
  return media === "application/json" ? media : `${media}, application/json;q=0.9`
}

function buildBody(
  { form: kind }: Operation,
  { body, form, text, bytes }: Input,
): { body?: BodyValue; type?: string } {
  if (body !== undefined) return { body: JSON.stringify(body, toJSONValue), type: "application/json" }
  if (text !== undefined) return { body: text, type: "text/plain; charset=utf-8" }
  if (bytes !== undefined) return { body: bytes, type: "application/octet-stream" }
  if (form === undefined) return {}
  if (kind !== "multipart") return { body: new URLSearchParams(listTexts(form)) }
  const data = new FormData()
  for (const [name, value] of listValues(form))
    data.append(name, value instanceof Blob ? value : toText(value))
  return { body: data }
}

/** Returns a bigint as a string, which a server turns into a bigint again. */
function toJSONValue(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}

/**
 * Returns names and values to send. A list becomes several values with the same name; `null` and `undefined` are not
 * sent.
 */
function listValues(values: object): [string, unknown][] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, unknown] => [name, one]),
  )
}

function listTexts(values: object): [string, string][] {
  return listValues(values).map(([name, value]) => [name, toText(value)])
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "")
}

async function readResult({ answers, dates: dated = {} }: Operation, response: Response): Promise<unknown> {
  const { status } = response
  if (response.type === "opaqueredirect")
    throw new UnexpectedAnswer("The API sent a redirect, which browsers do not show to programs", response)
  const { default: usual } = answers
  const known = answers[status] ?? usual ?? (status >= 400 ? "application/json" : undefined)
  if (known === undefined)
    throw new UnexpectedAnswer(`The API does not describe an answer with status ${status}`, response)
  const body = await readBody(response, known)
  const { default: usualDates } = dated
  const places = dated[status] ?? usualDates
  const data = places === undefined ? body : parseDates(body, places)
  return status < 400 ? { ok: true, status, data, response } : { ok: false, status, error: data, response }
}

async function readBody(response: Response, known: string): Promise<unknown> {
  if (known === "") {
    await response.body?.cancel()
    return undefined
  }
  const sent = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? ""
  const media = known === "*/*" ? sent.trim() : known
  if (media === "text/event-stream" && response.body) return readEvents(response.body)
  if (/^application\/(?:.+\+)?json$/.test(media)) return readJSON(response)
  return media.startsWith("text/") ? response.text() : response.blob()
}

async function readJSON(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new UnexpectedAnswer(`An answer with status ${response.status} is not JSON`, response, text)
  }
}

/** Turns the strings in an answer into Date objects where the API says that they are dates. */
function parseDates(value: unknown, places: DatesIn): unknown {
  if (places === "date") {
    const isDate = typeof value === "string" && /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT/.test(value)
    const date = new Date(isDate ? value : Number.NaN)
    return Number.isNaN(date.getTime()) ? value : date
  }
  const { when = {}, has = [] } = places
  const object = Object(value) as Record<string, unknown>
  const isMeant = Object.entries(when).every(([key, values]) => values.includes(object[key]))
  if (!isMeant || !has.every((key) => key in object)) return value
  if ("type" in places) return parseDates(value, dates[places.type] ?? {})
  if ("any" in places) return places.any.reduce(parseDates, value)
  if (typeof value !== "object" || value === null) return value
  for (const key of Object.keys(object))
    for (const inner of findPlaces(key, places)) object[key] = parseDates(object[key], inner)
  return object
}

/** Returns where the value of a key has dates. */
function findPlaces(key: string, { at = {}, like = {}, each }: DatesInside): DatesIn[] {
  const named = Object.entries(at).filter(([name]) => name === key)
  const alike = Object.entries(like).filter(([pattern]) => new RegExp(pattern, "u").test(key))
  const own = named.length > 0 ? named : alike
  const all = own.length > 0 ? own.map(([, places]) => places) : [each]
  return all.filter((places) => places !== undefined && places !== null)
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let [rest, event, id] = ["", "", ""]
  let data: string[] = []
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      rest += decoder.decode(part.value, { stream: true })
      // A carriage return at the end may be the first half of a line break, so it is kept for the next part.
      const lines = rest.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
        if (field === "data") data.push(value)
        else if (field === "event") event = value
        else if (field === "id" && !value.includes("\0")) id = value
        else if (line === "") {
          if (data.length > 0) yield { event: event || "message", data: data.join("\n"), id }
          event = ""
          data = []
        }
      }
    }
  } finally {
    await reader.cancel()
  }
}
