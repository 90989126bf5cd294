/** The proxy takes a session's cookie for the API too, which a browser sends along by itself: so what changes something comes from a page of this origin. */
export { guardCookie as Middleware } from "../../lib/auth/session-cookie.ts"
