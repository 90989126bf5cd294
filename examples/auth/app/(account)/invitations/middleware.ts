/** Only a verified user can invite others. */
import { guardMail } from "../../../lib/auth/limits.ts"
import { protectLinks } from "../../../lib/auth/links.ts"
import { requireVerified } from "../../../lib/auth/sessions.ts"

export const Middleware = () => [...guardMail(), protectLinks(), requireVerified()]
