/** Takes a request from the canonical path to the response, in a fixed order of steps. */
import { platform } from "#platform"
import { getSigning, sealResponse } from "./answer/seal-response.ts"
import { attempt, compose, createLink, isBug, isUnprintedBug, type Link, traceCalls } from "./chain.ts"
import { type Context, createContext } from "./context.ts"
import { access, type ContextSettings } from "./context-access.ts"
import { getDevHooks } from "./dev/hooks.ts"
import { answerError, type ErrorHandlers } from "./errors/error-handlers.ts"
import { createErrorResponse, describeMissingRoute, toVisibleError } from "./errors/error-response.ts"
import { HttpError, payloadTooLarge } from "./errors.ts"
import { type Exchange, toHeadResponse } from "./exchange.ts"
import type { RequestLogger } from "./log/request-logger.ts"
import { canonicalizePath } from "./path.ts"
import type { ProxySetup } from "./proxy.ts"
import { isLargeForm } from "./request/form-type.ts"
import { findLimits, isRedirected, RouteTable } from "./router.ts"
import type { StaticMounts } from "./static/static-mounts.ts"
import { channels } from "./trace/operations.ts"
import { beginRequest, endRequest } from "./trace/requests.ts"
import type { HandlerFunc, MiddlewareFunc } from "./types.ts"

/** A response, or a promise of one. */
export type ResponseOrPromise = Response | Promise<Response>

/** Answers requests with everything that is registered in an app. */
export class Pipeline {
  readonly routes = new RouteTable((middleware, handler, source) =>
    compose(middleware, createLink(handler, source, this.fail), source, this.fail),
  )
  readonly middleware: MiddlewareFunc[] = []
  // With `declare` these fields need no code, which would be in every bundle for workers.
  declare proxy: ProxySetup | undefined
  declare logger: RequestLogger | undefined
  declare onError: ErrorHandlers["onError"]
  declare notFound: HandlerFunc | undefined
  declare errorPages: ErrorHandlers["errorPages"]
  #entry: Link | undefined
  readonly settings: ContextSettings
  #answerWithoutRoute: Link | undefined

  constructor(settings: ContextSettings) {
    this.settings = settings
  }

  /** True after the first request. Then nothing more can be registered. */
  get isSealed(): boolean {
    return this.#entry !== undefined
  }

  /**
   * Composes the whole chain. Nothing can be registered afterwards.
   *
   * @param files the static files, which are looked for before {@link notFound} answers.
   */
  seal(files?: StaticMounts): Link {
    if (this.#entry) return this.#entry
    this.routes.seal()
    this.settings.limits = findLimits(this.middleware) ?? this.settings.limits
    const handler = this.notFound ?? answerNotFound
    const notFound = createLink((c) => access.getExchange(c).passToHost?.() ?? handler(c), "notFound()", this.fail)
    this.#answerWithoutRoute = files?.createLink(notFound, this.fail) ?? notFound
    this.#entry = compose(this.middleware, this.#runProxy, "app.use()", this.fail)
    return this.#entry
  }

  /** Answers a request with an error, if the app cannot start. */
  refuse(exchange: Exchange, error: unknown): ResponseOrPromise {
    return this.#run(exchange, (c) => this.fail(c, error))
  }

  /** Answers a request. Never throws. */
  run(exchange: Exchange): ResponseOrPromise {
    return this.#run(exchange, this.seal())
  }

  #run(exchange: Exchange, entry: Link): ResponseOrPromise {
    const start = this.logger ? performance.now() : 0
    const c = this.#createContext(exchange)
    if (!channels.request.isWatched || exchange.isMounted) return this.#answer(exchange, c, entry, start)
    return this.#answerWatched(exchange, c, entry, start)
  }

  #answerWatched(exchange: Exchange, c: Context, entry: Link, start: number): ResponseOrPromise {
    return beginRequest(c, () => this.#answer(exchange, c, entry, start))
  }

