/** Limits the sign-ins with passkeys, and refuses requests from pages of other sites. */
import { guardVisitor } from "../../../../lib/auth/limits.ts"
import { sessions } from "../../../../lib/auth/sessions.ts"

export const Middleware = () => [...guardVisitor(), sessions]
