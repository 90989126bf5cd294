/** The function types that an application is written in, and the type of an answer. Imported by everyone, imports only types. */
import type { Context } from "./context.ts"
import type { HttpError } from "./errors.ts"
import type { ProxyResult } from "./proxy.ts"
import type { Bindings } from "./request/context-request.ts"

/**
 * What a handler gives back. An HttpError may be thrown or returned.
 *
 * @example
 * const handler = (c: Context): HandlerResult => (c.isJSON ? c.noContent() : badRequest("send JSON"))
 * app.post("/", handler)
 */
export type HandlerResult = Response | HttpError | Promise<Response | HttpError>

/**
 * Answers a request. `Params` are the names of its pattern's parameters.
 *
 * @example
 * const show: HandlerFunc<"id"> = (c) => c.json(200, { id: c.param("id") })
 * app.get("/users/{id}", show)
 */
export type HandlerFunc<Params extends string = string> = (c: Context<Params>) => HandlerResult

/**
 * What a mounted handler gets as its third argument, as a worker does.
 *
 * @example
 * const handler: RequestHandler = (request, env, context: HandlerContext) => {
 *   context.waitUntil(Promise.resolve())
 *   return new Response(context.clientIP)
 * }
 * app.router.mount("/ip", handler)
 * const answer = await app.request("/ip", {}, { clientIP: "203.0.113.7" })
 * await answer.text() // → "203.0.113.7"
 */
export interface HandlerContext {
  /** The client's address as the app around it found it; `""` where it is unknown. */
  readonly clientIP: string
  /** See `c.waitUntil()`. */
  waitUntil(promise: Promise<unknown>): void
  /** Does nothing: workers have it, so handlers may call it. */
  passThroughOnException(): void
}

/**
 * Answers a Request without a Context, such as the `fetch` of another app or framework. `env` is `c.env`.
 *
 * @example
 * const hello: RequestHandler = (request) => new Response(`hello from ${new URL(request.url).pathname}`)
 * app.router.mount("/in", hello)
 * const answer = await app.request("/in/a")
 * await answer.text() // → "hello from /a"
 */
export type RequestHandler = (
  request: Request,
  env: Bindings,
  context: HandlerContext,
) => Response | Promise<Response>

/**
 * What {@link App.router} gives: a place to mount other handlers.
 *
 * @example
 * const router: Router = app.router
 * router.mount("/old", (request) => new Response(new URL(request.url).pathname))
 * const answer = await app.request("/old/page")
 * await answer.text() // → "/page"
 */
export interface Router {
  /** See {@link App.mountHandler}. */
  mount(prefix: string, handler: RequestHandler): void
}

/**
 * The rest of the chain. What the app hands to a middleware always resolves to a Response; an error is in `c.error`. A
 * middleware that is called by hand, as in `member((c) => c.json(200, data))`, takes a handler here.
 *
 * @example
 * const noCache = (next: Next): HandlerFunc => (c) => {
 *   c.setHeader("Cache-Control", "no-store")
 *   return next(c)
 * }
 * app.use(noCache)
 * const answer = await app.request("/")
 * answer.headers.get("Cache-Control") // → "no-store"
 */
export type Next = (c: Context) => Response | Promise<Response>

/**
 * Wraps a handler. The fields tell the app, when the chain is composed, what the middleware enforces.
 *
 * @example
 * const timing: MiddlewareFunc = (next) => async (c) => {
 *   const start = performance.now()
 *   const response = await next(c)
 *   c.setHeader("Server-Timing", `total;dur=${performance.now() - start}`)
 *   return response
 * }
 * app.use(timing)
 */
export interface MiddlewareFunc {
  (next: Next): HandlerFunc
  /** Bytes that a request's body may have on the routes below. The nearest one counts. */
  readonly bodyLimit?: number
  /** Set by `logger()`: the app's own request logger stays silent. */
  readonly replacesLogger?: true
}

/**
 * Looks at a request before its route is matched.
 *
 * @example
 * const maintenance: ProxyFunc = () => proxy.responseJSON(503, { error: "back at noon" })
 * app.setProxy(maintenance)
 * const answer = await app.request("/")
 * await answer.json() // → { error: "back at noon" }
 */
export type ProxyFunc = (c: Context) => ProxyResult | HttpError | Promise<ProxyResult | HttpError>

/**
 * What JSON makes of a type: a `Date` becomes a string, functions and undefined vanish.
 *
 * @example
 * type User = { name: string; born: Date; greet(): void }
 * const sent: Serialized<User> = { name: "Ada", born: "1815-12-10T00:00:00.000Z" }
 */
export type Serialized<T> = T extends { toJSON(): infer U }
  ? Serialized<U>
  : T extends string | number | boolean | null
    ? T
    : T extends readonly unknown[]
      ? { [Index in keyof T]: Serialized<T[Index]> }
      : T extends (...args: never[]) => unknown
        ? never
        : T extends object
          ? {
              [Key in keyof T as T[Key] extends ((...args: never[]) => unknown) | symbol
                ? never
                : Key]: Serialized<T[Key]>
            }
          : T

/**
 * A Response whose status, data and media type are known to the type checker, as `c.json(201, user)` makes it.
 *
 * @example
 * const created = (c: Context): TypedResponse<201, { id: number }, "application/json"> => c.json(201, { id: 7 })
 * app.post("/users", created)
 */
export interface TypedResponse<Status extends number = number, Data = unknown, Type extends string = string>
  extends Response {
  readonly status: Status
  clone(): TypedResponse<Status, Data, Type>
  json(): Promise<Serialized<Data>>
}
