/** Each form may send a mail. */
export { guardMail as Middleware } from "../../../lib/auth/limits.ts"
