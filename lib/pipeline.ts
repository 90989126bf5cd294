/** One request from canonical path to answer, in the one order there is. Owned by an app; adapters and `app.fetch` call it. */
import { platform } from "#platform"
import { attempt, compose, type Link, link, responseOf } from "./chain.ts"
import { type Context, makeContext } from "./context.ts"
import { access } from "./context-access.ts"
import { bugError, HttpError, tooLarge } from "./errors.ts"
import { type Exchange, type HeaderChange, missingFrom, withoutBody } from "./exchange.ts"
import { isBug } from "./log/is-bug.ts"
import type { RequestLogger } from "./log/request-logger.ts"
import type { ErrorPages } from "./mount/pages.ts"
import { canonicalPath } from "./path.ts"
import type { ProxySetup } from "./proxy.ts"
import type { ContextSettings } from "./request/context-request.ts"
import { headerName, headerValue } from "./request/headers.ts"
import { isRedirected, limitOf, RouteTable } from "./router.ts"
import type { StaticMounts } from "./static/mounts.ts"
import type { HandlerFunc, HandlerResult, MiddlewareFunc } from "./types.ts"

declare const FW_PROXY: boolean

/** An answer, at once or later. */
export type Answer = Response | Promise<Response>

/** Headers that describe a body that is not sent when an error answers instead (RFC 9110 §8). */
const representation = /^(?:content-(?!security-)|etag$|last-modified$)/

/** The machine of one app: what was registered, and the run of a request through it. */
export class Pipeline {
  readonly routes = new RouteTable((middleware, handler, source) =>
    compose(middleware, link(handler, source, this.fail), source, this.fail),
  )
  readonly middleware: MiddlewareFunc[] = []
  // Declared and not defined: a definition is code, which every worker carries.
  declare proxy: ProxySetup | undefined
  declare logger: RequestLogger | undefined
  declare onError: ((c: Context, error: unknown) => HandlerResult) | undefined
  declare notFound: HandlerFunc | undefined
  declare errorPages: ErrorPages | undefined
  #entry: Link | undefined
  readonly #settings: ContextSettings
  #unrouted: Link | undefined

  constructor(settings: ContextSettings) {
    this.#settings = settings
  }

  /** Whether requests are served already, so that nothing more can be registered. */
  get sealed(): boolean {
    return this.#entry !== undefined
  }

