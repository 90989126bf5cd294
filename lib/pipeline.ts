/** One request from canonical path to answer, in the one order there is. Owned by an app; adapters and `app.fetch` call it. */
import { tooLarge } from "./body.ts"
import { compose, isResponse, type Link, link } from "./chain.ts"
import type { Resolved } from "./config.ts"
import { access, type Context, type ContextSettings } from "./context.ts"
import { HttpError } from "./errors.ts"
import type { Exchange } from "./exchange.ts"
import { canonicalPath } from "./path.ts"
import { isProxyResult, type PathTest, type ProxyResult } from "./proxy.ts"
import { isBug, type RequestLogger } from "./request-logger.ts"
import { isRedirected, Router } from "./router.ts"
import type { StaticFiles } from "./static-mounts.ts"
import type { HandlerFunc, MiddlewareFunc, ProxyFunc } from "./types.ts"

/** An answer, at once or later. */
export type Answer = Response | Promise<Response>

/** A proxy and the paths that it sees. */
export interface ProxySetup {
  readonly run: ProxyFunc
  readonly test: PathTest
}

/** Headers that describe a body that is not sent when an error answers instead (RFC 9110 §8). */
const representation =
  /^(?:content-(?:type|length|encoding|language|location|range|disposition)|etag|last-modified)$/

/** The machine of one app: what was registered, and the run of a request through it. */
export class Pipeline {
  readonly router = new Router((middleware, handler, source) =>
    compose(middleware, link(handler, source, this.fail), source, this.fail),
  )
  readonly middleware: MiddlewareFunc[] = []
  readonly #report: (bug: unknown) => void
  proxy: ProxySetup | undefined
  files: StaticFiles | undefined
  logger: RequestLogger | undefined
  onError: ((c: Context, error: unknown) => Answer | HttpError) | undefined
  notFound: HandlerFunc | undefined
  #entry: Link | undefined
  #contextSettings: ContextSettings
  #notFoundLink: Link | undefined

  /** @param report where bugs are written. */
  constructor(settings: Resolved, report: (bug: unknown) => void) {
    this.#contextSettings = { bodyLimit: settings.config.bodyLimit, trusted: settings.trusted }
    this.#report = report
  }

  /** Whether requests are served already, so that nothing more can be registered. */
  get sealed(): boolean {
    return this.#entry !== undefined
  }

  /** Composes the whole chain; nothing is registered afterwards. */
  seal(): Link {
    if (this.#entry) return this.#entry
    this.router.seal()
    const bodyLimit = this.middleware.findLast((wrap) => wrap.bodyLimit !== undefined)?.bodyLimit
    if (bodyLimit !== undefined) this.#contextSettings = { ...this.#contextSettings, bodyLimit }
    this.#notFoundLink = link(this.notFound ?? answerNotFound, "notFound()", this.fail)
    this.#entry = compose(this.middleware, (c) => this.#guarded(c), "app.use()", this.fail)
    return this.#entry
  }

  /** Answers one request. Never throws. */
  run(exchange: Exchange): Answer {
    const entry = this.seal()
    const start = this.logger ? performance.now() : 0
    const c = this.#context(exchange)
    const answer = entry(c)
    if (answer instanceof Promise) return answer.then((response) => this.#finish(c, response, start))
    return this.#finish(c, answer, start)
  }

  #context(exchange: Exchange): Context {
    try {
      return access.make(exchange, canonicalPath(exchange.path), this.#contextSettings)
    } catch (error) {
      // Global middleware sees the request, but nothing routes by a path that has no canonical form.
      const c = access.make(exchange, "/", this.#contextSettings)
      c.error = error
      return c
    }
  }

  #finish(c: Context, answer: Response, start: number): Response {
    const response = access.flush(c, answer)
    const sent = this.logger ? this.logger.record(c, response, start) : response
    if (c.error !== undefined && !access.isBugTaken(c) && isBug(c, c.error)) this.#report(c.error)
    return sent
  }

  /** The proxy, before any route is matched. What it throws is an answer, never a pass. */
  #guarded(c: Context): Answer {
    if (c.error) return this.fail(c, c.error)
    const { proxy } = this
    if (!proxy?.test(c.path)) return this.#route(c)
    try {
      const result = proxy.run(c)
      if (!(result instanceof Promise)) return this.#decide(c, result)
      return result.then((r) => this.#decide(c, r)).catch((error) => this.fail(c, error))
    } catch (error) {
      return this.fail(c, error)
    }
  }

  #decide(c: Context, result: ProxyResult | HttpError): Answer {
    if (result instanceof HttpError) return this.fail(c, result)
    if (!isProxyResult(result)) {
      return this.fail(
        c,
        new TypeError("the proxy gave no result: return proxy.continue() or another of its actions"),
      )
    }
    switch (result.action) {
      case "continue":
        return this.#route(c)
      case "redirect":
        return c.redirect(result.status, result.url)
      case "respond":
        return c.json(result.status, result.data)
      case "rewrite":
        access.rewrite(c, result.path, result.search ?? access.search(c))
        return this.#route(c)
    }
  }

  #route(c: Context): Answer {
    const { method, path } = c
    const match = this.router.find(method, path)
    if (!match) return this.#unrouted(c)
    const { route, endpoint } = match
    if (!route || (isRedirected(method, path) && route.method !== "*")) return endpoint.fallback(c)
    const limit = route.limit ?? this.#contextSettings.bodyLimit
    access.matched(c, route.pattern, match.values, limit)
    const exchange = access.exchange(c)
    if (exchange.hasBody && Number(exchange.header("content-length")) > limit)
      return this.fail(c, tooLarge(limit))
    return route.run(c)
  }

  #unrouted(c: Context): Answer {
    const notFound = this.#notFoundLink as Link
    if (!this.files || (c.method !== "GET" && c.method !== "HEAD")) return notFound(c)
    return this.files
      .answer(c)
      .then((response) => response ?? notFound(c))
      .catch((error) => this.fail(c, error))
  }

  /** The answer to what a link threw or returned as an error. */
  readonly fail = (c: Context, error: unknown): Answer => {
    // An error that another one buries is told now: the end of the request only knows the last.
    if (c.error !== error && isBug(c, c.error)) this.#report(c.error)
    c.error = error
    const changes = access.changes(c)
    if (changes)
      access.setChanges(
        c,
        changes.filter(({ name }) => !representation.test(name)),
      )
    if (!this.onError) return answerError(c, error)
    try {
      const answer = this.onError(c, error)
      if (!(answer instanceof Promise)) return this.#replaced(c, error, answer)
      return answer.then((value) => this.#replaced(c, error, value)).catch((again) => this.#twice(c, again))
    } catch (again) {
      return this.#twice(c, again)
    }
  }

  #replaced(c: Context, error: unknown, answer: unknown): Response {
    return isResponse(answer)
      ? access.flush(c, answer)
      : answerError(c, answer instanceof HttpError ? answer : error)
  }

  /** onError failed itself: the bare answer, so that nothing hangs. */
  #twice(c: Context, error: unknown): Response {
    this.#report(error)
    return answerError(c, error)
  }
}

function answerNotFound(c: Context): never {
  throw new HttpError(404, `no route matches ${c.method} ${c.path}`)
}

/** `{error, message}` for an HttpError; a bare 500 that leaks nothing for anything else. */
function answerError(c: Context, error: unknown): Response {
  const shown = error instanceof HttpError ? error : new HttpError(500, "internal server error")
  for (const [name, value] of Object.entries(shown.headers ?? {})) c.setHeader(name, value)
  return access.flush(c, c.json(shown.status, shown))
}
