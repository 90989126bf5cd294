/**
 * The proxy accepts session cookies for the API too. Browsers send cookies with any request, so requests that
 * change data must come from a page of this origin. A request with only a token may come from anywhere.
 */
import { combine, csrf } from "fw"

export const Middleware = () => combine.except((c) => c.session.subject === undefined, csrf())
