/** Without a mail server, there is no page. */
export { requireMail as Middleware } from "../../lib/auth/reset-page.ts"
