/** Internal operations on a context, for the framework's own modules. */
import type { Context } from "./context.ts"
import type { HttpError } from "./errors.ts"
import type { BodyData, BodySource, Exchange } from "./exchange.ts"
import type { Log, LogWriter } from "./log/record.ts"
import type { Pattern } from "./pattern.ts"
import type { AddressRange } from "./request/address.ts"
import type { BodyLimits } from "./request/body.ts"
import type { Operation } from "./trace/operations.ts"

/**
 * Access to the internals of a context. `lib/context.ts` sets it; in a separate file, modules that the
 * context imports can use it.
 */
export let access: ContextAccess

/** Sets {@link access}. The class calls it once. */
export function setAccess(given: ContextAccess): void {
  access = given
}

/** Settings of the app for every context. */
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

/** The app's access to a context. Not exported from the package. */
export interface ContextAccess {
  /**
   * Returns true for a context that this copy of the package made. If a program has loaded fw twice, each copy knows only its own.
   */
  isContext(value: unknown): boolean
  getExchange(c: Context): Exchange
  rewrite(c: Context, path: string, search: string): void
  setMatch(c: Context, pattern: Pattern, values: readonly string[], limits: BodyLimits): void
  /** Returns true if `c.signal` was read and has aborted. */
  isAborted(c: Context): boolean
  getLogWriter(c: Context): LogWriter | undefined
  /** The operation of a request that is watched. */
  getOperation(c: Context): Operation | undefined
  setOperation(c: Context, operation: Operation): void
  /** The pattern of the matched route. */
  getPattern(c: Context): Pattern | undefined
  /** Returns the parts from which the body of a request is read. */
  getBodyParts(c: Context): [BodySource, BodyLimits, ContextSettings]
  getRefusal(c: Context): HttpError | undefined
  /** Begins a function of the program: the headers that it sets are those of its own answer, also if that is an error. */
  beginFunction(c: Context): void
  /** Returns the value of a header that was set on the context, by its name in lower case; `""` if there is none. */
  getPendingHeader(c: Context, name: string): string
  /** Returns true if a value is stored. */
  hasValue(c: Context, key: string): boolean
  /**
   * Removes headers with these names that were set on the context. `remade` is a response that was created again: it
   * has the other headers, and replaces the last response.
   */
  forgetHeaders(c: Context, isForgotten: (name: string) => boolean, remade?: Response): void
  /** Creates a response as the context's own methods do. `headers` has names in lower case. */
  respond(c: Context, status: number, headers: Record<string, string>, body: BodyData): Response
  /**
   * Adds to a response the headers that were set on the context since the last call.
   *
   * @param isError true for the answer to an error. Default: by its status.
   */
  addPendingHeaders(c: Context, response: Response, isError?: boolean): Response
  /** Cancels the bodies of all responses but this one. Returns the response to send. */
  cancelUnsent(c: Context, sent: Response): Response
}
