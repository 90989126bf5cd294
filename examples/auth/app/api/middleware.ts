/**
 * The proxy accepts session cookies for the API too. Browsers send cookies with any request, so requests that
 * change data must come from a page of this origin.
 */
export { guardCookie as Middleware } from "../../lib/auth/sessions.ts"
