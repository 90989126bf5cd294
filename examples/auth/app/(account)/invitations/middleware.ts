/** Only a verified user can invite others, and only where mails can be sent. */
import { guardMail } from "../../../lib/auth/limits.ts"
import { requireMail } from "../../../lib/auth/links.ts"
import { requireVerified } from "../../../lib/auth/sessions.ts"

export const Middleware = () => [...guardMail(), requireMail(), requireVerified()]
