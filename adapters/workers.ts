/** The workers adapter, exported as `fw/workers`: an app as the default export of a worker. */
import type { App } from "../lib/app.ts"
import { report } from "./plain-logger.ts"
import { answer } from "./web-handler.ts"
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

/** Answers a request that the runtime hands over. */
export async function answerWorker(
  app: App,
  request: Request,
  env: object,
  context: ExecutionContext | undefined,
): Promise<Response> {
  const arrival = {
    address: clientOf(request),
    env,
    waitUntil: (promise: Promise<unknown>) => context?.waitUntil(promise),
    upgrading: upgrades,
  }
  return answer(app, request, arrival, report)
}

/** The client's address as the platform's edge writes it. Without `cf` no edge has, and the header is the client's own word. */
function clientOf(request: Request & { readonly cf?: unknown }): string {
  return request.cf ? (request.headers.get("cf-connecting-ip") ?? "") : ""
}
