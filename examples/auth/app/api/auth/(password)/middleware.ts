/** Middleware of the routes that take a password. `(password)` is not part of their URLs. */
export { guardPassword as Middleware } from "../../../../lib/auth/limits.ts"
