/** The part `logger`: the app's own logger of requests. */
export { createRequestLogger } from "../log/request-logger.ts"
