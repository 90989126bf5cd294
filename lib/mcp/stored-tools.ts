/** The tools that fw has made of an application's routes: in the built program, or in a file of the project. */
import { platform } from "#platform"
import type { App } from "../app.ts"
import type { ToolSet } from "./tool.ts"

/** Path at which `fw dev`, `fw build` and `fw test` write the tools, in the project's directory. */
const file = { directory: ".fw", name: "mcp.json" } as const

const built = new WeakMap<App, ToolSet>()

/**
 * Returns the tools; null if routes offer some, but fw has not made tools of them. The file is read each time, because
 * `fw dev` writes it again after a change.
 */
export async function storedTools(app: App): Promise<ToolSet | null> {
  const tree = app.routeTree
  if (!tree?.routes.some(({ mcp }) => mcp)) return { name: "", version: "", tools: [] }
  const known = built.get(app)
  if (known) return known
  if (tree.tools === undefined) {
    const text = await onDisk()
    return text === null ? null : (JSON.parse(text) as ToolSet)
  }
  const tools = JSON.parse(tree.tools) as ToolSet
  built.set(app, tools)
  return tools
}

async function onDisk(): Promise<string | null> {
  const request = { method: "GET", path: `/${file.name}`, search: "", header: () => "" }
  const found = await platform.files?.(file.directory)?.([file.name], request)
  return found?.status === 200 ? new Response(found.body).text() : null
}
