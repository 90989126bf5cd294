/**
 * Reads the tools that fw has made from an application's routes, from the built program or from a file of the project.
 */
import { platform } from "#platform"
import type { App } from "../app.ts"
import type { ToolSet } from "./tool.ts"

/** The file in the project's directory to which `fw dev`, `fw build` and `fw test` write the tools. */
const toolsFile = { directory: ".fw", name: "mcp.json" } as const

const toolsByApp = new WeakMap<App, ToolSet>()

/**
 * Returns the tools of an app. Returns null if routes export `mcp` but fw has not made tools of them. A file of tools
 * is read every time, because `fw dev` writes it again after a change.
 */
export async function readStoredTools(app: App): Promise<ToolSet | null> {
  const tree = app.routeTree
  if (!tree?.routes.some(({ mcp }) => mcp)) return { name: "", version: "", tools: [] }
  const cachedTools = toolsByApp.get(app)
  if (cachedTools) return cachedTools
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
  const answer = await platform.files?.(toolsFile.directory)?.([toolsFile.name], request)
  return answer?.status === 200 ? new Response(answer.body).text() : null
}
