/**
 * Tests of an agent's calls with real programs: a new project, one that is cancelled, and the official inspector.
 */

import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { program, project } from "../support/bin/cli/command.ts"
import { installTools } from "../support/tools.ts"

const run = promisify(execFile)
/** The tested version. A newer one may show something else. */
const inspector = "@modelcontextprotocol/inspector@0.17.2"

async function connect(cwd: string) {
  const client = new Client({ name: "test", version: "1.0.0" })
  const args = [program, "mcp", "serve", "--workdir", cwd]
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" })
  await client.connect(transport)
  await client.listTools()
  return { client, pid: transport.pid as number }
}

test("fw_new creates a project, and reports its progress", async () => {
  const cwd = project({ "package.json": "{}" })
  const { client } = await connect(cwd)
  const told: string[] = []
  const given = { name: "fw_new", arguments: { name: "shop", apiOnly: true } }
  const options = { onprogress: ({ message = "" }) => told.push(message), timeout: 200_000 }
  const { structuredContent, isError } = await client.callTool(given, undefined, options as never)
  assert.is(isError, undefined)
  const made = structuredContent as { name: string; template: string; installed: boolean }
  assert.is(`${made.name} ${made.template} ${made.installed}`, "shop api true")
  assert.ok(told.length > 0)
  assert.ok(readdirSync(join(cwd, "shop")).includes("node_modules"))
  await client.close()
})

test("a cancelled call of fw_new leaves no files, and the connection stays open", async () => {
  const cwd = project({ "package.json": "{}" })
  const { client } = await connect(cwd)
  const stop = new AbortController()
  const given = { name: "fw_new", arguments: { name: "shop" } }
  const options = { signal: stop.signal, onprogress: () => stop.abort(), timeout: 200_000 }
  const error = await client.callTool(given, undefined, options as never).catch((reason: unknown) => reason)
  assert.ok(stop.signal.aborted)
  assert.instance(error, Error)
  // The connection stays open. The cancelled call had already ended, or it ends on its own.
  const { isError } = await client.callTool({ name: "fw_list_routes", arguments: {} })
  assert.is(isError, true)
  await client.close()
  assert.equal(readdirSync(cwd), ["package.json"])
})

test("the official inspector lists the tools and calls one", async () => {
  const cwd = project({
    "package.json": "{}",
    "app/x/route.ts": "export function Get(c) { return c.text(200, 'x') }",
  })
  const cli = join(await installTools([inspector]), ".bin/mcp-inspector")
  const inspect = async (...args: string[]) => {
    const { stdout } = await run(cli, ["--cli", process.execPath, program, "mcp", "serve", ...args], { cwd })
    return JSON.parse(stdout)
  }
  const { tools } = await inspect("--method", "tools/list")
  assert.ok(tools.some(({ name }: { name: string }) => name === "fw_validate"))
  const called = await inspect("--method", "tools/call", "--tool-name", "fw_list_routes")
  assert.is(called.structuredContent.total, 1)
  const refused = await inspect("--method", "tools/call", "--tool-name", "fw_generate_page", "--tool-arg", "path=../x")
  assert.is(refused.isError, true)
})

test.run()
