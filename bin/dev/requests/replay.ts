/** Sends a stored request again, to the current program. */
import { sendLocal } from "../tools/dev-client.ts"
import { type KeptRequest, type KeptRequests, replayHeader } from "./kept-requests.ts"

/** Headers that belong to the connection, or depend on the length of the body. */
const connectionHeaders = /^(?:connection|content-length|transfer-encoding|expect|keep-alive|te|upgrade)$/i

/** Returns why a request cannot be sent again; null if it can. */
export function findReplayProblem({ headers, body }: KeptRequest): string | null {
  if (headers.some(([name]) => /^upgrade$/i.test(name))) return "it opened a WebSocket, whose messages are not kept"
  if (body.data.length < body.total) return `its body has ${body.total} bytes, of which ${body.data.length} are kept`
  return null
}

/**
 * Sends a request again, including its secrets.
 *
 * @param address the URL of `fw dev`.
 * @returns the number of the new request.
 * @throws the system's error if there is no answer.
 */
export async function replay(
  { id, method, url, headers, body }: KeptRequest,
  requests: KeptRequests,
  address: string,
  signal: AbortSignal,
): Promise<number> {
  const sentHeaders = headers.filter(([name]) => !connectionHeaders.test(name))
  const ownHeader = [replayHeader, `${id}`] as const
  await sendLocal(address, { method, path: url, headers: [...sentHeaders, ownHeader], body: body.data, signal })
  return requests.list.find(({ replayOf }) => replayOf === id)?.id ?? id
}
