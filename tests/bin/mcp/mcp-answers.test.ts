/** Tests that results of the tools are limited, and can be read in parts. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { callTool, type MCPTool } from "../../../bin/mcp/tool.ts"
import { listTools } from "../../../bin/mcp/tools.ts"
import { keepTypeCaches } from "../../../bin/openapi/type-cache.ts"
import { commands } from "../../../bin/table.ts"
import { fakeIo } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { manyRoutes } from "../../support/bin/openapi/openapi-many.ts"

const tools = listTools(commands)

function tool(name: string): MCPTool {
  return tools.find((one) => one.name === name) as MCPTool
}

function call(name: string, given: Record<string, unknown>, cwd: string) {
  return callTool(tool(name), given, fakeIo({ cwd }).io)
}

const bounds = suite("mcp bounds")

bounds("the tools of the specification are listed, each with a short description", () => {
  const names = tools.map(({ name }) => name)
  for (const name of [
    "fw_list_routes",
    "fw_info",
    "fw_openapi",
    "fw_validate",
    "fw_new",
    "fw_generate_route",
    "fw_generate_middleware",
    "fw_generate_proxy",
    "fw_generate_page",
    "fw_generate_form",
  ])
    assert.ok(names.includes(name), `the tool ${name} is missing`)
  for (const { description } of tools)
    assert.ok(description.length < 500, `the description is too long: ${description}`)
})

bounds("long arguments are shortened in every message", async () => {
  const cwd = makeProject({}, [])
  const long = "x".repeat(100_000)
  for (const [name, given] of [
    ["fw_generate_page", { path: long }],
    ["fw_generate_page", { path: `${long}/../y` }],
    ["fw_generate_page", { [long]: 1 }],
    ["fw_generate_page", { path: [long] }],
    ["fw_explain_route", { method: "GET", path: `/${long}` }],
    ["fw_explain_route", { method: long, path: "/" }],
    ["fw_test", { text: long }],
    ["fw_docs", { query: long }],
    ["fw_request", { path: `/${long}` }],
    ["fw_request", { path: "/", headers: [long] }],
    ["fw_request", { path: "/", method: long }],
    ["fw_new", { name: long }],
    ["fw_openapi", { server: long }],
    ["fw_generate_proxy", { template: long }],
  ] as const) {
    const io = fakeIo({ cwd }).io
    const failed = await callTool(tool(name), given, io).then(
      () => undefined,
      async (error: unknown) => JSON.stringify((await import("../../../bin/cli/failure.ts")).toFailureData(error)),
    )
    if (failed !== undefined) assert.ok(failed.length < 2000, `the message of ${name} has ${failed.length} characters`)
  }
})

bounds.run()

const parts = suite("mcp parts")

interface Part {
  total: number
  offset: number
  operations: { method: string; path: string; operationId: string; summary: string }[]
  document: { paths: Record<string, object>; components?: Record<string, Record<string, object>> } | null
  file: string | null
}

/** A project with 25 operations, and one whose document is too large for one answer. */
let cwd = ""
let large = ""
let release = async () => {}
parts.before(() => {
  // The calls share the TypeScript programs, as in the server.
  release = keepTypeCaches()
  cwd = makeProject(manyRoutes(25), ["fw", "typescript"])
  large = makeProject(manyRoutes(150), ["fw", "typescript"])
})
parts.after(() => release())

parts("without a filter, fw_openapi lists operations in parts, without the document", async () => {
  const { data, text } = await call("fw_openapi", { limit: 10 }, cwd)
  const { total, operations, document, file } = data as unknown as Part
  assert.equal([total, operations.length, document, file], [25, 10, null, null])
  assert.equal(Object.keys(operations[0] ?? {}), ["method", "path", "operationId", "summary"])
  assert.ok(text.length < JSON.stringify(data).length)
  assert.match(text, "Shown: 1 to 10 of 25 operations. For the next ones, pass --offset 10.")
  const rest = (await call("fw_openapi", { limit: 10, offset: 20 }, cwd)).data as unknown as Part
  assert.is(rest.operations.length, 5)
})

