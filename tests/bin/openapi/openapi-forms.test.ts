/**
 * Tests of forms and queries with a schema: their fields, files and parameters in the document. All cases are in
 * one project, which is read once.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const text = { type: "string" }
const number = { type: "number" }
const file = { type: "string", contentMediaType: "application/octet-stream" }
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const shared = `import type { Context, Form, StandardSchema } from "fw"
import { z } from "zod"
export interface Contact { name: string; age?: number }
export interface Profile { name: string; photo: File; others?: File[] }
export interface Schema<I, O = I> { "~standard": { version: 1; vendor: "x"; validate(v: unknown): { value: O }; types?: { input: I; output: O } } }
export declare function schema<I, O = I>(): Schema<I, O>
export declare const contact: StandardSchema<Contact>
export declare const profile: StandardSchema<Profile>
export const zod = z.object({ email: z.email(), age: z.coerce.number().optional(), topics: z.array(z.string()).default([]) })
export const upload = z.object({ title: z.string(), file: z.file() })
export const paging = z.object({ page: z.coerce.number().default(1), q: z.string().optional(), tag: z.array(z.enum(["a", "b"])) })
export const either = z.union([z.object({ page: z.string(), a: z.string() }), z.object({ page: z.string(), b: z.string(), a: z.array(z.string()) })])
export async function taken<T>(c: Context, own: StandardSchema<T>) { return c.bindForm(own) }
export function shown<T>(own: StandardSchema<T>, run: (c: Context, form: Form<T>) => Response) { return async (c: Context) => run(c, await c.readForm(own)) }
export function listed<T>(own: StandardSchema<T>) { return async (c: Context) => c.json(200, await c.bindQuery(own)) }
`

const both = ["application/x-www-form-urlencoded", "multipart/form-data"]
const one = ["multipart/form-data"]
const zod = object({ email: text, age: number, topics: { type: "array", items: text } }, ["email"])

/** A handler, the content types of its form, and the form's schema. */
const forms: ReadonlyArray<readonly [handler: string, types: readonly string[], schema: unknown]> = [
  ["async (c: Context) => c.json(200, await c.bindForm(zod))", both, zod],
  ["async (c: Context) => c.json(200, await c.bindForm(contact))", both, ref("Contact")],
  [
    "async (c: Context) => { const form = await c.readForm(zod); return form.ok ? c.noContent() : c.page(422, 'x', String(form.issues)) }",
    both,
    zod,
  ],
  ["async (c: Context) => { await c.readForm(contact); return c.noContent() }", both, ref("Contact")],
  ["async (c: Context) => { await c.bindForm(upload); return c.noContent() }", one, object({ title: text, file })],
  [
    "async (c: Context) => { await c.bindForm(profile); return c.noContent() }",
    one,
    object({ name: text, photo: file, others: { type: "array", items: file } }, ["name", "photo"]),
  ],
  [
    "async (c: Context) => { await c.bindForm(schema<{ n: bigint; on?: 'on' | undefined }>()); return c.noContent() }",
    both,
    object({ n: { type: "integer" }, on: { type: "string", const: "on" } }, ["n"]),
  ],
  ["async (c: Context) => c.json(200, await taken(c, zod))", both, zod],
  ["shown(zod, (c) => c.noContent())", both, zod],
  [
    "async (c: Context) => { await c.readForm(contact); return c.string(200, await c.formValue('note')) }",
    both,
    { allOf: [ref("Contact"), { type: "object", properties: { note: text } }] },
  ],
  ["async (c: Context) => { await c.form(); return c.noContent() }", both, { type: "object" }],
  [
    "async (c: Context) => { for await (const part of c.parts()) await part.text(); return c.noContent() }",
    ["multipart/form-data"],
    {
      type: "object",
      additionalProperties: {
        anyOf: [text, file, { type: "array", items: { anyOf: [text, file] } }],
      },
    },
  ],
]

const paging = [
  { name: "page", in: "query", schema: number },
  { name: "q", in: "query", schema: text },
  {
    name: "tag",
    in: "query",
    required: true,
    schema: { type: "array", items: { ...text, enum: ["a", "b"] } },
  },
]
/** A handler, and its parameters. */
const queries: ReadonlyArray<readonly [handler: string, parameters: unknown]> = [
  ["async (c: Context) => c.json(200, await c.bindQuery(paging))", paging],
  ["listed(paging)", paging],
  [
    "async (c: Context) => { await c.bindQuery(contact); return c.noContent() }",
    [
      { name: "name", in: "query", required: true, schema: text },
      { name: "age", in: "query", schema: number },
    ],
  ],
  [
    "async (c: Context) => { await c.bindQuery(paging); return c.string(200, c.query('q') + c.query('more')) }",
    [...paging, { name: "more", in: "query", schema: text }],
  ],
  [
    "async (c: Context) => c.json(200, await c.bindQuery<{ by: 'size'; size: number } | { by: 'name'; size?: string; name: string }>())",
    [
      { name: "by", in: "query", required: true, schema: { type: "string", enum: ["size", "name"] } },
      { name: "size", in: "query", schema: { type: ["number", "string"] } },
      { name: "name", in: "query", schema: text },
    ],
  ],
  [
    "async (c: Context) => c.json(200, await c.bindQuery<{ page?: number } & ({ a: string } | { b: string[] })>())",
    [
      { name: "page", in: "query", schema: number },
      { name: "a", in: "query", schema: text },
      { name: "b", in: "query", schema: { type: "array", items: text, default: [] } },
    ],
  ],
  [
    "async (c: Context) => c.json(200, await c.bindQuery(either))",
    [
      { name: "page", in: "query", required: true, schema: text },
      { name: "a", in: "query", required: true, schema: { anyOf: [text, { type: "array", items: text }] } },
      { name: "b", in: "query", schema: text },
    ],
  ],
]

