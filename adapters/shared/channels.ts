/** The channels to which telemetry and metrics listen. */
import { channel } from "node:diagnostics_channel"
import type { RequestOperation } from "../../lib/trace/requests.ts"

/** Bun forgets a channel that nothing holds, with its subscribers. */
const heldChannels: object[] = []

/** Calls a function with each message of a channel. */
export function listen(name: string, listener: (message: unknown) => void): void {
  const namedChannel = channel(name)
  heldChannels.push(namedChannel)
  namedChannel.subscribe(listener)
}

/**
 * Calls a function with each request that has ended: when its body is sent. A stream of events may last for hours, so it
 * ends when its response begins.
 *
 * @param isNeeded returns true for the requests to call the function with. It is asked first, because reading the type of a
 * response takes time.
 */
export function listenForEnds(
  listener: (request: RequestOperation, time: number) => void,
  isNeeded: (request: RequestOperation) => boolean = () => true,
): void {
  listen("fw:request:end", (message) => {
    const request = message as RequestOperation
    if (isNeeded(request) && request.isEventStream) listener(request, request.end)
  })
  listen("fw:request:sent", (message) => {
    const request = message as RequestOperation
    if (isNeeded(request) && !request.isEventStream) listener(request, request.sent)
  })
}
