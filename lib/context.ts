/**
 * The request context, created for every request. The class has these sections: the request with its query and headers,
 * its body, values of the request, responses, and headers and cookies of the response. Most methods call functions of
 * `request/` and `answer/`.
 */
import { addFlash, readCookie, signCookie, takeFlashes, verifyCookie, writeCookie } from "#parts/cookies"
import { bindForm, bindQuery, parseForm, readForm, readFormParts } from "#parts/forms"
import { openEvents } from "#parts/live"
import { answerPage } from "#parts/pages"
import { platform } from "#platform"
import { checkSendable, type SendingMethod, toBodyData } from "./answer/body-data.ts"
import { type HeaderChange, isBodyHeader, toErrorHeader, toPrivateChanges } from "./answer/caching.ts"
import { cancelUnsent, type ResponseStreams } from "./answer/cancel-unsent.ts"
import { answerFile, type FileOptions } from "./answer/file.ts"
import { isSealed } from "./answer/seal-response.ts"
import type { EventStream, EventStreamOptions } from "./answer/sse.ts"
import { toStream } from "./answer/stream.ts"
import { type ContextSettings, setAccess } from "./context-access.ts"
import type { VariableName, VariableOf, Variables } from "./context-key.ts"
import { getDevHooks } from "./dev/hooks.ts"
import { misuse } from "./errors/fault.ts"
import type { HttpError } from "./errors.ts"
import {
  type BodyData,
  type BodySource,
  bodilessStatuses,
  copyResponse,
  type Exchange,
  findMissingChanges,
  isStream,
} from "./exchange.ts"
import type { Files } from "./files/types.ts"
import type { Xml } from "./html/xml.ts"
import type { Html } from "./html.ts"
import type { Log } from "./log/record.ts"
import type { PageOptions } from "./mount/pages.ts"
import type { Pattern } from "./pattern.ts"
import { allowUnawaited } from "./request/allow-unawaited.ts"
import { type BodyLimits, RequestBody } from "./request/body.ts"
import { findForwardedClient, findForwardedOrigin } from "./request/client-address.ts"
import type { Cookie } from "./request/cookies.ts"
import { decompressBody } from "./request/decompress-body.ts"
import type { Part, PartsOptions } from "./request/form-parts.ts"
import type { Form, FormOptions } from "./request/forms.ts"
import { isJSONType } from "./request/header-grammar.ts"
import { checkHeaderValue, redirectStatuses, toHeaderName, toLocation } from "./request/headers.ts"
import type { StandardSchema } from "./request/schema.ts"
import { hasDeferredBlocks, toText } from "./text.ts"
import type { Operation } from "./trace/operations.ts"
import { runSpan, type SpanTimes, spanTimesKey } from "./trace/span.ts"
import type { Bindings, TypedResponse } from "./types.ts"

/** Creates a context. `refusal` is the error for a path without a canonical form. Not exported from the package. */
export let createContext: (exchange: Exchange, path: string, settings: ContextSettings, refusal?: HttpError) => Context

/**
 * A request and its response. `Params` are the names of its pattern's parameters.
 *
 * @example
 * // GET /users/7?page=2&tag=new&tag=hot on /users/{id}, with X-Team: blue and the cookie theme=dark
 * c.setHeader("Cache-Control", "no-store")
 * return c.json(200, { id: c.param("id"), page: c.queryInt("page") }) // → 200 {"id":"7","page":2}
 */
export class Context<Params extends string = string> {
  /** The error that a handler threw or returned, once `next(c)` has resolved. @example c.error // → undefined */
  error: unknown
  /** True if {@link error} was reported, by a logger or by the app. @example c.reported // → false */
  reported = false
  readonly #exchange: Exchange
  readonly #settings: ContextSettings
  readonly #refusal: HttpError | undefined

  // The request.
  readonly #originalPath: string
  #path: string
  #search: string
  #query: URLSearchParams | undefined
  #signal: AbortSignal | undefined
  #pattern: Pattern | undefined
  #values: readonly string[] = []
  #limits: BodyLimits
  #body: RequestBody | undefined
  #store: Map<string, unknown> | undefined
  #operation: Operation | undefined

  // The response.
  #changes: HeaderChange[] | null = null
  /** The response that this context created last. Nothing else holds it, so headers can be added to it directly. */
  #lastResponse: Response | undefined
  /** The response to which pending headers were added last, and how many of the changes had been added by then. */
  #flushedResponse: Response | undefined
  #flushedCount = 0
  /**
   * The response that `#isError` is about. `#isError` is true for a status of 400 or more, and for any answer to an
   * error.
   */
  #judgedResponse: Response | undefined
  #isError = false
  /** The number of changes when the function that now runs began. Later changes are its own. */
  #firstOwnChange = 0
  /** The responses that may have a stream. The streams that are not sent must be cancelled. */
  #responseStreams: ResponseStreams | undefined

