/**
 * The HTTP server of `fw dev` that clients connect to: each request waits for the newest program and is passed on
 * to it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import { answerClientError } from "../../adapters/node/client-error.ts"
import { limits } from "../../adapters/node/limits.ts"
import type { Problem } from "../project/problems.ts"
import { bindError, isAllowedHost, isFromOtherSite } from "../system/local-server.ts"
import { isNavigation } from "./page/inject.ts"
import { type OwnAnswer, toJSONAnswer, toProblemAnswer, toProblemPage } from "./page/problem-page.ts"
import { passRequest, passUpgrade, type Upstream } from "./pass-request.ts"
import type { KeptRequest } from "./requests/kept-requests.ts"
import { sendAnswer, sendRawAnswer } from "./send-answer.ts"
import { isReserved, type OwnPaths } from "./tools/own-paths.ts"

/** Functions of the session that the front server uses. */
export interface Backend {
  /**
   * Returns the server process for a request, after a running build has ended. Returns the problems if there is no
   * server process.
   */
  waitForTarget(): Promise<Upstream | readonly Problem[]>
  /**
   * Returns the reason why a server process did not answer a request; null if the process still runs and only
   * closed the connection.
   */
  explainLost(target: Upstream): Promise<readonly Problem[] | null>
  /** The current problems. */
  readonly problems: readonly Problem[]
  /**
   * Resolves when the OpenAPI document and the tools of `mcp()` are ready; null if they are not being generated.
   */
  waitForDocument(): Promise<void> | null
  /**
   * Resolves when styles that are compiled for the first time can be loaded; null if the URL is not that of such
   * styles.
   */
  waitForStyles(url: string): Promise<void> | null
}

/** The members of {@link OwnPaths} that the front server uses. */
type FrontPaths = Pick<OwnPaths, "answer" | "notePageSent" | "noteAnswer" | "pages" | "requests">

/** Options for listening. */
export interface FrontOptions {
  readonly host: string
  readonly port: number
  /** Host names that requests may have besides localhost. */
  readonly allowedHosts: readonly string[]
}

/** The HTTP server of the parent process. */
export class FrontServer {
  readonly #options: FrontOptions
  readonly #backend: Backend
  readonly #ownPaths: FrontPaths
  readonly #server: Server
  /**
   * The open connections. The value is true while a connection has a request. Browsers open connections in advance
   * that they may never use.
   */
  readonly #sockets = new Map<Duplex, boolean>()
  #address: AddressInfo = { address: "", family: "", port: 0 }
  #isClosing = false

