/** Tests that the generated client follows the structure of schemas: dates at any depth, keys, names and bodies. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { readFileSync } from "node:fs"
import { transform } from "esbuild"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { renderClient } from "../../../bin/generate/client/source.ts"
import { declaredDate, keyTemplates, type Schema } from "../../../bin/openapi/document/schemas.ts"

const test = suite("client")
const runtime = readFileSync(new URL("../../../scaffold/generate/client/client.ts", import.meta.url), "utf8")

type Call = (input?: object) => Promise<{ data: unknown }>

/** Generates the client for operations by their ids, and returns its functions and its text. */
async function getClient(
  operations: Record<string, Schema>,
  components: Schema,
  answer: (request: Request) => unknown,
) {
  const paths = Object.fromEntries(
    Object.entries(operations).map(([operationId, { method = "get", ...operation }], i) => [
      `/p${i}`,
      { [method as string]: { operationId, responses: { 204: {} }, ...operation } },
    ]),
  )
  const { text } = renderClient({ info: { title: "a", version: "1" }, paths, components }, runtime)
  const { code } = await transform(text, { loader: "ts", format: "esm" })
  const url = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`
  const { createClient } = (await import(url)) as { createClient(options: object): Record<string, Call> }
  const fetch = async (request: Request) => Response.json(await answer(request))
  return { text, client: createClient({ fetch }) }
}

const date: Schema = { type: "string", format: "date-time", [declaredDate]: true }
const text: Schema = { type: "string" }
const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: "object",
  properties,
  required,
})
const constant = (value: string): Schema => ({ const: value })
const at = "2026-01-01T00:00:00.000Z"
const day = new Date(at)

/** A schema, the JSON that the server sends, and the value that the client returns. */
const dates: readonly (readonly [name: string, schema: Schema, sent: unknown, given: unknown])[] = [
  [
    "an optional constant next to a date",
    object({ state: { enum: ["a", "b"] }, at: date }, ["at"]),
    { at },
    { at: day },
  ],
  [
    "an unknown constant next to a date",
    object({ state: { enum: ["a"] }, at: date }),
    { state: "c", at },
    { state: "c", at: day },
  ],
  [
    "a member of a union without its optional constant",
    { oneOf: [object({ kind: constant("a"), at: date }, ["at"]), object({ kind: constant("b"), at: text })] },
    [{ at }, { kind: "a", at }, { kind: "b", at }],
    [{ at: day }, { kind: "a", at: day }, { kind: "b", at }],
  ],
  [
    "members of a union that differ only in their properties",
    { anyOf: [object({ at: date, x: text }), object({ at: text, y: text })] },
    [
      { at, x: "" },
      { at, y: "" },
    ],
    [
      { at: day, x: "" },
      { at, y: "" },
    ],
  ],
  [
    "members of a union that are references",
    { oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }] },
    [
      { kind: "a", at },
      { kind: "b", at },
    ],
    [
      { kind: "a", at: day },
      { kind: "b", at },
    ],
  ],
  ["one of these types without a union", { $ref: "#/components/schemas/A" }, { at }, { at: day }],
  [
    "a text before the rest of a tuple",
    { type: "array", prefixItems: [text], items: date },
    [at, at, at],
    [at, day, day],
  ],
  ["a date before the rest of a tuple", { type: "array", prefixItems: [date], items: text }, [at, at], [day, at]],
  [
    "keys with a pattern",
    { ...object({ from: text }), patternProperties: { "^at_": date }, additionalProperties: text },
    { from: at, at_a: at, b: at },
    { from: at, at_a: day, b: at },
  ],
  [
    "keys that the schema does not name",
    { ...object({ from: text }), additionalProperties: date },
    { from: at, b: at },
    { from: at, b: day },
  ],
  ["parts of allOf", { allOf: [object({ a: date }), object({ b: text })] }, { a: at, b: at }, { a: day, b: at }],
  ["years of five digits", date, "+012026-01-01T00:00:00.000Z", new Date("+012026-01-01T00:00:00.000Z")],
  ["years before the year 0", date, "-000001-01-01T00:00:00.000Z", new Date("-000001-01-01T00:00:00.000Z")],
  [
    "names of prototypes",
    object({ toString: date, valueOf: text }),
    { toString: at, valueOf: at },
    { toString: day, valueOf: at },
  ],
]
const schemas = { A: object({ kind: constant("a"), at: date }), B: object({ kind: constant("b"), at: text }) }

for (const [name, schema, sent, given] of dates)
  test(`the client converts the dates of an answer: ${name}`, async () => {
    const isMany = Array.isArray(sent) && schema.type !== "array"
    const answer = {
      200: {
        content: { "application/json": { schema: isMany ? { type: "array", items: schema } : schema } },
      },
    }
    const { client } = await getClient({ get: { responses: answer } }, { schemas }, () => sent)
    assert.equal((await client.get?.())?.data, given)
  })

test("no function of the client has the name of a method that every object has, or the name then", async () => {
  const names = ["then", "constructor", "toString", "valueOf", "__proto__", "toJSON", "hasOwnProperty", "list"]
  const responses = { 200: { content: { "application/json": { schema: text } } } }
  const { client } = await getClient(
    Object.fromEntries(names.map((name) => [`_${name}`.slice(1), { responses }])),
    {},
    () => "x",
  )
  assert.is(await Promise.resolve(client), client)
  for (const name of Object.keys(client)) assert.is((await client[name]?.())?.data, "x")
  assert.ok(Object.keys(client).includes("thenOperation") && Object.keys(client).includes("list"))
})

test("the client takes API keys of the query, and a GET takes no body", async () => {
  const operations = {
    find: {
      security: [{ key: [] }, { token: [] }],
      requestBody: { required: true, content: { "application/json": { schema: object({ a: text }) } } },
    },
  }
  const securitySchemes = {
    key: { type: "apiKey", in: "query", name: "api_key" },
    token: { type: "http", scheme: "bearer" },
  }
  const { text: source, client } = await getClient(operations, { securitySchemes }, ({ url }) => url)
  assert.match(source, "readonly api_key?: string | undefined")
  assert.not.match(source, /FindInput extends CallOptions \{[^}]*body/)
  await client.find?.({ query: { api_key: "s" } }).catch(() => undefined)
})

test("keys with a pattern have a template literal as their type", async () => {
  const attributes: Schema = {
    ...object({ id: text, width: { type: "number" } }, ["id"]),
    patternProperties: { "^data-[\\s\\S]*$": text },
    [keyTemplates]: { "^data-[\\s\\S]*$": "`data-${string}`" },
  }
  const requestBody = { required: true, content: { "application/json": { schema: attributes } } }
  const { text: source } = await getClient({ save: { method: "post", requestBody } }, {}, () => null)
  assert.match(source, "{ [key: `data-${string}`]: string }")
})

test("a part of a schema that only limits a value adds no type", async () => {
  const path = { ...text, pattern: "^a", allOf: [{ ...text, pattern: "b$" }, { maxLength: 3 }] }
  const requestBody = { required: true, content: { "application/json": { schema: object({ path }) } } }
  const { text: source } = await getClient({ save: { method: "post", requestBody } }, {}, () => null)
  assert.match(source, /\n {2}path: string\n/)
})

test.run()
