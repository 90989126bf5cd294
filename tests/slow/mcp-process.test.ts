/** Tests of the process of `fw mcp serve`: how it ends, and the tools that start other programs. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, program, project } from "../support/bin/cli/command.ts"

const test = suite("fw mcp serve: process")
const route = "export function Get(c) { return c.json(200, { ok: true }) }\n"
const cwd = project({ "package.json": '{"name":"shop"}', "app/api/health/route.ts": route })

test("the results of fw_info and fw_validate are the data of their commands", async () => {
  const client = new Client({ name: "test", version: "1.0.0" })
  const args = [program, "mcp", "serve", "--workdir", cwd]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }))
  for (const [name, words] of [
    ["fw_info", "info"],
    ["fw_validate", "validate"],
  ] as const) {
    const { structuredContent, isError } = await client.callTool({ name, arguments: {} })
    assert.is(isError, undefined, name)
    const { stdout } = await fw([words, "--json"], { cwd, env: process.env })
    assert.equal(structuredContent, JSON.parse(stdout).data)
  }
  await client.close()
})

/** An answer of the server. */
interface Heard {
  readonly id: number | string | null
  readonly error?: { readonly code: number }
  // biome-ignore lint/suspicious/noExplicitAny: each method has its own type of result.
  readonly result?: any
}

/** Starts the program with a client that writes lines by hand. */
function raw() {
  const child = spawn(process.execPath, [program, "mcp", "serve"], { cwd, stdio: ["pipe", "pipe", "ignore"] })
  const lines: string[] = []
  let rest = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts)
    child.emit("lines")
  })
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const messages = () => lines.map((line) => JSON.parse(line) as Heard)
  const hear = async (id: number) => {
    for (;;) {
      const found = messages().find((message) => message.id === id)
      if (found) return found
      await once(child, "lines")
    }
  }
  return { child, say, hear, messages }
}

const hello = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
}

test("a line that is not a message is answered with an error, and the next one is handled", async () => {
  const { child, say, hear, messages } = raw()
  const wrong: ReadonlyArray<readonly [line: string, code: number, id: number | null]> = [
    ["not json", -32700, null],
    ['{"jsonrpc":"2.0","id":', -32700, null],
    ["[]", -32600, null],
    ["5", -32600, null],
    ['{"id":6,"method":"ping"}', -32600, 6],
    ['{"jsonrpc":"2.0","id":7}', -32600, 7],
    ['{"jsonrpc":"2.0","id":8,"method":"tools/call","params":5}', -32600, 8],
  ]
  say(hello)
  for (const [line] of wrong) child.stdin.write(`${line}\n\n`)
  // A message may arrive in parts, even in parts of one character.
  for (const byte of Buffer.from('{"jsonrpc":"2.0","id":"é","method":"ping"}\n')) child.stdin.write(Buffer.of(byte))
  say({ id: 9, method: "ping" })
  await hear(9)
  const heard = messages()
  const told = heard.filter(({ error }) => error).map(({ error, id }) => [error?.code, id])
  assert.equal(
    told,
    wrong.map(([, code, id]) => [code, id]),
  )
  assert.ok(heard.some(({ id }) => id === "é"))
  child.stdin.end()
  await once(child, "exit")
})

test("the server ends when its client closes the pipe, and writes only messages to stdout", async () => {
  const { child, say, hear } = raw()
  say(hello)
  assert.is((await hear(0)).result.serverInfo.name, "fw")
  child.stdin.write("this is not a message\n")
  say({ method: "notifications/initialized" })
  say({ id: 1, method: "tools/call", params: { name: "fw_list_routes", arguments: { appDir: "nowhere" } } })
  assert.is((await hear(1)).result.isError, true)
  child.stdin.end()
  assert.is((await once(child, "exit"))[0], 0)
})

test("the server ends when nobody reads its output", async () => {
  const { child, say, hear } = raw()
  say(hello)
  await hear(0)
  child.stdout.destroy()
  say({ id: 1, method: "tools/list" })
  await once(child, "exit")
})

test("the server ends on SIGTERM", async () => {
  const { child, say, hear } = raw()
  say(hello)
  await hear(0)
  child.kill("SIGTERM")
  await once(child, "exit")
})

test.run()
