/**
 * Tests that the document describes bodies, forms and queries without a schema by what their generated validators
 * accept.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const route = `import type { Context } from "fw"
export interface Same { id: string; at: Date }
export interface Other {
  /** @default 5 */
  size: number
  same: Same
}
export interface Around { other: Other }
export interface Search {
  /** @default 1 */
  page: number
  tags: string[]
  open: boolean
}
export interface Upload { title: string; photo: File; news: boolean }
export async function Post(c: Context) {
  const body = await c.bind<{ same: Same; around: Around; big: bigint }>()
  return c.json(201, { same: body.same, around: body.around })
}
export async function Get(c: Context) { const { page } = await c.bindQuery<Search>(); return c.json(200, { page }) }
export async function Put(c: Context) { const { title } = await c.bindForm<Upload>({ maxFile: 5 }); return c.json(200, { title }) }
export async function Patch(c: Context) { const form = await c.readForm<Upload>(); return c.json(200, { ok: form.ok }) }
`

const inputs = suite("types of requests in the document")
let made: ProjectDocument

inputs.before(async () => {
  const root = makeProject({ "app/a/route.ts": route }, ["fw", "typescript"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

type Operation = {
  parameters: { name: string; required?: boolean; schema: unknown }[]
  requestBody: {
    content: Record<string, { schema: { properties: Record<string, unknown>; required: string[] } }>
  }
}

function operation(method: string): Operation {
  return (made.document.paths as Record<string, Record<string, Operation>>)["/a"]?.[method] as Operation
}

inputs("a type that is the same in requests and answers has one component, and a type that differs has two", () => {
  const { schemas } = made.document.components as {
    schemas: Record<string, { required?: string[]; properties: object }>
  }
  const names = Object.keys(schemas).filter((name) => /Same|Other|Around/.test(name))
  assert.equal(names, ["Around", "AroundInput", "Other", "OtherInput", "Same"])
  assert.equal([schemas.Other?.required, schemas.OtherInput?.required], [["size", "same"], ["same"]])
  const { schema } = operation("post").requestBody.content["application/json"] ?? {}
  assert.equal(schema?.properties, {
    same: { $ref: "#/components/schemas/Same" },
    around: { $ref: "#/components/schemas/AroundInput" },
    big: { type: "string", pattern: "^-?\\d{1,1000}$" },
  })
  assert.equal(made.warnings, [])
})

inputs("optional fields of forms and queries are not required", () => {
  const found = operation("get").parameters.map(({ name, required = false, schema }) => [name, required, schema])
  assert.equal(found, [
    ["page", false, { type: "number", default: 1 }],
    ["tags", false, { type: "array", items: { type: "string" }, default: [] }],
    ["open", false, { type: "boolean", default: false }],
  ])
  for (const method of ["put", "patch"]) {
    const [form] = Object.values(operation(method).requestBody.content)
    assert.equal(form?.schema.required, ["title", "photo"], method)
    assert.equal(Object.keys(form?.schema.properties ?? {}), ["title", "photo", "news"])
  }
})

inputs.run()
