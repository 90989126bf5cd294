/**
 * The types of functions that an application writes, and of the responses that they return. This file imports only
 * types.
 */
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
 * The result of the function `prerender` of a page or a route file. It has an object for each path whose answer is made
 * at build time, with the values of the path's parameters. The value of a catch-all may contain slashes.
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
  /** The client's address as the outer app sees it; `""` if it is unknown. */
  readonly clientIP: string
  /** See `c.waitUntil()`. */
  waitUntil(promise: Promise<unknown>): void
  /** Does nothing. It exists because handlers for workers may call it. */
  passThroughOnException(): void
}

/**
 * Answers a Request without a context, such as the `fetch` of another app or framework. `env` is `c.env`.
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
 * The rest of the chain. In a chain of the app it always resolves to a Response, and an error is in `c.error`. If a
 * program calls a middleware itself, as in `member((c) => c.json(200, data))`, this is the handler that it passes.
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
 * A middleware: takes the rest of the chain, and returns a handler. The app reads the properties when it composes the
 * chain.
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
  /** Size limit of request bodies on the routes below. If there are several, the one nearest to the route applies. */
  readonly bodyLimit?: number
  /** Maximum number of bytes of a body in memory, if that is less. */
  readonly bufferedLimit?: number | undefined
  /** True to decode bodies in gzip or deflate. */
  readonly decompresses?: boolean | undefined
  /** Set by `logger()`. The app's own request logger then does not log. */
  readonly replacesLogger?: true
}

/**
 * The type of a value after conversion to JSON. A `Date` becomes a string; functions and undefined are left out.
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
 * The type {@link Serialized} for lists. TypeScript evaluates a mapped list at once, but the items of `Item[]` only
 * when they are needed. So a type that contains lists of itself, such as `Json`, must not be mapped.
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
 * A Response whose status, data and media type the type checker knows. The result of `c.json(201, user)`, for example.
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
