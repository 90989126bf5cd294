/** Limits attempts to sign up, and loads the session. Opening the page is no attempt. */
import { guardPassword } from "../../lib/auth/limits.ts"
import { sessions } from "../../lib/auth/sessions.ts"

export const Middleware = () => [...guardPassword(), sessions]
