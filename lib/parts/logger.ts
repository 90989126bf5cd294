/** The part `logger`: the request logger of the app, and `c.log`. */
export { createLog } from "../log/log.ts"
export { createRequestLogger } from "../log/request-logger.ts"
