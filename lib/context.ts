/**
 * The request context, created for every request. `lib/request/context-request.ts` has the part that reads;
 * this file has responses, headers and values.
 */
import { addFlash, signCookie, takeFlashes, writeCookie } from "#parts/cookies"
import { openEvents } from "#parts/live"
import { answerPage } from "#parts/pages"
import { bodyOf, checkSendable, type SendingMethod } from "./answer/body-data.ts"
import { forError, isOfBody, toPrivate } from "./answer/caching.ts"
import { answerFile, type FileOptions } from "./answer/file.ts"
import { isSealed } from "./answer/sealed.ts"
import type { EventStream, EventStreamOptions } from "./answer/sse.ts"
import { streamOf } from "./answer/stream.ts"
import { type Answers, cancelUnsent } from "./answer/unsent.ts"
import { type ContextSettings, setAccess } from "./context-access.ts"
import { devHooks } from "./dev/hooks.ts"
import type { HttpError } from "./errors.ts"
import {
  type BodyData,
  bodilessStatuses,
  copyOf,
  type Exchange,
  type HeaderChange,
  isStream,
  missingFrom,
} from "./exchange.ts"
import { misuse } from "./fault.ts"
import type { Xml } from "./html/xml.ts"
import type { Html } from "./html.ts"
import type { PageOptions } from "./mount/pages.ts"
import { ContextBody } from "./request/context-body.ts"
import { reading } from "./request/context-request.ts"
import type { Cookie } from "./request/cookies.ts"
import { headerName, headerValue, locationValue, redirects } from "./request/headers.ts"
import { hasBlocks, textOf } from "./text.ts"
import type { TypedResponse } from "./types.ts"

/** Creates a context. `refused` says why the path has no canonical form. Not exported from the package. */
export let makeContext: (
  exchange: Exchange,
  path: string,
  settings: ContextSettings,
  refused?: HttpError,
) => Context

/**
 * A request and its response. `Params` are the names of its pattern's parameters.
 *
 * @example
 * // GET /users/7?page=2&tag=new&tag=hot on /users/{id}, with X-Team: blue and the cookie theme=dark
 * c.setHeader("Cache-Control", "no-store")
 * return c.json(200, { id: c.param("id"), page: c.queryInt("page") }) // → 200 {"id":"7","page":2}
 */
export class Context<Params extends string = string> extends ContextBody<Params> {
  /** The error that was thrown or returned, once `next(c)` has resolved. @example c.error // → undefined */
  error: unknown
  /** True if {@link error} is reported. A logger sets it, or the app reports bugs. @example c.reported // → false */
  reported = false
  readonly #exchange: Exchange
  #changes: HeaderChange[] | null = null
  /** The response that this context made last. It is not shared, so headers can be added to it directly. */
  #made: Response | undefined
  #flushedTo: Response | undefined
  #flushed = 0
  /** The last response that was judged, and whether it is an error, or the answer of the program to one. */
  #judged: Response | undefined
  #isError = false
  /** The number of changes before the function that runs now. */
  #begun = 0
  /** The responses that may have a stream, which must be cancelled if it is not sent. */
  #answers: Answers | undefined
  readonly #refused: HttpError | undefined

  private constructor(exchange: Exchange, path: string, settings: ContextSettings, refused?: HttpError) {
    super(exchange, path, settings)
    this.#exchange = exchange
    this.#refused = refused
  }

