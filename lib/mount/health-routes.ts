/**
 * `app.health()`: the paths at which load balancers ask whether a program is running, and whether it is ready for
 * requests.
 */
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { fault } from "../errors/fault.ts"
import { isDelay } from "../lifecycle/seconds.ts"
import { parsePattern } from "../pattern.ts"
import type { ServerLifecycle } from "../platform.ts"
import type { RouteTable } from "../router.ts"
import { type CheckResult, type HealthCheck, SharedCheck } from "./health-check.ts"

/**
 * Options of `app.health()`.
 *
 * @example
 * const options: HealthOptions = {
 *   checks: { disk: async () => (await fetch("http://127.0.0.1:9000/disk")).ok },
 *   drain: 10,
 * }
 * app.health(options)
 */
export interface HealthOptions {
  /** The path that answers 200 as long as the program can answer at all. It runs no checks. Default: `/health/live`. */
  readonly live?: string
  /**
   * The path that answers 200 if every check succeeds, and 503 if one fails or the program is stopping. Default:
   * `/health/ready`.
   */
  readonly ready?: string
  /** The checks of readiness. Clients see their results under these names. Default: none. */
  readonly checks?: Readonly<Record<string, HealthCheck>>
  /** Seconds after which a check has failed. Default: 2. */
  readonly timeout?: number
  /** Seconds for which the result of a check is reused. Default: 1. */
  readonly cache?: number
  /**
   * Seconds between the first 503 at the readiness path and the end of the server, so that load balancers notice it.
   * `app.shutdown()` waits for this time, and requests are answered as before. The environment variable `FW_DRAIN`
   * takes precedence. Default: 5.
   */
  readonly drain?: number
}

const optionNames = ["live", "ready", "checks", "timeout", "cache", "drain"]

/**
 * Registers the paths of `app.health()`.
 *
 * @throws FwError `health_options`, and `conflict` for a path that already has a route.
 */
export function addHealthRoutes(
  routes: RouteTable,
  options: HealthOptions = {},
  server: ServerLifecycle | undefined,
): void {
  checkKeys(options, optionNames, "health_options", "app.health()", { live: "string", ready: "string" })
  const { live = "/health/live", ready = "/health/ready", checks = {}, timeout = 2, cache = 1, drain = 5 } = options
  if (timeout === 0) throw fault("health_options.seconds", ["timeout", timeout])
  for (const [name, value] of Object.entries({ timeout, cache, drain }))
    if (!isDelay(value)) throw fault("health_options.seconds", [name, value])
  for (const [name, path] of Object.entries({ live, ready }))
    if (!/^\/[^{}[\]:*?#]*$/.test(path)) throw fault("health_options.path", [name, path])
  if (live === ready) throw fault("health_options.same", [live])
  const sharedChecks = createChecks(checks, { timeout, cache })
  addRoute(routes, live, (c) => c.json(200, { status: "ok" }))
  addRoute(routes, ready, async (c) => {
    const results = server?.isStopping ? {} : await runChecks(sharedChecks, !!server)
    // The server may have begun to stop while the checks were running.
    if (server?.isStopping) return c.json(503, { status: "stopping" })
    const isReady = Object.values(results).every((result) => result === "ok")
    return c.json(isReady ? 200 : 503, { status: isReady ? "ok" : "failed", checks: results })
  })
  if (server) server.drainSeconds = drain
}

type NamedChecks = readonly (readonly [name: string, check: SharedCheck])[]

function createChecks(checks: unknown, limits: { timeout: number; cache: number }): NamedChecks {
  if (Object(checks) !== checks || Array.isArray(checks) || typeof checks === "function")
    throw fault("health_options.checks", [checks])
  return Object.entries(checks as Record<string, unknown>).map(([name, check]) => {
    if (typeof check !== "function") throw fault("health_options.check", [name, check])
    return [name, new SharedCheck(name, check as HealthCheck, limits)]
  })
}

function addRoute(routes: RouteTable, path: string, answer: (c: Context) => Response | Promise<Response>): void {
  const handler = (c: Context) => {
    c.setHeader("Cache-Control", "no-store")
    return answer(c)
  }
  const source = `health(${JSON.stringify(path)})`
  routes.add({ method: "GET", pattern: parsePattern(path), handler, middleware: [], source })
}

async function runChecks(checks: NamedChecks, mayShare: boolean): Promise<Readonly<Record<string, CheckResult>>> {
  return Object.fromEntries(
    await Promise.all(checks.map(async ([name, check]) => [name, await check.getResult(mayShare)] as const)),
  )
}