  private constructor(exchange: Exchange, path: string, settings: ContextSettings, refusal?: HttpError) {
    this.#exchange = exchange
    this.#settings = settings
    this.#refusal = refusal
    this.#path = path
    this.#originalPath = exchange.originalPath ?? path
    this.#search = exchange.search
    this.#limits = settings.limits
    this.#store = exchange.values
  }

  static {
    createContext = (exchange, path, settings, refusal) => new Context(exchange, path, settings, refusal)
    setAccess({
      isContext: (value) => typeof value === "object" && value !== null && #exchange in value,
      getExchange: (c) => c.#exchange,
      isAborted: (c) => c.#signal?.aborted ?? c.#exchange.isAborted,
      rewrite(c, path, search) {
        c.#path = path
        c.#search = search
        c.#query = undefined
      },
      setMatch(c, pattern, values, limits) {
        c.#pattern = pattern
        c.#values = values
        c.#limits = limits
      },
      getLogWriter: (c) => c.#settings.logWriter,
      getOperation: (c) => c.#operation,
      setOperation(c, operation) {
        c.#operation = operation
      },
      getPattern: (c) => c.#pattern,
      getBodyArguments: (c) => c.#getBodyArguments(),
      getRefusal: (c) => c.#refusal,
      beginFunction(c) {
        c.#firstOwnChange = c.#changes?.length ?? 0
      },
      getPendingHeader(c, name) {
        return c.#changes?.findLast((change) => change.name === name)?.value ?? ""
      },
      hasValue: (c, key) => c.#store?.has(key) === true,
      forgetHeaders(c, isForgotten, replacement) {
        c.#changes = c.#changes?.filter(({ name }) => !isForgotten(name)) ?? null
        c.#flushedCount = replacement ? (c.#changes?.length ?? 0) : 0
        if (!replacement) return
        // If only the body was replaced, the response still counts as the answer to an error.
        if (replacement.status !== c.#flushedResponse?.status) c.#isError = replacement.status >= 400
        c.#flushedResponse = replacement
        c.#judgedResponse = replacement
      },
      respond: (c, status, headers, body) => c.#createResponse(status, headers, body),
      addPendingHeaders: (c, response, isError) => c.#addPendingHeaders(response, isError),
      cancelUnsent: (c, finalResponse) =>
        c.#responseStreams ? cancelUnsent(c.#responseStreams, finalResponse, c.#exchange) : finalResponse,
    })
  }

  /** The HTTP method, as sent. @example c.method // → "GET" */
  get method(): string {
    return this.#exchange.method
  }

  /**
   * The canonical path: all spellings of a path give the same text. After a rewrite by a proxy it is the new path.
   *
   * @example c.path // → "/users/7"
   */
  get path(): string {
    return this.#path
  }

  /**
   * The path that the client asked for: before a proxy's rewrite, and with the prefix of a mounted app. @example
   * c.originalPath // → "/users/7"
   */
  get originalPath(): string {
    return this.#originalPath
  }

  /**
   * The pattern of the matched route, which is the same for all its paths; `""` if no route matched. @example c.pattern
   * // → "/users/{id}"
   */
  get pattern(): string {
    return this.#pattern?.text ?? ""
  }

  /**
   * The query with its `?`, as the client sent it or as a proxy has rewritten it; `""` if there is none.
   *
   * @example c.search // → "?page=2&tag=new&tag=hot"
   */
  get search(): string {
    return this.#search
  }

  /**
   * Aborts when the client disconnects, and when the time of `timeout()` is over.
   *
   * @example const answer = await fetch("https://weather.example", { signal: c.signal })
   */
  get signal(): AbortSignal {
    return this.#signal ?? this.#exchange.signal
  }

  /**
   * Makes {@link signal} abort also when another signal does, such as a time limit. @example
   * c.addSignal(AbortSignal.timeout(5000))
   */
  addSignal(signal: AbortSignal): void {
    this.#signal = AbortSignal.any([this.signal, signal])
  }

  /**
   * The environment: variables and, on workers, the bindings of this deployment. Declare yours once:
   * `declare module "fw" { interface Bindings { DATABASE_URL: string } }`.
   *
   * @example const home = c.env.HOME
   */
  get env(): Bindings {
    return (this.#exchange.env ?? platform.env.vars) as Bindings
  }

  /**
   * The program's log for this request. Each line has a message, its fields, and the id and the pattern of the request.
   *
   * @example
   * c.log.info("order placed", { order: 7 })
   * c.log.with({ tenant: "blue" }).warn("the stock is low", { item: "tea" })
   */
  get log(): Log {
    return this.#settings.createLog(this)
  }

  /**
   * Runs a function as a named step of the request. Traces, the inspector of `fw dev` and `serverTiming()` show the
   * step.
   *
   * @returns what the function returns. Errors of the function are thrown.
   * @throws TypeError for a name that is empty or not a text, and for anything but a function.
   * @example await c.span("load orders", async () => [1, 2]) // → [1, 2]
   */
  span<Result>(name: string, run: () => Result): Result {
    return runSpan(this, this.#store?.get(spanTimesKey) as SpanTimes | undefined, name, run)
  }

  /**
   * Lets a promise finish after the response: a worker stays alive for it, and `shutdown()` of a server waits for it. A
   * rejection is reported as a bug.
   *
   * @throws TypeError for a value that is not a promise, such as a function that was not called.
   * @example c.waitUntil(Promise.resolve("the mail is sent"))
   */
  waitUntil(promise: Promise<unknown>): void {
    if (typeof promise?.then !== "function") throw misuse("wait", promise)
    this.#exchange.waitUntil(Promise.resolve(promise).catch(platform.report))
  }

  /**
   * The client's address, spelled in the same way on every host: IPv4, or IPv6 as in RFC 5952, without a port.
   * Forwarding headers count only if they are from `trustedProxies`. `""` if neither the runtime nor the host knows it,
   * and `unix` for a client on a Unix socket.
   *
   * @example c.clientIP // → "127.0.0.1"
   */
  get clientIP(): string {
    return findForwardedClient(this.#exchange, this.#settings.trustedRanges)
  }

  /**
   * The scheme and host that the client requested, such as `https://shop.example`. A forwarded scheme counts only if it
   * is from `trustedProxies`.
   *
   * @example c.origin // → "http://localhost"
   */
  get origin(): string {
    return findForwardedOrigin(this.#exchange, this.#settings.trustedRanges)
  }

  /** True if the Content-Type is `application/json` or ends in `+json`. @example c.isJSON // → false */
  get isJSON(): boolean {
    return isJSONType(this.#exchange.header("content-type"))
  }

  /** True if htmx sent the request: the header `HX-Request` is present. @example c.isHTMX // → false */
  get isHTMX(): boolean {
    return this.#exchange.header("hx-request") !== ""
  }

  /**
   * A parameter of the route's pattern, decoded; `""` if there is none with that name, which `fw dev` reports as a bug.
   *
   * @example c.param("id") // → "7"
   */
  param(name: Params): string {
    const pattern = this.#pattern
    const index = pattern?.names.indexOf(name) ?? -1
    if (pattern && index < 0) getDevHooks()?.onUnknownParam?.(name, pattern)
    return this.#values[index] ?? ""
  }

  /** A parameter as an integer; 0 if it is not one. @example c.paramInt("id") // → 7 */
  paramInt(name: Params): number {
    return parseInteger(this.param(name)) ?? 0
  }

  get #queryParams(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search)
    return this.#query
  }

  /** The first query value with that name; `""` if missing. @example c.query("page") // → "2" */
  query(name: string): string {
    return this.#search === "" ? "" : (this.#queryParams.get(name) ?? "")
  }

  /** The query value; `fallback` if missing. @example c.queryDefault("sort", "name") // → "name" */
  queryDefault(name: string, fallback: string): string {
    return this.#queryParams.get(name) ?? fallback
  }

  /**
   * The query value as an integer; `fallback` if missing or not an integer.
   *
   * @example c.queryInt("page", 1) // → 2
   */
  queryInt(name: string, fallback = 0): number {
    return parseInteger(this.query(name)) ?? fallback
  }

  /**
   * The query value as a boolean: true/false, 1/0, yes/no, on/off; `fallback` if missing or none of these.
   *
   * @example c.queryBool("draft") // → false
   */
  queryBool(name: string, fallback = false): boolean {
    const value = this.query(name)
    return /^(?:true|1|yes|on)$/i.test(value) || (fallback && !/^(?:false|0|no|off)$/i.test(value))
  }

  /** All query values with that name. @example c.queryAll("tag") // → ["new", "hot"] */
  queryAll(name: string): string[] {
    return this.#queryParams.getAll(name)
  }

  /** A request header; `""` if missing. Several values are joined with `", "`. @example c.header("X-Team") // → "blue" */
  header(name: string): string {
    return this.#exchange.header(`${name}`.toLowerCase())
  }

  /**
   * The value of a request cookie; `""` if missing. With `{ signed: true }` a promise of the value of a signed cookie.
   * It is `""` too if the signature is not valid: it was made for another value or another cookie, or with a secret
   * that is not in `FW_SECRETS`.
   *
   * @throws FwError `secrets` for a signed cookie if `FW_SECRETS` is not valid.
   * @example
   * c.cookie("theme") // → "dark"
   * await c.cookie("theme", { signed: true }) // → ""
   */
  cookie(name: string): string
  cookie(name: string, options: { readonly signed: true }): Promise<string>
  cookie(name: string, options?: { readonly signed: true }): string | Promise<string> {
    const text = readCookie(this.#exchange.header("cookie"), name)
    return options === undefined ? text : verifyCookie(this, name, text, options)
  }

  /**
   * The WHATWG request. Its body is a stream that fails when it exceeds the size limit.
   *
   * @example c.request.headers.has("X-Team") // → true
   */
  get request(): Request {
    return this.#reader.request()
  }

  #getBodyArguments(): [BodySource, BodyLimits, ContextSettings] {
    const source = this.#limits.decompresses ? decompressBody(this.#exchange) : this.#exchange
    return [source, this.#limits, this.#settings]
  }

  get #reader(): RequestBody {
    this.#body ??= new RequestBody(...this.#getBodyArguments(), parseForm)
    return this.#body
  }

  /**
   * Reads the JSON body and validates it, with a Standard Schema or against the type `T`. The result has only the
   * properties that `T` declares. A `Date` is made from an RFC 3339 text, and a `bigint` from a text with an integer.
   *
   * `fw dev`, `fw build` and `fw test` make the check against `T`. In a program that runs without them the body is only
   * parsed, and the first call prints a warning.
   *
   * @throws HttpError 400 for invalid JSON, for a key that would change a prototype, and for data that does not fit
   * (`issues` lists every problem); 413 over the limit; 415 for another content type, and for a `Content-Encoding` such
   * as gzip.
   * @example
   * // POST /users {"name":"Ada"}
   * const user = await c.bind<{ name: string }>()
   * user.name // → "Ada"
   */
  bind<Output>(schema: StandardSchema<Output>): Promise<Output>
  bind<T = unknown>(): Promise<T>
  bind(schema?: StandardSchema): Promise<unknown> {
    return this.#reader.bind(schema)
  }

  /**
   * The body as text. @throws HttpError 413 over the limit, 400 for bytes that are not UTF-8, 415 for a body in a
   * `Content-Encoding` such as gzip.
   *
   * @example
   * // POST /notes hello
   * await c.text() // → "hello"
   */
  text(): Promise<string> {
    return this.#reader.text()
  }

  /**
   * The body as bytes, as the client sent them. If there is a `Content-Encoding`, they are still encoded, unless
   * `bodyLimit()` decodes them.
   * @throws HttpError 413 over the limit.
   *
   * @example
   * // POST /notes hello
   * (await c.bytes()).length // → 5
   */
  bytes(): Promise<Uint8Array> {
    return this.#reader.bytes()
  }

  /**
   * The fields of a form. @throws HttpError 400 for an invalid form, with the name of the broken part in the message;
   * 413 over the limit; 415 for another content type, and for a `Content-Encoding` such as gzip.
   *
   * @example
   * // POST /users name=Ada
   * (await c.form()).get("name") // → "Ada"
   */
  form(): Promise<FormData> {
    return this.#reader.form()
  }

  /**
   * A text field of a form; `""` if missing. @throws as {@link form} does.
   *
   * @example
   * // POST /users name=Ada
   * await c.formValue("name") // → "Ada"
   */
  formValue(name: string): Promise<string> {
    return this.#reader.formValue(name)
  }

  /**
   * A file of a form, with `name`, `size` in bytes and `type`; null if missing. @throws as {@link form} does.
   *
   * @example
   * // POST /users avatar=@ada.png
   * (await c.formFile("avatar"))?.name // → "ada.png"
   */
  formFile(name: string): Promise<File | null> {
    return this.#reader.formFile(name)
  }

  /**
   * The fields of a form, urlencoded or multipart, validated by a Standard Schema or against the type `T`. An empty
   * field counts as missing if the field is optional. A single value becomes a list if the schema or the type wants a
   * list.
   *
   * A schema gets texts and `File` objects; with `z.coerce.number()` or `v.pipe(v.string(), v.toNumber())` it turns
   * them into numbers. For a type, `fw dev`, `fw build` and `fw test` make the validator, which also turns text into
   * numbers, booleans and dates.
   *
   * @throws HttpError 400 with all `issues`, including those of files that the options do not accept; otherwise the
   * errors of {@link form}. TypeError without a schema in a program that runs without these commands.
   * @example
   * // POST /users name=Ada
   * const user = await c.bindForm(userSchema)
   * user.name // → "Ada"
   */
  bindForm<Output>(schema: StandardSchema<Output>, options?: FormOptions): Promise<Output>
  bindForm<T>(options?: FormOptions): Promise<T>
  bindForm(schema?: StandardSchema | FormOptions, options?: FormOptions): Promise<unknown> {
    return allowUnawaited(bindForm(this, schema, options))
  }

  /**
   * The query string, validated by a Standard Schema or against the type `T`. Empty and repeated values are treated as
   * in {@link bindForm}, and the same commands make the validator of a type.
   *
   * @throws HttpError 400 with all `issues`. TypeError as {@link bindForm} does.
   * @example
   * // GET /users?name=Ada
   * const query = await c.bindQuery(userSchema)
   * query.name // → "Ada"
   */
  bindQuery<Output>(schema: StandardSchema<Output>): Promise<Output>
  bindQuery<T>(): Promise<T>
  bindQuery(schema?: StandardSchema): Promise<unknown> {
    return allowUnawaited(bindQuery(this, schema))
  }

  /**
   * The fields of a form, validated as in {@link bindForm}, for a page that shows the form again with its problems.
   * Invalid fields throw nothing: `form.ok` says whether the form is valid, `form.data` is the valid data, and
   * `form.values` and `form.issues` are for the template.
   *
   * @throws HttpError as {@link form} does. TypeError as {@link bindForm} does.
   * @example
   * // POST /users nick=Ada
   * const form = await c.readForm(userSchema)
   * form.ok // → false
   * form.issues.name // → "required"
   */
  readForm<Output>(schema: StandardSchema<Output>, options?: FormOptions): Promise<Form<Output>>
  readForm<T>(options?: FormOptions): Promise<Form<T>>
  readForm(schema?: StandardSchema | FormOptions, options?: FormOptions): Promise<Form<unknown>> {
    return readForm(this, schema, options)
  }

  /**
   * The fields and files of a multipart form, one after the other, as they arrive. It is for uploads that are too large
   * for memory. `bodyLimit()` sets the limit of the whole form.
   *
   * @throws TypeError for options that are not valid; HttpError 400 for a broken form, 413 over a limit, 415 for another
   * content type and for a file whose type is not accepted.
   * @example
   * // POST /photos photo=@ada.png
   * for await (const part of c.parts({ maxFile: 5_000_000, types: ["image/png"] })) {
   *   if (part.name === "photo") await part.save(`/tmp/photo-${crypto.randomUUID()}`)
   * }
   */
  parts(options?: PartsOptions): AsyncGenerator<Part, void, undefined> {
    return readFormParts(this, options)
  }

  /** Stores a value for the rest of this request. @example c.set("user_id", "ada") */
  set<Name extends VariableName>(key: Name, value: VariableOf<Name>): void {
    if (isSealed(this)) throw misuse("sealed", "c.set()")
    this.#store ??= new Map()
    this.#store.set(key, value)
  }

  /**
   * A value that was stored with {@link set}. Its type is the one that {@link Variables} declares; otherwise it is `T`,
   * which nothing checks.
   *
   * @example c.get("roles") // → undefined
   */
  get<Name extends VariableName>(key: Name): VariableOf<Name> | undefined
  get<T>(key: Exclude<VariableName, keyof Variables>): T | undefined
  get(key: string): unknown {
    return this.#store?.get(key)
  }

  /** A stored string; `""` if missing or not a string. @example c.getString("user_id") // → "" */
  getString(key: VariableName): string {
    const value = this.#store?.get(key)
    return typeof value === "string" ? value : ""
  }

  /** A stored integer; 0 if missing or not an integer. @example c.getInt("count") // → 0 */
  getInt(key: VariableName): number {
    const value = this.#store?.get(key)
    return Number.isInteger(value) ? (value as number) : 0
  }

  /** A stored boolean; false if missing or not a boolean. @example c.getBool("is_admin") // → false */
  getBool(key: VariableName): boolean {
    return this.#store?.get(key) === true
  }

  /**
   * Returns a JSON response.
   *
   * @param status an integer from 200 to 599, as for every response. 1xx are not final responses (RFC 9110
   * §15.2).
   * @throws TypeError for another status, and for data that JSON cannot represent.
   * @example return c.json(201, { id: 7 }) // → 201 {"id":7}
   */
  json<Status extends number, Data>(status: Status, data: Data): TypedResponse<Status, Data, "application/json"> {
    return this.#answer(status, "application/json", JSON.stringify(data), "json", data)
  }

  /**
   * Returns an HTML response. A string is sent unchanged: escape text from users, or use `fw/html`.
   *
   * @throws TypeError for an invalid status, and for a value that is not text or Html, such as a promise of
   * it.
   * @example return c.html(200, "<h1>hello</h1>") // → 200 <h1>hello</h1>
   */
  html<Status extends number>(status: Status, html: string | Html): TypedResponse<Status, string, "text/html"> {
    const text = toText(html)
    const { addScripts } = this.#settings
    const textWithScripts = addScripts && text !== undefined ? addScripts(this, text) : text
    return this.#answer(status, "text/html; charset=utf-8", textWithScripts, "html", html)
  }

  /**
   * Returns an HTML page: markup in the nearest layout of the route's directory, as for pages from files. A request of
   * htmx that swaps a part of a page gets the markup without the layout. So does a route that has no layout.
   *
   * @param title the title that is passed to the layout.
   * @throws TypeError for an invalid status, and for a value that is neither Html nor a promise of Html.
   * @example
   * import { html } from "fw/html"
   * return c.page(422, "Sign up", html`<p>Fill in your name.</p>`) // → 422 <p>Fill in your name.</p>
   */
  page<Status extends number>(
    status: Status,
    title: string,
    content: Html | Promise<Html>,
    options?: PageOptions,
  ): Promise<TypedResponse<Status, string, "text/html">> {
    return answerPage(this, status, title, content, options) as Promise<TypedResponse<Status, string, "text/html">>
  }

  /**
   * Returns an XML response, such as a feed or a sitemap. A string is sent unchanged: escape text from users, or use an
   * `.xml.tpl` template. `c.setHeader("content-type", …)` sets a more specific type, such as `application/rss+xml`.
   *
   * @throws TypeError for an invalid status, and for a value that is not text or Xml, such as a promise of
   * it.
   * @example return c.xml(200, "<feed/>") // → 200 <feed/>
   */
  xml<Status extends number>(status: Status, xml: string | Xml): TypedResponse<Status, string, "application/xml"> {
    return this.#answer(status, "application/xml; charset=utf-8", toText(xml), "xml", xml)
  }

  /**
   * Returns a plain text response.
   *
   * @throws TypeError for an invalid status, and for a value that is not text.
   * @example return c.string(200, "hello") // → 200 hello
   */
  string<Status extends number>(status: Status, text: string): TypedResponse<Status, string, "text/plain"> {
    return this.#answer(status, "text/plain; charset=utf-8", toText(text), "string", text)
  }

  /**
   * Returns a binary response with the given content type.
   *
   * @throws TypeError for an invalid status or content type, and for data of another type.
   * @example return c.blob(200, "text/csv", new TextEncoder().encode("id,name")) // → 200 id,name
   */
  blob<Status extends number, Type extends string>(
    status: Status,
    type: Type,
    data: Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | Blob | string,
  ): TypedResponse<Status, Blob, Type> {
    checkStatus(status)
    return this.#answer(status, checkHeaderValue("content-type", type), toBodyData(data), "blob", data)
  }

  /**
   * Returns a response that is sent piece by piece: a stream of bytes, or the values of an async generator, with text
   * and markup in UTF-8. When the client disconnects, the stream is cancelled or the generator returns.
   *
   * @param type default: `application/octet-stream`.
   * @throws TypeError for an invalid status or content type, and for a source of another type.
   * @example return c.stream(200, (async function* () { yield "one\n"; yield "two\n" })(), "text/plain")
   */
  stream<Status extends number, Type extends string = "application/octet-stream">(
    status: Status,
    source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string | Html>,
    type?: Type,
  ): TypedResponse<Status, Blob, Type> {
    checkStatus(status)
    const headers = {
      "content-type": checkHeaderValue("content-type", type ?? "application/octet-stream"),
      // Without this header, nginx and other proxies would collect the pieces before they send them, and so would
      // compress().
      "x-accel-buffering": "no",
    }
    const body = source instanceof ReadableStream ? source : toStream(source)
    return this.#createResponse(status, headers, body) as TypedResponse<Status, Blob, Type>
  }

  /**
   * Returns a response of server-sent events, which stays open until the function ends. What a generator yields is
   * sent. The response also ends when the client disconnects and when the server stops. Clients reconnect by
   * themselves.
   *
   * @example return c.sse(async (events) => { for (const price of [9.5, 9.7]) await events.send({ data: price }) })
   */
  async sse(
    run: (events: EventStream) => unknown,
    options?: EventStreamOptions,
  ): Promise<TypedResponse<200, string, "text/event-stream">> {
    return openEvents(this, run, options)
  }

  /**
   * Returns a file of a directory, or of `fw/files`, that not everyone may see. Check the rights before the call. The
   * answer has an `ETag`, handles conditional requests and ranges, and only the client's own cache keeps it. Its status
   * is 200, 206, 304 or 416, so it cannot be the page of an error. For files that everyone may see, use `app.static()`.
   *
   * @param directory a path of the program, relative to the working directory, or files of `fw/files`. Never take the
   * path from a request.
   * @param name the name of the file in the directory. It may come from a request: a name that leads out of the
   * directory is answered with 404, and so is a dotfile.
   * @throws HttpError 404 if there is no such file, 403 if the system denies access, 412, and 416.
   * @throws TypeError for an option that is not valid. FwError `platform` on runtimes without a disk, and
   * `files_unavailable` if `fw/files` fails.
   * @example await c.file("data/invoices", "none.pdf", { download: true }).catch((error) => error.status) // → 404
   */
  file<Type extends string = string>(
    directory: string | Files,
    name: string,
    options?: FileOptions<Type>,
  ): Promise<TypedResponse<200, Blob, Type>> {
    return answerFile(this, directory, name, options) as Promise<TypedResponse<200, Blob, Type>>
  }

  /** Returns a 204 without a body. @example return c.noContent() // → 204 */
  noContent(): TypedResponse<204, null, never> {
    return this.#createResponse(204, {}, null) as TypedResponse<204, null, never>
  }

  /**
   * Returns a redirect: `c.redirect(302, "/login")`, in either order. 301 and 308 are permanent.
   *
   * @throws TypeError for a URL that is empty, contains a line break or backslash, or has a scheme that no browser follows,
   * such as `javascript:`; and for a status other than 301, 302, 303, 307 and 308.
   * @example return c.redirect(303, "/users/7") // → 303
   */
  redirect<Status extends number>(status: Status, url: string | URL): TypedResponse<Status, null, never>
  redirect<Status extends number>(url: string | URL, status: Status): TypedResponse<Status, null, never>
  redirect(a: unknown, b: unknown): Response {
    const [status, url] = typeof a === "number" ? [a, b] : [b as number, a]
    if (!redirectStatuses.includes(status)) throw misuse("redirect.status", status)
    const location = toLocation(url)
    getDevHooks()?.onRedirect?.(location)
    return this.#createResponse(status, { location }, null)
  }

  #answer<Status extends number, Data, Type extends string>(
    status: Status,
    type: string,
    body: BodyData | undefined,
    method: SendingMethod,
    data: unknown,
  ) {
    if (hasDeferredBlocks(data, body)) throw misuse("deferred", `c.${method}()`)
    const headers: Record<string, string> = { "content-type": type }
    if (data instanceof Blob) headers["content-length"] = String(data.size)
    return this.#createResponse(status, headers, body, method, data) as TypedResponse<Status, Data, Type>
  }

  /**
   * Creates a response. The program's data is checked here, so that every runtime refuses the same data.
   *
   * @param body undefined if the data is of a type that the method cannot send.
   */
  #createResponse(
    status: number,
    headers: Record<string, string>,
    body: BodyData | undefined,
    method: SendingMethod = "blob",
    data?: unknown,
  ): Response {
    if (isSealed(this)) throw misuse("sealed", "location" in headers ? "c.redirect()" : "a method that answers")
    checkStatus(status)
    if (body === undefined) throw misuse(method, data, status)
    // Statuses without a body: fetch standard, "null body status". Something else reads a locked stream, and not every
    // runtime refuses one.
    if (body !== null && bodilessStatuses.includes(status)) throw misuse("bodiless", status)
    if ((body as ReadableStream | null)?.locked) throw misuse("locked")
    this.#lastResponse = this.#exchange.respond(status, headers, body)
    // The adapter may have wrapped the stream in another one.
    if (isStream(body))
      this.#trackStream(this.#lastResponse, body.locked ? (this.#lastResponse.body as typeof body) : body)
    if (method === "json") {
      const text = body as string
      getDevHooks()?.onAnswer?.({ method: this.method, pattern: this.pattern, status, text, data })
    }
    return this.#lastResponse
  }

  /**
   * Sets a header of the response, before or after the response is created. For several lines with the same name, use
   * {@link appendHeader}.
   *
   * @throws TypeError for a value that a header cannot contain, and for a `Location` that no browser follows.
   * @example c.setHeader("Cache-Control", "no-store")
   */
  setHeader(name: string, value: string): void {
    this.#addChange(toHeaderName(name), value, false)
  }

  /**
   * Adds a line for a header and keeps the lines that it already has, for headers such as `Vary` and `Link`. @throws
   * TypeError for a value that a header cannot contain.
   *
   * @example c.appendHeader("Link", '</app.css>; rel="preload"; as="style"')
   */
  appendHeader(name: string, value: string): void {
    this.#addChange(toHeaderName(name), value, true)
  }

  /**
   * Sets a cookie. For a signed cookie, returns a promise: await it before you set the same cookie again. The response
   * waits for the promise in any case.
   *
   * @throws TypeError that names the invalid field. FwError `secrets` for a signed cookie if `FW_SECRETS` is not valid.
   * @example
   * c.setCookie({ name: "theme", value: "dark", maxAge: 3600 })
   * await c.setCookie({ name: "cart", value: "7", signed: true })
   */
  setCookie(cookie: Cookie & { readonly signed: true }): Promise<void>
  setCookie(cookie: Cookie): void
  setCookie(cookie: Cookie): Promise<void> | void {
    const line = writeCookie(cookie)
    if (!cookie.signed) return this.#addChange("set-cookie", line, true)
    return signCookie(this, cookie, line, (signed) => this.#addChange("set-cookie", signed, true))
  }

  /**
   * Stores a message for the next page that this browser sees, for example after a form redirects. Messages are kept in
   * a cookie that scripts cannot read. It holds 3,800 bytes: a longer message is cut, and the oldest messages are
   * dropped.
   *
   * @throws TypeError for a value that is not text.
   * @example c.flash("Saved.")
   */
  flash(text: string): void {
    addFlash(this, text)
  }

  /**
   * Returns the messages that were stored for this browser, in their order, and removes them.
   *
   * @example c.flashed() // → []
   */
  flashed(): readonly string[] {
    return takeFlashes(this)
  }

  #addChange(name: string, value: string, append: boolean): void {
    if (isSealed(this))
      throw misuse("sealed", name === "set-cookie" ? "c.setCookie()" : `c.setHeader(${JSON.stringify(name)})`)
    this.#changes ??= []
    this.#changes.push({ name, value: checkHeaderValue(name, value), append })
  }

  #trackStream(response: Response, stream: ReadableStream<Uint8Array> | null = null): void {
    this.#responseStreams ??= new Map()
    if (!this.#responseStreams.has(response)) this.#responseStreams.set(response, stream)
  }

  #addPendingHeaders(response: Response, isError = response.status >= 400): Response {
    const isOurs = response === this.#flushedResponse || response === this.#lastResponse
    if (!isOurs) {
      checkSendable(response, this.#exchange)
      this.#trackStream(response)
    }
    const isNew = response !== this.#flushedResponse && response !== this.#judgedResponse
    if (isNew) this.#isError = isError
    this.#judgedResponse = response
    const changes = this.#changes
    if (changes === null) return response
    const ownChanges = isNew ? changes.slice(Math.max(this.#firstOwnChange, this.#flushedCount)) : []
    const dueChanges = this.#selectChanges(this.#findDueChanges(response, changes), response, ownChanges)
    this.#flushedCount = changes.length
    const changedResponse = this.#addHeaders(response, dueChanges, isOurs)
    this.#flushedResponse = changes.some(({ name }) => name === "set-cookie")
      ? this.#addHeaders(
          changedResponse,
          this.#toPrivateChanges(changedResponse),
          isOurs || changedResponse !== response,
        )
      : changedResponse
    return this.#flushedResponse
  }

  /**
   * Adds headers to a response for this request only. The program may send the same response to other requests, so it
   * is copied unless this context created it.
   */
  #addHeaders(response: Response, changes: readonly HeaderChange[], isOurs: boolean): Response {
    if (changes.length === 0) return response
    return this.#exchange.addHeaders(isOurs ? response : copyResponse(response), changes)
  }

  /** Returns the header changes that keep a response with a cookie out of shared caches. */
  #toPrivateChanges(response: Response): readonly HeaderChange[] {
    return toPrivateChanges(response.status, (name) => this.#exchange.getResponseHeader(response, name))
  }

  /**
   * Returns the changes that a response is sent with. An answer to an error gets headers about its body and about
   * caches only from the function that made the answer. The others were meant for the answer that failed.
   */
  #selectChanges(
    dueChanges: readonly HeaderChange[],
    { status }: Response,
    ownChanges: HeaderChange[],
  ): readonly HeaderChange[] {
    if (status === 304) return dueChanges.filter(({ name }) => !isBodyHeader(name))
    if (!this.#isError) return dueChanges
    return dueChanges.flatMap((change) => (ownChanges.includes(change) ? change : (toErrorHeader(change) ?? [])))
  }

  /**
   * Returns the changes that a response does not have yet. A middleware may have copied the last response with some of
   * them.
   */
  #findDueChanges(response: Response, changes: readonly HeaderChange[]): readonly HeaderChange[] {
    if (response === this.#flushedResponse) return changes.slice(this.#flushedCount)
    if (response === this.#lastResponse || this.#flushedCount === 0) return changes
    const before = findMissingChanges(response, changes.slice(0, this.#flushedCount))
    return [...before, ...changes.slice(this.#flushedCount)]
  }
}

/**
 * Checks the status of a response. Methods with more arguments call this first. Otherwise a missing status would be
 * reported as a wrong value of the next argument.
 *
 * @throws TypeError
 */
function checkStatus(status: number): void {
  // 1xx are interim responses (RFC 9110 §15.2), and no statuses are defined from 600 on.
  if (!Number.isInteger(status) || status < 200 || status > 599) throw misuse("status", status)
}

function parseInteger(text: string): number | null {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(value) ? value + 0 : null
}
