/** The workers adapter, exported as `fw/workers`: an app as the default export of a worker. */
import { type App, dispatch } from "../lib/app.ts"
import { bugError, type HttpError } from "../lib/errors.ts"
import { FetchExchange, withoutBody } from "../lib/exchange.ts"
import { report } from "./console-report.ts"
import { refuseRequest } from "./target.ts"
import type { Upgrades } from "./web-upgrade.ts"

/** What a worker gets beside the request: the part that is used. */
export interface ExecutionContext {
  waitUntil(promise: Promise<unknown>): void
}

/** A worker's default export. */
export interface Worker {
  fetch(request: Request, env: object, context: ExecutionContext): Promise<Response>
}

/**
 * An app as a worker: `export default serve(app)`. What listens, stops and speaks TLS is the platform. `c.env` has the
 * worker's bindings, and `c.waitUntil` keeps it alive. `export default app` comes to the same where the bundler knows
 * the condition `workerd`.
 */
export function serve(app: App): Worker {
  return { fetch: (request, env, context) => answerWorker(app, request, env, context) }
}

let upgrades: Upgrades | undefined

/** Lets workers take upgrades. */
export function takeUpgrades(given: Upgrades): void {
  upgrades = given
}

/** Answers a request that the runtime hands over. Never rejects. */
export async function answerWorker(
  app: App,
  request: Request,
  env: object,
  context?: ExecutionContext,
): Promise<Response> {
  try {
    const refused = refuseRequest(request)
    if (refused) return plainError(refused)
    const exchange = new WorkerExchange(request, env, context)
    const response = await dispatch(app, exchange)
    const upgraded = upgrades?.answer(response)
    if (upgraded) return upgraded.response
    return request.method === "HEAD" ? withoutBody(exchange, response) : counted(response)
  } catch (error) {
    report(error)
    return plainError(bugError)
  }
}

function plainError(error: HttpError): Response {
  return Response.json(error, { status: error.status })
}

/** Workers have it: a stream that errors unless it has exactly so many bytes. */
declare const FixedLengthStream: new (size: number) => TransformStream<Uint8Array, Uint8Array>

/** A streamed body held to the Content-Length that the program gave it; the platform sends the header only of such a stream. */
function counted(response: Response): Response {
  const length = Number(response.headers.get("content-length") ?? -1)
  if (!(length >= 0) || !response.body) return response
  return new Response(response.body.pipeThrough(new FixedLengthStream(length)), response)
}

class WorkerExchange extends FetchExchange {
  readonly #env: object
  readonly #context: ExecutionContext | undefined

  constructor(request: Request, env: object, context: ExecutionContext | undefined) {
    super(request)
    this.#env = env
    this.#context = context
  }

  /** As the platform's edge writes it. Without `cf` no edge has, and the header is the client's own word. */
  override get address(): string {
    return (this.request as { cf?: unknown }).cf ? this.header("cf-connecting-ip") : ""
  }

  override get env(): object {
    return this.#env
  }

  override get upgrades(): boolean | HttpError {
    return upgrades ? (upgrades.refuse((name) => this.header(name)) ?? true) : false
  }

  override waitUntil(promise: Promise<unknown>): void {
    this.#context?.waitUntil(promise)
  }
}
