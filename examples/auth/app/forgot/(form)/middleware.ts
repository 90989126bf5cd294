/** Submitting the form counts; opening its page does not. */
export { guardReset as Middleware } from "../../../lib/auth/limits.ts"
