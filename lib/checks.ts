/** What every call of registration checks of its arguments. Used by the app, its groups and its mounting. */
import { fault } from "./fault.ts"
import type { MiddlewareFunc } from "./types.ts"

/** @throws FwError `handler` for what is no function. */
export function checkFunction(value: unknown, call: string): void {
  if (typeof value !== "function") throw fault("handler", call, typeof value)
}

/** @throws FwError `middleware` for what is no function. */
export function checkMiddleware(middleware: unknown, source: string): asserts middleware is MiddlewareFunc {
  if (typeof middleware !== "function") throw fault("middleware", source, typeof middleware)
}
