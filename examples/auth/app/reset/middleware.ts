/** Without a mail server, there is no page. */
import { guardPassword } from "../../lib/auth/limits.ts"
import { requireMail } from "../../lib/auth/links.ts"

export const Middleware = () => [...guardPassword(), requireMail()]
