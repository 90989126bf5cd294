/** Checks of the arguments of registration calls and of middleware options. */
import type { FwErrorCode } from "./errors/error-codes.ts"
import { fault } from "./errors/fault.ts"
import type { MiddlewareFunc } from "./types.ts"

/** Checks a handler. @throws FwError `handler` for a value that is not a function. */
export function checkFunction(value: unknown, call: string): void {
  if (typeof value !== "function") throw fault("handler", [call, value])
}

/** Checks a middleware. @throws FwError `middleware` for a value that is not a function, or takes more than `next`. */
export function checkMiddleware(middleware: unknown, source: string): asserts middleware is MiddlewareFunc {
  if (typeof middleware !== "function" || middleware.length > 1) throw fault("middleware", [source, middleware])
}

/** Types of the options that have no other rule. */
export type OptionTypes = Readonly<Record<string, "boolean" | "function" | "string">>

/**
 * Checks that options are an object with known names, and checks their types.
 *
 * @param subject the call, for messages, such as `cors()`.
 * @param types the types of the options for which the call has no rule of its own.
 * @throws FwError `code` for a value that is not an object, for an option of a wrong type, and for an unknown option. A
 * misspelled option could be a protection that is missing.
 */
export function checkKeys(
  options: unknown,
  knownNames: readonly string[],
  code: FwErrorCode,
  subject: string,
  types: OptionTypes = {},
): asserts options is object {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw fault("app_options.kind", [subject, knownNames[0] as string, options], { code })
  for (const [key, kind] of Object.entries(types)) {
    const value = (options as Record<string, unknown>)[key]
    if (value !== undefined && typeof value !== kind)
      throw fault("app_options.type", [subject, key, kind, value], { code })
  }
  for (const key of Object.keys(options)) {
    if (!knownNames.includes(key)) throw fault("app_options.unknown", [subject, key, knownNames], { code })
  }
}

/** A function per option that says whether a value is valid. An option with the value undefined counts as missing. */
export type OptionRules = Readonly<Record<string, (value: unknown) => boolean>>

/**
 * Checks options that each have a rule. @throws FwError `code` for the same reasons as {@link checkKeys}, and for a
 * value that is not valid.
 */
export function checkOptions(
  options: unknown,
  rules: OptionRules,
  code: "app_options" | "proxy_config",
  subject: string,
): void {
  checkKeys(options, Object.keys(rules), code, subject)
  for (const [key, value] of Object.entries(options)) {
    if (value !== undefined && !rules[key]?.(value)) throw fault(code, [key, value])
  }
}