  static {
    makeContext = (exchange, path, settings, refused) => new Context(exchange, path, settings, refused)
    setAccess({
      ...reading,
      refused: (c) => c.#refused,
      begin(c) {
        c.#begun = c.#changes?.length ?? 0
      },
      pending(c, name) {
        return c.#changes?.findLast((change) => change.name === name)?.value ?? ""
      },
      forget(c, isForgotten, remade) {
        c.#changes = c.#changes?.filter(({ name }) => !isForgotten(name)) ?? null
        c.#flushed = remade ? (c.#changes?.length ?? 0) : 0
        if (!remade) return
        // Another body for an error is still an error.
        if (remade.status !== c.#flushedTo?.status) c.#isError = remade.status >= 400
        c.#flushedTo = remade
        c.#judged = remade
      },
      respond: (c, status, headers, body) => c.#make(status, headers, body),
      flush: (c, response, isError) => c.#flush(response, isError),
      cancelUnsent: (c, sent) => (c.#answers ? cancelUnsent(c.#answers, sent, c.#exchange) : sent),
    })
  }

  /**
   * Returns a JSON response.
   *
   * @param status an integer from 200 to 599, as for every response. 1xx are not final responses (RFC 9110
   * §15.2).
   * @throws TypeError for another status, and for data that JSON cannot represent.
   * @example return c.json(201, { id: 7 }) // → 201 {"id":7}
   */
  json<Status extends number, Data>(
    status: Status,
    data: Data,
  ): TypedResponse<Status, Data, "application/json"> {
    return this.#answer(status, "application/json", JSON.stringify(data), "json", data)
  }

  /**
   * Returns an HTML response. A string is sent unchanged: escape text from users, or use `fw/html`.
   *
   * @throws TypeError for an invalid status, and for a value that is not text or Html, such as a promise of
   * it.
   * @example return c.html(200, "<h1>hello</h1>") // → 200 <h1>hello</h1>
   */
  html<Status extends number>(
    status: Status,
    html: string | Html,
  ): TypedResponse<Status, string, "text/html"> {
    return this.#answer(status, "text/html; charset=utf-8", textOf(html), "html", html)
  }

  /**
   * An HTML page: markup in the nearest layout of the route's directory, or without a layout where htmx swaps a part of a page, as
   * pages from files do. A route without a layout answers with the markup.
   *
   * @param title the title that the layout gets.
   * @throws TypeError for an invalid status, and for what is not Html or a promise of it.
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
    return answerPage(this, status, title, content, options) as Promise<
      TypedResponse<Status, string, "text/html">
    >
  }

  /**
   * Returns an XML response, such as a feed or a sitemap. A string is sent unchanged: escape text from users,
   * or use an `.xml.tpl` template. `c.setHeader("content-type", …)` sets a more specific type, such as
   * `application/rss+xml`.
   *
   * @throws TypeError for an invalid status, and for a value that is not text or Xml, such as a promise of
   * it.
   * @example return c.xml(200, "<feed/>") // → 200 <feed/>
   */
  xml<Status extends number>(
    status: Status,
    xml: string | Xml,
  ): TypedResponse<Status, string, "application/xml"> {
    return this.#answer(status, "application/xml; charset=utf-8", textOf(xml), "xml", xml)
  }

  /**
   * Returns a plain text response.
   *
   * @throws TypeError for an invalid status, and for a value that is not text.
   * @example return c.string(200, "hello") // → 200 hello
   */
  string<Status extends number>(status: Status, text: string): TypedResponse<Status, string, "text/plain"> {
    return this.#answer(status, "text/plain; charset=utf-8", textOf(text), "string", text)
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
    return this.#answer(status, headerValue("content-type", type), bodyOf(data), "blob", data)
  }

  /**
   * Returns a response that is sent in parts: a stream of bytes, or the values of an async generator, with
   * text and markup in UTF-8. When the client disconnects, the stream is cancelled or the generator returns.
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
      "content-type": headerValue("content-type", type ?? "application/octet-stream"),
      // Proxies such as nginx, and compress(), must not buffer it.
      "x-accel-buffering": "no",
    }
    const body = source instanceof ReadableStream ? source : streamOf(source)
    return this.#make(status, headers, body) as TypedResponse<Status, Blob, Type>
  }

  /**
   * Returns a response of server-sent events, which lasts as long as a function runs. What a generator yields is sent.
   * The response ends when the client disconnects and when the server stops; clients reconnect by themselves.
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
   * A file of a directory on disk, for those who may see it: with `ETag`, conditional requests and ranges, and only for this client's
   * cache. The status is 200, 206, 304 or 416, so it is not for pages of errors. Check the rights first. A directory that
   * everyone may see is for `app.static()`.
   *
   * @param directory a path of the program, from the working directory on. Never take it from a request.
   * @param name the name below it, which may come from a request: one that leads out of the directory, and a dotfile, is not found.
   * @throws HttpError 404 if there is no such file, 403 if the system lets nobody read it, 412 and 416.
   * @throws TypeError for a wrong option. FwError `platform` on runtimes without a disk.
   * @example await c.file("data/invoices", "none.pdf", { download: true }).catch((error) => error.status) // → 404
   */
  file<Type extends string = string>(
    directory: string,
    name: string,
    options?: FileOptions<Type>,
  ): Promise<TypedResponse<200, Blob, Type>> {
    return answerFile(this, directory, name, options) as Promise<TypedResponse<200, Blob, Type>>
  }

  /** Returns a 204 without a body. @example return c.noContent() // → 204 */
  noContent(): TypedResponse<204, null, never> {
    return this.#make(204, {}, null) as TypedResponse<204, null, never>
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
    if (!redirects.includes(status)) throw misuse("redirect.status", status)
    const location = locationValue(url)
    devHooks()?.onRedirect?.(location)
    return this.#make(status, { location }, null)
  }

  #answer<Status extends number, Data, Type extends string>(
    status: Status,
    type: string,
    body: BodyData | undefined,
    method: SendingMethod,
    given: unknown,
  ) {
    if (hasBlocks(given, body)) throw misuse("deferred", `c.${method}()`)
    const headers: Record<string, string> = { "content-type": type }
    if (given instanceof Blob) headers["content-length"] = String(given.size)
    return this.#make(status, headers, body, method, given) as TypedResponse<Status, Data, Type>
  }

  /**
   * Creates a response. The program's data is checked here, so that every runtime refuses the same.
   *
   * @param body undefined if the method cannot send its data.
   */
  #make(
    status: number,
    headers: Record<string, string>,
    body: BodyData | undefined,
    method: SendingMethod = "blob",
    given?: unknown,
  ): Response {
    if (isSealed(this))
      throw misuse("sealed", "location" in headers ? "c.redirect()" : "a method that answers")
    checkStatus(status)
    if (body === undefined) throw misuse(method, given, status)
    // Fetch standard, "null body status". A locked stream has another reader, which not every runtime
    // refuses.
    if (body !== null && bodilessStatuses.includes(status)) throw misuse("bodiless", status)
    if ((body as ReadableStream | null)?.locked) throw misuse("locked")
    this.#made = this.#exchange.respond(status, headers, body)
    // An adapter may have wrapped the stream.
    if (isStream(body)) this.#note(this.#made, body.locked ? (this.#made.body as typeof body) : body)
    if (method === "json") {
      const text = body as string
      devHooks()?.onAnswer?.({ method: this.method, pattern: this.pattern, status, text, data: given })
    }
    return this.#made
  }

