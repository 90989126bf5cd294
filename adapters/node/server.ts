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
import { answerOf } from "./app-answer.ts"
import { answerClientError, endWith } from "./client-error.ts"
import { hadLast } from "./drain.ts"
import { RequestExchange, ServerMessage } from "./fast/switch.ts"
import { type Surroundings, send, sendFailure, sendRefusal } from "./send.ts"
import { Connections } from "./shutdown.ts"
import { upgradableMessage, upgradeListener, type Ws } from "./socket.ts"
import { refuse } from "./target.ts"

/**
 * Answers a request. `waiting`: the client waits for `100 Continue` (RFC 9110 §10.1.1), which the exchange
 * sends when the body is read.
 */
export type Handle = (incoming: IncomingMessage, outgoing: ServerResponse, waiting: boolean) => void

/** Returns the data of a server that sending needs. */
export function surroundings(app: App, connections?: Connections): Surroundings {
  return { connections, drainLimit: app.config.bodyLimit, report: (error) => reportBug(error, env) }
}

/**
 * Returns the function that answers each request.
 *
 * @param joined repeated headers come joined (`joinDuplicateHeaders`).
 */
export function makeHandle(app: App, joined: boolean, around: Surroundings): Handle {
  const { connections } = around
  return (incoming, outgoing, waiting) => {
    if (hadLast(incoming.socket) || connections?.begin(incoming, outgoing) === false) return
    const refusal = refuse(incoming, joined)
    if (refusal) return sendRefusal(incoming, outgoing, refusal)
    if (incoming.url === "*") return sendServerOptions(outgoing)
    const exchange = new ServedExchange(incoming, outgoing, joined, waiting, around)
    const answer = answerOf(app, exchange)
    if (answer instanceof Promise) {
      if (!exchange.isFollowed) exchange.sendLater(answer)
    } else if (connections?.closing) {
      // Another request in the same packet is not parsed yet. Only after that is it known which response is
      // the last.
      setImmediate(() => send(exchange, incoming, outgoing, answer, around))
    } else send(exchange, incoming, outgoing, answer, around)
  }
}

/** A request of fw's own server, which sends the response. */
class ServedExchange extends RequestExchange {
  /** True if {@link follow} sends the response. */
  isFollowed = false
  readonly #in: IncomingMessage
  readonly #out: ServerResponse
  readonly #around: Surroundings

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    joined: boolean,
    waiting: boolean,
    around: Surroundings,
  ) {
    super(incoming, outgoing, joined, waiting, around.connections)
    this.#in = incoming
    this.#out = outgoing
    this.#around = around
  }

  follow(answer: Promise<Response>, finish: (response: Response) => ResponseOrPromise): Promise<Response> {
    this.isFollowed = true
    this.sendLater(answer, finish)
    return answer
  }

  /** Sends a response when it is there. */
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
      else send(this, this.#in, this.#out, finished, this.#around)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    sendFailure(this.#out, error, this.#around)
  }
}

/** Answers `OPTIONS *`, which concerns the server, not a resource of the app (RFC 9110 §9.3.7): a ping. */
export function sendServerOptions(outgoing: ServerResponse): void {
  outgoing.writeHead(204)
  outgoing.end()
}

/** The parts that differ between servers of an app. */
export interface ServerParts {
  /** Listeners that run before the app. */
  readonly first?: readonly ((incoming: IncomingMessage) => void)[]
  /** Creates a server; that of node:https for HTTPS. */
  readonly create?: (options: ServerOptions) => HttpServer
  /** The package `ws`, if the server accepts upgrades. */
  readonly ws?: Ws
}

/**
 * Creates the server of an app, which does not listen yet.
 *
 * @param parts the parts that differ between servers.
 */
export function makeServer(
  app: App,
  options: ServerOptions,
  { first = [], create = createServer, ws }: ServerParts = {},
): { server: HttpServer; connections: Connections } {
  const server = create({
    ...options,
    IncomingMessage: ws ? upgradableMessage() : ServerMessage,
    joinDuplicateHeaders: true,
  })
  // node:http drops headers beyond a number without an error, including a second Host; maxHeaderSize limits
  // them already.
  server.maxHeadersCount = 0
  const connections = new Connections(server, (socket) => answerClientError(late, socket))
  const around = surroundings(app, connections)
  const handle = makeHandle(app, true, around)
  for (const listener of first)
    for (const event of ["request", "checkContinue", "upgrade"])
      if (ws || event !== "upgrade") server.on(event, listener)
  if (ws) server.on("upgrade", upgradeListener(app, ws, true, around))
  server.on("request", (incoming, outgoing) => handle(incoming, outgoing, false))
  server.on("checkContinue", (incoming, outgoing) => handle(incoming, outgoing, true))
  server.on("checkExpectation", (incoming, outgoing) => {
    if (!hadLast(incoming.socket)) sendRefusal(incoming, outgoing, badExpectation())
  })
  server.on("connect", (_, socket: Socket) =>
    endWith(socket, new HttpError(501, "the method CONNECT is not implemented")),
  )
  server.on("clientError", answerClientError)
  return { server, connections }
}

const late = { code: "ERR_HTTP_REQUEST_TIMEOUT" }
const badExpectation = () =>
  new HttpError(417, "the only expectation known here is 100-continue", { code: "expectation_failed" })
