/** The form counts as an attempt; looking at its page does not. */
export { guardSignIn as Middleware } from "../../../lib/auth/limits.ts"
