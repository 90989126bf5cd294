/**
 * Tests of documents with other tools: two validators in both versions, a client that openapi-typescript generates,
 * and `fw dev`.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, symlinkSync, watch, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { runProgram } from "../../bin/tools/program.ts"
import { fw, project } from "../support/bin/cli/command.ts"
import { alive, ask, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { manyRoutes } from "../support/bin/openapi/openapi-many.ts"
import { shop } from "../support/bin/openapi/openapi-shop.ts"
import { installTools } from "../support/tools.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const packages = [
  "@seriousme/openapi-schema-validator@2.11.0",
  "@redocly/openapi-core@2.64.0",
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  // The version that openapi-typescript is written for.
  "typescript@5.9.2",
]

/** A program that prints the errors of each validator for each document. */
const validate = `
import { readFileSync } from "node:fs"
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
const config = await createConfig({ extends: ["spec"] })
const found = {}
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8")
  const { valid, errors } = await new Validator().validate(JSON.parse(text))
  const problems = await lintDocument({ document: makeDocumentFromString(text, file), externalRefResolver: new BaseResolver(), config })
  found[file] = { schema: valid ? [] : [errors].flat().slice(0, 3), rules: problems.map(({ message }) => message).slice(0, 3) }
}
console.log(JSON.stringify(found))
`

/** Code of a user with the types of the document. Lines that must not compile are marked. */
const client = `
import createClient from "openapi-fetch"
import type { components, paths } from "./many.js"
type Order = components["schemas"]["Order"]
export async function never(client: ReturnType<typeof createClient<paths>>) {
  // @ts-expect-error a body without what it must have
  await client.POST("/api/orders", { body: { price: null } })
  // @ts-expect-error a currency that there is not
  const wrong: components["schemas"]["Currency"] = "GBP"
  // @ts-expect-error a path without its parameter
  await client.GET("/api/orders/{id}", {})
  // @ts-expect-error a property that there is not
  return ({} as Order).nothing
}
export async function use(fetch: (request: Request) => Promise<Response>) {
  const client = createClient<paths>({ baseUrl: "http://localhost", fetch, headers: { authorization: "Bearer open" } })
  const added = await client.POST("/api/orders", { body: { title: "Tea", price: { amount: 5, currency: "EUR" } } })
  const order = added.data!
  const created: string = order.created
  const kind: "created" | "changed" | "gone" = order.last.kind
  const [width] = order.size
  const moved = await client.PUT("/api/orders/{id}", { params: { path: { id: order.id } }, body: { state: "paid" } })
  const list = await client.GET("/api/orders", { params: { query: { limit: 1 } } })
  const missing = await client.GET("/api/orders/{id}", { params: { path: { id: "none" } } })
  const error: string | undefined = missing.error?.error
  const gone = await client.DELETE("/api/orders/{id}", { params: { path: { id: order.id } } })
  return { created, kind, width, state: moved.data?.state, total: list.data?.total, next: list.data?.next, error, status: gone.response.status }
}
`

/** A route with a form, a file and a query, each with a schema. */
const forms = `import type { Context } from "fw"
import { z } from "zod"
const contact = z.object({ email: z.email(), age: z.coerce.number().optional(), topics: z.array(z.string()).default([]) })
const profile = z.object({ name: z.string(), photo: z.file().max(1000), more: z.array(z.file()).optional() })
const paging = z.object({ page: z.coerce.number().int().min(1).default(1), tag: z.array(z.enum(["a", "b"])).optional() })
export async function Get(c: Context) { return c.json(200, await c.bindQuery(paging)) }
export async function Post(c: Context) {
  const form = await c.readForm(contact)
  return form.ok ? c.redirect(303, "/") : c.page(422, "Contact", "")
}
export async function Put(c: Context) { return c.json(200, { size: (await c.bindForm(profile)).photo.size }) }
`

const route = (text: string) =>
  `import type { Context } from "fw"\nexport function Get(c: Context) { return c.json(200, { ${text}: 1 }) }\n`

