/** An application whose routes are tools for language models, and messages to it. */
import { App, type HandlerFunc, type RouteTree } from "../../../lib/index.ts"
import type { Tool } from "../../../lib/mcp/tool.ts"
import { type MCPOptions, mcp } from "../../../lib/mcp.ts"
import { handlerExports } from "../../../lib/tree.ts"

/** A tool and its handler. */
export type ToolCase = Pick<Tool, "method" | "path"> &
  Partial<Omit<Tool, "description">> & { readonly handler: HandlerFunc } & Partial<Tool["description"]> & {
    /** False for a route that was built as a tool, but no longer sets `mcp`. Default: true. */
    readonly offered?: boolean
  }

const toExport = (method: string) =>
  (Object.entries(handlerExports).find(([, own]) => own === method) as [keyof typeof handlerExports, string])[0]

/** Returns the tool of a case. */
export function createTool(one: ToolCase): Tool {
  const { method, path, route = path.replace(/\{\w+\}$/, (name) => name), parameters = [] } = one
  const names = [...parameters.map(({ argument }) => argument), ...(one.body?.argument ? [one.body.argument] : [])]
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  return {
    description: {
      name: one.name ?? `${method.toLowerCase()}${path.replace(/\W+/g, "_")}`,
      ...(one.title && { title: one.title }),
      ...(one.description && { description: one.description }),
      inputSchema: one.inputSchema ?? { type: "object", properties },
      ...(one.outputSchema && { outputSchema: one.outputSchema }),
      annotations: one.annotations ?? {},
    },
    method,
    route,
    path,
    ...(one.rest && { rest: one.rest }),
    parameters,
    ...(one.body && { body: one.body }),
  }
}

/**
 * Returns an app that serves the tools, with the routes mounted as from a directory.
 *
 * @param prepare adds middleware.
 * @param isBuilt false for a program that was not built, so that it does not contain the tools.
 */
export async function toolsApp(
  cases: readonly ToolCase[],
  options: MCPOptions = {},
  prepare: (app: App) => void = () => {},
  isBuilt = true,
): Promise<App> {
  const app = new App({ logger: false })
  prepare(app)
  mcp(app, options)
  const tools = cases.map(createTool)
  const files = cases.map((_, i) => `app/r${i}/route.ts`)
  const routes = cases.map(({ method, offered = true }, i) => ({
    method,
    pattern: (tools[i] as Tool).route,
    file: files[i] as string,
    export: toExport(method),
    line: 1,
    middleware: [],
    ...(offered && { mcp: true as const }),
  }))
  const set = { name: "Shop", version: "2.1.0", tools }
  const tree: RouteTree = {
    appDir: "app",
    routes,
    middleware: [],
    pages: [],
    layouts: [],
    ...(isBuilt && { tools: JSON.stringify(set) }),
  }
  const modules = cases.map(({ method, handler }, i) => [files[i], { [toExport(method)]: handler }])
  await app.mount({ tree, modules: Object.fromEntries(modules) })
  return app
}

/** Sends a body to the endpoint, as JSON if it is not a text. */
export function post(app: App, body: unknown, headers: Record<string, string> = {}, at = "http://localhost/mcp") {
  return app.request(at, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })
}

/** Creates a request of JSON-RPC. */
export function message(method: string, params?: object, id: unknown = 1) {
  return { jsonrpc: "2.0", id, method, ...(params && { params }) }
}

/** The part of a response that tests read. */
export interface Reply {
  readonly id: unknown
  readonly result?: {
    readonly content: readonly { readonly text: string }[]
    readonly structuredContent?: unknown
    readonly isError?: boolean
    readonly tools?: readonly { readonly name: string }[]
    readonly [key: string]: unknown
  }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Calls a tool, and returns the response. */
export async function createCall(
  app: App,
  name: string,
  given: object = {},
  headers: Record<string, string> = {},
): Promise<Reply & { readonly status: number; readonly headers: Headers }> {
  const response = await post(app, message("tools/call", { name, arguments: given }), headers)
  return { ...((await response.json()) as Reply), status: response.status, headers: response.headers }
}
