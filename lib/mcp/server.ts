/** Answers the messages of the Model Context Protocol. Nothing is stored between two messages. */
import type { App } from "../app.ts"
import type { Context } from "../context.ts"
import { shortenText } from "../text.ts"
import type { CallOutcome } from "./call.ts"
import { type Catalog, createCatalog, findOfferedTools } from "./catalog.ts"
import {
  createErrorAnswer,
  createResultAnswer,
  errorCodes,
  handshakeVersions,
  MessageError,
  protocolVersions,
  type RPCAnswer,
  type RPCMessage,
  readID,
  toMessage,
} from "./message.ts"
import type { ResolvedMCPOptions } from "./options.ts"
import { buildChallenge } from "./resource.ts"
import { readStoredTools } from "./stored-tools.ts"
import type { ToolSet } from "./tool.ts"
import { isStateless, serverInfoKey } from "./version.ts"

/** Answers the messages that clients send to an app. */
export class MessageServer {
  readonly #app: App
  readonly #options: ResolvedMCPOptions
  /** The tools that were read last, and their catalog. */
  #cache: { readonly toolSet: ToolSet; readonly catalog: Catalog } | undefined

  constructor(app: App, options: ResolvedMCPOptions) {
    this.#app = app
    this.#options = options
  }

  /** Answers one message. A notification gets an answer without a response. */
  async answer(json: unknown, c: Context): Promise<RPCAnswer> {
    let isStatelessCall = false
    try {
      const message = toMessage(json)
      if (!message) return { status: 202 }
      isStatelessCall = isStateless(message, (name) => c.header(name))
      const { id } = message
      if (id === undefined) return { status: 202 }
      return await this.#run({ ...message, id }, isStatelessCall, c)
    } catch (error) {
      if (!(error instanceof MessageError)) throw error
      return createErrorAnswer(readID(json), error)
    }
  }

  async #run({ id, method, params }: RPCMessage & { id: string | number }, isStatelessCall: boolean, c: Context) {
    if (method === "tools/call") return this.#call(id, params, isStatelessCall, c)
    // Clients may cache answers with these hints for a minute.
    const hints = { resultType: "complete", ttlMs: 60_000, cacheScope: "public" }
    if (method === "tools/list") {
      const { list: tools } = (await this.#readCatalog()).catalog
      return createResultAnswer(id, { tools, ...(isStatelessCall && hints) })
    }
    if (method === "ping" && !isStatelessCall) return createResultAnswer(id, {})
    if (method === "initialize" && !isStatelessCall) return createResultAnswer(id, await this.#initialize(params))
    if (method === "server/discover" && isStatelessCall)
      return createResultAnswer(id, { ...hints, ...(await this.#answerDiscovery()) })
    const status = isStatelessCall ? 404 : 200
    throw new MessageError(errorCodes.method, `there is no method ${JSON.stringify(shortenText(method))}`, status)
  }

  async #initialize({ protocolVersion }: RPCMessage["params"]) {
    const [newest] = handshakeVersions
    const supportedVersion = handshakeVersions.find((version) => version === protocolVersion)
    const { serverInfo, instructions } = await this.#describeServer()
    return { protocolVersion: supportedVersion ?? newest, capabilities: { tools: {} }, serverInfo, ...instructions }
  }

  async #answerDiscovery() {
    const { serverInfo, instructions } = await this.#describeServer()
    const _meta = { [serverInfoKey]: serverInfo }
    return { supportedVersions: protocolVersions, capabilities: { tools: {} }, ...instructions, _meta }
  }

  async #describeServer() {
    const { name = "", version = "" } = (await readStoredTools(this.#app)) ?? {}
    const { name: ownName, instructions } = this.#options
    const serverInfo = { name: ownName ?? (name || "API"), version: version || "1.0.0" }
    return { serverInfo, instructions: { ...(instructions !== undefined && { instructions }) } }
  }

  async #call(
    id: string | number,
    params: RPCMessage["params"],
    isStatelessCall: boolean,
    c: Context,
  ): Promise<RPCAnswer> {
    const { name, arguments: args = {} } = params
    if (typeof args !== "object" || args === null || Array.isArray(args))
      throw new MessageError(errorCodes.params, "arguments is not an object", isStatelessCall ? 400 : 200)
    const { catalog } = await this.#readCatalog()
    const context = { app: this.#app, c, options: this.#options }
    const call = typeof name === "string" && catalog.call(name, args as Record<string, unknown>, context)
    if (!call) {
      const unknown = JSON.stringify(shortenText(String(name)))
      throw new MessageError(errorCodes.params, `there is no tool ${unknown}`, isStatelessCall ? 400 : 200)
    }
    return this.#toAnswer(id, await call, isStatelessCall, c)
  }

  #toAnswer(id: string | number, { result, answer }: CallOutcome, isStatelessCall: boolean, c: Context): RPCAnswer {
    const rpcAnswer = createResultAnswer(id, { ...result, ...(isStatelessCall && { resultType: "complete" }) })
    const challenge = answer && buildChallenge(answer, this.#options, c)
    if (!answer || !challenge) return rpcAnswer
    return { ...rpcAnswer, status: answer.status, headers: { "www-authenticate": challenge } }
  }

  /** Returns the catalog of the app's tools. @throws MessageError if fw has not made the tools. */
  async #readCatalog(): Promise<{ readonly catalog: Catalog }> {
    const toolSet = await readStoredTools(this.#app)
    if (!toolSet)
      throw new MessageError(
        errorCodes.internal,
        "the tools of this API are not there: fw dev, fw build and fw test write them to .fw/mcp.json",
        200,
      )
    if (this.#cache?.toolSet !== toolSet)
      this.#cache = { toolSet, catalog: createCatalog(findOfferedTools(this.#app, toolSet)) }
    return this.#cache
  }
}
