/** Limits the sign-ins with passkeys, and refuses requests from pages of other sites. */
export { guardPasskey as Middleware } from "../../../../lib/auth/limits.ts"
