/** A request from canonical path to response, in a fixed order. */
import { platform } from "#platform"
import { attempt, compose, type Link, link, responseOf } from "./chain.ts"
import { type Context, makeContext } from "./context.ts"
import { access, type ContextSettings } from "./context-access.ts"
import { bugError, HttpError, tooLarge } from "./errors.ts"
import { type Exchange, type HeaderChange, missingFrom, withoutBody } from "./exchange.ts"
import { isBug } from "./log/is-bug.ts"
import type { RequestLogger } from "./log/request-logger.ts"
import type { ErrorPages } from "./mount/pages.ts"
import { canonicalPath } from "./path.ts"
import type { ProxySetup } from "./proxy.ts"
import { headerName, headerValue } from "./request/headers.ts"
import { isRedirected, limitOf, RouteTable } from "./router.ts"
import type { StaticMounts } from "./static/mounts.ts"
import type { HandlerFunc, HandlerResult, MiddlewareFunc } from "./types.ts"

declare const FW_PAGES: boolean
declare const FW_PROXY: boolean
declare const FW_SOCKETS: boolean

/** A response, or a promise of it. */
export type ResponseOrPromise = Response | Promise<Response>

/** Headers that describe a body that is not sent when an error is the response (RFC 9110 §8). */
const representation = /^(?:content-(?!security-)|etag$|last-modified$)/

/** Runs requests through everything that was registered in an app. */
export class Pipeline {
  readonly routes = new RouteTable((middleware, handler, source) =>
    compose(middleware, link(handler, source, this.fail), source, this.fail),
  )
  readonly middleware: MiddlewareFunc[] = []
  // Declared without a definition, which would be code in every worker.
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

  /** True after the first request, when nothing more can be registered. */
  get sealed(): boolean {
    return this.#entry !== undefined
  }

  /**
   * Composes the whole chain. Nothing can be registered afterwards.
   *
   * @param files static files, which come before {@link notFound}.
   */
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

  /** Answers a request with an error of the app itself. */
  refuse(exchange: Exchange, error: unknown): ResponseOrPromise {
    return this.#run(exchange, (c) => this.fail(c, error))
  }

  /** Answers a request. Never throws. */
  run(exchange: Exchange): ResponseOrPromise {
    return this.#run(exchange, this.seal())
  }

  #run(exchange: Exchange, entry: Link): ResponseOrPromise {
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
      // Global middleware sees the request, but a path without a canonical form is not routed.
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

  /** Runs the proxy before routing. An error of the proxy is a response; the request never passes. */
  readonly #guarded = (c: Context): ResponseOrPromise => {
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

  readonly #route = (c: Context): ResponseOrPromise => {
    const { method, path } = c
    const exchange = access.exchange(c)
    const { routes } = this
    const match =
      ((typeof FW_SOCKETS === "undefined" || FW_SOCKETS) && routes.findSocket?.(exchange, path)) ||
      routes.find(method, path)
    if (!match) return (this.#unrouted as Link)(c)
    const { route, endpoint } = match
    const limit = route?.limit ?? this.#settings.bodyLimit
    access.matched(c, route?.pattern ?? endpoint.pattern, match.values, limit)
    if (!route || isRedirected(route.method, path, c.originalPath)) return endpoint.fallback(c)
    if (exchange.hasBody && Number(exchange.header("content-length")) > limit)
      return this.fail(c, tooLarge(limit))
    return route.run(c)
  }

  /** Returns the response to an error that a link threw or returned. */
  readonly fail = (c: Context, thrown: unknown): ResponseOrPromise => {
    const error = thrown === undefined ? new TypeError("undefined was thrown") : thrown
    // An error that is replaced by another is reported now, because the end of the request only knows the
    // last one.
    if (c.error !== error && isBug(c, c.error)) platform.report(c.error)
    c.error = error
    access.forget(c, (name) => representation.test(name))
    return this.onError || this.errorPages
      ? this.#shapedError(c, error)
      : this.#plainError(c, shownError(error))
  }

  /**
   * Returns the program's own response to an error, otherwise the page for it if the client is a browser,
   * otherwise `{error, message}`.
   */
  async #shapedError(c: Context, error: unknown): Promise<Response> {
    let shown = shownError(error)
    try {
      const own = await this.onError?.(c, error)
      const answer = responseOf(own)
      if (answer) return sendError(c, shown, answer, missingFrom)
      if (own instanceof HttpError) shown = own
      const page = typeof FW_PAGES === "undefined" || FW_PAGES ? await this.errorPages?.(c, shown) : undefined
      if (page) return sendError(c, shown, page)
    } catch (again) {
      // The error handler failed itself. An HttpError is a response; anything else gets the default one, so
      // that the request ends.
      if (again !== error && !(again instanceof HttpError)) platform.report(again)
      shown = shownError(again)
    }
    return this.#plainError(c, shown)
  }

  /**
   * Returns `{error, message}`. If the error's own headers or issues cannot be sent, that is a bug, but the
   * response is still sent.
   */
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

/** Returns the error that a client may see: an HttpError as it is, and no details of any other. */
function shownError(error: unknown): HttpError {
  return error instanceof HttpError ? error : bugError
}

/**
 * Adds the context's headers to an error's response, and then the error's own, which are only for this
 * response.
 *
 * @param pick selects some of the error's own. The program's own response gets those that it lacks: a 401
 * needs
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
    // `Vary` and cookies are added to existing ones.
    return { name, value: headerValue(name, value), append: name === "vary" || name === "set-cookie" }
  })
  const sent = access.flush(c, answer)
  return access.exchange(c).change(sent, pick ? pick(sent, own) : own)
}