  /**
   * Sets a header of the response, before or after it is created. For several lines, use
   * {@link appendHeader}.
   *
   * @throws TypeError for a value that a header cannot contain, and for a `Location` that no browser follows.
   * @example c.setHeader("Cache-Control", "no-store")
   */
  setHeader(name: string, value: string): void {
    this.#change(headerName(name), value, false)
  }

  /**
   * Adds a header line to those with that name, for headers such as `Vary` and `Link`. @throws TypeError for
   * a value that a header cannot contain.
   *
   * @example c.appendHeader("Link", '</app.css>; rel="preload"; as="style"')
   */
  appendHeader(name: string, value: string): void {
    this.#change(headerName(name), value, true)
  }

  /**
   * Sets a cookie. Returns a promise for a signed one: await it, so that later changes of the same cookie come after it.
   * The response waits for it in any case.
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
    if (!cookie.signed) return this.#change("set-cookie", line, true)
    return signCookie(this, cookie, line, (signed) => this.#change("set-cookie", signed, true))
  }

  /**
   * Leaves a message for the next page that this browser sees, such as the one that a form redirects to. It is kept in a
   * cookie that scripts cannot read, of 3,800 bytes: only the last messages wait, and a longer one is cut.
   *
   * @throws TypeError for what is not text.
   * @example c.flash("Saved.")
   */
  flash(text: string): void {
    addFlash(this, text)
  }

