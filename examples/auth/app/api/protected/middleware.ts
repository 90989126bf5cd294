/** Everything below /api/protected asks for a token. */
export { bearer as Middleware } from "../../../lib/auth/jwt.ts"
