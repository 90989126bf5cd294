/** Everything below /api/service asks for an API key. */
export { requireKey as Middleware } from "../../../lib/auth/api-keys.ts"
