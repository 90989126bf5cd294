/** The way to Google and back. */
export { guardProvider as Middleware } from "../../../../lib/auth/limits.ts"
