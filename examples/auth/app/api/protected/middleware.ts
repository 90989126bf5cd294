/** Requires a token for everything below /api/protected. */
export { bearer as Middleware } from "../../../lib/auth/jwt.ts"
