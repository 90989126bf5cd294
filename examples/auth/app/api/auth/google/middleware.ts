/** Limits the sign-ins with Google. */
import { guardVisitor } from "../../../../lib/auth/limits.ts"
import { sessions } from "../../../../lib/auth/sessions.ts"

export const Middleware = () => [...guardVisitor(), sessions]