  constructor(options: FrontOptions, backend: Backend, own: FrontPaths) {
    this.#options = options
    this.#backend = backend
    this.#ownPaths = own
    this.#server = createServer({ ...limits })
    const handleRequest = (incoming: IncomingMessage, outgoing: ServerResponse) =>
      void this.#handleRequest(incoming, outgoing)
    this.#server.on("request", handleRequest)
    this.#server.on("checkContinue", handleRequest)
    this.#server.on("upgrade", (incoming, socket, head) => void this.#handleUpgrade(incoming, socket, head))
    this.#server.on("clientError", answerClientError)
    this.#server.on("connection", (socket) => {
      this.#sockets.set(socket, false)
      socket.once("close", () => this.#sockets.delete(socket))
    })
  }

  /** The actual address, also if any free port was requested. It stays known after the server has closed. */
  get address(): AddressInfo {
    return this.#address
  }

  /**
   * Starts listening.
   *
   * @throws FwError if the port is not available.
   */
  listen(): Promise<void> {
    const { host, port } = this.#options
    return new Promise((resolve, reject) => {
      this.#server.once("error", (error) => reject(bindError(error, { host, port, command: "fw dev" })))
      this.#server.listen({ host, port }, () => {
        this.#server.removeAllListeners("error")
        this.#address = this.#server.address() as AddressInfo
        resolve()
      })
    })
  }

  /** Stops accepting connections and waits for running requests, until the signal aborts. */
  async close(signal: AbortSignal): Promise<void> {
    this.#isClosing = true
    for (const [socket, hasRequest] of this.#sockets) if (!hasRequest) socket.destroy()
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      signal.addEventListener("abort", () => this.#server.closeAllConnections(), { once: true })
    })
  }

  async #handleRequest(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // A client may disconnect while its request waits. That is not an error.
    incoming.on("error", () => {})
    this.#trackRequest(incoming.socket, outgoing)
    const refusal = findRefusal(incoming, this.#options.allowedHosts)
    if (refusal) return sendAnswer(incoming, outgoing, refusal)
    if (isReserved(incoming.url)) return this.#ownPaths.answer(incoming, outgoing)
    const startedAt = performance.now()
    if (isNavigation(incoming)) outgoing.once("close", () => this.#ownPaths.notePageSent(startedAt))
    await this.#passOn(incoming, outgoing, this.#ownPaths.requests.add(incoming, outgoing), true)
  }

  /**
   * Passes a request on.
   *
   * @param mayWait true if a request for the OpenAPI document may wait until it is ready.
   */
  async #passOn(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    kept: KeptRequest,
    mayWait: boolean,
  ): Promise<void> {
    if (isToolMessage(incoming)) {
      // The generation of the document starts together with the program.
      await this.#backend.waitForTarget()
      await this.#backend.waitForDocument()
    }
    let target = await this.#backend.waitForTarget()
    // The first build starts the compilers of the styles, and the next one bundles their output.
    const styles = this.#backend.waitForStyles(incoming.url ?? "")
    if (styles) target = await styles.then(() => this.#backend.waitForTarget())
    if (outgoing.destroyed) return
    const sendProblems = (list: readonly Problem[] | null) => {
      if (list) sendAnswer(incoming, outgoing, toProblemAnswer(list, incoming.headers.accept ?? ""))
      else outgoing.destroy()
    }
    if ("length" in target) return sendProblems(target)
    const handleLoss = () => void this.#backend.explainLost(target).then(sendProblems)
    const replaceAnswer = (response: IncomingMessage) => {
      this.#ownPaths.noteAnswer(incoming, response)
      const document = mayWait && mayLackDocument(incoming, response) ? this.#backend.waitForDocument() : null
      if (document) void document.then(() => this.#passOn(incoming, outgoing, kept, false))
      const replacement = document ? null : findReplacement(incoming, response, this.#backend.problems)
      if (replacement) sendAnswer(incoming, outgoing, replacement)
      return document !== null || replacement !== null
    }
    passRequest(target, incoming, outgoing, {
      onLost: handleLoss,
      replaceAnswer,
      pages: this.#ownPaths.pages,
      kept,
    })
  }

  #trackRequest(socket: Duplex, outgoing: ServerResponse): void {
    this.#sockets.set(socket, true)
    outgoing.once("close", () => {
      if (this.#isClosing) socket.end(() => socket.destroy())
      else if (this.#sockets.has(socket)) this.#sockets.set(socket, false)
    })
  }

  async #handleUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => {})
    const refusal = findRefusal(incoming, this.#options.allowedHosts)
    if (refusal) return sendRawAnswer(socket, refusal)
    const target = await this.#backend.waitForTarget()
    if (socket.destroyed) return
    const request = this.#ownPaths.requests.add(incoming, socket)
    if ("length" in target) sendRawAnswer(socket, toProblemAnswer(target, ""))
    else passUpgrade(target, incoming, socket, head, request)
  }
}

/**
 * Returns the problems of the build as a page, in place of text or JSON from an older program, which cannot show them;
 * null to send the program's answer.
 */
function findReplacement(
  incoming: IncomingMessage,
  { headers }: IncomingMessage,
  problems: readonly Problem[],
): OwnAnswer | null {
  const isText = /^(?:text\/plain|application\/(?:[\w.]+\+)?json)\b/i.test(headers["content-type"] ?? "")
  const isReplaced = isText && headers.location === undefined && incoming.method === "GET" && isNavigation(incoming)
  return isReplaced && problems.length > 0 ? toProblemPage(problems) : null
}

/**
 * Returns true if a response may mean that the document of `app.openapi()` is not ready yet. The request can be
 * sent again without harm.
 */
function mayLackDocument({ method }: IncomingMessage, { statusCode, headers }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && statusCode === 503 && headers["retry-after"] === "1"
}

/**
 * Returns true for a message to `mcp()`, which needs the tools. Such a request waits before it is passed on,
 * because its body can be sent only once. MCP clients accept both JSON and event streams, by which they are
 * recognized at any path. Other clients are recognized by the default path.
 */
function isToolMessage({ method, headers, url = "" }: IncomingMessage): boolean {
  return method === "POST" && (/text\/event-stream/i.test(headers.accept ?? "") || /^[^?]*\/mcp(?:\?|$)/.test(url))
}

/** Returns the refusal of a request that neither the program nor the parent may handle; null otherwise. */
function findRefusal(incoming: IncomingMessage, names: readonly string[]): OwnAnswer | null {
  const { headers, url } = incoming
  if (headers.host !== undefined && !isAllowedHost(headers.host, names)) {
    const name = headers.host.replace(/:\d*$/, "")
    const message =
      `fw dev does not answer for the host ${JSON.stringify(name)}: another site could read this one through it ` +
      `(DNS rebinding). Use localhost or an IP address, or start with: fw dev --allow-host ${name}`
    return toJSONAnswer(403, { error: "host_not_allowed", message })
  }
  if (isReserved(url) && isFromOtherSite(incoming)) {
    return toJSONAnswer(403, { error: "forbidden", message: `${url} is for pages of this origin only` })
  }
  return null
}
