/** Checks the routes that are offered to language models. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import type { OfferedRoutes } from "../../openapi/offered-routes.ts"
import { createWarning, type Finding } from "./finding.ts"

/** Returns a warning if routes are offered, but the main file does not serve `mcp()`. */
export function checkMCPServed({ routes }: RouteTree, main: ModuleText | null): Finding[] {
  const offered = routes.find(({ mcp }) => mcp)
  const isServed = main?.tokens.some(({ kind, text }) => kind === "string" && text.slice(1, -1) === "fw/mcp")
  if (!offered || isServed) return []
  const message = "the file offers itself to language models, but main.ts does not serve the tools"
  const fix = 'Write in main.ts: import { mcp } from "fw/mcp", and mcp(app).'
  return [createWarning("mcp_unserved", offered, message, fix)]
}

/** Returns a warning for each offered route that cannot be a tool, or that changes data without a guard. */
export function checkOfferedRoutes({ leftOut, guards }: OfferedRoutes): Finding[] {
  const unguardedRoutes = guards.filter(
    ({ method, state }) => method !== "GET" && (state === "none" || state === "optional"),
  )
  return [
    ...leftOut.map(({ message, fix, at }) => createWarning("mcp_left_out", at ?? { file: "app" }, message, fix)),
    ...unguardedRoutes.map(({ method, pattern, at }) => {
      const message = `${method} ${pattern} is offered to language models, and no guard is declared for it`
      const fix =
        "Put it behind a middleware that declares what it requires, such as bearerAuth(), or remove it from mcp. If everyone may call it, write @security none in its comment."
      return createWarning("mcp_unguarded", at, message, fix)
    }),
  ]
}
