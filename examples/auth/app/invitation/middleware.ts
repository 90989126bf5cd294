/** The link has a token, which no other page may see. */
export { requireMail as Middleware } from "../../lib/auth/links.ts"
