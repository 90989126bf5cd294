/** What every call of registration checks of its arguments. Used by the app, its groups and its mounting, and by middleware for its options. */
import { FwError } from "./errors.ts"
import { fault } from "./fault.ts"
import type { Messages } from "./messages.ts"
import { describe } from "./text.ts"
import type { MiddlewareFunc } from "./types.ts"

/** @throws FwError `handler` for what is no function. */
export function checkFunction(value: unknown, call: string): void {
  if (typeof value !== "function") throw fault("handler", call, value)
}

/** @throws FwError `middleware` for what is no function. */
export function checkMiddleware(middleware: unknown, source: string): asserts middleware is MiddlewareFunc {
  if (typeof middleware !== "function") throw fault("middleware", source, middleware)
}

/** What each option may be, by its name. One that is undefined is left out. */
export type Accepted = Readonly<Record<string, (value: unknown) => boolean>>

/** @throws FwError `name` with the option at fault, an unknown or an invalid one: a misspelt one would be a guard that is not there. */
export function checkOptions(
  name: keyof Pick<Messages, "app_options" | "proxy_config">,
  options: object,
  accepted: Accepted,
): void {
  if (Object(options) !== options || Array.isArray(options)) throw fault(name, "", options)
  for (const [key, value] of Object.entries(options)) {
    // What an unknown option holds may be a secret: it is not told.
    if (!Object.hasOwn(accepted, key)) throw fault(name, key)
    if (value !== undefined && !accepted[key]?.(value)) throw fault(name, key, value)
  }
}

const examples = { boolean: "true", function: "(c) => …", string: '"…"' } as const

/** The kind of an option that has no other rule. */
export type Kinds = Readonly<Record<string, "boolean" | "function" | "string">>

/**
 * Checks the options of a call.
 *
 * @param what the call, for messages: `cors()`.
 * @param kinds what options must be, where the call has no rule of its own for them.
 * @throws FwError `code` for what is not an object, for an option that `what` does not have (a misspelt one would be a
 * guard that is not there), and for one of another kind.
 */
export function checkKeys(
  options: unknown,
  known: readonly string[],
  code: string,
  what: string,
  kinds: Kinds = {},
): asserts options is object {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    const takes = `${what} takes an object of options, not ${describe(options)}`
    throw new FwError(code, takes, `Write { ${known[0]}: … }, or nothing where every option has a default.`)
  }
  for (const [key, kind] of Object.entries(kinds)) {
    const value = (options as Record<string, unknown>)[key]
    if (value !== undefined && typeof value !== kind) {
      const takes = `${what} takes a ${kind} as ${key}, not ${describe(value)}`
      throw new FwError(code, takes, `Write ${key}: ${examples[kind]}.`)
    }
  }
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new FwError(code, `${what} has no option ${JSON.stringify(key)}`, `It takes ${known.join(", ")}.`)
    }
  }
}