  /** Composes the whole chain; nothing is registered afterwards. @param files what answers before {@link notFound}. */
  seal(files?: StaticMounts): Link {
    if (this.#entry) return this.#entry
    this.routes.seal()
    this.#settings.bodyLimit = limitOf(this.middleware) ?? this.#settings.bodyLimit
    const handler = this.notFound ?? answerNotFound
    const notFound = link((c) => access.exchange(c).pass?.() ?? handler(c), "notFound()", this.fail)
    this.#unrouted = files?.before(notFound, this.fail) ?? notFound
    this.#entry = compose(this.middleware, this.#guarded, "app.use()", this.fail)
    return this.#entry
  }

  /** Answers one request with an error: what is wrong with the app itself. */
  refuse(exchange: Exchange, error: unknown): Answer {
    return this.run(exchange, (c) => this.fail(c, error))
  }

  /** Answers one request. Never throws. */
  run(exchange: Exchange, entry = this.seal()): Answer {
    const start = this.logger ? performance.now() : 0
    const c = this.#context(exchange)
    const answer = entry(c)
    if (answer instanceof Promise) return answer.then((response) => this.#finish(c, response, start))
    return this.#finish(c, answer, start)
  }

  #context(exchange: Exchange): Context {
    try {
      return makeContext(exchange, canonicalPath(exchange.path), this.#settings)
    } catch (error) {
      // Global middleware sees the request, but nothing routes by a path that has no canonical form.
      return makeContext(exchange, "/", this.#settings, error as HttpError)
    }
  }

  #finish(c: Context, answer: Response, start: number): Response {
    const response = access.flush(c, answer)
    if (access.exchange(c).ended?.(c.error, response)) return response
    const sent = this.logger?.record(c, response, start) ?? response
    if (isBug(c, c.error) && !c.reported) platform.report(c.error)
    return c.method === "HEAD" ? withoutBody(access.exchange(c), sent) : sent
  }

  /** The proxy, before any route is matched. What it throws is an answer, never a pass. */
  readonly #guarded = (c: Context): Answer => {
    const refused = access.refused(c)
    if (refused) return this.fail(c, refused)
    const { proxy } = this
    if (!(typeof FW_PROXY === "undefined" || FW_PROXY) || !proxy) return this.#route(c)
    const { test, run, actOf } = proxy
    const settle = (c: Context, result: unknown) =>
      result instanceof HttpError ? this.fail(c, result) : actOf(result)(c, this.#route)
    if (typeof test === "function") return test(c.path) ? attempt(run, c, settle, this.fail) : this.#route(c)
    const known = async () => {
      proxy.test = await test
    }
    return attempt(known, c, this.#guarded, this.fail)
  }

  readonly #route = (c: Context): Answer => {
    const { method, path } = c
    const exchange = access.exchange(c)
    const match = this.routes.findSocket?.(exchange, path) ?? this.routes.find(method, path)
    if (!match) return (this.#unrouted as Link)(c)
    const { route, endpoint } = match
    const limit = route?.limit ?? this.#settings.bodyLimit
    access.matched(c, route?.pattern ?? endpoint.pattern, match.values, limit)
    if (!route || isRedirected(route.method, path, c.originalPath)) return endpoint.fallback(c)
    if (exchange.hasBody && Number(exchange.header("content-length")) > limit)
      return this.fail(c, tooLarge(limit))
    return route.run(c)
  }

  /** The answer to what a link threw or returned as an error. */
  readonly fail = (c: Context, thrown: unknown): Answer => {
    const error = thrown === undefined ? new TypeError("undefined was thrown") : thrown
    // An error that another one buries is told now: the end of the request only knows the last.
    if (c.error !== error && isBug(c, c.error)) platform.report(c.error)
    c.error = error
    access.forget(c, (name) => representation.test(name))
    return this.onError || this.errorPages
      ? this.#shapedError(c, error)
      : this.#plainError(c, shownError(error))
  }

  /** The program's own answer to an error, else the page for it where the client is a browser, else `{error, message}`. */
  async #shapedError(c: Context, error: unknown): Promise<Response> {
    let shown = shownError(error)
    try {
      const own = await this.onError?.(c, error)
      const answer = responseOf(own)
      if (answer) return sendError(c, shown, answer, missingFrom)
      if (own instanceof HttpError) shown = own
      const page = await this.errorPages?.(c, shown)
      if (page) return sendError(c, shown, page)
    } catch (again) {
      // What answers errors failed itself. An HttpError is an answer; anything else gets the bare one, so that nothing hangs.
      if (again !== error && !(again instanceof HttpError)) platform.report(again)
      shown = shownError(again)
    }
    return this.#plainError(c, shown)
  }

  /** `{error, message}`. An error whose own headers or issues cannot be sent is a bug: it must not take the answer down with it. */
  #plainError(c: Context, shown: HttpError): Response {
    try {
      return sendError(c, shown, c.json(shown.status, shown))
    } catch (again) {
      platform.report(again)
      return sendError(c, bugError, c.json(bugError.status, bugError))
    }
  }
}

function answerNotFound(c: Context): HttpError {
  return new HttpError(404, `no route matches ${c.method} ${c.path}`)
}

/** What a client may see of an error: an HttpError as it is, of anything else no more than that it happened. */
function shownError(error: unknown): HttpError {
  return error instanceof HttpError ? error : bugError
}

/**
 * Puts the context's headers on an error's answer, and then the error's own, which belong to this answer alone.
 *
 * @param pick chooses among the error's own. The program's own answer gets those that it lacks: a 401 needs
 *   `WWW-Authenticate` (RFC 9110 §15.5.2), a 405 needs `Allow` (§15.5.6).
 */
function sendError(
  c: Context,
  { headers = {} }: HttpError,
  answer: Response,
  pick?: typeof missingFrom,
): Response {
  const own = Object.entries(headers).map(([key, value]): HeaderChange => {
    const name = headerName(key)
    // What the answer varies by, and cookies, add up.
    return { name, value: headerValue(name, value), append: name === "vary" || name === "set-cookie" }
  })
  const sent = access.flush(c, answer)
  return access.exchange(c).change(sent, pick ? pick(sent, own) : own)
}
