/** The adapter for Cloudflare Workers, exported as `fw/workers`. An app becomes the default export of a worker. */
import { type App, checkApp, dispatch } from "../lib/app.ts"
import { answerWorker } from "./workerd/answer-worker.ts"

/**
 * The context that a worker gets with a request, reduced to the member that fw uses.
 *
 * @example
 * const context: ExecutionContext = { waitUntil: (promise) => void promise.catch(console.error) }
 * const answer = await serve(app).fetch(new Request("https://shop.example/"), {}, context)
 */
export interface ExecutionContext {
  waitUntil(promise: Promise<unknown>): void
}

/** The default export of a worker. @example const worker: Worker = serve(app) */
export interface Worker {
  fetch(request: Request, env: object, context: ExecutionContext): Promise<Response>
}

/**
 * Returns an app as a worker: `export default serve(app)`. The platform listens, stops, and handles TLS. `c.env` has
 * the bindings of the worker, and `c.waitUntil` keeps it alive. `export default app` does the same, if the bundler
 * knows the package condition `workerd`.
 *
 * @throws FwError `app` for a value that is not an app.
 * @example
 * const app = new App()
 * app.get("/", (c) => c.string(200, "hello"))
 * export default serve(app)
 */
export function serve(app: App): Worker {
  checkApp(app, "serve()")
  return { fetch: (request, ...args) => answerWorker((exchange) => dispatch(app, exchange), request, args) }
}
