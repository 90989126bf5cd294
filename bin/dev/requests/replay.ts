/** Sends a stored request again, to the current program. */
import { request as send } from "node:http"
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
 * @param address the address of `fw dev`.
 * @returns the number of the new request, when its answer begins.
 * @throws the system's error if there is no answer.
 */
export async function replay(
  { id, method, url, headers, body }: KeptRequest,
  requests: KeptRequests,
  address: { readonly host: string; readonly port: number },
): Promise<number> {
  const list = headers.filter(([name]) => !connectionHeaders.test(name)).flat()
  list.push(replayHeader, String(id), "Connection", "close")
  if (body.total > 0) list.push("Content-Length", String(body.total))
  await new Promise<void>((resolve, reject) => {
    const outgoing = send({ ...address, method, path: url, headers: list, agent: false })
    outgoing.once("error", reject)
    outgoing.once("response", (answer) => {
      answer.on("error", () => {})
      answer.resume()
      resolve()
    })
    outgoing.end(body.data)
  })
  return requests.list.find(({ replayOf }) => replayOf === id)?.id ?? id
}
