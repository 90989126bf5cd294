/** A request that comes to an app through another program's server, which may go on with it. Made by `node-handler.ts`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { BodyData } from "../../lib/exchange.ts"
import { NodeExchange } from "./exchange.ts"
import { wasRead } from "./parsed.ts"

/** Headers that describe the bytes of a body as they were sent. */
const ofBytes = ["content-length", "content-encoding", "transfer-encoding"]

/** The request's parts over node:http, with what the host knows of it. */
export class GuestExchange extends NodeExchange {
  readonly #goesOn: boolean
  readonly #values: (() => Map<string, unknown> | undefined) | undefined
  /** Whether a parser of the host has taken the body: what is given of it is not what was sent. */
  readonly #wasRead: boolean
  #unanswered = false

  /**
   * @param goesOn the host goes on with the request where nothing of the app answers.
   * @param values gives what `c.get()` has from the start. What it throws is a bug of the program.
   */
  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    goesOn: boolean,
    values: (() => Map<string, unknown> | undefined) | undefined,
  ) {
    super(incoming, outgoing, false, false)
    this.#goesOn = goesOn
    this.#values = values
    this.#wasRead = wasRead(incoming)
  }

  get values(): Map<string, unknown> | undefined {
    return this.#values?.()
  }

  override toRequest(body: BodyData): Request {
    const request = super.toRequest(body)
    if (this.#wasRead) for (const name of ofBytes) request.headers.delete(name)
    return request
  }

  pass(): Response | undefined {
    if (!this.#goesOn) return undefined
    this.#unanswered = true
    return this.respond(404, {}, null)
  }

  /** Whether the host is to go on. A middleware that made another answer of the 404 has answered. */
  isLeft(response: Response): boolean {
    return this.#unanswered && response.status === 404
  }

  /** The host logs what it goes on with. */
  ended(_error: unknown, response: Response): boolean {
    return this.isLeft(response)
  }
}
