/**
 * Serves every contract case from one worker, in which the request names the case. `tests/runtimes/workerd.test.ts`
 * bundles and runs it.
 */
import type { ExecutionContext } from "../../../adapters/workers.ts"
import type { App } from "../../../lib/index.ts"
import { allCases, socketCases } from "./all.ts"

const cases = [...allCases, ...socketCases]
const apps = new Map<string, App | Promise<App>>()

export default {
  /**
   * Answers with the app of the case that the header `x-case` names. Its first request creates an app, because a
   * worker may not do this when it is loaded.
   */
  async fetch(request: Request, env: object, context: ExecutionContext): Promise<Response> {
    const name = request.headers.get("x-case") ?? ""
    const app = apps.get(name) ?? cases[Number(name)]?.app()
    if (!app) return new Response("no such case", { status: 500 })
    apps.set(name, app)
    return (await app).fetch(request, env, context)
  },
}
