/** Tests of the explorer's code without a browser: examples, the check of responses, and code samples. */
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Api, readDocument, type Schema } from "../../../explorer/document.ts"
import { createExample } from "../../../explorer/example.ts"
import { findMismatches, formatPath } from "../../../explorer/find-mismatches.ts"
import { samples } from "../../../explorer/samples.ts"

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const text: Schema = { type: "string" }
const object = (properties: Record<string, Schema>, more: object = {}): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
})

function createAPI(schemas: Record<string, Schema>): Api {
  return readDocument({ openapi: "3.1.0", info: {}, paths: {}, components: { schemas } })
}

const json: Schema = {
  anyOf: [
    text,
    { type: "number" },
    { type: "boolean" },
    { type: "null" },
    { type: "array", items: ref("Json") },
    { type: "object", additionalProperties: ref("Json") },
  ],
}
const circle = object({ kind: { const: "circle" }, r: { type: "number", minimum: 0 } })
const square = object({ kind: { const: "square" }, side: { type: "integer", exclusiveMinimum: 0 } })
const shared = {
  Json: json,
  Circle: circle,
  Square: square,
  Tree: object({ name: text, children: { type: "array", items: ref("Tree") } }),
  Self: { allOf: [{ $ref: "#/components/schemas/Self" }] } as Schema,
}

const checks: ReadonlyArray<readonly [schema: Schema, value: unknown, ...misfits: string[]]> = [
  [text, "a"],
  [text, 1, ": expected string, got integer"],
  [{ type: ["string", "null"] }, null],
  [{ type: ["string", "null"] }, true, ": expected string or null, got boolean"],
  [{ type: "number" }, 1],
  [{ type: "integer" }, 1.5, ": expected integer, got number"],
  [{ enum: ["a", "b"] }, "c", ': expected one of "a", "b", got "c"'],
  [{ const: { a: 1 } }, { a: 1 }],
  [{ const: 1 }, 2, ": expected 1, got 2"],
  [{ ...text, minLength: 2 }, "😀", ": expected at least 2 characters, got 1"],
  [{ ...text, maxLength: 2 }, "😀😀"],
  [{ ...text, pattern: "^a+$" }, "ab", ": does not match ^a+$"],
  [{ ...text, format: "date-time" }, "2026-01-31T12:00:00Z"],
  [{ ...text, format: "date-time" }, "yesterday", ": is not a date-time"],
  [{ ...text, format: "uuid" }, "x", ": is not a uuid"],
  [{ type: "number", minimum: 1, maximum: 3 }, 0, ": expected at least 1, got 0"],
  [{ type: "number", exclusiveMaximum: 3 }, 3, ": expected less than 3, got 3"],
  [
    { type: "array", items: text },
    ["a", 1, 2],
    "[1]: expected string, got integer",
    "[2]: expected string, got integer",
  ],
  [{ type: "array", minItems: 1 }, [], ": expected at least 1 items, got 0"],
  [{ type: "array", prefixItems: [text, { type: "number" }], items: false } as unknown as Schema, ["a", 1]],
  [{ type: "array", prefixItems: [text], items: false } as unknown as Schema, ["a", 1], "[1]: must be absent"],
  [object({ a: text }), {}, ': "a" is missing'],
  [object({ a: text }), { a: "", b: 1 }],
  [object({ a: text }, { additionalProperties: false }), { a: "", b: 1 }, ".b: must be absent"],
  [{ type: "object", additionalProperties: text }, { "x y": 1 }, '["x y"]: expected string, got integer'],
  [
    { type: "object", patternProperties: { "^n-": { type: "number" } } },
    { "n-1": "a", other: "a" },
    '["n-1"]: expected number, got string',
  ],
  [object({ toString: text }), {}, ': "toString" is missing'],
  [{ allOf: [object({ a: text }), object({ b: text })] }, { a: "" }, ': "b" is missing'],
  [{ oneOf: [ref("Circle"), ref("Square")] }, { kind: "circle", r: 1 }],
  [{ oneOf: [ref("Circle"), ref("Square")] }, { kind: "circle", r: -1 }, ".r: expected at least 0, got -1"],
  [{ oneOf: [ref("Circle"), ref("Square")] }, { kind: "x" }, ": matches none of the 2 alternatives"],
  [{ anyOf: [ref("Tree"), { type: "null" }] }, { name: 1, children: [] }, ".name: expected string, got integer"],
  [{ type: "array", items: { not: {} } }, [3], "[0]: must be absent"],
  [{ type: "number", multipleOf: 2 }, 3, ": expected a multiple of 2, got 3"],
  [{ type: "array", contains: text, minContains: 2 }, ["a", 1], ": has 1 of the items that it must contain"],
  [{ type: "array", contains: text, maxContains: 1 }, ["a", 1]],
  [{ ...text, format: "ipv4" }, "text", ": is not a ipv4"],
  [{ ...text, format: "email" }, "a@b.example"],
  [ref("Json"), { a: [1, "b", null, { c: [true] }] }],
  [
    ref("Tree"),
    { name: "a", children: [{ name: "b", children: [{ name: 1, children: [] }] }] },
    ".children[0].children[0].name: expected string, got integer",
  ],
]
for (const [schema, value, ...misfits] of checks) {
  test(`${JSON.stringify(value)} ${misfits.length > 0 ? "does not match" : "matches"} ${JSON.stringify(schema)}`, () => {
    const found = findMismatches(createAPI(shared), schema, value)
    assert.equal(
      found.map(({ path, message }) => `${formatPath(path)}: ${message}`),
      misfits,
    )
    const ajv = formats.default(new Ajv2020({ strict: false }))
    assert.is(ajv.validate({ ...schema, components: { schemas: shared } }, value), misfits.length === 0)
  })
}

