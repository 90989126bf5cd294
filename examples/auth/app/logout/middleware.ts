/** Nobody is signed out by a page of another site. */
export { csrf as Middleware } from "fw"
