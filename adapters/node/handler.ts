/**
 * `nodeHandler()` of `fw/node`: makes an app a listener of another server, or a middleware of Express and similar
 * frameworks.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { App, checkApp } from "../../lib/app.ts"
import { checkKeys } from "../../lib/checks.ts"
import { hostFault } from "../../lib/lifecycle/host-fault.ts"
import { dispatchExchange } from "./dispatch-exchange.ts"
import { HostedExchange } from "./hosted-exchange.ts"
import { refuseIncoming } from "./refuse-incoming.ts"
import { sendFailure, sendRefusal, sendResponse } from "./send-response.ts"
import { answerServerPing, createServerContext } from "./server.ts"

/**
 * Options of `nodeHandler()`. `Incoming` is the type of the host's requests, including the properties that its
 * middleware has added.
 *
 * @example
 * const options: NodeHandlerOptions = { fallthrough: true }
 * const handler = nodeHandler(new App(), options)
 */
export interface NodeHandlerOptions<Incoming extends IncomingMessage = IncomingMessage> {
  /**
   * True to call `next()` if no route and no file of the app matches. Without it, the app answers 404 or 405. Default:
   * false.
   */
  readonly fallthrough?: boolean
  /**
   * Returns values that handlers can read with `c.get()`, by name. For example, it can pass on the session that a
   * middleware of the host has stored on the request.
   */
  readonly with?: (incoming: Incoming) => Readonly<Record<string, unknown>> | undefined
}

/**
 * A listener of node:http, and a middleware of Express, Connect and Vite.
 *
 * @example
 * import { createServer } from "node:http"
 * const handler: NodeHandler = nodeHandler(new App())
 * const server = createServer(handler)
 */
export type NodeHandler<Incoming extends IncomingMessage = IncomingMessage> = (
  incoming: Incoming,
  outgoing: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/**
 * Returns an app as a listener of a node:http server. It also works in Express (`server.use(nodeHandler(app))`),
 * Connect, Vite and Fastify. The app answers and logs its own errors, and never passes an error to `next`.
 *
 * @throws FwError `node_handler` for an unknown or invalid option, and for an app of another copy of fw.
 * @example
 * import { createServer } from "node:http"
 * const app = new App()
 * app.get("/", (c) => c.string(200, "hello"))
 * const server = createServer(nodeHandler(app))
 */
export function nodeHandler<Incoming extends IncomingMessage = IncomingMessage>(
  app: App,
  options: NodeHandlerOptions<Incoming> = {},
): NodeHandler<Incoming> {
  checkArguments(app, options)
  const { fallthrough = false, with: createValues } = options
  const serverContext = createServerContext(app)
  return (incoming, outgoing, next) => {
    const passToHost = fallthrough ? next : undefined
    const refusal = refuseIncoming(incoming, false)
    if (refusal) return sendRefusal(incoming, outgoing, refusal)
    if (incoming.url === "*") return passToHost ? passToHost() : answerServerPing(outgoing)
    const values = createValues && (() => toValues(createValues(incoming)))
    const exchange = new HostedExchange(incoming, outgoing, passToHost !== undefined, values)
    const finish = (response: Response) =>
      exchange.isLeftToHost(response)
        ? passToHost?.()
        : sendResponse(exchange, incoming, outgoing, response, serverContext)
    const answer = dispatchExchange(app, exchange)
    if (!(answer instanceof Promise)) return finish(answer)
    answer.then(finish, (error) => sendFailure(outgoing, error, serverContext))
  }
}

function checkArguments(app: App, options: object): void {
  checkKeys(options, ["fallthrough", "with"], "node_handler", "nodeHandler()", { fallthrough: "boolean" })
  const { with: createValues } = options as NodeHandlerOptions
  if (createValues !== undefined && typeof createValues !== "function")
    throw hostFault("node_handler.with", [typeof createValues])
  if (!(app instanceof App) && typeof Object(app).fetch === "function") throw hostFault("node_handler.app")
  checkApp(app, "nodeHandler()")
}

/**
 * Checks the values of the host. @throws FwError for a promise, because its values would come too late, and for a value
 * that is not an object.
 */
function toValues(value: unknown): Map<string, unknown> | undefined {
  if (value === undefined) return undefined
  if (typeof value === "object" && value !== null && !("then" in value)) return new Map(Object.entries(value))
  throw hostFault("node_handler.values", [value])
}
