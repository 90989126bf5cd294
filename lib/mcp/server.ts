/** Answers the messages of the Model Context Protocol. It keeps nothing between two of them. */
import type { App } from "../app.ts"
import type { Context } from "../context.ts"
import { excerpt } from "../text.ts"
import type { Called } from "./call.ts"
import { type Catalog, catalogOf, offeredTools } from "./catalog.ts"
import {
  type Answer,
  codes,
  errorAnswer,
  handshakeVersions,
  idOf,
  type Message,
  MessageError,
  resultAnswer,
  toMessage,
  versions,
} from "./message.ts"
import type { ResolvedOptions } from "./options.ts"
import { challengeOf } from "./resource.ts"
import { storedTools } from "./stored-tools.ts"
import type { ToolSet } from "./tool.ts"
import { isStateless, serverKey } from "./version.ts"

/** Answers the messages of an app's clients. */
export class MessageServer {
  readonly #app: App
  readonly #options: ResolvedOptions
  /** The catalog of the tools that were read last. */
  #known: { readonly set: ToolSet; readonly catalog: Catalog } | undefined

  constructor(app: App, options: ResolvedOptions) {
    this.#app = app
    this.#options = options
  }

  /** Answers one message. An answer without a response is for a notification. */
  async answer(given: unknown, c: Context): Promise<Answer> {
    let stateless = false
    try {
      const message = toMessage(given)
      if (!message) return { status: 202 }
      stateless = isStateless(message, (name) => c.header(name))
      const { id } = message
      if (id === undefined) return { status: 202 }
      return await this.#run({ ...message, id }, stateless, c)
    } catch (error) {
      if (!(error instanceof MessageError)) throw error
      return errorAnswer(idOf(given), error)
    }
  }

  async #run({ id, method, params }: Message & { id: string | number }, stateless: boolean, c: Context) {
    if (method === "tools/call") return this.#call(id, params, stateless, c)
    // Clients may keep an answer for a minute.
    const hints = { resultType: "complete", ttlMs: 60_000, cacheScope: "public" }
    if (method === "tools/list") {
      const { list: tools } = (await this.#tools()).catalog
      return resultAnswer(id, { tools, ...(stateless && hints) })
    }
    if (method === "ping" && !stateless) return resultAnswer(id, {})
    if (method === "initialize" && !stateless) return resultAnswer(id, await this.#initialize(params))
    if (method === "server/discover" && stateless)
      return resultAnswer(id, { ...hints, ...(await this.#discover()) })
    const status = stateless ? 404 : 200
    throw new MessageError(codes.method, `there is no method ${JSON.stringify(excerpt(method))}`, status)
  }

  async #initialize({ protocolVersion }: Message["params"]) {
    const [newest] = handshakeVersions
    const known = handshakeVersions.find((version) => version === protocolVersion)
    const { serverInfo, instructions } = await this.#about()
    return { protocolVersion: known ?? newest, capabilities: { tools: {} }, serverInfo, ...instructions }
  }

  async #discover() {
    const { serverInfo, instructions } = await this.#about()
    const _meta = { [serverKey]: serverInfo }
    return { supportedVersions: versions, capabilities: { tools: {} }, ...instructions, _meta }
  }

  async #about() {
    const { name = "", version = "" } = (await storedTools(this.#app)) ?? {}
    const { name: own, instructions } = this.#options
    const serverInfo = { name: own ?? (name || "API"), version: version || "1.0.0" }
    return { serverInfo, instructions: { ...(instructions !== undefined && { instructions }) } }
  }

  async #call(
    id: string | number,
    params: Message["params"],
    stateless: boolean,
    c: Context,
  ): Promise<Answer> {
    const { name, arguments: given = {} } = params
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new MessageError(codes.params, "arguments is not an object", stateless ? 400 : 200)
    const { catalog } = await this.#tools()
    const context = { app: this.#app, c, options: this.#options }
    const call = typeof name === "string" && catalog.call(name, given as Record<string, unknown>, context)
    if (!call) {
      const unknown = JSON.stringify(excerpt(String(name)))
      throw new MessageError(codes.params, `there is no tool ${unknown}`, stateless ? 400 : 200)
    }
    return this.#called(id, await call, stateless, c)
  }

  #called(id: string | number, { result, answer }: Called, stateless: boolean, c: Context): Answer {
    const made = resultAnswer(id, { ...result, ...(stateless && { resultType: "complete" }) })
    const challenge = answer && challengeOf(answer, this.#options, c)
    if (!answer || !challenge) return made
    return { ...made, status: answer.status, headers: { "www-authenticate": challenge } }
  }

  /** Returns the tools that clients see. @throws MessageError if fw has not made them. */
  async #tools(): Promise<{ readonly catalog: Catalog }> {
    const set = await storedTools(this.#app)
    if (!set)
      throw new MessageError(
        codes.internal,
        "the tools of this API are not there: fw dev, fw build and fw test write them to .fw/mcp.json",
        200,
      )
    if (this.#known?.set !== set) this.#known = { set, catalog: catalogOf(offeredTools(this.#app, set)) }
    return this.#known
  }
}
