/** Limits how often a user can send the form, because each may send a mail. */
export { guardMail as Middleware } from "../../../lib/auth/limits.ts"
