/** Tests of the tools for language models. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { app } from "./support/app.ts"

interface Result {
  readonly tools: readonly { readonly name: string }[]
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent?: { readonly id: number; readonly title: string; readonly name: string }
  readonly isError?: boolean
}

async function callMethod(
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Result> {
  const response = await app.request("/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  })
  return ((await response.json()) as { result: Result }).result
}

const callTool = (name: string, input: object = {}, headers = {}) =>
  callMethod("tools/call", { name, arguments: input }, headers)

const tools = suite("tools")

tools("routes that export mcp are tools, and nothing else is", async () => {
  const names = (await callMethod("tools/list")).tools.map(({ name }) => name)
  assert.equal(names.sort(), [
    "getApiSettings",
    "getApiTasks",
    "getApiTasksById",
    "patchApiTasksById",
    "postApiTasks",
    "postApiTasksByIdDone",
  ])
})

tools("a task can be added and changed", async () => {
  const added = await callTool("postApiTasks", { title: "Buy tea", note: "green", due: null })
  const { id = 0, title } = added.structuredContent ?? {}
  assert.is(title, "Buy tea")
  const changed = await callTool("patchApiTasksById", { id, title: "Buy coffee" })
  assert.is(changed.structuredContent?.title, "Buy coffee")
})

tools("a call that the API refuses is an error of the tool", async () => {
  const { isError, content } = await callTool("postApiTasks", { title: "", note: "", due: null })
  assert.is(isError, true)
  assert.match(content[0]?.text ?? "", /^HTTP 400\n/)
})

tools("the settings need the key of an administrator", async () => {
  const refused = await callTool("getApiSettings")
  assert.is(refused.isError, true)
  assert.match(refused.content[0]?.text ?? "", /^HTTP 401\n/)
  const { structuredContent } = await callTool("getApiSettings", {}, { "x-api-key": "correct horse" })
  assert.type(structuredContent?.name, "string")
})

tools.run()