const documents = suite("documents")
let folder = ""

documents.before(async () => {
  folder = project({
    "package.json": '{ "private": true, "type": "module" }\n',
    "validate.mjs": validate,
    "client.ts": client,
    "broken.json":
      '{ "openapi": "3.1.0", "info": { "title": "x", "version": "1" }, "paths": { "/a": { "get": { "responses": { "200": {} } } } } }',
  })
  symlinkSync(await installTools(packages), join(folder, "node_modules"))
})

const many = () => makeProject(manyRoutes(60), ["fw", "typescript", "esbuild"])

documents("documents of the examples and of 60 routes pass two validators, in 3.1 and in 3.0", async () => {
  const projects = {
    tasks: join(root, "examples/tasks"),
    auth: join(root, "examples/auth"),
    many: many(),
    forms: makeProject({ "app/api/forms/route.ts": forms }, ["fw", "typescript", "esbuild", "zod"]),
  }
  const files = ["broken.json"]
  for (const [name, cwd] of Object.entries(projects)) {
    assert.is((await fw(["generate", "templates"], { cwd })).code, 0)
    const loads = name === "forms" ? [["--load"], ["--openapi30", "--load"]] : []
    for (const flags of [[], ["--openapi30"], ...loads]) {
      const file = `${name}${flags.join("")}.json`
      const ran = await fw(["openapi", "generate", "--json", "-o", join(folder, file), ...flags], { cwd })
      const { data } = JSON.parse(ran.stdout)
      assert.is(data.typed, true, name)
      if (name === "many") assert.equal([data.operations, data.warnings], [60, []])
      files.push(file)
    }
  }
  const { stdout } = await runProgram({
    program: process.execPath,
    args: ["validate.mjs", ...files],
    cwd: folder,
  })
  const found = JSON.parse(stdout) as Record<string, { schema: unknown[]; rules: string[] }>
  const { "broken.json": broken, ...own } = found
  assert.ok(broken?.schema.length && broken.rules.length, "a validator finds no problem in a broken document")
  assert.is(Object.keys(own).length, 10)
  for (const [file, problems] of Object.entries(own)) assert.equal(problems, { schema: [], rules: [] }, file)
})

for (const flags of [[], ["--openapi30"]]) {
  documents(`a client that openapi-typescript generates for 60 routes works ${flags.join("")}`, async () => {
    const cwd = many()
    const document = join(folder, "many.json")
    assert.is((await fw(["openapi", "generate", "--force", "-o", document, ...flags], { cwd })).code, 0)
    assert.is((await fw(["generate", "templates"], { cwd })).code, 0)
    const tool = (name: string, ...args: string[]) =>
      runProgram({
        program: process.execPath,
        args: [join(folder, "node_modules", name), ...args],
        cwd: folder,
      })
    await tool("openapi-typescript/bin/cli.js", "many.json", "-o", "many.d.ts")
    const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"]
    await tool("typescript/bin/tsc", "client.ts", ...options)
    writeFileSync(
      join(cwd, "served.ts"),
      'import routes from "./.fw/routes.ts"\nimport app from "./main.ts"\nawait app.mount(routes)\nexport const { fetch } = app\n',
    )
    const outfile = join(cwd, "served.mjs")
    await build({
      entryPoints: [join(cwd, "served.ts")],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
      logLevel: "silent",
    })
    const { use } = await import(`${pathToFileURL(join(folder, "client.js")).href}?${flags.length}`)
    const { fetch } = await import(pathToFileURL(outfile).href)
    assert.equal(await use(fetch), {
      created: "1970-01-01T00:00:00.000Z",
      kind: "gone",
      width: 1,
      state: "paid",
      total: 1,
      next: null,
      error: "not_found",
      status: 204,
    })
  })
}

