/** The part `live`: server-sent events and WebSockets. */
export { createSocketRoute } from "../answer/socket.ts"
export { openEvents } from "../answer/sse.ts"
