/**
 * Tests of tools for language models: what fw generates for route files that export `mcp`, and where it writes it.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { Warning } from "../../../bin/openapi/document/model.ts"
import { createEmbeddedAPI, findServedParts } from "../../../bin/openapi/embedded-api.ts"
import { generateApp, generateWorker } from "../../../bin/project/codegen.ts"
import type { Tool, ToolSet } from "../../../lib/mcp/tool.ts"
import { createEmptyTree } from "../../../lib/tree.ts"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const main = `import { App } from "fw"
import { mcp } from "fw/mcp"
const app = new App()
mcp(app)
export default app
`
const route = (code: string) => `import { type Context, HttpError } from "fw"\n${code}`

const files = {
  "main.ts": main,
  "models.ts": `export interface Tree { name: string; children: Tree[] }
export interface Circle { kind: "circle"; radius: number }
export interface Square { kind: "square"; side: number }
`,
  "app/tasks/route.ts": route(`export const mcp = ["Get", "Post"]
/**
 * Lists the tasks.
 *
 * The newest first.
 * @operationId listTasks
 * @param page - Which page.
 */
export function Get(c: Context) {
  return c.json(200, { page: c.queryInt("page", 1), word: c.query("q") })
}
/** Adds a task. */
export async function Post(c: Context) {
  const body = await c.bind<{ title: string; due?: string | null }>()
  return c.json(201, body)
}
export function Delete(c: Context) { return c.noContent() }
`),
  "app/tasks/[id]/route.ts": route(`export const mcp = ["Get", "Put", "Patch", "Delete"]
export function Get(c: Context<"id">) {
  if (c.paramInt("id") > 9) throw new HttpError(404, "no")
  return c.json(200, [c.param("id")])
}
export async function Put(c: Context<"id">) { return c.json(200, await c.bind<{ id: number }>()) }
export async function Patch(c: Context<"id">) { return c.json(200, { n: (await c.bind<string[]>()).length }) }
export function Delete(c: Context<"id">) { return c.noContent() }
`),
  "app/docs/[...slug]/route.ts": route(`export const mcp = true
export function Get(c: Context<"slug">) { return c.string(200, c.param("slug")) }
`),
  "app/tree/route.ts": route(`import type { Circle, Square, Tree } from "../../models.ts"
export const mcp = ["Get", "Post"]
export function Get(c: Context) { return c.json(200, { name: "", children: [] } as Tree) }
export async function Post(c: Context) {
  const shape = await c.bind<Circle | Square>()
  return c.json(200, shape)
}
`),
  "app/note/route.ts": route(`export const mcp = ["Post"]
export async function Post(c: Context) { return c.string(200, (await c.formValue("title")) + c.header("x-secret") + c.cookie("s")) }
`),
  "app/upload/route.ts": route(`export const mcp = ["Post"]
export async function Post(c: Context) { return c.json(200, { size: (await c.formFile("file"))?.size ?? 0 }) }
`),
  "app/events/route.ts": route(`export const mcp = true
export function Get(c: Context) { return c.sse(async (e) => { await e.send("x") }) }
`),
  "app/old/route.ts": route(`export const mcp = true
export function Get(c: Context) { return c.redirect(308, "/tasks") }
`),
  "app/picture/route.ts": route(`export const mcp = true
export function Get(c: Context) { return c.blob(200, "image/png", new Uint8Array()) }
`),
  "app/hidden/route.ts": route(`export const mcp = true