documents("two documents of the same project have the same bytes", async () => {
  const texts = [makeProject(shop, ["fw", "typescript"]), makeProject(shop, ["fw", "typescript"])].map(async (cwd) => {
    assert.is((await fw(["openapi", "generate"], { cwd })).code, 0)
    return readFileSync(join(cwd, "openapi.json"), "utf8")
  })
  const [one, two] = await Promise.all(texts)
  assert.is(one, two)
})

documents.run()

const built = suite("fw build")

for (const asks of [true, false]) {
  built(
    `fw build ${asks ? "embeds the document in a program that asks for it" : "embeds no document in a program that does not ask"}`,
    async () => {
      const cwd = makeProject(
        {
          "main.ts": `import { App } from "fw"\nconst app = new App()\n${asks ? "app.openapi()" : ""}\nexport default app\n`,
          "app/api/x/route.ts": route("telling"),
        },
        ["fw", "esbuild", "typescript"],
      )
      const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: process.env })
      assert.is(code, 0, stderr)
      const program = readFileSync(join(cwd, "dist/node/server.mjs"), "utf8")
      assert.is(program.includes("x-generated-by"), asks)
    },
  )
}

built.run()

const dev = suite("fw dev")

/** Waits until the written document contains a text. */
async function says(root: string, text: string): Promise<void> {
  const late = AbortSignal.timeout(60_000)
  const file = join(root, ".fw/openapi.json")
  await new Promise<void>((resolve, reject) => {
    const watcher = watch(join(root, ".fw"), () => look())
    late.addEventListener("abort", () => reject(new Error(`no document with ${text}`)))
    const look = () => {
      if (!existsSync(file) || !readFileSync(file, "utf8").includes(text)) return
      watcher.close()
      resolve()
    }
    look()
  })
}

dev("fw dev serves the current document of an app that requests it, and leaves no process", async () => {
  const root = makeProject(
    {
      "main.ts":
        'import { App } from "fw"\nconst app = new App()\napp.openapi({ title: "Mine" })\nexport default app\n',
      "app/api/x/route.ts": route("first"),
    },
    ["fw", "esbuild", "typescript"],
  )
  const run = startDev(root)
  const port = await run.port()
  // The first request waits for the first document.
  const { status, body } = await ask(port, "/openapi.json")
  assert.is(status, 200)
  assert.match(body, "first")
  assert.is(JSON.parse(body).info.title, "Mine")
  write(root, { "app/api/x/route.ts": route("second") })
  await says(root, "second")
  assert.match((await ask(port, "/openapi.json")).body, "second")
  write(root, { "app/api/x/route.ts": route("third") })
  await run.says(/rebuilt/)
  const pids = run.descendants()
  await run.stop()
  assert.equal(alive(pids), [])
})

dev("fw dev creates the document again after TypeScript's process or its own was ended", async () => {
  const root = makeProject(
    {
      "main.ts": 'import { App } from "fw"\nconst app = new App()\napp.openapi()\nexport default app\n',
      "app/api/x/route.ts": route("first"),
    },
    ["fw", "esbuild", "typescript"],
  )
  const run = startDev(root)
  await run.port()
  await says(root, "first")
  for (const [text, killed] of [
    ["second", /--api/],
    ["third", /facts-child/],
  ] as const) {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" }).split("\n")
    const below = new Set(run.descendants())
    const pids = lines.filter((line) => killed.test(line)).map((line) => Number.parseInt(line, 10))
    const [pid] = pids.filter((one) => below.has(one))
    process.kill(pid as number, "SIGKILL")
    write(root, { "app/api/x/route.ts": route(text) })
    await says(root, text)
  }
  await run.stop()
})

dev("fw dev says why the document has no types", async () => {
  const root = makeProject(
    {
      "main.ts": 'import { App } from "fw"\nconst app = new App()\napp.openapi()\nexport default app\n',
      "app/api/x/route.ts": route("first"),
    },
    ["fw", "esbuild"],
  )
  const run = startDev(root)
  await run.says(/warning: TypeScript is not installed in the project: the document has only/)
  await run.stop()
})

dev.run()
