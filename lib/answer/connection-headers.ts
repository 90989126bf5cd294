/** Header fields of one connection, which are not passed on to the next one (RFC 9110 §7.6.1). */
import { isToken, listElements } from "../request/header-grammar.ts"

/** Header fields of a connection and of how a message is framed, which belong to the server. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** Fields between a proxy and its client (RFC 9110 §11.7). A gateway does not pass them on. */
const proxyHeaders: ReadonlySet<string> = new Set([
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
])

/** Returns true for a header that only the server sets. */
export function isConnectionHeader({ name }: { readonly name: string }): boolean {
  return connectionHeaders.has(name.toLowerCase())
}

/** Returns true for a field that the answer of another server has for its own connection only. */
export function isHopByHopHeader(name: string): boolean {
  return proxyHeaders.has(name) || (connectionHeaders.has(name) && name !== "content-length")
}

/**
 * Returns the names of the headers that servers do not send as a program sets them: those of the connection, and those
 * that the program's own `Connection` names. A 426 keeps its Upgrade, which names the protocol to upgrade to (RFC 9110
 * §15.5.22). `Content-Length` is left to the server.
 */
export function listUnsentHeaders({ headers, status }: Pick<Response, "headers" | "status">): string[] {
  const connectionNames = parseConnectionNames(headers.get("connection"))
  return [...headers.keys()].filter((name) => {
    if (name === "content-length" || (name === "upgrade" && status === 426)) return false
    return connectionHeaders.has(name) || connectionNames.includes(name)
  })
}

/** Removes headers of a Response. One whose headers cannot be changed, as after `fetch()`, is made again. */
export function removeHeaders(response: Response, names: readonly string[]): Response {
  try {
    for (const name of names) response.headers.delete(name)
    return response
  } catch {
    return removeHeaders(new Response(response.body, response), names)
  }
}

/**
 * Returns the names of the fields that a `Connection` header makes fields of the connection, in lower case. Text that
 * is not a valid name is ignored (RFC 9110 §7.6.1).
 */
export function parseConnectionNames(connection: string | null | undefined): readonly string[] {
  if (!connection) return []
  return listElements(connection)
    .filter(isToken)
    .map((name) => name.toLowerCase())
}
