/** For administrators: the directory above has asked for a token already. */
export { requireAdmin as Middleware } from "../../../../lib/auth/roles.ts"
