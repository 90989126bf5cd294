/** The messages of the Model Context Protocol, which are JSON-RPC 2.0, and the versions of the protocol. */

/** A request, or a notification, which has no id. */
export interface RPCMessage {
  readonly id?: string | number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** The answer to a message: an HTTP status, and a JSON-RPC response unless the message was a notification. */
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

/** The first version without `initialize`. Each of its requests states the version. */
export const statelessVersion = "2026-07-28"

/** The only version that allows several messages in one body. It applies to a request that states no version. */
export const batchVersion = "2025-03-26"

/** The versions in which clients begin with `initialize`, the newest first. */
export const handshakeVersions = ["2025-11-25", "2025-06-18", batchVersion] as const

/** All supported versions. */
export const protocolVersions: readonly string[] = [statelessVersion, ...handshakeVersions]

/** An error that is sent to the client. */
export class MessageError extends Error {
  readonly code: number
  readonly status: number
  readonly data: object | undefined

  /**
   * Creates an error.
   *
   * @param status the HTTP status. In the older versions it is 200 if the message itself was understood.
   */
  constructor(code: number, message: string, status = 400, data?: object) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

/** Returns the answer for an error. */
export function createErrorAnswer(
  id: string | number | null,
  { code, message, status, data }: MessageError,
): RPCAnswer {
  return { status, response: { jsonrpc: "2.0", id, error: { code, message, ...(data && { data }) } } }
}

/** Returns the answer for a result. */
export function createResultAnswer(id: string | number, result: object): RPCAnswer {
  return { status: 200, response: { jsonrpc: "2.0", id, result } }
}

/** Parses a body, which has one message or several. @throws MessageError for text that is not JSON. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MessageError(errorCodes.parse, "the message is not valid JSON")
  }
}

/**
 * Checks one message. Returns undefined for a response, which needs no answer. @throws MessageError for an invalid
 * message.
 */
export function toMessage(value: unknown): RPCMessage | undefined {
  const { jsonrpc, id, method, params = {}, ...rest } = Object(value) as Readonly<Record<string, unknown>>
  const hasValidID = id === undefined || typeof id === "string" || Number.isInteger(id)
  if (jsonrpc !== "2.0" || !hasValidID || Array.isArray(value))
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

/** Returns the id of an invalid message; null if it has none. */
export function readID(value: unknown): string | number | null {
  const { id } = Object(value) as { id?: unknown }
  return typeof id === "string" || Number.isInteger(id) ? (id as string | number) : null
}
