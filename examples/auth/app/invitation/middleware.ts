/** The link has a token, which no other page may see. */
export { protectLinks as Middleware } from "../../lib/auth/links.ts"
