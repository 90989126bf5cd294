/** Operations on a context that only the framework's own modules may use. */
import type { Context } from "./context.ts"
import type { HttpError } from "./errors.ts"
import type { BodyData, BodySource, Exchange } from "./exchange.ts"
import type { Log, LogWriter } from "./log/record.ts"
import type { Pattern } from "./pattern.ts"
import type { AddressRange } from "./request/address.ts"
import type { BodyLimits } from "./request/body.ts"
import type { Operation } from "./trace/operations.ts"

/**
 * The operations. `lib/context.ts` sets them; they have a file of their own, because modules that the context imports
 * need them too.
 */
export let access: ContextAccess

/** Sets {@link access}. The class `Context` calls it once. */
export function setAccess(newAccess: ContextAccess): void {
  access = newAccess
}

/** Settings of an app that every context of it uses. */
export interface ContextSettings {
  limits: BodyLimits
  readonly formPartLimit: number
  readonly trustedRanges: readonly AddressRange[]
  /** Returns the log of a request. */
  readonly createLog: (c: Context) => Log
  /** Writes the lines of `c.log`. Missing in an app that has no logger. */
  logWriter?: LogWriter
  /** Returns HTML with the scripts of its custom elements. Missing in an app that has none. */
  addScripts?: (c: Context, html: string) => string
}

/** Operations on the private fields of a context. Not exported from the package. */
export interface ContextAccess {
  /**
   * Returns true if this copy of fw made the context. A program that has loaded fw twice has contexts of both copies.
   */
  isContext(value: unknown): boolean
  getExchange(c: Context): Exchange
  rewrite(c: Context, path: string, search: string): void
  setMatch(c: Context, pattern: Pattern, values: readonly string[], limits: BodyLimits): void
  /** Returns true if `c.signal` was read and has aborted. */
  isAborted(c: Context): boolean
  getLogWriter(c: Context): LogWriter | undefined
  /** Returns the operation that stands for a request in a trace. */
  getOperation(c: Context): Operation | undefined
  setOperation(c: Context, operation: Operation): void
  /** Returns the pattern of the matched route. */
  getPattern(c: Context): Pattern | undefined
  /** Returns the first arguments of `new RequestBody()`. */
  getBodyArguments(c: Context): [BodySource, BodyLimits, ContextSettings]
  getRefusal(c: Context): HttpError | undefined
  /**
   * Marks the start of a function of the program. The headers that it sets are meant for the answer that it returns, even
   * if that answer is an error.
   */
  beginFunction(c: Context): void
  /** Returns the value of a header that was set on the context, by its name in lower case; `""` if there is none. */
  getPendingHeader(c: Context, name: string): string
  /** Returns true if a value was stored under a name. */
  hasValue(c: Context, key: string): boolean
  /**
   * Forgets headers that were set on the context, by their names.
   *
   * @param replacement a response that takes the place of the last one and already has the remaining headers.
   */
  forgetHeaders(c: Context, isForgotten: (name: string) => boolean, replacement?: Response): void
  /** Creates a response as the context's own methods do. `headers` has names in lower case. */
  respond(c: Context, status: number, headers: Record<string, string>, body: BodyData): Response
  /**
   * Adds the headers that were set on the context since the last call to a response.
   *
   * @param isError true if the response answers an error. Default: whether the status is 400 or more.
   */
  addPendingHeaders(c: Context, response: Response, isError?: boolean): Response
  /** Cancels the bodies of all responses except this one. Returns the response to send. */
  cancelUnsent(c: Context, finalResponse: Response): Response
}
