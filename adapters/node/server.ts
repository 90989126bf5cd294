/** The server of an app on Node, from connection to request. */
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
 * Answers a request. `waiting`: the client waits for `100 Continue` (RFC 9110 §10.1.1), which the exchange
 * sends when the body is read.
 */
export type HandleRequest = (incoming: IncomingMessage, outgoing: ServerResponse, waiting: boolean) => void

/** Returns the data of a server that sending needs. */
export function createServerContext(app: App, connections?: Connections): ServerContext {
  return { connections, drainLimit: app.config.bodyLimit, report: (error) => reportBug(error, env) }
}

/**
 * Returns the function that answers each request.
 *
 * @param hasJoinedHeaders repeated headers come joined (`joinDuplicateHeaders`).
 */
export function createRequestHandler(app: App, hasJoinedHeaders: boolean, serverContext: ServerContext): HandleRequest {
  const { connections } = serverContext
  return (incoming, outgoing, waiting) => {
    if (hasLastRequest(incoming.socket) || connections?.beginResponse(incoming, outgoing) === false) return
    const refusal = refuseIncoming(incoming, hasJoinedHeaders)
    if (refusal) return sendRefusal(incoming, outgoing, refusal)
    if (incoming.url === "*") return answerServerPing(outgoing)
    const exchange = new ServedExchange(incoming, outgoing, hasJoinedHeaders, waiting, serverContext)
    const answer = dispatchExchange(app, exchange)
    if (answer instanceof Promise) {
      if (!exchange.isFollowed) exchange.sendLater(answer)
    } else if (connections?.isClosing) {
      // Another request in the same packet is not parsed yet. Which response is the last one is known only after that.
      setImmediate(() => sendResponse(exchange, incoming, outgoing, answer, serverContext))
    } else sendResponse(exchange, incoming, outgoing, answer, serverContext)
  }
}

/** A request of fw's own server, which sends the response. */
class ServedExchange extends RequestExchange {
  /** True if {@link followResponse} sends the response. */
  isFollowed = false
  readonly #incoming: IncomingMessage
  readonly #outgoing: ServerResponse
  readonly #serverContext: ServerContext

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    hasJoinedHeaders: boolean,
    awaitsContinue: boolean,
    around: ServerContext,
  ) {
    super(incoming, outgoing, hasJoinedHeaders, awaitsContinue, around.connections)
    this.#incoming = incoming
    this.#outgoing = outgoing
    this.#serverContext = around
  }

  followResponse(answer: Promise<Response>, finish: (response: Response) => ResponseOrPromise): Promise<Response> {
    this.isFollowed = true
    this.sendLater(answer, finish)
    return answer
  }

  /** Sends a response once it is ready. */
  sendLater(answer: Promise<Response>, finish?: (response: Response) => ResponseOrPromise): void {
    answer.then(
      (response) => this.#send(response, finish),
      (error) => this.#fail(error),
    )
  }

  #send(response: Response, finish?: (response: Response) => ResponseOrPromise): void {
    try {
      const finished = finish ? finish(response) : response
      if (finished instanceof Promise) this.sendLater(finished)
      else sendResponse(this, this.#incoming, this.#outgoing, finished, this.#serverContext)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    sendFailure(this.#outgoing, error, this.#serverContext)
  }
}

/** Answers `OPTIONS *`, which concerns the server, not a resource of the app (RFC 9110 §9.3.7): a ping. */
export function answerServerPing(outgoing: ServerResponse): void {
  outgoing.writeHead(204)
  outgoing.end()
}

/** The parts that differ between servers of an app. */
export interface ServerSetup {
  /** Listeners that run before the app. */
  readonly firstListeners?: readonly ((incoming: IncomingMessage) => void)[]
  /** Creates a server; that of node:https for HTTPS. */
  readonly create?: (options: ServerOptions) => HttpServer
  /** The package `ws`, if the server accepts upgrades. */
  readonly ws?: Ws
}

/**
 * Creates the server of an app. It does not listen yet.
 *
 * @param parts the parts that differ between servers.
 */
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
  // node:http drops headers beyond a number without an error, including a second Host; maxHeaderSize limits
  // them already.
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
