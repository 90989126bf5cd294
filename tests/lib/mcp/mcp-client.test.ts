/**
 * Tests `mcp()` with the official client, which lists and calls tools, and checks the structured content against
 * their schemas.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type ToolCase, toolsApp } from "../../support/lib/tools-app.ts"

process.env.FW_LOG_LEVEL = "off"

const outputSchema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] }
const tools: readonly ToolCase[] = [
  {
    method: "GET",
    path: "/tasks/{id}",
    name: "getTask",
    title: "Returns a task",
    parameters: [{ argument: "id", name: "id", in: "path" }],
    outputSchema,
    annotations: { readOnlyHint: true },
    handler: (c) => (c.param("id") === "0" ? c.json(404, { error: "none" }) : c.json(200, { id: c.param("id") })),
  },
  {
    method: "GET",
    path: "/wrong",
    name: "wrong",
    outputSchema,
    handler: (c) => c.json(200, { id: 7 }),
  },
]

test("the official client lists the tools and calls them", async () => {
  const app = await toolsApp(tools, { instructions: "Tasks." })
  const seen: string[] = []
  const client = new Client({ name: "test", version: "1.0.0" })
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: async (url, init) => {
      const answer = await app.request(url, init as RequestInit)
      seen.push(`${init?.method} ${answer.status}`)
      return answer
    },
  })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  try {
    assert.equal(client.getServerVersion(), { name: "Shop", version: "2.1.0" })
    assert.is(client.getInstructions(), "Tasks.")
    const list = await client.listTools()
    assert.equal(
      list.tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint ?? false]),
      [
        ["getTask", true],
        ["wrong", false],
      ],
    )
    const good = await client.callTool({ name: "getTask", arguments: { id: "7" } })
    assert.equal(good.structuredContent, { id: "7" })
    const bad = await client.callTool({ name: "getTask", arguments: { id: "0" } })
    assert.is(bad.isError, true)
    const thrown = await client.callTool({ name: "wrong" }).catch((error: Error) => error.message)
    assert.match(String(thrown), /does not match/)
    await client.ping()
    // The client first asks for a stream of notifications, and goes on when it gets none.
    assert.ok(seen.includes("GET 405"), seen.join(", "))
    assert.ok(seen.includes("POST 202"), seen.join(", "))
  } finally {
    await client.close()
  }
})

test.run()
