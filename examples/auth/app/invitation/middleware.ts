/** Protects the token of the link, which no other page may see. */
export { protectLinks as Middleware } from "../../lib/auth/links.ts"
