/** The part `logger`: the app's own logger of requests, and `c.log`. */
export { createLog } from "../log/log.ts"
export { createRequestLogger } from "../log/request-logger.ts"
