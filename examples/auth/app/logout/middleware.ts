/** Refuses forms of other sites, so that they cannot sign anyone out. */
import { csrf } from "fw"
import { sessions } from "../../lib/auth/sessions.ts"

export const Middleware = () => [csrf(), sessions]
