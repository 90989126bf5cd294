/** The function types that an application is written in, and the type of an answer. Imported by everyone, imports only types. */
import type { Context } from "./context.ts"
import type { Bindings } from "./context-request.ts"
import type { HttpError } from "./errors.ts"
import type { ProxyResult } from "./proxy.ts"

/** What a handler gives back. An HttpError may be thrown or returned. */
export type HandlerResult = Response | HttpError | Promise<Response | HttpError>

/** Answers a request. `Params` are the names of its pattern's parameters. */
export type HandlerFunc<Params extends string = string> = (c: Context<Params>) => HandlerResult

/** What a mounted handler gets as its third argument, as a worker does. */
export interface HandlerContext {
  /** The client's address as the app around it found it; `""` where it is unknown. */
  readonly clientIP: string
  /** See `c.waitUntil()`. */
  waitUntil(promise: Promise<unknown>): void
  /** Does nothing: workers have it, so handlers may call it. */
  passThroughOnException(): void
}

/** Answers a Request without a Context, such as the `fetch` of another app or framework. `env` is `c.env`. */
export type RequestHandler = (
  request: Request,
  env: Bindings,
  context: HandlerContext,
) => Response | Promise<Response>

/**
 * The rest of the chain. What the app hands to a middleware always resolves to a Response; an error is in `c.error`. A
 * middleware that is called by hand, as in `member((c) => c.json(200, data))`, takes a handler here.
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
 */
export interface MiddlewareFunc {
  (next: Next): HandlerFunc
  /** Bytes that a request's body may have on the routes below. The nearest one counts. */
  readonly bodyLimit?: number
  /** Set by `logger()`: the app's own request logger stays silent. */
  readonly replacesLogger?: true
}

/** Looks at a request before its route is matched. */
export type ProxyFunc = (c: Context) => ProxyResult | HttpError | Promise<ProxyResult | HttpError>

/** What JSON makes of a type: a `Date` becomes a string, functions and undefined vanish. */
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

/** A Response whose status, data and media type are known to the type checker, as `c.json(201, user)` makes it. */
export interface TypedResponse<Status extends number = number, Data = unknown, Type extends string = string>
  extends Response {
  readonly status: Status
  clone(): TypedResponse<Status, Data, Type>
  json(): Promise<Serialized<Data>>
}
