/**
 * Tests of `fw mcp serve` with the client of the official SDK. `slow/mcp-process.test.ts` tests how the process
 * ends.
 */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { callTool, type MCPTool } from "../../bin/mcp/tool.ts"
import { listTools } from "../../bin/mcp/tools.ts"
import { commands } from "../../bin/table.ts"
import { fakeIo, fw, program, project } from "../support/bin/cli/command.ts"
import { makeProject, write } from "../support/bin/dev/dev-project.ts"

interface World {
  client: Client
  cwd: string
}

const test = suite<World>("fw mcp serve")
const route = "export function Get(c) { return c.json(200, { ok: true }) }\n"

test.before(async (world) => {
  world.cwd = project({ "package.json": '{"name":"shop"}', "app/api/health/route.ts": route })
  world.client = new Client({ name: "test", version: "1.0.0" })
  const args = [program, "mcp", "serve", "--workdir", world.cwd]
  await world.client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }))
})
test.after(({ client }) => client.close())

/** Returns the data of a failed call. */
async function failure({ client }: World, name: string, given: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: given })
  assert.is(result.isError, true, `${name} ${JSON.stringify(given)}`)
  const [content] = result.content as { text: string }[]
  return JSON.parse(content?.text ?? "") as { code: string; message: string; fix: string }
}

test("a client can list every tool, each with its schema and annotations", async ({ client }) => {
  const { tools } = await client.listTools()
  const hints = ["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"]
  for (const { name, title, description, inputSchema, annotations } of tools) {
    assert.ok(title, name)
    assert.equal(Object.keys(annotations ?? {}).sort(), hints, name)
    assert.match(name, /^fw_[a-z_]+$/)
    assert.ok((description ?? "").length > 40, name)
    assert.is(inputSchema.additionalProperties, false, name)
    for (const value of Object.values(annotations ?? {})) assert.type(value, "boolean", name)
  }
  const { length } = Buffer.from(JSON.stringify({ tools }))
  assert.ok(length <= 18_000, `tools/list has ${length} bytes, and every session of an agent pays for them`)
  const page = tools.find(({ name }) => name === "fw_generate_page")
  assert.equal(page?.inputSchema.required, ["path"])
  assert.is(page?.annotations?.destructiveHint, true)
})

test("the structured content of a call is the data of the command", async ({ client, cwd }) => {
  const { structuredContent } = await client.callTool({ name: "fw_info", arguments: {} })
  const { stdout } = await fw(["info", "--json"], { cwd })
  assert.equal(structuredContent, JSON.parse(stdout).data)
})

/** Returns a client of another server, which lists all tools. */
async function clientOfAll(cwd: string) {
  const client = new Client({ name: "test", version: "1.0.0" })
  const args = [program, "mcp", "serve", "--workdir", cwd, "--all"]
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" })
  await client.connect(transport)
  return { client, transport }
}

test("fw_explain_route explains a request", async ({ client, cwd }) => {
  const explain = { name: "fw_explain_route", arguments: { method: "GET", path: "/api/health" } }
  const explained = (await client.callTool(explain)).structuredContent
  const { stdout } = await fw(["routes", "--explain", "GET", "/api/health", "--json"], { cwd })
  assert.equal(explained, JSON.parse(stdout).data)
})

test("with --all, the other tools are listed and work, such as fw_openapi", async ({ client: few, cwd }) => {
  const { client } = await clientOfAll(cwd)
  const names = async (one: Client) => (await one.listTools()).tools.map(({ name }) => name)
  const listed = await names(few)
  const more = (await names(client)).filter((name) => !listed.includes(name))
  assert.equal(more.sort(), ["fw_generate_auth", "fw_openapi"])
  // The tools that the specification names.
  for (const name of [
    "new",
    "generate_route",
    "generate_middleware",
    "generate_proxy",
    "generate_page",
    "list_routes",
    "info",
    "validate",
  ])
    assert.ok(listed.includes(`fw_${name}`), name)
  const made = await client.callTool({
    name: "fw_openapi",
    arguments: { title: "Shop", openapi30: true, path: "/api" },
  })
  const { document } = made.structuredContent as {
    document: { openapi: string; info: object; paths: object }
  }
  assert.is(document.openapi, "3.0.3")
  assert.equal(document.info, { title: "Shop", version: "1.0.0" })
  assert.ok("/api/health" in document.paths)
  assert.not.ok(existsSync(join(cwd, "openapi.json")))
  await client.close()
})

test("a tool can require an argument that is optional in the terminal", async (world) => {
  assert.match((await failure(world, "fw_explain_route", { path: "/" })).message, /method is missing/)
  assert.match((await failure(world, "fw_new", { name: "../shop" })).code, /^name$/)
  assert.match((await failure(world, "fw_new", { name: "shop", skipPrompts: true })).message, /no argument/)
})

