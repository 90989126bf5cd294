/** The server of an app on Node: creates it, and passes its requests to the app. */
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from "node:http"
import type { Socket } from "node:net"
import type { App } from "../../lib/app.ts"
import { HttpError } from "../../lib/errors.ts"
import { reportBug } from "../../lib/log/process-log.ts"
import type { ResponseOrPromise } from "../../lib/pipeline.ts"
import { env } from "../disk/env.ts"
import { answerClientError, endWithError } from "./client-error.ts"
import { Connections } from "./connections.ts"
import { dispatchExchange } from "./dispatch-exchange.ts"
import { RequestExchange, ServerMessage } from "./fast/request-classes.ts"
import { refuseIncoming } from "./refuse-incoming.ts"
import { type ServerContext, sendFailure, sendRefusal, sendResponse } from "./send-response.ts"
import { createUpgradeListener, getUpgradableMessage, type Ws } from "./socket.ts"
import { hasLastRequest } from "./unread-body.ts"

/**
 * Answers a request. `awaitsContinue` is true if the client waits for `100 Continue` (RFC 9110 §10.1.1). The exchange
 * sends that when the body is read.
 */
export type HandleRequest = (incoming: IncomingMessage, outgoing: ServerResponse, awaitsContinue: boolean) => void

/** Returns what the functions that send responses need to know about the server. */
export function createServerContext(app: App, connections?: Connections): ServerContext {
  return { connections, drainLimit: app.config.bodyLimit, report: (error) => reportBug(error, env) }
}

/**
 * Returns the function that answers requests.
 *
 * @param hasJoinedHeaders true if the server joins repeated headers (`joinDuplicateHeaders`).
 */
export function createRequestHandler(app: App, hasJoinedHeaders: boolean, serverContext: ServerContext): HandleRequest {
  const { connections } = serverContext
  return (incoming, outgoing, awaitsContinue) => {
    if (hasLastRequest(incoming.socket) || connections?.beginResponse(incoming, outgoing) === false) return
    const refusal = refuseIncoming(incoming, hasJoinedHeaders)
    if (refusal) return sendRefusal(incoming, outgoing, refusal)
    if (incoming.url === "*") return answerServerPing(outgoing)
    const exchange = new ServedExchange(incoming, outgoing, hasJoinedHeaders, awaitsContinue, serverContext)
    const answer = dispatchExchange(app, exchange)
    if (answer instanceof Promise) {
      if (!exchange.isFollowed) exchange.sendLater(answer)
    } else if (connections?.isClosing) {
      // The same packet may contain another request, which is parsed later. Only after that is it known which answer is
      // the last one.
      setImmediate(() => sendResponse(exchange, incoming, outgoing, answer, serverContext))
    } else sendResponse(exchange, incoming, outgoing, answer, serverContext)
  }
}

/** A request of fw's own server. It can send its response itself. */
class ServedExchange extends RequestExchange {
  /** True if {@link followResponse} will send the response. */
  isFollowed = false
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #serverContext: ServerContext

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    hasJoinedHeaders: boolean,
    awaitsContinue: boolean,
    serverContext: ServerContext,
  ) {
    super(incoming, outgoing, hasJoinedHeaders, awaitsContinue, serverContext.connections)
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#serverContext = serverContext
  }

  followResponse(answer: Promise<Response>, finish: (response: Response) => ResponseOrPromise): Promise<Response> {
    this.isFollowed = true
    this.sendLater(answer, finish)
    return answer
  }

  /** Sends a response when it is ready. */
  sendLater(answer: Promise<Response>, finish?: (response: Response) => ResponseOrPromise): void {
    answer.then(
      (response) => this.#send(response, finish),
      (error) => this.#fail(error),
    )
  }

  #send(response: Response, finish?: (response: Response) => ResponseOrPromise): void {
    try {
      const finalResponse = finish ? finish(response) : response
      if (finalResponse instanceof Promise) this.sendLater(finalResponse)
      else sendResponse(this, this.#incoming, this.#outgoing, finalResponse, this.#serverContext)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    sendFailure(this.#outgoing, error, this.#serverContext)
  }
}

/** Answers `OPTIONS *`, which asks the server itself and not the app (RFC 9110 §9.3.7). */
export function answerServerPing(outgoing: ServerResponse): void {
  outgoing.writeHead(204)
  outgoing.end()
}

/** What differs between the servers of an app. */
export interface ServerSetup {
  /** Listeners that are called before the app. */
  readonly firstListeners?: readonly ((incoming: IncomingMessage) => void)[]
  /** Creates the server. Default: `createServer` of node:http. For HTTPS it is that of node:https. */
  readonly create?: (options: ServerOptions) => HttpServer
  /** The package `ws`. Set if the server accepts WebSockets. */
  readonly ws?: Ws
}

/** Creates the server of an app. It does not listen yet. */
export function createAppServer(
  app: App,
  options: ServerOptions,
  { firstListeners = [], create = createServer, ws }: ServerSetup = {},
): { server: HttpServer; connections: Connections } {
  const server = create({
    ...options,
    IncomingMessage: ws ? getUpgradableMessage() : ServerMessage,
    joinDuplicateHeaders: true,
  })
  // By default, node:http drops headers after a certain number without an error, even a second Host. `maxHeaderSize`
  // already limits them.
  server.maxHeadersCount = 0
  const connections = new Connections(server, (socket) => answerClientError(timeoutError, socket))
  const serverContext = createServerContext(app, connections)
  const handle = createRequestHandler(app, true, serverContext)
  for (const listener of firstListeners)
    for (const event of ["request", "checkContinue", "upgrade"])
      if (ws || event !== "upgrade") server.on(event, listener)
  if (ws) server.on("upgrade", createUpgradeListener(app, ws, true, serverContext))
  server.on("request", (incoming, outgoing) => handle(incoming, outgoing, false))
  server.on("checkContinue", (incoming, outgoing) => handle(incoming, outgoing, true))
  server.on("checkExpectation", (incoming, outgoing) => {
    if (!hasLastRequest(incoming.socket)) sendRefusal(incoming, outgoing, createExpectationError())
  })
  server.on("connect", (_, socket: Socket) =>
    endWithError(socket, new HttpError(501, "the method CONNECT is not implemented")),
  )
  server.on("clientError", answerClientError)
  return { server, connections }
}

const timeoutError = { code: "ERR_HTTP_REQUEST_TIMEOUT" }
const createExpectationError = () =>
  new HttpError(417, "the only expectation known here is 100-continue", { code: "expectation_failed" })
