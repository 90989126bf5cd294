/** What every call of registration checks of its arguments. Used by the app, its groups and its mounting, and by middleware for its options. */
import { FwError } from "./errors.ts"
import { fault } from "./fault.ts"
import type { Messages } from "./messages.ts"
import type { MiddlewareFunc } from "./types.ts"

/** @throws FwError `handler` for what is no function. */
export function checkFunction(value: unknown, call: string): void {
  if (typeof value !== "function") throw fault("handler", call, typeof value)
}

/** @throws FwError `middleware` for what is no function. */
export function checkMiddleware(middleware: unknown, source: string): asserts middleware is MiddlewareFunc {
  if (typeof middleware !== "function") throw fault("middleware", source, typeof middleware)
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

/** @throws FwError `code` for an option that `what` does not have: a misspelt one would be a guard that is not there. */
export function checkKeys(options: object, known: readonly string[], code: string, what: string): void {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) {
      throw new FwError(code, `${what} has no option ${JSON.stringify(key)}`, `It takes ${known.join(", ")}.`)
    }
  }
}
