/** Finds out which version of the protocol a message uses, and checks the headers that repeat fields of the message. */
import type { ReadHeader } from "../request/header-grammar.ts"
import { errorCodes, MessageError, protocolVersions, type RPCMessage, statelessVersion } from "./message.ts"

/** Key under which the metadata of a request states its version (MCP 2026-07-28, Base Protocol, `_meta`). */
const versionKey = "io.modelcontextprotocol/protocolVersion"
/** Key under which the server describes itself in the metadata. */
export const serverInfoKey = "io.modelcontextprotocol/serverInfo"

/**
 * Returns true for a message of the version without `initialize`.
 *
 * @throws MessageError for a version that is not supported, and for a header that contradicts the message.
 */
export function isStateless({ id, method, params }: RPCMessage, readHeader: ReadHeader): boolean {
  const headerVersion = readHeader("mcp-protocol-version")
  const { [versionKey]: metaVersion } = Object(params._meta) as Readonly<Record<string, unknown>>
  const requestedVersion = metaVersion === undefined ? headerVersion : metaVersion
  if (
    requestedVersion === "" ||
    (metaVersion === undefined && requestedVersion !== statelessVersion && protocolVersions.includes(headerVersion))
  )
    return false
  if (!protocolVersions.some((version) => version === requestedVersion)) {
    const requested = String(requestedVersion).slice(0, 100)
    throw new MessageError(errorCodes.version, "this version of the protocol is not supported", 400, {
      supported: protocolVersions,
      requested,
    })
  }
  if (metaVersion !== headerVersion) throw createMismatchError("MCP-Protocol-Version", versionKey)
  if (metaVersion !== statelessVersion) return false
  // The specification requires no headers for notifications.
  if (id === undefined) return true
  if (readHeader("mcp-method") !== method) throw createMismatchError("Mcp-Method", "method")
  if (method === "tools/call" && decodeHeader(readHeader("mcp-name")) !== params.name)
    throw createMismatchError("Mcp-Name", "name")
  return true
}

function createMismatchError(header: string, field: string): MessageError {
  return new MessageError(errorCodes.headers, `the header ${header} is not the same as ${field} of the message`)
}

/** Decodes the value of a header. Clients encode it in Base64 if it contains characters that a header cannot have. */
function decodeHeader(value: string): string {
  const [, text] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value) ?? []
  if (text === undefined) return value
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
  } catch {
    return value
  }
}
