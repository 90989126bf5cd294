/** The function types of an application, and the type of a response. This file imports only types. */
import type { Context } from "./context.ts"
import type { HttpError } from "./errors.ts"

/**
 * The type of `c.env`. An application adds its own names by declaration merging.
 *
 * @example
 * declare module "fw" {
 *   interface Bindings {
 *     DATABASE_URL?: string
 *   }
 * }
 * app.get("/", (c) => c.string(200, c.env.DATABASE_URL ?? "no database"))
 */
export interface Bindings {
  readonly [name: string]: unknown
}

/**
 * The result of a handler. An HttpError may be thrown or returned.
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
 * The result of `prerender()` of a page or a route: the values of its path's parameters, an object for each path whose
 * answer is made at build time. The value of a catch-all may have slashes.
 *
 * @example
 * // app/posts/[slug]/page.tpl
 * export async function prerender(): Promise<PrerenderParams<"slug">> {
 *   return [{ slug: "first-post" }, { slug: "second-post" }]
 * }
 */
export type PrerenderParams<Params extends string = string> = readonly Readonly<Record<Params, string>>[]

/**
 * The third argument of a mounted handler, as on workers.
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
  /** The client's address as the outer app determined it; `""` if it is unknown. */
  readonly clientIP: string
  /** See `c.waitUntil()`. */
  waitUntil(promise: Promise<unknown>): void
  /** Does nothing. It exists on workers, so handlers may call it. */
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
export type RequestHandler = (request: Request, env: Bindings, context: HandlerContext) => Response | Promise<Response>

/**
 * The type of {@link App.router}, which mounts other handlers.
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
 * The rest of the chain. If the app calls a middleware, this always resolves to a Response, and an error is in
 * `c.error`. If a middleware is called by hand, as in `member((c) => c.json(200, data))`, this is a handler.
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
 * Wraps a handler. The app reads the fields when it composes the chain.
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
  /** Size limit of a request's body on the routes below. The nearest limit applies. */
  readonly bodyLimit?: number
  /** Bytes of the body that are kept in memory at most, if that is less. */
  readonly bufferedLimit?: number | undefined
  /** True if bodies in gzip or deflate are decoded. */
  readonly decompresses?: boolean | undefined
  /** Set by `logger()`: the app's own request logger does not log. */
  readonly replacesLogger?: true
}

/**
 * The type after conversion to JSON: a `Date` becomes a string, functions and undefined are dropped.
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
      ? SerializedList<T>
      : T extends (...args: never[]) => unknown
        ? never
        : T extends object
          ? {
              [Key in keyof T as T[Key] extends ((...args: never[]) => unknown) | symbol ? never : Key]: Serialized<
                T[Key]
              >
            }
          : T

/**
 * TypeScript works out a mapped list at once, and the element of `Item[]` only when it is needed. So a type whose arrays contain
 * itself, such as `Json`, is finite only if they are not mapped.
 */
type SerializedList<T extends readonly unknown[]> = T extends (infer Item)[]
  ? Item[] extends T
    ? Serialized<Item>[]
    : { [Index in keyof T]: Serialized<T[Index]> }
  : T extends readonly (infer Item)[]
    ? readonly Item[] extends T
      ? readonly Serialized<Item>[]
      : { [Index in keyof T]: Serialized<T[Index]> }
    : never

/**
 * A Response whose status, data and media type are known to the type checker, as returned by
 * `c.json(201, user)`.
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