test("a tool that is called without force does not overwrite files", async (world) => {
  const given = { path: "about", withLayout: true }
  const { structuredContent } = await world.client.callTool({ name: "fw_generate_page", arguments: given })
  const written = ["app/about/page.tpl", "app/about/layout.tpl"]
  assert.equal(structuredContent, { written, overwritten: [], patterns: ["/about"] })
  for (const file of written) assert.ok(existsSync(join(world.cwd, file)))
  const { code, fix } = await failure(world, "fw_generate_page", given)
  assert.is(code, "exists")
  assert.match(fix, "overwrite with --force")
})

test("the other generators write the files that the data names", async ({ client, cwd }) => {
  const calls: [name: string, given: Record<string, unknown>, file: string][] = [
    ["fw_generate_route", { path: "users/[id]", methods: ["GET", "DELETE"] }, "app/api/users/[id]/route.ts"],
    ["fw_generate_middleware", { name: "audit", path: "api/users", template: "timing" }, "app/api/users/middleware.ts"],
    ["fw_generate_proxy", { template: "maintenance" }, "app/proxy.ts"],
  ]
  for (const [name, given, file] of calls) {
    const { structuredContent, isError } = await client.callTool({ name, arguments: given })
    assert.is(isError, undefined, name)
    assert.equal((structuredContent as { written: string[] }).written, [file])
    assert.ok(existsSync(join(cwd, file)))
  }
})

test("wrong arguments are an error that says what is allowed", async (world) => {
  const table: [Record<string, unknown>, code: string, RegExp][] = [
    [{}, "arguments", /path is missing/],
    [{ path: 1 }, "arguments", /path is 1/],
    [{ path: "x", withLayuot: true }, "arguments", /the tool has no argument "withLayuot"/],
    [{ path: "x", withLayout: "yes" }, "arguments", /withLayout is "yes"/],
    [{ path: "a\0b" }, "arguments", /NUL/],
    [{ path: "../x" }, "path", /leads to another directory/],
    [{ path: "//etc/x" }, "path", /begins with two slashes/],
    [{ path: "x", appDir: "../other" }, "arguments", /the tool has no argument "appDir"/],
  ]
  for (const [given, code, message] of table) {
    const failed = await failure(world, "fw_generate_page", given)
    assert.is(failed.code, code, JSON.stringify(given))
    assert.match(failed.message, message)
    assert.ok(failed.fix)
  }
})

test("no tool follows a link out of the working directory", async (world) => {
  const outside = project({ "secret/page.tpl": "untouched" })
  symlinkSync(join(outside, "secret"), join(world.cwd, "app/away"))
  symlinkSync(outside, join(world.cwd, "linked"))
  mkdirSync(join(world.cwd, "app/by-file"))
  symlinkSync(join(outside, "secret/page.tpl"), join(world.cwd, "app/by-file/page.tpl"))
  for (const given of [
    { path: "away", force: true },
    { path: "by-file", force: true },
  ])
    await failure(world, "fw_generate_page", given)
  for (const appDir of ["linked", "../other", "/tmp"]) {
    const [list] = listTools(commands, appDir).filter(({ name }) => name === "fw_list_routes")
    const { io } = fakeIo({ cwd: world.cwd })
    const code = await callTool(list as MCPTool, {}, io).catch((error) => error.code)
    assert.is(code, "outside", appDir)
  }
  assert.is(readFileSync(join(outside, "secret/page.tpl"), "utf8"), "untouched")
})

test("an unknown tool is an error of the protocol that names the known tools", async ({ client }) => {
  try {
    await client.callTool({ name: "fw_nothing", arguments: {} })
    assert.unreachable()
  } catch (error) {
    assert.match((error as Error).message, /-32602.*there is no tool "fw_nothing".*fw_list_routes/)
  }
  const long = await client.callTool({ name: "x".repeat(100_000), arguments: {} }).catch(({ message }) => message)
  assert.match(long, /there is no tool "x+…x+".*fw_list_routes/)
  assert.ok(long.length < 1000, `${long.length} characters`)
})

test("a missing working directory is an error before the server starts", async () => {
  const cwd = project({ file: "" })
  for (const workdir of ["nowhere", "file"]) {
    const { code, stdout, stderr } = await fw(["mcp", "serve", "-w", workdir], { cwd })
    assert.is(code, 1)
    assert.is(stdout, "")
    assert.match(stderr, /working directory.*--workdir/s)
  }
})

test("simultaneous calls are answered, and later ones see changes", async () => {
  const get = (value: string) =>
    `import type { Context } from "fw"\nexport function Get(c: Context) { return c.json(200, "${value}" as const) }\n`
  const cwd = makeProject({ "app/api/x/route.ts": get("first") }, ["fw", "typescript"])
  const { client } = await clientOfAll(cwd)
  const ask = async () => {
    const { content } = await client.callTool({ name: "fw_openapi", arguments: { path: "/api/x" } })
    return (content as { text: string }[])[0]?.text ?? ""
  }
  // A server that keeps running would keep this process from ending.
  try {
    const answers = await Promise.all(Array.from({ length: 3 }, ask))
    for (const answer of answers) assert.match(answer, '"first"')
    write(cwd, { "app/api/x/route.ts": get("second") })
    assert.match(await ask(), '"second"')
  } finally {
    await client.close()
  }
})

test.run()
