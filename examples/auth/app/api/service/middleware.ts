/** Requires an API key for everything below /api/service. */
export { requireKey as Middleware } from "../../../lib/auth/api-keys.ts"
