/** Requires an administrator. The directory above already requires a token. */
export { requireAdmin as Middleware } from "../../../../lib/auth/roles.ts"