/** Schemas for which it is hard to create an example that the server accepts. */
const hardExamples: readonly Schema[] = [
  object({ a: { ...text, pattern: "^-?\\d{1,1000}$" } }),
  { type: "number", format: "int32" },
  { type: "number", format: "int64", minimum: 3 },
  ...["time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid", "date", "date-time", "byte"].map(
    (format): Schema => ({ ...text, format }),
  ),
  object({ v: { type: "number" }, l: { anyOf: [ref("Linked"), { type: "null" }] } }),
  ref("Linked"),
  { type: "array", items: { not: {} } },
  { type: "array", items: {}, maxItems: 0 },
  { type: "array", prefixItems: [text], items: { type: "number" }, minItems: 3 },
  { type: "array", items: text, minItems: 2 },
  { ...text, minLength: 20 },
  { ...text, maxLength: 2 },
  { ...text, pattern: "^order--?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$" },
  { ...text, pattern: "^\\/[\\s\\S]*$", allOf: [{ ...text, pattern: "^[\\s\\S]*\\.html$" }] },
  {
    type: "array",
    items: text,
    allOf: [{ type: "array", prefixItems: [{ const: "A" }], items: false, minItems: 1, maxItems: 1 }],
  } as unknown as Schema,
  { type: "number", exclusiveMinimum: 3, multipleOf: 5 },
]
const linked = { Linked: object({ v: { type: "number" }, l: { anyOf: [ref("Linked"), { type: "null" }] } }) }
for (const schema of hardExamples)
  test(`the example of ${JSON.stringify(schema)} matches the schema`, () => {
    const ajv = formats.default(new Ajv2020({ strict: false }))
    const value = createExample(createAPI(linked), schema)
    assert.equal(findMismatches(createAPI(linked), schema, value), [])
    assert.ok(
      ajv.validate({ ...schema, components: { schemas: linked } }, value),
      `the example ${JSON.stringify(value)} is not valid`,
    )
  })

test("null matches a schema with nullable, as in OpenAPI 3.0", () => {
  assert.equal(findMismatches(createAPI({}), { ...text, nullable: true }, null), [])
})

test("checking a schema that refers directly to itself ends", () => {
  assert.equal(findMismatches(createAPI(shared), ref("Self"), 1), [])
})

test("only the first 50 of many differences are reported", () => {
  const found = findMismatches(createAPI({}), { type: "array", items: text }, Array(1000).fill(1))
  assert.is(found.length, 50)
})

/** Returns schemas that each contain lists of all others, as those of a database often do. */
function entities(count: number): Record<string, Schema> {
  const names = Array.from({ length: count }, (_, i) => `E${i}`)
  return Object.fromEntries(
    names.map((name) => {
      const lists = names
        .filter((other) => other !== name)
        .map((other) => [other, { type: "array", items: ref(other) }])
      return [name, object({ id: { type: "integer" }, ...Object.fromEntries(lists) })]
    }),
  )
}

