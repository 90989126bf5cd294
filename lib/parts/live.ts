/** The part `live`: server-sent events and WebSockets. */
export { socketRoute } from "../answer/socket.ts"
export { openEvents } from "../answer/sse.ts"
