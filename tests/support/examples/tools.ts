/** Uses the tools of examples/tasks with the official client. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

/** The results of a client. */
export interface UsedTools {
  readonly names: readonly string[]
  /** The title of the added task. */
  readonly title: unknown
  /** The answers to a call of a guarded tool, without the key and with it. */
  readonly settings: readonly unknown[]
}

/**
 * Lists the tools of a running server, and calls some of them. The server must run with
 * `TASKS_API_KEYS=ada=s3cret`.
 */
export async function useTools(url: string): Promise<UsedTools> {
  const stranger = await connect(url)
  const administrator = await connect(url, { "x-api-key": "s3cret" })
  try {
    const { tools } = await stranger.listTools()
    const added = await stranger.callTool({ name: "postApiTasks", arguments: { title: "Buy tea" } })
    const settings = []
    for (const client of [stranger, administrator])
      settings.push((await client.callTool({ name: "getApiSettings", arguments: {} })).isError ?? false)
    const { title } = added.structuredContent as { title?: unknown }
    return { names: tools.map(({ name }) => name).sort(), title, settings }
  } finally {
    await stranger.close()
    await administrator.close()
  }
}

/** The result for a server whose tools work. */
export const rightTools: UsedTools = {
  names: [
    "getApiSettings",
    "getApiTasks",
    "getApiTasksById",
    "patchApiTasksById",
    "postApiTasks",
    "postApiTasksByIdDone",
  ],
  title: "Buy tea",
  settings: [true, false],
}

async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" })
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client
}