test("an example of entities that refer to each other is short and matches its schema", () => {
  for (const count of [2, 9, 12, 60]) {
    const api = createAPI(entities(count))
    const example = createExample(api, ref("E0"))
    assert.ok(JSON.stringify(example).length < 20_000, `the example of ${count} entities is too long`)
    assert.equal(findMismatches(api, ref("E0"), example), [])
    assert.is((example as { id: number }).id, 1)
  }
})

const shapes: ReadonlyArray<readonly [what: string, schema: Schema, example: unknown]> = [
  ["any JSON", ref("Json"), "text"],
  ["a tree", ref("Tree"), { name: "text", children: [] }],
  ["a schema that is only itself", ref("Self"), {}],
  ["the first alternative", { oneOf: [ref("Circle"), ref("Square")] }, { kind: "circle", r: 1.5 }],
  ["null or another type", { anyOf: [{ type: "null" }, ref("Square")] }, { kind: "square", side: 1 }],
  ["a schema with an example", { ...text, example: "Ada" }, "Ada"],
  ["null", { type: "null" }, null],
  ["a multiple of one", { type: "number", minimum: 0, multipleOf: 1 }, 2],
  ["a multiple of ten", { type: "integer", multipleOf: 10 }, 10],
  ["a number with a minimum", { type: "integer", minimum: 18 }, 18],
  ["a number above a limit", { type: "integer", exclusiveMinimum: 99 }, 100],
  ["a number with a maximum", { type: "number", maximum: 1 }, 1],
  ["a number below a limit", { type: "number", exclusiveMaximum: 1 }, 0.5],
  ["a negative number", { type: "integer", maximum: -3, multipleOf: 2 }, -4],
]
for (const [what, schema, example] of shapes) {
  test(`the example of ${what} is ${JSON.stringify(example)}`, () => {
    assert.equal(createExample(createAPI(shared), schema), example)
    assert.equal(findMismatches(createAPI(shared), schema, example), [])
  })
}

const request = {
  method: "PUT",
  target: "/users/7?tag=a&tag=b%20c",
  headers: [
    ["authorization", "Bearer it's"],
    ["content-type", "application/json"],
  ],
  body: new Blob(['{"name":"Ada","tags":["x"]}'], { type: "application/json" }),
} as const
const context = {
  server: "http://localhost:3000/base/",
  path: "/users/{id}",
  parameters: { path: { id: "7" }, query: { tag: ["a", "b c"] } },
}

test("the code samples of a request are right for curl, fetch and openapi-fetch", async () => {
  const written = await Promise.all(samples.map(({ write }) => write(context, request)))
  assert.equal(written, [
    `curl \\
  -X PUT \\
  'http://localhost:3000/base/users/7?tag=a&tag=b%20c' \\
  -H 'authorization: Bearer it'\\''s' \\
  -H 'content-type: application/json' \\
  --data-binary '{"name":"Ada","tags":["x"]}'`,
    `const response = await fetch("http://localhost:3000/base/users/7?tag=a&tag=b%20c", {
  method: "PUT",
  headers: {
    authorization: "Bearer it's",
    "content-type": "application/json"
  },
  body: JSON.stringify({
    name: "Ada",
    tags: [
      "x"
    ]
  }),
})`,
    `// npx openapi-typescript openapi.json -o api.d.ts
import createClient from "openapi-fetch"
import type { paths } from "./api.d.ts"

const client = createClient<paths>({ baseUrl: "http://localhost:3000/base/" })
const { data, error } = await client.PUT("/users/{id}", {
  params: {
    path: {
      id: "7"
    },
    query: {
      tag: [
        "a",
        "b c"
      ]
    }
  },
  headers: {
    authorization: "Bearer it's"
  },
  body: {
    name: "Ada",
    tags: [
      "x"
    ]
  },
})`,
  ])
})

test("the fetch sample sends the request that was entered", async () => {
  const code = (await samples[1]?.write(context, request)) as string
  let sent: Request | undefined
  const fetch = (url: string, init: RequestInit) => {
    sent = new Request(url, init)
  }
  await new Function("fetch", `return (async () => { ${code} })()`)(fetch)
  assert.is(`${sent?.method} ${sent?.url}`, "PUT http://localhost:3000/base/users/7?tag=a&tag=b%20c")
  assert.is(sent?.headers.get("authorization"), "Bearer it's")
  assert.equal(await sent?.json(), { name: "Ada", tags: ["x"] })
})

test.run()