parts(
  "with filters, fw_openapi returns a document with only the chosen operations and the components that they use",
  async () => {
    const all = ((await call("fw_openapi", { limit: 1000 }, cwd)).data as unknown as Part).operations
    const [first] = all.filter(({ path }) => path === "/api/orders/{id}")
    for (const [given, count] of [
      [{ path: "/api/orders" }, 5],
      [{ path: "/api/orders/[id]" }, 3],
      [{ path: "/api/orders/:id", method: "put" }, 1],
      [{ operationId: first?.operationId }, 1],
      [{ path: "/api/order" }, 0],
      [{ tag: "no such tag" }, 0],
    ] as const) {
      const part = (await call("fw_openapi", given, cwd)).data as unknown as Part
      assert.is(part.total, count, JSON.stringify(given))
      const { paths = {}, components = {} } = part.document ?? {}
      const has = Object.values(paths).flatMap((item) => Object.keys(item))
      assert.is(has.length, count)
      const refs = JSON.stringify(part.document).match(/#\/components\/schemas\/[^"]+/g) ?? []
      const used = new Set(refs.map((ref) => ref.split("/").at(-1)))
      assert.equal(new Set(Object.keys(components.schemas ?? {})), used)
      assert.not.ok("Invoice" in (components.schemas ?? {}))
    }
  },
)

parts("a document that is too large is returned in parts, or written to a file", async () => {
  const whole = (await call("fw_openapi", { path: "/", limit: 1000 }, large)).data as unknown as Part
  assert.ok(JSON.stringify(whole).length < 70_000)
  assert.ok(whole.operations.length > 0 && whole.operations.length < 150)
  const written = (await call("fw_openapi", { output: "api.json" }, large)).data as unknown as Part
  assert.is(written.file, "api.json")
  const document = JSON.parse(readFileSync(join(large, "api.json"), "utf8"))
  assert.ok(Object.keys(document.paths).length >= 60)
  assert.is((await call("fw_openapi", { output: "-" }, cwd).catch((reason) => reason)).code, "arguments")
  for (const output of ["../api.json", "/tmp/fw-api.json"]) {
    const error = await call("fw_openapi", { output }, cwd).catch((reason) => reason)
    assert.is(error.code, "outside")
  }
})

parts("routes are listed in parts, at and below a path", async () => {
  const { data, text } = await call("fw_list_routes", {}, large)
  const { routes, total, middleware, middlewareTotal } = data as Record<string, unknown[]>
  assert.equal([routes?.length, total, middleware?.length, middlewareTotal] as unknown, [100, 150, 1, 1])
  assert.ok(text.length < JSON.stringify(data).length)
  const below = (await call("fw_list_routes", { path: "/api/orders", method: "GET" }, large)).data
  assert.equal(
    (below.routes as { pattern: string }[]).map(({ pattern }) => pattern),
    ["/api/orders", "/api/orders/{id}"],
  )
})

parts("a method that does not exist is refused, and known methods may have any case", async () => {
  const handler = "export const Get = (c) => c.json(200, 1)\n"
  const cwd = makeProject(
    {
      "app/a/route.js": handler,
      "app/b/route.js": "export const All = (c) => c.json(200, 1)\n",
      "main.ts":
        'import { App } from "fw"\nconst app = new App()\napp.registerRoute("Shout", "/c", (c) => c.noContent())\nexport default app\n',
    },
    ["fw", "esbuild", "typescript", "@typescript"],
  )
  for (const [name, list, method, expected] of [
    ["fw_list_routes", "routes", "FETCH", /^"FETCH" is not an HTTP method/],
    ["fw_list_routes", "routes", "gte", /^"gte" is not an HTTP method[\s\S]*Did you mean GET\?/],
    ["fw_list_routes", "routes", "", /^"" is not an HTTP method/],
    ["fw_list_routes", "routes", "get", ["/a", "/b"]],
    ["fw_list_routes", "routes", "POST", ["/b"]],
    ["fw_list_routes", "routes", "SOCKET", ["/b"]],
    ["fw_list_routes", "routes", "shout", ["/b", "/c"]],
    ["fw_openapi", "operations", "FETCH", /^"FETCH" is not an HTTP method/],
    ["fw_openapi", "operations", "pots", /^"pots" is not an HTTP method[\s\S]*Did you mean POST\?/],
    ["fw_openapi", "operations", "GET", ["/a", "/b"]],
    ["fw_openapi", "operations", "get", ["/a", "/b"]],
    ["fw_openapi", "operations", "propfind", []],
  ] as const) {
    const found = await call(name, { method }, cwd).then(
      ({ data }) => {
        const rows = (data as Record<string, { pattern?: string; path?: string }[]>)[list] ?? []
        return rows.map(({ pattern, path }) => pattern ?? path)
      },
      ({ message, fix }) => `${message}\n${fix}`,
    )
    const shown = `${name} ${method}: ${found}`
    if (expected instanceof RegExp) assert.match(String(found), expected, shown)
    else assert.equal(found, expected, shown)
  }
})

parts("routes without links, and routes without a guard, are named on request", async () => {
  const route = "export const Get = (c) => c.json(200, 1)\nexport const Post = Get\n"
  const page = 'template Page() {\n  <form action="/a" method="post"></form>\n}\n'
  const cwd = makeProject({ "app/a/route.js": route, "app/page.tpl": page })
  const { routes } = (await call("fw_list_routes", { unlinked: true }, cwd)).data
  assert.equal(routes, [{ method: "GET", pattern: "/a", file: "app/a/route.js" }])
  const codes = async (given: Record<string, unknown>) => {
    const { problems } = (await call("fw_validate", given, cwd)).data
    return (problems as { code: string }[]).map(({ code }) => code)
  }
  assert.equal(await codes({ security: true }), [...(await codes({})), "unguarded"])
})

parts.run()