  #answer(exchange: Exchange, c: Context, entry: Link, start: number): ResponseOrPromise {
    const answer = entry(c)
    if (!(answer instanceof Promise)) return this.#finish(c, answer, start)
    const finish = (response: Response) => this.#finish(c, response, start)
    return exchange.followResponse?.(answer, finish) ?? answer.then(finish)
  }

  #createContext(exchange: Exchange): Context {
    try {
      return createContext(exchange, canonicalizePath(exchange.path), this.settings)
    } catch (error) {
      // Global middleware runs for a path without a canonical form too, but no route is looked for.
      return createContext(exchange, "/", this.settings, error as HttpError)
    }
  }

  #finish(c: Context, answer: Response, start: number): ResponseOrPromise {
    const signing = getSigning(c)
    if (signing) return signing.then(() => this.#finish(c, answer, start))
    let response = access.cancelUnsent(c, access.addPendingHeaders(c, answer))
    if (c.method !== "HEAD") sealResponse(c)
    if (access.getExchange(c).handleOutcome?.(c.error, response, c.pattern)) return this.#endOperation(c, response)
    response = getDevHooks()?.onResponse?.(c, response, access.getExchange(c)) ?? response
    const finalResponse = this.#endOperation(c, this.logger?.record(c, response, start) ?? response)
    if (isBug(c, c.error) && !c.reported) platform.report(c.error)
    return c.method === "HEAD" ? toHeadResponse(access.getExchange(c), finalResponse) : finalResponse
  }

  #endOperation(c: Context, response: Response): Response {
    return channels.request.isWatched ? endRequest(c, response) : response
  }

  /**
   * Runs the proxy before a route is looked for. If the proxy throws, the error is the response, and the request goes
   * no further.
   */
  readonly #runProxy = (c: Context): ResponseOrPromise => {
    const refusal = access.getRefusal(c)
    if (refusal) return this.fail(c, refusal)
    if (!this.proxy) return this.#routeRequest(c)
    const { proxy } = this
    const { test, run, findAction } = proxy
    const settle = (c: Context, result: unknown) => {
      if (result instanceof HttpError) return this.fail(c, result)
      const answer = findAction(result)(c, this.#routeRequest)
      return answer instanceof Promise ? answer : access.addPendingHeaders(c, answer)
    }
    if (typeof test === "function") {
      if (!test(c.path)) return this.#routeRequest(c)
      access.beginFunction(c)
      return attempt(channels.proxy.isWatched ? traceCalls(channels.proxy, "proxy", run) : run, c, settle, this.fail)
    }
    const resolveTest = async () => {
      proxy.test = await test
    }
    return attempt(resolveTest, c, this.#runProxy, this.fail)
  }

  readonly #routeRequest = (c: Context): ResponseOrPromise => {
    const { method, path } = c
    const exchange = access.getExchange(c)
    const { routes } = this
    const match = routes.findSocket?.(exchange, path) || routes.find(method, path)
    if (!match) return (this.#answerWithoutRoute as Link)(c)
    const { route, endpoint } = match
    const limits = route?.limits ?? this.settings.limits
    access.setMatch(c, route?.pattern ?? endpoint.pattern, match.values, limits)
    if (!route || isRedirected(route.method, path, c.originalPath)) return endpoint.fallback(c)
    const isTooLarge = exchange.hasBody && Number(exchange.header("content-length")) > limits.bodyLimit
    // `c.readForm()` can show a form again that is too large. All other calls refuse it themselves.
    if (isTooLarge && !isLargeForm(exchange, limits.bodyLimit)) return this.fail(c, payloadTooLarge(limits.bodyLimit))
    return route.run(c)
  }

  /** Returns the response to an error that a link has thrown or returned. */
  readonly fail = (c: Context, thrownValue: unknown): ResponseOrPromise => {
    const error = thrownValue === undefined ? new TypeError("undefined was thrown") : thrownValue
    // The error that is replaced is reported here, because the end of the request knows only the last error.
    if (c.error !== error && isUnprintedBug(c)) platform.report(c.error)
    c.error = error
    getDevHooks()?.onError?.(c, isBug(c, error))
    // Headers that were set before were meant for another answer.
    access.beginFunction(c)
    return this.onError || this.errorPages ? answerError(c, error, this) : createErrorResponse(c, toVisibleError(error))
  }
}

function answerNotFound(c: Context): HttpError {
  return new HttpError(404, describeMissingRoute(c))
}
