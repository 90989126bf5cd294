/**
 * Offers routes of an application to language models, exported as `fw/mcp`. The routes are tools of the Model Context
 * Protocol, over Streamable HTTP and without sessions.
 */
import type { App } from "./app.ts"
import type { Context } from "./context.ts"
import { findRefusal } from "./mcp/access.ts"
import { batchVersion, createErrorAnswer, errorCodes, MessageError, parseBody, type RPCAnswer } from "./mcp/message.ts"
import { type MCPOptions, resolveMCPOptions } from "./mcp/options.ts"
import { buildMetadata, getMetadataPath } from "./mcp/resource.ts"
import { MessageServer } from "./mcp/server.ts"
import { parseMediaType, readWeights } from "./request/header-grammar.ts"

export type { MCPAuthorization, MCPOptions } from "./mcp/options.ts"

/** Maximum number of messages in one body. */
const maxMessages = 20

/**
 * Answers POST requests at a path with the Model Context Protocol. Routes whose files export `mcp` are the tools. The
 * app answers each call of a tool as a request of its own, through its proxy and middleware. The headers
 * `authorization` and `cookie` are passed on.
 *
 * @throws FwError `mcp_options` for an option that is unknown or not valid, and for a path that is already used.
 * @example
 * mcp(app, { hosts: ["shop.example"] })
 * const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
 * const headers = { "Content-Type": "application/json" }
 * const answer = await app.request("/mcp", { method: "POST", headers, body: JSON.stringify(ping) })
 * await answer.json() // → { jsonrpc: "2.0", id: 1, result: {} }
 */
export function mcp(app: App, options: MCPOptions | string = {}): void {
  const resolvedOptions = resolveMCPOptions(options)
  const server = new MessageServer(app, resolvedOptions)
  app.post(resolvedOptions.path, async (c) => {
    const refusal = await findRefusal(c, resolvedOptions)
    const answer = refusal ? refuseRequest(403, refusal) : (refuseType(c) ?? (await answerBody(server, c)))
    for (const [name, value] of Object.entries(answer.headers ?? {})) c.setHeader(name, value)
    return answer.response ? c.json(answer.status, answer.response) : new Response(null, { status: answer.status })
  })
  if (resolvedOptions.authorization)
    app.get(getMetadataPath(resolvedOptions.path), (c) => c.json(200, buildMetadata(c, resolvedOptions)))
}

function refuseRequest(status: number, message: string): RPCAnswer {
  return createErrorAnswer(null, new MessageError(errorCodes.request, message, status))
}

/** Returns the refusal of a body that is not JSON, or of an `Accept` without JSON; undefined if both are right. */
function refuseType(c: Context): RPCAnswer | undefined {
  if (parseMediaType(c.header("content-type")) !== "application/json")
    return refuseRequest(415, "the Content-Type is not application/json")
  const accept = c.header("accept")
  if (accept === "") return undefined
  const weights = readWeights(accept)
  if (["application/json", "application/*", "*/*"].some((type) => weights.get(type))) return undefined
  return refuseRequest(406, "the answer is application/json, which Accept does not name")
}

async function answerBody(server: MessageServer, c: Context): Promise<RPCAnswer> {
  const text = await c.text()
  let body: unknown
  try {
    body = parseBody(text)
  } catch (error) {
    if (error instanceof MessageError) return createErrorAnswer(null, error)
    throw error
  }
  return Array.isArray(body) ? answerBatch(server, body, c) : server.answer(body, c)
}

/** Answers several messages in one body, one after the other. Only one version of the protocol allows that. */
async function answerBatch(server: MessageServer, messages: readonly unknown[], c: Context): Promise<RPCAnswer> {
  const version = c.header("mcp-protocol-version")
  if (version !== "" && version !== batchVersion) return refuseRequest(400, "a body has one message, not a list")
  if (messages.length === 0 || messages.length > maxMessages)
    return refuseRequest(400, `a list has 1 to ${maxMessages} messages`)
  const responses: object[] = []
  for (const message of messages) {
    const { status, response, headers } = await server.answer(message, c)
    if (headers && response) return { status, response, headers }
    if (response) responses.push(response)
  }
  return responses.length > 0 ? { status: 200, response: responses } : { status: 202 }
}
