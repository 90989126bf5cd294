/** JSON-RPC 2.0 messages of the Model Context Protocol, and the versions of the protocol. */

/** A request or a notification, which has no id. */
export interface RPCMessage {
  readonly id?: string | number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The answer to a message: an HTTP status, and a JSON-RPC response, if it has one. */
export interface RPCAnswer {
  readonly status: number
  readonly response?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Error codes of JSON-RPC 2.0, and of MCP 2026-07-28. */
export const errorCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  headers: -32020,
  version: -32022,
} as const

/** The version in which every request says which version it uses, and which has no `initialize`. */
export const statelessVersion = "2026-07-28"

/** The only version that has several messages in one body. A request without a version has this one. */
export const batchVersion = "2025-03-26"

/** The versions that begin with `initialize`, the newest first. */
export const handshakeVersions = ["2025-11-25", "2025-06-18", batchVersion] as const

/** All versions that are served. */
export const protocolVersions: readonly string[] = [statelessVersion, ...handshakeVersions]

/** An error that becomes a response. */
export class MessageError extends Error {
  readonly code: number
  readonly status: number
  readonly data: object | undefined

  /**
   * Creates an error.
   *
   * @param status the HTTP status. In the older versions, an error about a message that was understood has 200.
   */
  constructor(code: number, message: string, status = 400, data?: object) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

/** Returns the answer with an error. */
export function createErrorAnswer(
  id: string | number | null,
  { code, message, status, data }: MessageError,
): RPCAnswer {
  return { status, response: { jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } } }
}

/** Returns the answer with a result. */
export function createResultAnswer(id: string | number, result: object): RPCAnswer {
  return { status: 200, response: { jsonrpc: "2.0", id, result } }
}

/** Parses the text of a message, or of several. @throws MessageError for text that is not JSON. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MessageError(errorCodes.parse, "the message is not valid JSON")
  }
}

/** Checks one message. A response, which clients of stateless servers need not send, is undefined. */
export function toMessage(given: unknown): RPCMessage | undefined {
  const { jsonrpc, id, method, params = {}, ...rest } = Object(given) as Readonly<Record<string, unknown>>
  const isNamed = id === undefined || typeof id === "string" || Number.isInteger(id)
  if (jsonrpc !== "2.0" || !isNamed || Array.isArray(given))
    throw new MessageError(errorCodes.request, "this is not a JSON-RPC 2.0 message with a text or an integer as id")
  if (method === undefined && ("result" in rest || "error" in rest)) return undefined
  if (typeof method !== "string") throw new MessageError(errorCodes.request, "the message has no method")
  if (typeof params !== "object" || params === null || Array.isArray(params))
    throw new MessageError(errorCodes.request, "params is not an object")
  return {
    ...(id !== undefined && { id: id as string | number }),
    method,
    params: params as RPCMessage["params"],
  }
}

/** Returns the id of a message that is not valid, if it has one. */
export function readID(given: unknown): string | number | null {
  const { id } = Object(given) as { id?: unknown }
  return typeof id === "string" || Number.isInteger(id) ? (id as string | number) : null
}
