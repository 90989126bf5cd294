/** Tests of how a document in OpenAPI 3.1 becomes one in 3.0.3: its schemas, and its other parts. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { toOpenAPI30, translateSchema } from "../../../bin/openapi/document/openapi30.ts"

const string = { type: "string" }
const ref = { $ref: "#/components/schemas/Task" }
const onlyNull = { type: "object", nullable: true, enum: [null] }

const rows: ReadonlyArray<readonly [schema: object | boolean, translated: object]> = [
  [true, {}],
  [false, { not: {} }],
  [{}, {}],
  [string, string],
  [{ type: ["string", "null"] }, { type: "string", nullable: true }],
  [
    { type: ["string", "null"], enum: ["a", null] },
    { type: "string", nullable: true, enum: ["a", null] },
  ],
  [{ type: ["string", "number"] }, { anyOf: [string, { type: "number" }] }],
  [
    { type: ["string", "number", "null"] },
    {
      anyOf: [
        { type: "string", nullable: true },
        { type: "number", nullable: true },
      ],
    },
  ],
  [{ type: "null" }, onlyNull],
  [{ anyOf: [ref, { type: "null" }] }, { allOf: [ref], nullable: true }],
  [{ anyOf: [{ type: "null" }, ref, string] }, { anyOf: [ref, string], nullable: true }],
  [{ anyOf: [{ oneOf: [ref, string] }, { type: "null" }] }, { oneOf: [ref, string], nullable: true }],
  [
    { anyOf: [{ type: "string", const: "a" }, { type: "null" }] },
    { type: "string", nullable: true, enum: ["a", null] },
  ],
  [
    { description: "It.", anyOf: [ref, { type: "null" }] },
    { description: "It.", allOf: [ref], nullable: true },
  ],
  [{ anyOf: [{ type: "null" }] }, { anyOf: [onlyNull] }],
  [
    { type: "object", patternProperties: { "^a": string }, additionalProperties: { type: "number" } },
    { type: "object", additionalProperties: { anyOf: [string, { type: "number" }] } },
  ],
  [
    { type: "object", patternProperties: { "^a": string, "^b": { type: "null" } } },
    { type: "object", additionalProperties: { type: "string", nullable: true } },
  ],
  [
    { type: "object", patternProperties: { "^a": ref }, additionalProperties: { type: "null" } },
    { type: "object", additionalProperties: { allOf: [ref], nullable: true } },
  ],
  [
    { type: "object", patternProperties: { "^a": { type: "null" }, "^b": { type: "null" } } },
    { type: "object", additionalProperties: onlyNull },
  ],
  [
    { type: "object", patternProperties: { "^a": string } },
    { type: "object", additionalProperties: string },
  ],
  [
    { type: "array", maxItems: 0 },
    { type: "array", items: {}, maxItems: 0 },
  ],
  [
    { type: "string", const: "a" },
    { type: "string", enum: ["a"] },
  ],
  [{ const: null }, { enum: [null] }],
  [
    { type: "string", examples: ["a", "b"] },
    { type: "string", example: "a" },
  ],
  [
    { description: "It.", ...ref },
    { allOf: [ref], description: "It." },
  ],
  [
    { type: "string", contentMediaType: "application/octet-stream" },
    { type: "string", format: "binary" },
  ],
  [
    { type: "number", exclusiveMinimum: 1 },
    { type: "number", minimum: 1, exclusiveMinimum: true },
  ],
  [
    { type: "number", minimum: 5, exclusiveMinimum: 1 },
    { type: "number", minimum: 5 },
  ],
  [
    { type: "number", exclusiveMaximum: 9 },
    { type: "number", maximum: 9, exclusiveMaximum: true },
  ],
  [
    { type: "array", prefixItems: [string, { type: "number" }], items: false, minItems: 2, maxItems: 2 },
    { type: "array", items: { anyOf: [string, { type: "number" }] }, minItems: 2, maxItems: 2 },
  ],
  [
    { type: "array", prefixItems: [string, { type: "null" }], items: false },
    { type: "array", items: { type: "string", nullable: true } },
  ],
  [
    { type: "array", prefixItems: [{ anyOf: [ref, { type: "null" }] }, { type: "null" }], items: false },
    { type: "array", items: { allOf: [ref], nullable: true } },
  ],
  [
    { type: "array", prefixItems: [{ type: "null" }, string, ref], items: false },
    { type: "array", items: { anyOf: [string, ref], nullable: true } },
  ],
  [
    { type: "array", prefixItems: [{ type: "null" }, { type: "null" }], items: false },
    { type: "array", items: onlyNull },
  ],
  [
    { type: "array", prefixItems: [string], items: string, minItems: 1 },
    { type: "array", items: string, minItems: 1 },
  ],
  [
    { type: "array", items: { type: ["string", "null"] } },
    { type: "array", items: { type: "string", nullable: true } },
  ],
  [
    { type: "object", properties: { a: { type: "null" }, const: string }, required: ["a"] },
    { type: "object", properties: { a: onlyNull, const: string }, required: ["a"] },
  ],
  [
    { type: "object", additionalProperties: { const: 1 } },
    { type: "object", additionalProperties: { enum: [1] } },
  ],
  [
    { type: "object", additionalProperties: false },
    { type: "object", additionalProperties: false },
  ],
  [
    { oneOf: [ref], discriminator: { propertyName: "kind", mapping: { a: ref.$ref } } },
    { oneOf: [ref], discriminator: { propertyName: "kind", mapping: { a: ref.$ref } } },
  ],
  [
    {
      $schema: "x",
      type: "object",
      patternProperties: {},
      propertyNames: {},
      if: {},
      unevaluatedProperties: false,
    },
    { type: "object" },
  ],
  [{ not: { type: ["string", "null"] } }, { not: { type: "string", nullable: true } }],
]

const schemas = suite("schemas")
for (const [schema, wanted] of rows)
  schemas(`${JSON.stringify(schema)} becomes ${JSON.stringify(wanted)}`, () =>
    assert.equal(translateSchema(schema as Record<string, unknown>), wanted),
  )
schemas.run()

const whole = suite("document")

whole("schemas are translated everywhere in a document, and examples are not", () => {
  const nullable = { schema: { type: ["string", "null"] }, example: { type: ["string", "null"] } }
  const operation = {
    parameters: [{ name: "a", in: "query", schema: { const: 1 } }],
    requestBody: { content: { "application/json": nullable } },
    responses: {
      200: { description: "OK", content: { "application/json": nullable } },
      404: { description: "Not here.", $ref: "#/components/responses/NotFound" },
    },
  }
  const document = toOpenAPI30({
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    paths: { "/schema": { get: operation, post: operation } },
    components: {
      schemas: { schema: { const: 1 }, Task: { type: ["number", "null"] } },
      responses: { NotFound: { description: "x", content: { "application/json": nullable } } },
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  })
  const media = { schema: { type: "string", nullable: true }, example: { type: ["string", "null"] } }
  const { requestBody: _, ...bodyless } = operation
  const translated = {
    ...bodyless,
    parameters: [{ name: "a", in: "query", schema: { enum: [1] } }],
    responses: {
      200: { description: "OK", content: { "application/json": media } },
      404: { $ref: "#/components/responses/NotFound" },
    },
  }
  assert.equal(document, {
    openapi: "3.0.3",
    info: { title: "x", version: "1" },
    paths: {
      "/schema": {
        get: translated,
        post: { ...translated, requestBody: { content: { "application/json": media } } },
      },
    },
    components: {
      schemas: { schema: { enum: [1] }, Task: { type: "number", nullable: true } },
      responses: { NotFound: { description: "x", content: { "application/json": media } } },
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  })
})

whole("a schema that allows null keeps its type next to nullable", () => {
  const nullable = (...schemas: object[]) => ({ anyOf: [...schemas, { type: "null" }] })
  const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const shape = { oneOf: [refTo("Circle"), refTo("Task")] }
  const document = toOpenAPI30({
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    paths: {},
    components: {
      schemas: {
        Task: { type: "object", properties: { next: nullable(refTo("Task")), shape: nullable(shape) } },
        Circle: { type: "object" },
        Alias: refTo("Task"),
        Again: refTo("Again"),
        Mixed: { type: ["string", "number"] },
        Holder: {
          type: "object",
          properties: {
            a: nullable(refTo("Alias")),
            b: nullable(refTo("Mixed")),
            c: nullable(refTo("Again")),
            d: nullable(refTo("Task"), { type: "string", enum: ["a"] }, { type: "number" }),
          },
        },
      },
    },
  })
  const { Task, Holder } = (document.components as { schemas: Record<string, { properties: object }> }).schemas
  assert.equal(Task?.properties, {
    next: { type: "object", allOf: [refTo("Task")], nullable: true },
    shape: { type: "object", ...shape, nullable: true },
  })
  assert.equal(Holder?.properties, {
    a: { type: "object", allOf: [refTo("Alias")], nullable: true },
    b: { allOf: [refTo("Mixed")], nullable: true },
    c: { allOf: [refTo("Again")], nullable: true },
    d: { anyOf: [refTo("Task"), { type: "string", enum: ["a", null], nullable: true }, { type: "number" }] },
  })
})

whole.run()