/** @hidden */
export function Get(c: Context) { return c.string(200, "x") }
`),
  "app/private/route.ts": route('export function Get(c: Context) { return c.string(200, "x") }\n'),
}

const made = suite("tools")
let root = ""
let tools: ReadonlyMap<string, Tool> = new Map()
let leftOut: readonly Warning[] = []
made.before(async () => {
  root = makeProject(files, ["fw", "typescript"])
  const api = await createEmbeddedAPI(root, "app", { openapi: false, mcp: true })
  assert.is(api.untyped, null)
  leftOut = api.leftOut
  const json = api.files.find(({ file }) => file === ".fw/mcp.json")?.text ?? ""
  tools = new Map((JSON.parse(json) as ToolSet).tools.map((tool) => [tool.description.name, tool]))
})

made("only methods that a route offers to language models become tools", () => {
  assert.equal([...tools.keys()].sort(), [
    "deleteTasksById",
    "getDocsBySlug",
    "getTasksById",
    "getTree",
    "listTasks",
    "patchTasksById",
    "postNote",
    "postTasks",
    "postTree",
    "putTasksById",
  ])
})

made("a tool has the descriptions and the parameters of the document", () => {
  assert.equal(tools.get("listTasks"), {
    description: {
      name: "listTasks",
      title: "Lists the tasks",
      description: "Lists the tasks.\n\nThe newest first.",
      inputSchema: {
        type: "object",
        properties: {
          page: { type: "integer", default: 1, description: "Which page." },
          q: { type: "string" },
        },
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: { page: { type: "number" }, word: { type: "string" } },
        required: ["page", "word"],
      },
      annotations: { readOnlyHint: true },
    },
    method: "GET",
    route: "/tasks",
    path: "/tasks",
    parameters: [
      { argument: "page", name: "page", in: "query" },
      { argument: "q", name: "q", in: "query" },
    ],
  })
})

made("the annotations of a tool follow from the method of its route", () => {
  const of = (name: string) => tools.get(name)?.description.annotations
  assert.equal(of("postTasks"), {})
  assert.equal(of("putTasksById"), { idempotentHint: true })
  assert.equal(of("patchTasksById"), {})
  assert.equal(of("deleteTasksById"), { destructiveHint: true, idempotentHint: true })
})

made("the properties of a body are arguments next to the parameters, or one argument if their names conflict", () => {
  const of = (name: string) => {
    const { inputSchema = {} } = tools.get(name)?.description ?? {}
    return [tools.get(name)?.body, Object.keys(Object(inputSchema.properties)), inputSchema.required]
  }
  assert.equal(of("postTasks"), [{ kind: "json" }, ["title", "due"], ["title"]])
  // A property of the body has the same name as a parameter.
  assert.equal(of("putTasksById"), [{ kind: "json", argument: "body" }, ["id", "body"], ["id", "body"]])
  assert.equal(of("patchTasksById"), [{ kind: "json", argument: "body" }, ["id", "body"], ["id", "body"]])
  assert.equal(of("postTree"), [{ kind: "json", argument: "body" }, ["body"], ["body"]])
})

made("a tool sends the fields of a form as a form, and headers and cookies are not arguments", () => {
  const { body, description } = tools.get("postNote") as Tool
  assert.equal(body, { kind: "form" })
  assert.equal(Object.keys(Object(description.inputSchema.properties)), ["title"])
})

made("the parameter of a catch-all is an argument with the rest of the path", () => {
  const { path, rest, parameters } = tools.get("getDocsBySlug") as Tool
  assert.equal([path, rest, parameters], ["/docs/*", "slug", [{ argument: "slug", name: "slug", in: "path" }]])
})

made("a tool whose answer is not an object has no schema of its result", () => {
  assert.is(tools.get("getTasksById")?.description.outputSchema, undefined)
  assert.is(tools.get("getDocsBySlug")?.description.outputSchema, undefined)
  assert.is(tools.get("deleteTasksById")?.description.outputSchema, undefined)
})

made("every schema is complete without the document, also for recursive types and unions", () => {
  const ajv = new Ajv2020({ strict: false })
  const tree = ajv.compile(tools.get("getTree")?.description.outputSchema as object)
  assert.ok(tree({ name: "a", children: [{ name: "b", children: [] }] }))
  assert.not(tree({ name: "a", children: [{ name: "b" }] }))
  const shape = ajv.compile(tools.get("postTree")?.description.inputSchema as object)
  assert.ok(shape({ body: { kind: "square", side: 1 } }))
  assert.not(shape({ body: { kind: "square", radius: 1 } }))
  const answer = ajv.compile(tools.get("postTree")?.description.outputSchema as object)
  assert.ok(answer({ kind: "circle", radius: 1 }))
  for (const { description } of tools.values()) {
    assert.is(description.inputSchema.type, "object")
    ajv.compile(description.inputSchema)
  }
})

made("a route that cannot be a tool is left out with a warning at its position", () => {
  const texts = leftOut.map(({ message, at }) => `${at?.file}:${at?.line} ${message}`)
  for (const pattern of [
    /app\/upload\/route.ts:3 POST \/upload is not a tool for language models: it takes an upload/,
    /app\/events\/route.ts:3 GET \/events .*: it answers with a stream/,
    /app\/old\/route.ts:3 GET \/old .*: it only redirects/,
    /app\/picture\/route.ts:3 GET \/picture .*: it answers with image\/png/,
    /app\/hidden\/route.ts:4 GET \/hidden .*: @hidden keeps it out of the document/,
  ])
    assert.ok(
      texts.some((text) => pattern.test(text)),
      `no warning matches ${pattern}:\n${texts.join("\n")}`,
    )
  assert.is(texts.length, 5)
})
made.run()

const written = suite("written tools")

written("the tools are written as JSON, and as a module that every entry mounts with the tree", async () => {
  const cwd = makeProject(files, ["fw", "typescript"])
  const { code, stderr } = await fw(["generate", "templates"], { cwd })
  assert.is(code, 0, stderr)
  const json = readFileSync(join(cwd, ".fw/mcp.json"), "utf8")
  const [, literal = ""] = /^export default (".*")$/m.exec(readFileSync(join(cwd, ".fw/mcp.ts"), "utf8")) ?? []
  assert.equal(JSON.parse(JSON.parse(literal)), JSON.parse(json))
  assert.not(existsSync(join(cwd, ".fw/openapi.json")))
  const offering = {
    ...createEmptyTree("app"),
    routes: [{ method: "GET", pattern: "/", file: "x", export: "Get", line: 1, middleware: [], mcp: true }],
  } as const
  for (const entry of [
    readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"),
    generateWorker(offering, { main: null }).text,
    generateApp(offering, { main: null }).text,
  ]) {
    assert.match(entry, 'import tools from "./mcp.ts"')
    assert.match(entry, "await app.mount({ ...routes, tree: { ...routes.tree, tools } })")
  }
  const both = generateWorker(offering, { main: null, openapi: true }).text
  assert.match(both, "await app.mount({ ...routes, openapi, tree: { ...routes.tree, tools } })")
  const routes = JSON.parse((await fw(["routes", "--json"], { cwd })).stdout).data.routes
  const marked = routes.filter(({ mcp }: { mcp?: boolean }) => mcp).map((one: { file: string }) => one.file)
  assert.ok(marked.includes("app/tasks/route.ts"))
  assert.not(marked.includes("app/private/route.ts"))
})

written("a project that offers no routes to language models has no tools", async () => {
  const cwd = makeProject({ "app/x/route.ts": "export function Get() {}\n" }, ["fw", "typescript"])
  assert.is((await fw(["generate", "templates"], { cwd })).code, 0)
  assert.not(existsSync(join(cwd, ".fw/mcp.json")))
  assert.not.match(readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"), "mcp")
})

written("without TypeScript, routes with a body are left out", async () => {
  const cwd = makeProject({ "main.ts": main, "app/tasks/route.ts": files["app/tasks/route.ts"] }, ["fw"])
  const { untyped, leftOut, files: made } = await createEmbeddedAPI(cwd, "app", { openapi: false, mcp: true })
  assert.match(untyped?.message ?? "", "TypeScript is not installed")
  assert.match(leftOut[0]?.message ?? "", /POST \/tasks .*: the type of its body is not known/)
  const { tools } = JSON.parse(made[0]?.text ?? "") as ToolSet
  assert.equal(
    tools.map(({ description }) => description.name),
    ["listTasks"],
  )
})

for (const [source, wanted] of [
  [main, true],
  ['import * as tools from "fw/mcp"', true],
  ['// import { mcp } from "fw/mcp"', false],
  ["app.mcp()", false],
] as const) {
  written(`${JSON.stringify(source)} ${wanted ? "requests" : "does not request"} tools`, async () => {
    assert.is((await findServedParts(makeProject({ "main.ts": source }, []))).mcp, wanted)
  })
}
written.run()
