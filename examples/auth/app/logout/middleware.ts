/** Pages of other sites cannot sign anyone out. */
import { csrf } from "fw"
import { sessions } from "../../lib/auth/sessions.ts"

export const Middleware = () => [csrf(), sessions]