/** A handler, and true if it refuses a request without a body. */
const needed: ReadonlyArray<readonly [handler: string, required: true | undefined]> = [
  ["async (c: Context) => c.string(200, await c.formValue('note'))", undefined],
  ["async (c: Context) => { await c.formFile('photo'); return c.noContent() }", undefined],
  ["async (c: Context) => c.json(200, await c.bindForm(schema<{ n?: number }>()))", undefined],
  ["async (c: Context) => c.json(200, await c.bindForm(contact))", true],
  ["async (c: Context) => c.json(200, [await c.bindForm(contact), await c.formValue('note')])", true],
  ["async (c: Context) => c.json(200, await c.bindForm(c.query('x') ? contact : zod))", true],
  [
    "async (c: Context) => c.json(200, c.query('x') ? await c.bindForm(contact) : await c.bindForm(schema<{ n?: number }>()))",
    undefined,
  ],
  ["async (c: Context) => c.json(200, c.query('x') ? await c.bind(contact) : await c.formValue('note'))", true],
]

const unknown = "async (c: Context) => { await c.bindForm({} as StandardSchema); return c.noContent() }"

type Operation = {
  parameters?: unknown
  requestBody?: { content: Record<string, { schema: unknown }>; required?: true }
  responses: Record<string, unknown>
}

const document = suite("forms in the document")
let made: ProjectDocument

document.before(async () => {
  const head = `import type { Context, StandardSchema } from "fw"\nimport { contact, either, listed, paging, profile, schema, shown, taken, upload, zod } from "../../forms.ts"\n`
  const handlers = [
    ...forms.map(([handler]) => `export const Post = ${handler}`),
    ...queries.map(([handler]) => `/** @param page - Which page. */\nexport const Get = ${handler}`),
    `export const Post = ${unknown}`,
    ...needed.map(([handler]) => `export const Post = ${handler}`),
  ]
  const files = handlers.map((handler, i) => [`app/f${i}/route.ts`, `${head}${handler}\n`])
  const root = makeProject({ "forms.ts": shared, ...Object.fromEntries(files) }, ["fw", "typescript", "zod"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

function operation(index: number): Operation {
  const paths = made.document.paths as Record<string, Record<string, Operation>>
  return Object.values(paths[`/f${index}`] ?? {})[0] as Operation
}

for (const [i, [handler, types, schema]] of forms.entries()) {
  document(`the form of ${handler} has its content types and its schema`, () => {
    const { requestBody, responses } = operation(i)
    assert.equal(requestBody?.content, Object.fromEntries(types.map((type) => [type, { schema }])))
    assert.ok(responses["400"], "the answer 400 for a form that is not valid is missing")
  })
}

for (const [i, [handler, required]] of needed.entries()) {
  document(`a body is ${required ? "" : "not "}required: ${handler}`, () => {
    assert.is(operation(forms.length + queries.length + 1 + i).requestBody?.required, required)
  })
}

for (const [i, [handler, parameters]] of queries.entries()) {
  document(`the query of ${handler} has its parameters`, () => {
    const { parameters: found, requestBody, responses } = operation(forms.length + i)
    const described = (parameters as { name: string }[]).map(({ name, ...rest }) =>
      name === "page" ? { name, description: "Which page.", ...rest } : { name, ...rest },
    )
    assert.equal(sortedKeys(found), sortedKeys(described))
    assert.is(requestBody, undefined)
    assert.ok(responses["400"], "the answer 400 for a query that is not valid is missing")
    assert.is(responses["413"], undefined, "there is an answer 413, although a query has no limit of its size")
  })
}

function sortedKeys(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

document("a form whose schema has no type has no fields, and causes a warning", () => {
  const index = forms.length + queries.length
  assert.equal(
    operation(index).requestBody?.content,
    Object.fromEntries(both.map((type) => [type, { schema: { type: "object" } }])),
  )
  const warnings = made.warnings.flatMap(({ message, fix }) => (/form/.test(message) ? [[message, fix]] : []))
  assert.equal(warnings, [
    [
      "the type of this form is not known",
      "Give the schema a type where the form is bound, such as StandardSchema<{ name: string }>.",
    ],
  ])
})

document("types that only forms or queries use do not remain as unused components", () => {
  const { schemas = {} } = made.document.components as { schemas?: Record<string, unknown> }
  assert.equal(
    Object.keys(schemas).filter((name) => name !== "Error"),
    ["Contact"],
  )
})

document.run()
