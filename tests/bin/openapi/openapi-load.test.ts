/**
 * Tests of `fw openapi generate --load`: the document shows what schemas describe, and without the flag no code of
 * the project runs.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

/** A library that follows Standard Schema and Standard JSON Schema. */
const library = `import { writeFileSync } from "node:fs"
writeFileSync(new URL("file://" + process.cwd() + "/imported"), "x")
console.log("imported")
export function schema<I, O = I>(json: object): { "~standard": { version: 1; vendor: "x"; validate(v: unknown): { value: O }; types?: { input: I; output: O } } } {
  return { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value: value as O }), jsonSchema: { input: () => json, output: () => json } } } as never
}
`
const route = `import type { Context } from "fw"
import { schema } from "../../../lib/schema.ts"
interface User {
  /** How old. */
  age: number
  friends: User[]
}
const user = schema<User>({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { age: { type: "integer", minimum: 0 }, friends: { type: "array", items: { $ref: "#" } }, mail: { $ref: "#/$defs/mail" } },
  required: ["age"],
  $defs: { mail: { type: "string", format: "email" } },
})
/** Local to the module. */
export async function Post(c: Context) { return c.json(201, await c.bind(user)) }
/** Written where it is used. */
export async function Put(c: Context) {
  const { name } = await c.bind(schema<{ /** A name. */ name: string }>({ type: "object", properties: { name: { type: "string", minLength: 1 } }, required: ["name"] }))
  return c.json(200, { name })
}
/** Local to the handler. */
export async function Patch(c: Context) {
  const local = schema<{ a: 1 }>({})
  return c.json(200, await c.bind(local))
}
`

function project(more: Readonly<Record<string, string>> = {}): string {
  return makeProject({ "lib/schema.ts": library, "app/api/users/route.ts": route, ...more }, [
    "fw",
    "typescript",
    "esbuild",
  ])
}

async function generate(cwd: string, ...flags: string[]) {
  const ran = await fw(["openapi", "generate", "--json", ...flags], { cwd })
  const file = join(cwd, "openapi.json")
  return {
    ...JSON.parse(ran.stdout),
    document: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null,
  }
}

interface JsonOperation {
  readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: unknown } } }
}

function readBody(document: { paths: Record<string, Record<string, JsonOperation>> }, method: string): unknown {
  return document.paths["/api/users"]?.[method]?.requestBody.content["application/json"].schema
}

const load = suite("--load")

load("without --load no code runs, and types describe the values", async () => {
  const cwd = project()
  const { document } = await generate(cwd)
  assert.not(existsSync(join(cwd, "imported")))
  assert.equal(readBody(document, "put"), {
    type: "object",
    properties: { name: { description: "A name.", type: "string" } },
    required: ["name"],
  })
})

load("with --load schemas describe formats and ranges, and types give names and descriptions", async () => {
  const cwd = project()
  const { success, data, document } = await generate(cwd, "--load")
  assert.is(success, true)
  assert.ok(existsSync(join(cwd, "imported")))
  assert.equal(readBody(document, "put"), {
    type: "object",
    properties: { name: { description: "A name.", type: "string", minLength: 1 } },
    required: ["name"],
  })
  assert.equal(readBody(document, "post"), { $ref: "#/components/schemas/Body" })
  assert.equal(document.components.schemas.Body, {
    type: "object",
    properties: {
      age: { description: "How old.", type: "integer", minimum: 0 },
      friends: { type: "array", items: { $ref: "#/components/schemas/Body" } },
      mail: { $ref: "#/components/schemas/mail" },
    },
    required: ["age"],
  })
  assert.equal(document.components.schemas.mail, { type: "string", format: "email" })
  assert.equal(readBody(document, "patch"), {
    type: "object",
    properties: { a: { type: "number", const: 1 } },
    required: ["a"],
  })
  assert.equal(
    data.warnings.map(({ message, at }: { message: string; at: object }) => [message, at]),
    [["the schema local has no JSON Schema: local is not defined", { file: "app/api/users/route.ts", line: 25 }]],
  )
  assert.equal(
    readdirSync(join(cwd, ".fw")).filter((name) => name.includes("schemas")),
    [],
    "fw left a temporary file in .fw",
  )
})

const bound = `import type { Context } from "fw"
import { schema } from "../../../lib/schema.ts"
const paging = schema<{ page?: unknown }, { page: number }>({ type: "object", properties: { page: { type: "integer", minimum: 1, default: 1 } } })
const photo = schema<{ photo: File }>({ type: "object", properties: { photo: { type: "string", format: "binary", contentEncoding: "binary" } }, required: ["photo"] })
const untyped = schema<{ page?: unknown }, { page: number }>({ properties: { page: { type: "integer" } } })
export async function Get(c: Context) { return c.json(200, await c.bindQuery(paging)) }
export async function Put(c: Context) { return c.json(200, await c.bindQuery(untyped)) }
export async function Post(c: Context) { await c.bindForm(photo); return c.noContent() }
`

load("with --load schemas describe queries and forms too", async () => {
  const cwd = project({ "app/api/users/route.ts": bound })
  const parameters = async (...flags: string[]) =>
    (await generate(cwd, ...flags)).document.paths["/api/users"].get.parameters
  assert.equal(await parameters(), [{ name: "page", in: "query", schema: { type: "number" } }])
  assert.equal(await parameters("--load"), [
    { name: "page", in: "query", schema: { type: "integer", minimum: 1, default: 1 } },
  ])
  const { paths } = (await generate(cwd, "--load")).document
  assert.equal(paths["/api/users"].put.parameters, [{ name: "page", in: "query", schema: { type: "integer" } }])
  const { document } = await generate(cwd, "--load")
  const { content } = document.paths["/api/users"].post.requestBody
  assert.equal(Object.keys(content), ["multipart/form-data"])
  assert.equal(content["multipart/form-data"].schema.properties.photo.format, "binary")
})

load("a module that cannot be imported is reported, and nothing is written", async () => {
  const cwd = project()
  writeFileSync(join(cwd, "lib/schema.ts"), `${library}throw new Error("no database")\n`)
  const { success, error, document } = await generate(cwd, "--load")
  assert.is(success, false)
  assert.is(error.code, "load")
  assert.match(error.message, /cannot be imported: [\s\S]*no database/)
  assert.is(document, null)
})

load.run()
