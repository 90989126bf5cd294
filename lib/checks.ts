/** Checks of the arguments of registration calls and of middleware options. */
import type { FwErrorCode } from "./error-codes.ts"
import { fault } from "./fault.ts"
import type { MiddlewareFunc } from "./types.ts"

/** Checks a handler. @throws FwError `handler` for a value that is not a function. */
export function checkFunction(value: unknown, call: string): void {
  if (typeof value !== "function") throw fault("handler", [call, value])
}

/** Checks a middleware. @throws FwError `middleware` for a value that is not a function, or takes more than `next`. */
export function checkMiddleware(middleware: unknown, source: string): asserts middleware is MiddlewareFunc {
  if (typeof middleware !== "function" || middleware.length > 1)
    throw fault("middleware", [source, middleware])
}

/** The valid values of each option, by its name. An option that is undefined counts as missing. */
export type Accepted = Readonly<Record<string, (value: unknown) => boolean>>

/**
 * Checks options. @throws FwError `name` for an unknown or invalid option. A misspelled one could be a
 * missing protection.
 */
export function checkOptions(
  name: "app_options" | "proxy_config",
  options: object,
  accepted: Accepted,
): void {
  if (Object(options) !== options || Array.isArray(options)) throw fault(name, ["", options])
  for (const [key, value] of Object.entries(options)) {
    // The value of an unknown option may be a secret, so it is not shown.
    if (!Object.hasOwn(accepted, key)) throw fault(name, [key])
    if (value !== undefined && !accepted[key]?.(value)) throw fault(name, [key, value])
  }
}

/** Type of an option that has no other rule. */
export type Kinds = Readonly<Record<string, "boolean" | "function" | "string">>

/**
 * Checks the options of a call.
 *
 * @param what the call, for messages: `cors()`.
 * @param kinds types of the options for which the call has no rule of its own.
 * @throws FwError `code` for a value that is not an object, for an unknown option (a misspelled one could be
 * a missing protection), and for one of another type.
 */
export function checkKeys(
  options: unknown,
  known: readonly string[],
  code: FwErrorCode,
  what: string,
  kinds: Kinds = {},
): asserts options is object {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw fault("app_options.kind", [what, known[0] as string, options], { code })
  for (const [key, kind] of Object.entries(kinds)) {
    const value = (options as Record<string, unknown>)[key]
    if (value !== undefined && typeof value !== kind)
      throw fault("app_options.type", [what, key, kind, value], { code })
  }
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw fault("app_options.unknown", [what, key, known], { code })
  }
}
