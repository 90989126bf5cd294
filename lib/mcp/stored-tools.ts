/** The tools that fw has made of an application's routes: in the built program, or in a file of the project. */
import { platform } from "#platform"
import type { App } from "../app.ts"
import type { ToolSet } from "./tool.ts"

/** Path at which `fw dev`, `fw build` and `fw test` write the tools, in the project's directory. */
const toolsFile = { directory: ".fw", name: "mcp.json" } as const

const toolsByApp = new WeakMap<App, ToolSet>()

/**
 * Returns the tools; null if routes offer some, but fw has not made tools of them. The file is read each time, because
 * `fw dev` writes it again after a change.
 */
export async function readStoredTools(app: App): Promise<ToolSet | null> {
  const tree = app.routeTree
  if (!tree?.routes.some(({ mcp }) => mcp)) return { name: "", version: "", tools: [] }
  const known = toolsByApp.get(app)
  if (known) return known
  if (tree.tools === undefined) {
    const text = await readFromDisk()
    return text === null ? null : (JSON.parse(text) as ToolSet)
  }
  const tools = JSON.parse(tree.tools) as ToolSet
  toolsByApp.set(app, tools)
  return tools
}

async function readFromDisk(): Promise<string | null> {
  const request = { method: "GET", path: `/${toolsFile.name}`, search: "", header: () => "" }
  const found = await platform.files?.(toolsFile.directory)?.([toolsFile.name], request)
  return found?.status === 200 ? new Response(found.body).text() : null
}
