/** Header fields of one connection, which are not passed on to the next one (RFC 9110 §7.6.1). */
import { isToken, listElements } from "../request/header-grammar.ts"

/** Fields that are about the connection or about where a message ends. Only the server sets them. */
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

/** Fields between a proxy and its client (RFC 9110 §11.7), which a gateway does not pass on. */
const proxyHeaders: ReadonlySet<string> = new Set([
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
])

/** Returns true for a header that only the server sets. */
export function isConnectionHeader({ name }: { readonly name: string }): boolean {
  return connectionHeaders.has(name.toLowerCase())
}

/** Returns true for a field that another server sent for its own connection only. Expects the name in lower case. */
export function isHopByHopHeader(name: string): boolean {
  return proxyHeaders.has(name) || (connectionHeaders.has(name) && name !== "content-length")
}

/**
 * Returns the names of the headers that a server does not send as the program has set them: those of the connection,
 * and those that the program's own `Connection` names. A 426 keeps `Upgrade`, which says what protocol to use (RFC 9110
 * §15.5.22). `Content-Length` is left to the server.
 */
export function listUnsentHeaders({ headers, status }: Pick<Response, "headers" | "status">): string[] {
  const connectionNames = parseConnectionNames(headers.get("connection"))
  return [...headers.keys()].filter((name) => {
    if (name === "content-length" || (name === "upgrade" && status === 426)) return false
    return connectionHeaders.has(name) || connectionNames.includes(name)
  })
}

/** Removes headers of a Response. If its headers are immutable, as those of `fetch()` are, returns a new Response. */
export function removeHeaders(response: Response, names: readonly string[]): Response {
  try {
    for (const name of names) response.headers.delete(name)
    return response
  } catch {
    return removeHeaders(new Response(response.body, response), names)
  }
}

/**
 * Returns the field names that a `Connection` header lists, in lower case (RFC 9110 §7.6.1). Text that is not a valid
 * name is ignored.
 */
export function parseConnectionNames(connection: string | null | undefined): readonly string[] {
  if (!connection) return []
  return listElements(connection)
    .filter(isToken)
    .map((name) => name.toLowerCase())
}
