/** A request that an app gets through the server of another program, to which it may give the request back. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { BodyData } from "../../lib/exchange.ts"
import { RequestExchange } from "./fast/request-classes.ts"
import { isBodyRead } from "./restore-body.ts"

/** Headers that describe the bytes of a body as they were sent. */
const bodyHeaders = ["content-length", "content-encoding", "transfer-encoding"]

/** An exchange for node:http with values of the host. */
export class HostedExchange extends RequestExchange {
  readonly #canContinue: boolean
  readonly #values: (() => Map<string, unknown> | undefined) | undefined
  /** True if a parser of the host has read the body. Its bytes can then not always be restored exactly. */
  readonly #isBodyRead: boolean
  #isUnanswered = false

  /**
   * Creates an exchange.
   *
   * @param canContinue true if the host continues with requests that the app has no response for.
   * @param values returns the initial values for `c.get()`. An error that it throws is a bug of the program.
   */
  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    canContinue: boolean,
    values: (() => Map<string, unknown> | undefined) | undefined,
  ) {
    super(incoming, outgoing, false, false)
    this.#canContinue = canContinue
    this.#values = values
    this.#isBodyRead = isBodyRead(incoming)
  }

  get values(): Map<string, unknown> | undefined {
    return this.#values?.()
  }

  override header(name: string): string {
    return this.#isBodyRead && name === "content-encoding" ? "" : super.header(name)
  }

  override toRequest(body: BodyData): Request {
    const request = super.toRequest(body)
    if (this.#isBodyRead) for (const name of bodyHeaders) request.headers.delete(name)
    return request
  }

  passToHost(): Response | undefined {
    if (!this.#canContinue) return undefined
    this.#isUnanswered = true
    return this.respond(404, {}, null)
  }

  /**
   * Returns true if the host should continue with the request. It should not if a middleware has replaced the 404 by
   * another response.
   */
  isLeftToHost(response: Response): boolean {
    return this.#isUnanswered && response.status === 404
  }

  /** Leaves the outcome to the host if it continues with the request, because it then logs the request. */
  handleOutcome(_error: unknown, response: Response): boolean {
    return this.isLeftToHost(response)
  }
}
