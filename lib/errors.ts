/** The two kinds of error: `HttpError` answers a client, `FwError` informs the developer. */
import type { FwErrorCode } from "./errors/error-codes.ts"
import { rareCodes } from "./errors/status-names.ts"

/** Codes of the statuses from 400 and of those from 500, in order. A status without a code has an empty entry. */
const codesByStatus = [
  "bad_request,unauthorized,,forbidden,not_found,method_not_allowed,,,request_timeout,conflict,gone,length_required,precondition_failed,payload_too_large,,unsupported_media_type,range_not_satisfiable,,,,,misdirected_request,unprocessable_content,,,,,,,too_many_requests",
  "internal_server_error,not_implemented,bad_gateway,service_unavailable,gateway_timeout",
].map((list) => list.split(","))

/**
 * Options of an {@link HttpError}, in addition to its status and message.
 *
 * @example
 * const options: HttpErrorOptions = { code: "sold_out", headers: { "Cache-Control": "no-store" } }
 * new HttpError(409, "no tickets are left", options).code // → "sold_out"
 */
export interface HttpErrorOptions {
  /** The `error` field of the body. Default: the status's own code, such as `not_found`. */
  readonly code?: string
  /** Headers of the response, such as `Allow` or `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Problems that a validator found, sent as the body's `issues`. */
  readonly issues?: readonly Issue[]
  /** Cause of the error. It is never sent, and logged only at level `debug`. */
  readonly cause?: unknown
}

/**
 * A problem that a validator found, in the format of Standard Schema.
 *
 * @example
 * const issues: Issue[] = [{ message: "must be a number", path: ["items", 0, "price"] }]
 * new HttpError(400, "the order is not valid", { issues }).issues?.length // → 1
 */
export interface Issue {
  readonly message: string
  /** Keys from the root of the body to the invalid value. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/**
 * An error that is the answer to a client: its status, and `{error, message}` as the body. Throw it, or return it from
 * a handler.
 *
 * @throws RangeError if the status is not an integer from 400 to 599, TypeError if the message is an object or a function.
 * @example
 * app.get("/beans", () => {
 *   throw new HttpError(409, "the pot is taken", { headers: { "Retry-After": "60" } })
 * })
 * const answer = await app.request("/beans")
 * await answer.json() // → { error: "conflict", message: "the pot is taken" }
 */
export class HttpError<Status extends number = number> extends Error {
  // Declared without a definition, because the constructor sets them.
  declare readonly status: Status
  declare readonly code: string
  declare readonly headers: Readonly<Record<string, string>> | undefined
  declare readonly issues: readonly Issue[] | undefined
  /**
   * Gives `error.status` the type `number` after `error instanceof HttpError`. Without this, TypeScript takes `any` for
   * the type parameter.
   */
  declare static readonly [Symbol.hasInstance]: {
    <Instance>(this: abstract new (...args: never) => Instance, value: unknown): value is Instance
    <Instance>(this: { readonly prototype: Instance }, value: unknown): value is Instance
  }

  constructor(status: Status, message: string, options: HttpErrorOptions = {}) {
    super(message, options)
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new RangeError(`an HttpError's status is 400 to 599, not ${status}`)
    }
    // Converted to text, an Error would be sent as "Error: …" and another object as "[object Object]".
    if (Object(message) === message) throw new TypeError("an HttpError's message is a string, such as error.message")
    this.name = "HttpError"
    this.status = status
    this.code = options.code ?? (codesByStatus[status < 500 ? 0 : 1]?.[status % 100] || toRareCode(status))
    this.headers = options.headers
    this.issues = options.issues
  }

  /** The body of the answer. */
  toJSON(): { error: string; message: string; issues?: readonly Issue[] } {
    const body = { error: this.code, message: this.message }
    return this.issues ? { ...body, issues: this.issues } : body
  }
}

