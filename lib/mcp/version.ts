/** Finds out which version of the protocol a message uses, and checks the headers that repeat parts of it. */
import { codes, type Message, MessageError, statelessVersion, versions } from "./message.ts"

/** Keys of the metadata in a request (MCP 2026-07-28, Base Protocol, `_meta`). */
const versionKey = "io.modelcontextprotocol/protocolVersion"
/** Key under which the server names itself. */
export const serverKey = "io.modelcontextprotocol/serverInfo"

/** Returns a header by its name in lower case; `""` if it is missing. */
export type Header = (name: string) => string

/**
 * Returns true for a message of the stateless version.
 *
 * @throws MessageError for a version that is not served, and for headers that do not say what the message says.
 */
export function isStateless({ id, method, params }: Message, header: Header): boolean {
  const stated = header("mcp-protocol-version")
  const { [versionKey]: own } = Object(params._meta) as Readonly<Record<string, unknown>>
  const wanted = own === undefined ? stated : own
  if (wanted === "" || (own === undefined && wanted !== statelessVersion && versions.includes(stated)))
    return false
  if (!versions.some((version) => version === wanted)) {
    const requested = String(wanted).slice(0, 100)
    throw new MessageError(codes.version, "this version of the protocol is not supported", 400, {
      supported: versions,
      requested,
    })
  }
  if (own !== stated) throw mismatch("MCP-Protocol-Version", versionKey)
  if (own !== statelessVersion) return false
  // The specification names no headers of notifications.
  if (id === undefined) return true
  if (header("mcp-method") !== method) throw mismatch("Mcp-Method", "method")
  if (method === "tools/call" && decoded(header("mcp-name")) !== params.name)
    throw mismatch("Mcp-Name", "name")
  return true
}

function mismatch(header: string, field: string): MessageError {
  return new MessageError(codes.headers, `the header ${header} is not the same as ${field} of the message`)
}

/** Decodes a header value, which clients encode if it has characters that a header cannot have. */
function decoded(value: string): string {
  const [, text] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value) ?? []
  if (text === undefined) return value
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
  } catch {
    return value
  }
}
