/** Tests of `app.openapi()`: its document comes with the routes or is read from `.fw/`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findServedParts } from "../../../bin/openapi/embedded-api.ts"
import { generateWorker } from "../../../bin/project/codegen.ts"
import { App, FwError } from "../../../lib/index.ts"
import { createEmptyTree } from "../../../lib/tree.ts"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

process.env.FW_LOG_LEVEL = "off"

const document = { openapi: "3.1.0", info: { title: "tasks", version: "1.0.0" }, paths: {} }
const carried = { tree: createEmptyTree("app"), modules: {}, openapi: JSON.stringify(document) }

const served = suite("app.openapi()")

served("app.openapi() answers with the document that came with the routes", async () => {
  const app = new App({ logger: false })
  app.openapi()
  await app.mount(carried)
  const response = await app.request("/openapi.json")
  assert.is(response.headers.get("content-type"), "application/json")
  assert.equal(await response.json(), document)
})

served("app.openapi() accepts another path and another title", async () => {
  const app = new App({ logger: false })
  app.openapi("/v1/api.json")
  app.openapi({ path: "/v2/api.json", title: "Tasks", version: "2.0.0", description: "All.", server: "/v2" })
  await app.mount(carried)
  assert.equal(await (await app.request("/v1/api.json")).json(), document)
  assert.equal(await (await app.request("/v2/api.json")).json(), {
    openapi: "3.1.0",
    info: { title: "Tasks", version: "2.0.0", description: "All." },
    paths: {},
    servers: [{ url: "/v2" }],
  })
})

served(
  "the document is read from disk for each request, and requests are answered with 503 until the document exists",
  async () => {
    const before = process.cwd()
    process.chdir(makeProject({}, []))
    try {
      const app = new App({ logger: false })
      app.openapi()
      const missing = await app.request("/openapi.json")
      assert.is(missing.status, 503)
      assert.match(((await missing.json()) as { message: string }).message, /fw dev and fw build write it/)
      mkdirSync(".fw")
      for (const title of ["one", "two"]) {
        writeFileSync(".fw/openapi.json", JSON.stringify({ info: { title } }))
        assert.equal(await (await app.request("/openapi.json")).json(), { info: { title } })
      }
    } finally {
      process.chdir(before)
    }
  },
)

served("app.openapi() refuses an unknown option", () => {
  const app = new App({ logger: false })
  assert.throws(
    () => app.openapi({ titel: "x" } as object),
    (error: unknown) => error instanceof FwError && error.code === "openapi_options" && /titel/.test(error.message),
  )
})

served.run()

const embedded = suite("embedding")

const main = (call: string) => `import { App } from "fw"\nconst app = new App()\n${call}\nexport default app\n`

for (const [call, wanted] of [
  ["app.openapi()", true],
  ['app?.openapi({ path: "/x" })', true],
  ["// app.openapi()", false],
  ['const text = "app.openapi()"', false],
  ["const openapi = app.openapi", false],
  ["openapi()", false],
  ["app.openapi(", false],
  ["`", false],
] as const) {
  embedded(`${call} ${wanted ? "requests" : "does not request"} a document`, async () => {
    assert.is((await findServedParts(makeProject({ "main.ts": main(call) }, []))).openapi, wanted)
  })
}

embedded("a project that does not request a document gets none", async () => {
  const cwd = makeProject({ "app/api/x/route.ts": "export function Get() {}\n" }, ["fw", "typescript"])
  assert.is((await fw(["generate", "templates"], { cwd })).code, 0)
  assert.not.match(readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"), "openapi")
  assert.not(existsSync(join(cwd, ".fw/openapi.json")))
})

embedded("a project that requests the document gets it as JSON, and as a module that its entries mount", async () => {
  const files = {
    "main.ts": main("app.openapi()"),
    "app/api/x/route.ts": "/** X. */\nexport function Get(c: any) { return c.json(200, { x: '\\u2028' }) }\n",
  }
  const cwd = makeProject(files, ["fw", "typescript"])
  assert.is((await fw(["generate", "templates"], { cwd })).code, 0)
  const text = readFileSync(join(cwd, ".fw/openapi.json"), "utf8")
  assert.is(JSON.parse(text).paths["/api/x"].get.summary, "X.")
  const module = readFileSync(join(cwd, ".fw/openapi.ts"), "utf8")
  const [, literal = ""] = /^export default (".*")$/m.exec(module) ?? []
  assert.equal(JSON.parse(JSON.parse(literal)), JSON.parse(text))
  const worker = generateWorker(createEmptyTree("app"), { main: "main.ts", openapi: true }).text
  for (const entry of [readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"), worker]) {
    assert.match(entry, 'import openapi from "./openapi.ts"')
    assert.match(entry, "await app.mount({ ...routes, openapi })")
  }
  assert.match((await fw(["info", "--json"], { cwd })).stdout, /"state": "current"|"current"/)
})

embedded("without TypeScript the document has no types, and a warning says so", async () => {
  const cwd = makeProject({ "main.ts": main("app.openapi()"), "app/api/x/route.ts": "export function Get() {}\n" }, [
    "fw",
  ])
  const { code, stdout } = await fw(["generate", "templates"], { cwd })
  assert.is(code, 0)
  assert.match(stdout, /^warning: TypeScript is not installed in the project: the document has only/m)
  assert.match(stdout, /npm install --save-dev "typescript@/)
  const json = JSON.parse((await fw(["generate", "templates", "--json"], { cwd })).stdout)
  assert.match(json.data.untyped.message, "TypeScript is not installed")
})

for (const [asks, expected] of [
  ["app.openapi()", /^warning: TypeScript is not installed in the project: the document has only[\s\S]*npm install/m],
  ["app.config", /^(?![\s\S]*TypeScript)/],
] as const) {
  embedded(`without TypeScript, fw build warns only if the main file requests a document: ${asks}`, async () => {
    const cwd = makeProject({ "main.ts": main(asks), "app/api/x/route.ts": "export function Get() {}\n" }, [
      "fw",
      "esbuild",
    ])
    const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: { HOME: cwd } })
    assert.is(code, 0, stderr)
    assert.match(stderr, expected)
  })
}

embedded.run()