  /**
   * The messages that wait for this browser, in the order in which they were left. They are shown once: asking for them
   * removes them.
   *
   * @example c.flashed() // → []
   */
  flashed(): readonly string[] {
    return takeFlashes(this)
  }

  #change(name: string, value: string, append: boolean): void {
    if (isSealed(this))
      throw misuse("sealed", name === "set-cookie" ? "c.setCookie()" : `c.setHeader(${JSON.stringify(name)})`)
    this.#changes ??= []
    this.#changes.push({ name, value: headerValue(name, value), append })
  }

  #note(response: Response, stream: ReadableStream<Uint8Array> | null = null): void {
    this.#answers ??= new Map()
    if (!this.#answers.has(response)) this.#answers.set(response, stream)
  }

  #flush(response: Response, isError = response.status >= 400): Response {
    const isOurs = response === this.#flushedTo || response === this.#made
    if (!isOurs) {
      checkSendable(response, this.#exchange)
      this.#note(response)
    }
    const isNew = response !== this.#flushedTo && response !== this.#judged
    if (isNew) this.#isError = isError
    this.#judged = response
    const changes = this.#changes
    if (changes === null) return response
    const own = isNew ? changes.slice(Math.max(this.#begun, this.#flushed)) : []
    const due = this.#fitting(this.#due(response, changes), response, own)
    this.#flushed = changes.length
    const sent = this.#add(response, due, isOurs)
    this.#flushedTo = changes.some(({ name }) => name === "set-cookie")
      ? this.#add(sent, this.#closing(sent), isOurs || sent !== response)
      : sent
    return this.#flushedTo
  }

  /** Adds headers to a response. The program may use its own for many requests, but these headers are only for this one. */
  #add(response: Response, changes: readonly HeaderChange[], isOurs: boolean): Response {
    if (changes.length === 0) return response
    return this.#exchange.change(isOurs ? response : copyOf(response), changes)
  }

  /** Returns the changes that keep a response with a cookie out of shared caches. */
  #closing(response: Response): readonly HeaderChange[] {
    return toPrivate(response.status, (name) => this.#exchange.headerOf(response, name))
  }

  /**
   * Returns the changes that a response is sent with. An error has its own headers for its body and for caches: those of
   * the function that answers, and none that were set for the answer that was expected.
   */
  #fitting(due: readonly HeaderChange[], { status }: Response, own: HeaderChange[]): readonly HeaderChange[] {
    if (status === 304) return due.filter(({ name }) => !isOfBody(name))
    if (!this.#isError) return due
    return due.flatMap((change) => (own.includes(change) ? change : (forError(change) ?? [])))
  }

  /**
   * Returns the changes that a response does not have yet. If a middleware copied the last response, the copy
   * has some.
   */
  #due(response: Response, changes: readonly HeaderChange[]): readonly HeaderChange[] {
    if (response === this.#flushedTo) return changes.slice(this.#flushed)
    if (response === this.#made || this.#flushed === 0) return changes
    const before = missingFrom(response, changes.slice(0, this.#flushed))
    return [...before, ...changes.slice(this.#flushed)]
  }
}

/**
 * Checks the status of a response. Methods with more arguments call it first, so that a missing status is not reported as a
 * wrong argument after it.
 *
 * @throws TypeError
 */
function checkStatus(status: number): void {
  // 1xx are interim responses (RFC 9110 §15.2), and there are none from 600 on.
  if (!Number.isInteger(status) || status < 200 || status > 599) throw misuse("status", status)
}