/**
 * 400 `bad_request`.
 *
 * @example
 * app.get("/", () => badRequest("the date is missing"))
 * const answer = await app.request("/")
 * await answer.json() // → { error: "bad_request", message: "the date is missing" }
 */
export function badRequest(message: string, options?: HttpErrorOptions): HttpError<400> {
  return new HttpError(400, message, options)
}

/**
 * 401 `unauthorized`.
 *
 * @example throw unauthorized("sign in first", { headers: { "WWW-Authenticate": "Bearer" } }) // → throws HttpError
 */
export function unauthorized(message: string, options?: HttpErrorOptions): HttpError<401> {
  return new HttpError(401, message, options)
}

/** 403 `forbidden`. @example throw forbidden("only members may do this") // → throws HttpError */
export function forbidden(message: string, options?: HttpErrorOptions): HttpError<403> {
  return new HttpError(403, message, options)
}

/** 404 `not_found`. @example throw notFound("no such user") // → throws HttpError */
export function notFound(message: string, options?: HttpErrorOptions): HttpError<404> {
  return new HttpError(404, message, options)
}

/** Returns a 413 `payload_too_large`, for a body of more than `limit` bytes. */
export function payloadTooLarge(limit: number): HttpError<413> {
  return new HttpError(413, `the body is larger than ${limit} bytes`)
}

/**
 * 500 `internal_server_error`. The message is sent to the client; put internal details into `cause`.
 *
 * @example
 * throw internalServerError("the order could not be saved", { cause: new Error("disk full") }) // → throws HttpError
 */
export function internalServerError(message: string, options?: HttpErrorOptions): HttpError<500> {
  return new HttpError(500, message, options)
}

/** The answer to a bug. It tells the client nothing about the bug. */
export const bugError: HttpError<500> = /* @__PURE__ */ internalServerError("internal server error")

/**
 * A position in a file of the project. Lines and columns count from 1.
 *
 * @example
 * const at: Location = { file: "app/api/route.ts", line: 3, column: 8 }
 * new FwError("shop", "Get is missing", "Export it.", { at }).toString() // → "app/api/route.ts:3:8: Get is missing\n  Export it."
 */
export interface Location {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/**
 * Options of a {@link FwError}.
 *
 * @example
 * new FwError("prices", "the price is not a number", "Write 9.50.", { at: { file: "prices.csv", line: 3 } })
 */
export interface FwErrorOptions {
  /** Position in a file of the project. */
  readonly at?: Location
  /** The cause of the error. */
  readonly cause?: unknown
  /** The individual errors, if this error stands for several. */
  readonly problems?: readonly FwError[]
}

/**
 * An error for the developer, at start-up or in the command. It says what is wrong, where, and how to fix it. `code`
 * does not change, so programs may test for it; `docs/reference/errors/` explains the codes of fw. Your own errors have
 * your own codes.
 *
 * @example
 * try {
 *   new App({ bodyLimit: -1 })
 * } catch (error) {
 *   if (error instanceof FwError) console.error(`${error.code}: ${error.message}\n${error.fix}`)
 * }
 */
export class FwError extends Error {
  declare readonly code: FwErrorCode | (string & Record<never, never>)
  declare readonly fix: string
  declare readonly at: Location | undefined
  /** The individual errors, if this error stands for several. */
  declare readonly problems: readonly FwError[] | undefined

  constructor(code: FwError["code"], message: string, fix: string, options: FwErrorOptions = {}) {
    super(message, options)
    this.name = "FwError"
    // Node prints the fields of an error that nothing catches. Missing fields are left out, so that it does not print
    // "undefined".
    Object.assign(this, options, { code, fix })
  }

  /** Returns the error as text: the position, what is wrong, and on a second line how to fix it. */
  override toString(): string {
    const { at } = this
    const place = at ? [at.file, at.line, at.column, " "].filter(Boolean).join(":") : ""
    return `${place}${this.message}${this.fix && `\n  ${this.fix}`}`
  }
}

function toRareCode(status: number): string {
  return rareCodes[status] ?? `http_${status}`
}
