/** What every call of registration checks of its arguments and its moment. Used by the app, its groups and its mounting. */
import { FwError } from "./errors.ts"
import type { MiddlewareFunc } from "./types.ts"

/** The message and the mend of a call that comes too late. */
export function tooLate(call: string): never {
  throw new FwError(
    "sealed",
    `${call} comes after the first request`,
    "Call it before the app listens or answers.",
  )
}

/** The message and the mend of global middleware that would miss what is mounted. */
export function useLate(): never {
  throw new FwError(
    "use_late",
    "app.use() comes after the app was mounted",
    "Call use() before mount() and the first request.",
  )
}

/** @throws FwError `mount` where everything is mounted already, or nothing is there to mount. */
export function checkMountable(mounted: boolean, source: object | undefined): void {
  if (mounted) throw new FwError("mount", "app.mount() was called twice", "Call it once.")
  if (source) return
  throw new FwError(
    "mount",
    "app.mount() has nothing to mount",
    "Call await app.scan() first, or pass the generated routes.",
  )
}

/** @throws FwError `handler` for what is no function. */
export function checkFunction(value: unknown, call: string, example: string): void {
  if (typeof value === "function") return
  throw new FwError("handler", `${call} was given ${typeof value}, not a function`, `Write ${example}.`)
}

/** @throws FwError `middleware` for what is no function. */
export function checkMiddleware(middleware: unknown, source: string): asserts middleware is MiddlewareFunc {
  if (typeof middleware === "function") return
  throw new FwError(
    "middleware",
    `${source} was given ${typeof middleware}, not a middleware`,
    "Write (next) => (c) => next(c).",
  )
}
