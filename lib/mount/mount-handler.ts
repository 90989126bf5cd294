/**
 * Mounts handlers below a prefix, as `app.mountHandler()` does. If the handler is an app, it also gets the data of the
 * outer app.
 */

import { removeHopByHopHeaders } from "../answer/foreign-response.ts"
import { toResponse } from "../chain.ts"
import { checkFunction } from "../checks.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { type Exchange, exchangeFactories, FetchExchange } from "../exchange.ts"
import { parsePattern } from "../pattern.ts"
import type { FetchArguments } from "../request/around.ts"
import { setSignal } from "../request/body-streams.ts"
import type { RouteTable } from "../router.ts"
import { channels } from "../trace/operations.ts"
import { setMountedPattern } from "../trace/requests.ts"
import type { HandlerContext, HandlerFunc, RequestHandler } from "../types.ts"

/**
 * Registers a handler for all requests to a prefix and to the paths below it. The handler gets them without the prefix.
 */
export function mountHandler(router: RouteTable, prefix: string, handler: RequestHandler): void {
  const source = `mountHandler(${JSON.stringify(prefix)})`
  checkFunction(handler, source)
  parsePattern(prefix === "" ? "/" : prefix)
  const base = prefix.replace(/(?<!\/)\/+$/, "")
  const prefixLength = parsePattern(base || "/").segments.length
  const mountedHandler: HandlerFunc = async (c) => {
    const result = await handler(createMountedRequest(c, prefixLength), c.env, new MountContext(c))
    const answer = toResponse(result)
    return answer ? removeHopByHopHeaders(answer, "mounted") : result
  }
  for (const pattern of [base || "/", `${base}/*`])
    router.add({ method: "*", pattern: parsePattern(pattern), handler: mountedHandler, middleware: [], source })
}

/** Returns the request for a mounted handler, without the first segments of its path. */
function createMountedRequest(c: Context, skippedSegments: number): Request {
  const url = new URL(c.request.url)
  url.pathname = `/${c.path
    .split("/")
    .slice(skippedSegments + 1)
    .join("/")}`
  url.search = c.search
  const request = new Request(url, c.request)
  // The signal of the context aborts also when the time of a timeout() around the handler is over.
  const { signal } = c
  const mountedRequest =
    signal === access.getExchange(c).signal ? request : new Request(request, { signal, duplex: "half" } as object)
  setSignal(mountedRequest, () => signal)
  exchangeFactories.set(mountedRequest, (args) => new MountedExchange(mountedRequest, args, c))
  return mountedRequest
}

/** The third argument of a mounted handler, as workers pass it. */
class MountContext implements HandlerContext {
  readonly #c: Context

  constructor(c: Context) {
    this.#c = c
  }

  get clientIP(): string {
    return this.#c.clientIP
  }

  waitUntil(promise: Promise<unknown>): void {
    this.#c.waitUntil(promise)
  }

  passThroughOnException(): void {}
}

/**
 * A request that an outer app has passed on. If the program wraps the `fetch` of the mounted app and passes other
 * arguments to it, they take precedence over the data of the outer app.
 */
class MountedExchange extends FetchExchange {
  readonly #c: Context
  readonly #outerExchange: Exchange

  constructor(request: Request, args: FetchArguments, outerContext: Context) {
    super(request, args)
    this.#c = outerContext
    this.#outerExchange = access.getExchange(outerContext)
    this.env ??= this.#outerExchange.env
  }

  override get address(): string {
    return super.address || this.#c.clientIP
  }

  override get origin(): string {
    return this.#c.origin
  }

  get stopSignal(): AbortSignal | undefined {
    return this.#outerExchange.stopSignal
  }

  /** The path that the client requested, which includes the prefix. */
  get originalPath(): string {
    return this.#c.originalPath
  }

  override waitUntil(promise: Promise<unknown>): void {
    if (this.around?.waitUntil) super.waitUntil(promise)
    else this.#c.waitUntil(promise)
  }

  get values(): Map<string, unknown> | undefined {
    const { values } = this.#outerExchange
    return values && new Map(values)
  }

  passToHost(): Response | undefined {
    return this.#outerExchange.passToHost?.()
  }

  override get lines(): Exchange["lines"] {
    return super.lines ?? this.#outerExchange.lines
  }

  get isMounted(): boolean {
    return true
  }

  /** Leaves the outcome to the outer app, so that the request is logged once and its bug is reported once. */
  handleOutcome(error: unknown, _response: Response, pattern: string): boolean {
    this.#c.error = error
    if (channels.request.isWatched) setMountedPattern(this.#c, pattern)
    return true
  }
}
