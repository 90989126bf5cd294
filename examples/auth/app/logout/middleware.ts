/** Pages of other sites cannot sign anyone out. */
export { csrf as Middleware } from "fw"
