/** The results of the tools: in parts, limited, and with messages for tools. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { optionName } from "../../../bin/cli/spec.ts"
import { inputSchema } from "../../../bin/mcp/input.ts"
import { callTool, type MCPTool } from "../../../bin/mcp/tool.ts"
import { toolsOf } from "../../../bin/mcp/tools.ts"
import { wordsOf } from "../../../bin/mcp/words.ts"
import { keepTypes } from "../../../bin/project/kept-program.ts"
import { commands } from "../../../bin/table.ts"
import { fakeIo } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { manyRoutes } from "../../support/bin/openapi/openapi-many.ts"

const tools = toolsOf(commands)
const known = { tools, table: commands }
const sources = fileURLToPath(new URL("../../../bin/", import.meta.url))

function tool(name: string): MCPTool {
  return tools.find((one) => one.name === name) as MCPTool
}

function call(name: string, given: Record<string, unknown>, cwd: string) {
  return callTool(tool(name), given, fakeIo({ cwd }).io)
}

const words = suite("mcp words")

const generateRoute = wordsOf(tool("fw_generate_route"), known)

for (const [text, expected] of [
  ["Write over it with --force.", "Write over it with force: true."],
  ["Name its routes with --app-dir <dir>.", "Name its routes with --app-dir <dir>."],
  ["Write: fw routes --explain GET /users/7", 'Write: fw_explain_route {"method":"GET","path":"/users/7"}'],
  ["See fw routes, or fw validate.", "See fw_list_routes, or fw_validate."],
  ["Try: fw new a-b-rm", 'Try: fw_new {"name":"a-b-rm"}'],
  ['make one with "fw new", or write it', 'make one with "fw_new", or write it'],
  [
    "Go up: cd .. && fw new my-app. A directory will do.",
    "Go up: cd .. && fw_new my-app. A directory will do.",
  ],
  ["run fw new in another directory", "run fw_new in another directory"],
  ["Name one: fw generate auth --jwt --api-key", 'Name one: fw_generate_auth {"jwt":true,"apiKey":true}'],
  // A command that is not a tool is run in a shell, so its flags stay.
  ["Install it: fw css install", "Install it: fw css install"],
  ["npm install --save-dev esbuild", "npm install --save-dev esbuild"],
  ["fw reads the file", "fw reads the file"],
  ["the path is --", "the path is --"],
] as const)
  words(`"${text}" is said to a model as "${expected}"`, () => assert.is(generateRoute(text), expected))

words("the value of a flag is kept as an argument of the tool", () => {
  const validate = wordsOf(tool("fw_validate"), known)
  assert.is(
    validate("For the next ones: fw validate --offset 30"),
    'For the next ones: fw_validate {"offset":30}',
  )
  assert.is(validate("give --offset 30."), "give offset: 30.")
})

/** The texts of a source file that may be shown: string literals, with what is filled in left out. */
function literals(file: string): string[] {
  const text = readFileSync(file, "utf8").replace(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, "")
  return [...text.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([literal]) => literal.slice(1, -1))
}

const shellOnly = /npm (?:install|view)|tsc --noEmit|git |--yes/

words("no message of a tool names a flag or a command for which the tool has another name", () => {
  const shared = ["messages/files.ts", "messages/project.ts", "messages/programs.ts"]
  const more: Record<string, string[]> = {
    fw_openapi: [
      "mcp/openapi-document.ts",
      "mcp/list-routes.ts",
      "commands/openapi-generate.ts",
      "messages/tools.ts",
    ],
    fw_list_routes: ["mcp/list-routes.ts"],
    fw_explain_route: ["commands/routes.ts", "messages/usage.ts"],
    fw_validate: ["commands/validate.ts", "inspect/validate.ts", ...below("inspect/checks")],
    fw_new: ["commands/new.ts", "messages/new.ts", ...below("new")],
    fw_info: ["commands/info.ts"],
    fw_docs: ["mcp/docs.ts", "mcp/list-routes.ts"],
    fw_dev_status: ["mcp/dev-status.ts"],
    fw_request: ["mcp/dev-request.ts"],
  }
  const commands = new RegExp(
    `\\bfw (?:${["routes", "info", "validate", "new", "generate (?!templates)"].join("|")})\\b`,
  )
  let seen = 0
  for (const one of tools) {
    const own = more[one.name] ?? [
      `commands/${one.name.slice(3).replaceAll("_", "-")}.ts`,
      "messages/new.ts",
      ...below("generate").filter((file) => !/generated|generate\/client\//.test(file)),
    ]
    const translate = wordsOf(one, known)
    for (const file of [...shared, ...own]) {
      assert.ok(existsSync(join(sources, file)), file)
      for (const literal of literals(join(sources, file)).filter((text) => text.includes(" "))) {
        if (shellOnly.test(literal) || !/--[a-z]|\bfw [a-z]/.test(literal)) continue
        const translated = translate(literal)
        seen += translated === literal ? 0 : 1
        const flags = (translated.match(/(?<![\w-])--[a-z][\w-]*/g) ?? []).filter(
          (flag) => optionName(flag.slice(2)) in inputSchema(one).properties,
        )
        assert.equal(flags, [], `${one.name}: ${translated}`)
        assert.not.match(translated, commands)
      }
    }
  }
  assert.ok(seen > 10, `only ${seen} messages were translated`)
})

function below(directory: string): string[] {
  return readdirSync(join(sources, directory), { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${directory}/${file}`)
}

words.run()

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
    assert.ok(names.includes(name), name)
  for (const { description } of tools) assert.ok(description.length < 500, description)
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
      async (error: unknown) =>
        JSON.stringify((await import("../../../bin/cli/failure.ts")).failureData(error)),
    )
    if (failed !== undefined) assert.ok(failed.length < 2000, `${name}: ${failed.length} characters`)
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

/** 25 operations, and enough for a document that is too large for one answer. */
let cwd = ""
let large = ""
let release = async () => {}
parts.before(() => {
  // As in the server: the calls share the programs of TypeScript.
  release = keepTypes()
  cwd = makeProject(manyRoutes(25), ["fw", "typescript"])
  large = makeProject(manyRoutes(150), ["fw", "typescript"])
})
parts.after(() => release())

parts("without a filter, operations are listed in parts, without the document", async () => {
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
  "with filters, the document has only the chosen operations and the components that they use",
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

parts("a document that is too large is given in parts, or written to a file", async () => {
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

parts("a method that does not exist is refused, also in lower case", async () => {
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
