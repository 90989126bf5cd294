/** Submitting the form counts as an attempt; opening its page does not. */
export { guardSignIn as Middleware } from "../../../lib/auth/limits.ts"
