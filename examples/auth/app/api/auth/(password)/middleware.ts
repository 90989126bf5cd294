/** The routes that take a password. `(password)` is not part of their addresses. */
export { guardSignIn as Middleware } from "../../../../lib/auth/limits.ts"
