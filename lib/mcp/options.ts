/** The options of `mcp()`. */
import { checkKeys } from "../checks.ts"
import type { MCPList } from "../messages/mcp.ts"
import { checkOrigins, type Origins } from "../request/origin.ts"
import { mcpFault } from "./fault.ts"

/**
 * Where the users of an API log in, for clients that support it (RFC 9728).
 *
 * @example
 * const authorization: MCPAuthorization = { servers: ["https://login.example"], scopes: ["tasks"] }
 */
export interface MCPAuthorization {
  /** The issuer URLs of authorization servers. The guards of the routes must accept their tokens. */
  readonly servers: readonly string[]
  /** The scopes that clients may ask for. Default: none. */
  readonly scopes?: readonly string[]
}

/**
 * Options of `mcp()`.
 *
 * @example
 * const options: MCPOptions = { hosts: ["shop.example"], headers: ["x-tenant"] }
 */
export interface MCPOptions {
  /** Path of the endpoint. Default: `/mcp`. */
  readonly path?: string
  /** Name of the server for clients. Default: the title of the API. */
  readonly name?: string
  /** A text for the language model, which reads it before it chooses a tool. Default: none. */
  readonly instructions?: string
  /**
   * Host names of the server, such as `shop.example`, without a port. `localhost`, its subdomains and IP addresses are
   * always accepted. Default: no further names.
   */
  readonly hosts?: readonly string[]
  /** Origins whose pages may send requests, in addition to the origin of the server. Default: none. */
  readonly origins?: Origins
  /** Request headers that are passed on to the routes, in addition to `authorization` and `cookie`. Default: none. */
  readonly headers?: readonly string[]
  /** Maximum number of characters of an answer; the rest is cut off. Default: 40,000. */
  readonly answerLimit?: number
  /** Tells clients where to log in after a 401. Default: the client gets the 401 as an error of the tool. */
  readonly authorization?: MCPAuthorization
}

/** The options with their defaults. */
export interface ResolvedMCPOptions extends MCPOptions {
  readonly path: string
  readonly hosts: readonly string[]
  readonly origins: Origins
  readonly headers: readonly string[]
  readonly answerLimit: number
}

const errorCode = "mcp_options"
const callName = "mcp()"
const optionNames = [
  "path",
  "name",
  "instructions",
  "hosts",
  "origins",
  "headers",
  "answerLimit",
  "authorization",
] as const satisfies readonly (keyof MCPOptions)[]

/** Checks options. @throws FwError `mcp_options`. */
export function resolveMCPOptions(optionsOrPath: MCPOptions | string): ResolvedMCPOptions {
  const options = typeof optionsOrPath === "string" ? { path: optionsOrPath } : optionsOrPath
  checkKeys(options, optionNames, errorCode, callName, {
    path: "string",
    name: "string",
    instructions: "string",
  })
  const { path = "/mcp", hosts = [], origins = [], headers = [], answerLimit = 40_000 } = options
  checkOrigins(origins, errorCode, callName)
  checkList("hosts", hosts, isHostName)
  checkList("headers", headers, isHeaderName)
  if (!Number.isSafeInteger(answerLimit) || answerLimit < 1) throw mcpFault("mcp_options.limit", [answerLimit])
  const { authorization } = options
  if (authorization !== undefined) checkAuthorization(authorization)
  return {
    ...options,
    path,
    hosts: hosts.map((host) => host.toLowerCase()),
    origins,
    headers: headers.map((name) => name.toLowerCase()),
    answerLimit,
  }
}

function checkAuthorization(authorization: unknown): void {
  checkKeys(authorization, ["servers", "scopes"], errorCode, "mcp() with authorization")
  const { servers, scopes = [] } = authorization as { servers?: unknown; scopes?: unknown }
  const name = "authorization.servers"
  checkList(name, servers, (server) => URL.canParse(server))
  if ((servers as unknown[]).length === 0) throw mcpFault("mcp_options.list", [name])
  checkList("authorization.scopes", scopes, isScope)
}

function checkList(name: MCPList, list: unknown, isValid: (item: string) => boolean): void {
  const isList = Array.isArray(list) && list.every((item) => typeof item === "string" && isValid(item))
  if (!isList) throw mcpFault("mcp_options.list", [name])
}

function isHostName(text: string): boolean {
  return /^[^\s/:@?#]+$/.test(text) && URL.canParse(`http://${text}`)
}

/** Returns true for a valid name of a header (RFC 9110 §5.6.2, "token"). */
function isHeaderName(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(text)
}

/** Returns true for a valid scope (RFC 6749 §3.3). */
function isScope(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text)
}
