/** Limits the sign-ins with Google. */
export { guardProvider as Middleware } from "../../../../lib/auth/limits.ts"
