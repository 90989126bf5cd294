/**
 * Tests of `fw openapi diff`: changes and their severities, which are those that oasdiff publishes
 * (`checker/rules.go` in 2026), and the versions that can be compared.
 */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { Severity } from "../../../bin/openapi/diff/change.ts"
import { compareDocuments } from "../../../bin/openapi/diff/documents.ts"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject, write } from "../../support/bin/dev/dev-project.ts"

type Data = Record<string, unknown>

/** Returns a document with one operation, which has the given parts. */
function createDocument(operation: Data, components: Data = {}, path = "/tasks/{id}"): Data {
  const usual = { responses: { 200: { description: "OK" } } }
  return { openapi: "3.1.0", info: {}, paths: { [path]: { get: { ...usual, ...operation } } }, components }
}

const parameter = (schema: Data, more: Data = {}) =>
  createDocument({ parameters: [{ name: "q", in: "query", schema, ...more }] })
const sent = (schema: Data, components: Data = {}) =>
  createDocument({ requestBody: { required: true, content: { "application/json": { schema } } } }, components)
const received = (schema: Data, components: Data = {}) =>
  createDocument({ responses: { 200: { content: { "application/json": { schema } } } } }, components)
const object = (a: Data, isRequired = true): Data => ({
  type: "object",
  properties: { a },
  ...(isRequired && { required: ["a"] }),
})
const header = (more: Data) => createDocument({ responses: { 200: { headers: { "X-Total": more } } } })
const plain = createDocument({})
const text = { type: "string" }
const number = { type: "number" }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const shapes = {
  schemas: { A: object({ const: "a" }), B: object({ const: "b" }), C: object({ const: "c" }) },
}
const union = (...names: string[]) => ({ oneOf: names.map(ref) })
const two = (status: string) => createDocument({ responses: { 200: {}, [status]: {} } })
const media = (...types: string[]) => {
  const content = Object.fromEntries(types.map((type) => [type, { schema: text }]))
  return { content }
}
const secured = (...ways: Data[]) => createDocument({ security: ways })
const told = (discriminator: Data) => ({ ...union("A", "B"), discriminator })

/** The name of a check, its severity, and the two documents. */
type Row = readonly [kind: string, severity: Severity, before: Data, after: Data]

const [ERR, WARN, INFO] = ["breaking", "warning", "info"] as const
const rows: readonly Row[] = [
  ["api-path-removed-without-deprecation", ERR, plain, { paths: {} }],
  ["api-path-removed-with-deprecation", INFO, createDocument({ deprecated: true }), { paths: {} }],
  ["api-removed-without-deprecation", ERR, plain, { paths: { "/tasks/{id}": { put: {} } } }],
  [
    "api-removed-with-deprecation",
    INFO,
    createDocument({ deprecated: true }),
    { paths: { "/tasks/{id}": { put: {} } } },
  ],
  ["endpoint-added", INFO, { paths: {} }, plain],
  ["endpoint-deprecated", INFO, plain, createDocument({ deprecated: true })],
  ["endpoint-reactivated", INFO, createDocument({ deprecated: true }), plain],
  ["api-operation-id-removed", INFO, createDocument({ operationId: "a" }), createDocument({ operationId: "b" })],
  ["api-tag-added", INFO, plain, createDocument({ tags: ["a"] })],
  ["api-tag-removed", INFO, createDocument({ tags: ["a"] }), plain],
  ["api-schema-removed", INFO, createDocument({}, { schemas: { A: text } }), plain],
  ["api-security-added", INFO, secured({ a: [] }), secured({ a: [] }, { b: [] })],
  ["api-security-removed", INFO, secured({ a: [] }), plain],
  ["api-security-component-added", INFO, plain, createDocument({}, { securitySchemes: { a: { type: "http" } } })],
  ["api-security-component-removed", INFO, createDocument({}, { securitySchemes: { a: { type: "http" } } }), plain],
  [
    "api-security-component-type-changed",
    INFO,
    createDocument({}, { securitySchemes: { a: { type: "http" } } }),
    createDocument({}, { securitySchemes: { a: { type: "apiKey" } } }),
  ],

  ["request-parameter-removed", WARN, parameter(text), plain],
  ["request-parameter-removed-with-deprecation", INFO, parameter(text, { deprecated: true }), plain],
  ["new-required-request-parameter", ERR, plain, parameter(text, { required: true })],
  ["new-optional-request-parameter", INFO, plain, parameter(text)],
  ["request-parameter-became-required", ERR, parameter(text), parameter(text, { required: true })],
  ["request-parameter-became-optional", INFO, parameter(text, { required: true }), parameter(text)],
  ["request-parameter-deprecated", INFO, parameter(text), parameter(text, { deprecated: true })],
  ["request-parameter-reactivated", INFO, parameter(text, { deprecated: true }), parameter(text)],
  ["request-parameter-type-changed", ERR, parameter(text), parameter(number)],
  ["request-parameter-type-generalized", INFO, parameter({ type: "integer" }), parameter(number)],
  ["request-parameter-list-of-types-widened", INFO, parameter(text), parameter({ type: ["string", "number"] })],
  ["request-parameter-list-of-types-narrowed", ERR, parameter({ type: ["string", "number"] }), parameter(text)],
  ["request-parameter-became-nullable", INFO, parameter(text), parameter({ type: ["string", "null"] })],
  ["request-parameter-became-not-nullable", ERR, parameter({ type: ["string", "null"] }), parameter(text)],
  ["request-parameter-became-enum", ERR, parameter(text), parameter({ ...text, enum: ["a"] })],
  ["request-parameter-enum-value-added", INFO, parameter({ enum: ["a"] }), parameter({ enum: ["a", "b"] })],
  ["request-parameter-enum-value-removed", ERR, parameter({ enum: ["a", "b"] }), parameter({ enum: ["a"] })],
  ["request-parameter-default-value-added", ERR, parameter(number), parameter({ ...number, default: 1 })],
  [
    "request-parameter-default-value-changed",
    ERR,
    parameter({ ...number, default: 2 }),
    parameter({ ...number, default: 1 }),
  ],
  ["request-parameter-default-value-removed", ERR, parameter({ ...number, default: 1 }), parameter(number)],
  ["request-parameter-max-decreased", ERR, parameter({ ...number, maximum: 9 }), parameter({ ...number, maximum: 8 })],
  ["request-parameter-max-increased", INFO, parameter({ ...number, maximum: 8 }), parameter({ ...number, maximum: 9 })],
  ["request-parameter-max-set", WARN, parameter(number), parameter({ ...number, maximum: 9 })],
  ["request-parameter-min-increased", ERR, parameter({ ...number, minimum: 1 }), parameter({ ...number, minimum: 2 })],
  ["request-parameter-min-decreased", INFO, parameter({ ...number, minimum: 2 }), parameter({ ...number, minimum: 1 })],
  ["request-parameter-min-set", WARN, parameter(number), parameter({ ...number, minimum: 0 })],
  [
    "request-parameter-max-length-decreased",
    ERR,
    parameter({ ...text, maxLength: 9 }),
    parameter({ ...text, maxLength: 8 }),
  ],
  [
    "request-parameter-max-length-increased",
    INFO,
    parameter({ ...text, maxLength: 8 }),
    parameter({ ...text, maxLength: 9 }),
  ],
  ["request-parameter-max-length-set", WARN, parameter(text), parameter({ ...text, maxLength: 9 })],
  ["request-parameter-min-length-increased", ERR, parameter(text), parameter({ ...text, minLength: 1 })],
  ["request-parameter-min-length-decreased", INFO, parameter({ ...text, minLength: 1 }), parameter(text)],
  ["request-parameter-min-items-set", WARN, parameter({ type: "array" }), parameter({ type: "array", minItems: 1 })],
  [
    "request-parameter-max-items-decreased",
    ERR,
    parameter({ type: "array", maxItems: 2 }),
    parameter({ type: "array", maxItems: 1 }),
  ],
  ["request-parameter-pattern-added", ERR, parameter(text), parameter({ ...text, pattern: "a" })],
  [
    "request-parameter-pattern-changed",
    WARN,
    parameter({ ...text, pattern: "b" }),
    parameter({ ...text, pattern: "a" }),
  ],
  ["request-parameter-pattern-removed", INFO, parameter({ ...text, pattern: "a" }), parameter(text)],

  ["request-body-added-required", ERR, plain, sent(text)],
  ["request-body-added-optional", INFO, plain, createDocument({ requestBody: media("a/b") })],
  ["request-body-removed", ERR, sent(text), plain],
  [
    "request-body-became-required",
    ERR,
    createDocument({ requestBody: media("a/b") }),
    createDocument({ requestBody: { required: true, ...media("a/b") } }),
  ],
  [
    "request-body-became-optional",
    INFO,
    createDocument({ requestBody: { required: true, ...media("a/b") } }),
    createDocument({ requestBody: media("a/b") }),
  ],
  [
    "request-body-media-type-added",
    INFO,
    createDocument({ requestBody: media("a/b") }),
    createDocument({ requestBody: media("a/b", "a/c") }),
  ],
  [
    "request-body-media-type-removed",
    ERR,
    createDocument({ requestBody: media("a/b", "a/c") }),
    createDocument({ requestBody: media("a/b") }),
  ],
  ["request-body-type-changed", ERR, sent(text), sent(number)],
  ["request-body-type-generalized", INFO, sent({ type: "integer" }), sent(number)],
  ["request-body-became-enum", ERR, sent(text), sent({ ...text, enum: ["a"] })],
  ["request-body-became-nullable", INFO, sent(object(text)), sent({ oneOf: [object(text), { type: "null" }] })],
  ["request-body-became-not-nullable", ERR, sent({ oneOf: [object(text), { type: "null" }] }), sent(object(text))],
  ["request-body-one-of-added", INFO, sent(union("A", "B"), shapes), sent(union("A", "B", "C"), shapes)],
  ["request-body-one-of-removed", ERR, sent(union("A", "B", "C"), shapes), sent(union("A", "B"), shapes)],
  ["request-body-discriminator-added", INFO, sent(union("A", "B"), shapes), sent(told({ propertyName: "a" }), shapes)],

  ["new-required-request-property", ERR, sent({ type: "object" }), sent(object(text))],
  ["new-required-request-property-with-default", ERR, sent({ type: "object" }), sent(object({ ...text, default: "" }))],
  ["new-optional-request-property", INFO, sent({ type: "object" }), sent(object(text, false))],
  ["request-property-removed", WARN, sent(object(text)), sent({ type: "object" })],
  ["request-property-became-required", ERR, sent(object(text, false)), sent(object(text))],
  [
    "request-property-became-required-with-default",
    ERR,
    sent(object({ ...text, default: "" }, false)),
    sent(object({ ...text, default: "" })),
  ],
  ["request-property-became-optional", INFO, sent(object(text)), sent(object(text, false))],
  ["request-property-type-changed", ERR, sent(object(text)), sent(object(number))],
  ["request-property-type-generalized", INFO, sent(object({ type: "integer" })), sent(object(number))],
  ["request-property-became-nullable", INFO, sent(object(text)), sent(object({ type: ["string", "null"] }))],
  ["request-property-became-not-nullable", ERR, sent(object({ type: "string", nullable: true })), sent(object(text))],
  ["request-property-enum-value-added", INFO, sent(object({ const: "a" })), sent(object({ enum: ["a", "b"] }))],
  ["request-property-enum-value-removed", ERR, sent(object({ enum: ["a", "b"] })), sent(object({ const: "a" }))],
  ["request-property-const-added", ERR, sent(object(text)), sent(object({ ...text, const: "a" }))],
  ["request-property-const-changed", ERR, sent(object({ const: "b" })), sent(object({ const: "a" }))],
  ["request-property-const-removed", INFO, sent(object({ ...text, const: "a" })), sent(object(text))],
  [
    "request-property-default-value-changed",
    INFO,
    sent(object({ ...text, default: "a" })),
    sent(object({ ...text, default: "b" })),
  ],
  ["request-property-deprecated", INFO, sent(object(text)), sent(object({ ...text, deprecated: true }))],
  ["request-property-pattern-added", ERR, sent(object(text)), sent(object({ ...text, pattern: "a" }))],
  ["request-property-max-length-set", WARN, sent(object(text)), sent(object({ ...text, maxLength: 9 }))],
  [
    "request-property-exclusive-max-decreased",
    ERR,
    sent(object({ ...number, exclusiveMaximum: 2 })),
    sent(object({ ...number, exclusiveMaximum: 1 })),
  ],
  ["request-property-exclusive-min-set", WARN, sent(object(number)), sent(object({ ...number, exclusiveMinimum: 1 }))],
  [
    "request-property-pattern-property-added",
    ERR,
    sent(object({ type: "object" })),
    sent(object({ type: "object", patternProperties: { a: text } })),
  ],

  ["response-success-status-added", INFO, plain, two("201")],
  ["response-success-status-removed", ERR, two("201"), plain],
  ["response-non-success-status-added", INFO, plain, two("404")],
  ["response-non-success-status-removed", INFO, two("404"), plain],
  [
    "response-media-type-added",
    INFO,
    createDocument({ responses: { 200: media("a/b") } }),
    createDocument({ responses: { 200: media("a/b", "a/c") } }),
  ],
  [
    "response-media-type-removed",
    ERR,
    createDocument({ responses: { 200: media("a/b", "a/c") } }),
    createDocument({ responses: { 200: media("a/b") } }),
  ],
  ["response-header-added", INFO, plain, header({ schema: text })],
  ["required-response-header-removed", ERR, header({ required: true }), plain],
  ["optional-response-header-removed", WARN, header({}), plain],
  ["response-header-became-optional", ERR, header({ required: true }), header({})],
  ["response-header-type-changed", ERR, header({ schema: text }), header({ schema: number })],
  ["response-body-type-changed", ERR, received(text), received(number)],
  ["response-body-type-generalized", ERR, received({ type: "integer" }), received(number)],
  ["response-body-type-specialized", INFO, received(number), received({ type: "integer" })],
  ["response-body-became-nullable", ERR, received(object(text)), received({ anyOf: [object(text), { type: "null" }] })],
  ["response-body-one-of-added", ERR, received(union("A", "B"), shapes), received(union("A", "B", "C"), shapes)],
  ["response-body-one-of-removed", INFO, received(union("A", "B", "C"), shapes), received(union("A", "B"), shapes)],
  ["response-required-property-added", INFO, received({ type: "object" }), received(object(text))],
  ["response-optional-property-added", INFO, received({ type: "object" }), received(object(text, false))],
  ["response-required-property-removed", ERR, received(object(text)), received({ type: "object" })],
  ["response-optional-property-removed", WARN, received(object(text, false)), received({ type: "object" })],
  ["response-property-became-optional", ERR, received(object(text)), received(object(text, false))],
  ["response-property-became-required", INFO, received(object(text, false)), received(object(text))],
  ["response-property-became-nullable", ERR, received(object(text)), received(object({ type: ["string", "null"] }))],
  [
    "response-property-became-not-nullable",
    INFO,
    received(object({ type: ["string", "null"] })),
    received(object(text)),
  ],
  ["response-property-type-changed", ERR, received(object(text)), received(object(number))],
  [
    "response-property-type-generalized",
    ERR,
    received(object({ ...text, format: "date-time" })),
    received(object(text)),
  ],
  [
    "response-property-list-of-types-widened",
    ERR,
    received(object(text)),
    received(object({ type: ["string", "number"] })),
  ],
  [
    "response-property-list-of-types-narrowed",
    INFO,
    received(object({ type: ["string", "number"] })),
    received(object(text)),
  ],
  [
    "response-property-enum-value-added",
    WARN,
    received(object({ enum: ["a"] })),
    received(object({ enum: ["a", "b"] })),
  ],
  [
    "response-property-enum-value-removed",
    INFO,
    received(object({ enum: ["a", "b"] })),
    received(object({ enum: ["a"] })),
  ],
  ["response-property-const-changed", ERR, received(object({ const: "a" })), received(object({ const: "b" }))],
  ["response-property-const-removed", ERR, received(object({ ...text, const: "a" })), received(object(text))],
  [
    "response-property-max-length-increased",
    ERR,
    received(object({ ...text, maxLength: 1 })),
    received(object({ ...text, maxLength: 2 })),
  ],
  ["response-property-max-length-unset", ERR, received(object({ ...text, maxLength: 1 })), received(object(text))],
  [
    "response-property-min-items-unset",
    ERR,
    received(object({ type: "array", minItems: 1 })),
    received(object({ type: "array" })),
  ],
  [
    "response-property-min-decreased",
    ERR,
    received(object({ ...number, minimum: 1 })),
    received(object({ ...number, minimum: 0 })),
  ],
  [
    "response-property-pattern-changed",
    INFO,
    received(object({ ...text, pattern: "a" })),
    received(object({ ...text, pattern: "b" })),
  ],
  ["response-property-deprecated", INFO, received(object(text)), received(object({ ...text, deprecated: true }))],
  [
    "response-body-discriminator-mapping-added",
    INFO,
    received(told({ propertyName: "a", mapping: { a: "A" } }), shapes),
    received(told({ propertyName: "a", mapping: { a: "A", b: "B" } }), shapes),
  ],
]

/** Returns two types that refer to each other and describe one property differently. */
function circle(): Data {
  return {
    schemas: {
      A: { allOf: [ref("B"), ref("C")] },
      B: { type: "object", properties: { x: ref("A") } },
      C: { type: "object", properties: { x: ref("B") } },
    },
  }
}

/** Returns a document whose path item is a reference. */
const byPath = (operation: Data): Data => ({
  paths: { "/a": { $ref: "#/components/pathItems/X" } },
  components: { pathItems: { X: { get: { responses: {}, ...operation } } } },
})
const named = (name: string, pointer: string, schema: Data) =>
  sent({ $ref: `#/components/schemas/${pointer}` }, { schemas: { [name]: object(schema) } })
const list = (items: Data, more: Data = {}) => parameter({ type: "array", items }, more)

/** Changes that references, names and structure hide. */
const hidden: readonly Row[] = [
  ["request-property-type-changed", ERR, named("a/b", "a~1b", text), named("a/b", "a~1b", number)],
  ["request-property-type-changed", ERR, named("a~b", "a~0b", text), named("a~b", "a~0b", number)],
  ["request-property-type-changed", ERR, named("a b%", "a%20b%25", text), named("a b%", "a%20b%25", number)],
  [
    "new-required-request-parameter",
    ERR,
    byPath({}),
    byPath({ parameters: [{ name: "q", in: "query", required: true, schema: text }] }),
  ],
  ["request-parameter-type-generalized", INFO, parameter(text), list(text)],
  ["request-parameter-type-generalized", INFO, parameter({ type: ["string", "null"] }), list(text)],
  ["request-parameter-type-changed", ERR, parameter(text), list(text, { explode: false })],
  ["request-parameter-type-changed", ERR, parameter(text), list(text, { style: "pipeDelimited" })],
  ["request-parameter-type-changed", ERR, list(text), parameter(text)],
  ["request-property-type-changed", ERR, sent(object(text)), sent(object({ type: "array", items: text }))],
  [
    "response-required-property-removed",
    ERR,
    received({ type: "object", properties: { constructor: text, a: text }, required: ["constructor"] }),
    received({ type: "object", properties: { a: text } }),
  ],
  ["request-body-became-not-nullable", ERR, sent({ enum: ["x", null] }), sent({ enum: ["x"] })],
  ["response-body-became-nullable", ERR, received({ enum: ["x"] }), received({ enum: ["x", null] })],
  [
    "request-body-max-decreased",
    ERR,
    sent({ allOf: [{ ...number, maximum: 5 }, { maximum: 9 }] }),
    sent({ allOf: [{ ...number, maximum: 5 }, { maximum: 3 }] }),
  ],
  [
    "response-body-pattern-changed",
    INFO,
    received({ ...text, pattern: "a", allOf: [{ ...text, pattern: "b" }] }),
    received({ ...text, pattern: "a", allOf: [{ ...text, pattern: "c" }] }),
  ],
]

const kinds = suite("kinds of changes")

for (const [i, [kind, severity, before, after]] of [...rows, ...hidden].entries()) {
  kinds(`${i}: ${kind} is ${severity}`, () => {
    const changes = compareDocuments(before, after).filter((one) => one.kind !== "endpoint-added" || kind === one.kind)
    assert.equal(
      changes.map((one) => [one.kind, one.severity]),
      [[kind, severity]],
    )
    assert.match(changes[0]?.message ?? "", /^[\S ]{8,}$/)
  })
}

/** Pairs of documents without a change. */
const same: Readonly<Record<string, readonly [Data, Data]>> = {
  "names of parameters in paths": [
    createDocument({ parameters: [{ name: "id", in: "path", required: true, schema: text }] }),
    createDocument({ parameters: [{ name: "task", in: "path", required: true, schema: text }] }, {}, "/tasks/{task}"),
  ],
  "the name of a type": [
    received(ref("A"), { schemas: { A: object(text) } }),
    received(ref("A"), { schemas: { A: { allOf: [object(text)] } } }),
  ],
  "spellings of null": [
    received(object({ type: ["string", "null"] })),
    received(object({ anyOf: [{ type: "null" }, text] })),
  ],
  "the order of a union": [received(union("A", "B"), shapes), received(union("B", "A"), shapes)],
  "a type that contains itself": [
    received(ref("A"), { schemas: { A: object(ref("A")) } }),
    received(ref("A"), { schemas: { A: object(ref("A")) } }),
  ],
  "a response that moves into the components": [
    createDocument({ responses: { 200: {}, 404: media("a/b") } }),
    createDocument(
      { responses: { 200: {}, 404: { $ref: "#/components/responses/N" } } },
      { responses: { N: media("a/b") } },
    ),
  ],
  "a reference to another part of the document": [
    received({ $ref: "#/components/schemas/A/properties/a" }, { schemas: { A: object(text) } }),
    received(text, { schemas: { A: object(text) } }),
  ],
  "parts of allOf in a circle": [
    received(ref("A"), { schemas: { A: { allOf: [ref("B")] }, B: { allOf: [ref("A")], ...object(text) } } }),
    received(ref("A"), { schemas: { A: { allOf: [ref("B")] }, B: { allOf: [ref("A")], ...object(text) } } }),
  ],
  "a union that is only itself": [
    received(ref("A"), { schemas: { A: { oneOf: [ref("A")] } } }),
    received(ref("A"), { schemas: { A: { oneOf: [ref("A")] } } }),
  ],
  "properties of allOf that refer back to the same allOf": [received(ref("A"), circle()), received(ref("A"), circle())],
  "a limit in another part": [
    sent({ allOf: [{ ...number, maximum: 5 }, { maximum: 3 }] }),
    sent({ ...number, maximum: 3 }),
  ],
  "what the other side sends": [
    sent(object({ ...text, readOnly: true })),
    sent({ type: "object", properties: { b: { ...text, readOnly: true } }, required: ["b"] }),
  ],
  "a new required property that clients do not send": [
    sent({ type: "object" }),
    sent(object({ ...text, readOnly: true })),
  ],
  "an answer without what clients only send": [
    received(object({ ...text, writeOnly: true })),
    received({ type: "object" }),
  ],
  "descriptions and examples": [parameter(text), parameter({ ...text, examples: ["a"] }, { description: "Text." })],
}
for (const [name, [before, after]] of Object.entries(same)) {
  kinds(`${name} ${name.includes(" and ") ? "are" : "is"} no change`, () => {
    assert.equal(compareDocuments(before, after), [])
  })
}

kinds("a position inside of arrays, records and unions is named", () => {
  const deep = (leaf: Data) => {
    const list = { type: "array", items: object({ type: "object", additionalProperties: leaf }) }
    return received({
      oneOf: [object({ const: "a" }), { type: "object", properties: { list }, required: ["list"] }],
    })
  }
  const [change] = compareDocuments(deep(text), deep(number))
  assert.equal(
    [change?.kind, change?.place, change?.message],
    ["response-property-type-changed", "answer 200", "list[].a[…] is number now, and was string"],
  )
})

kinds("a member without a name in a union is described by its content", () => {
  const both = { type: "object", properties: { size: text, unit: text } }
  const before = received({ oneOf: [object({ const: "a" }), number] })
  const after = received({ oneOf: [object({ const: "a" }), object({ const: "b" }), number, both] })
  assert.equal(
    compareDocuments(before, after).map(({ message }) => message),
    ['it can be object with a: "b" now', "it can be object with size, unit now"],
  )
})

kinds("an operation that now requires credentials, or no longer accepts known credentials, causes a warning", () => {
  const shown = (before: Data, after: Data) =>
    compareDocuments(before, after).map(({ severity, message }) => `${severity}: ${message}`)
  assert.equal(shown(plain, secured({ a: [], b: [] })), ["warning: it needs a and b now"])
  assert.equal(shown(secured({ a: [] }, { b: [] }), secured({ b: [] })), ["warning: it no longer accepts a"])
})

kinds.run()

const command = suite("fw openapi diff")

const route = (body: string) => `import type { Context } from "fw"
interface Task { id: number; due?: string }
export function Get(c: Context) { return c.json(200, ${body} as Task) }
`
const old = route("{ id: 1 }")
const next = route('{ id: "1" }').replace("id: number", "id: string")

/** Returns a function that runs git in a folder. */
const gitIn =
  (cwd: string) =>
  (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
      cwd,
      stdio: "pipe",
    })

/** Creates a project in a subfolder of a repository, with a change that is not committed. */
function repository(): string {
  const top = makeProject({ "web/package.json": '{ "name": "shop", "type": "module" }' }, ["fw", "typescript"])
  const cwd = join(top, "web")
  write(cwd, { "app/api/task/route.ts": old })
  writeFileSync(join(top, ".gitignore"), "node_modules\n.fw\n")
  const git = gitIn(top)
  git("init", "--quiet")
  git("add", "--all")
  git("commit", "--quiet", "--message", "Start")
  git("tag", "v1")
  write(cwd, { "app/api/task/route.ts": next })
  return cwd
}

command(
  "a revision of the project is compared with its current files, and the repository does not change",
  async () => {
    const cwd = repository()
    const status = () => execFileSync("git", ["status", "--short"], { cwd, encoding: "utf8" })
    const before = status()
    const { code, stdout } = await fw(["openapi", "diff", "v1", "--fail-on", "breaking"], {
      cwd,
      env: process.env,
    })
    assert.is(code, 1)
    assert.is(
      stdout,
      "GET /api/task\n  breaking  answer 200: id is string now, and was number\n\n1 breaking, 0 warning, 0 info\n",
    )
    assert.is(status(), before)
    assert.is(readFileSync(join(cwd, "app/api/task/route.ts"), "utf8"), next)
    assert.equal(readdirSync(join(cwd, ".fw")), [])
    const same = await fw(["openapi", "diff", "v1", "v1"], { cwd, env: process.env })
    assert.equal([same.code, same.stdout], [0, "No change from v1 to v1\n"])
  },
)

command("the functions of a project are also followed in a revision, so that there are no false changes", async () => {
  const cwd = repository()
  write(cwd, {
    "lib/go.ts":
      'import type { Context } from "fw"\nexport function goTo(c: Context): Response {\n  return c.redirect(303, "/")\n}\n',
    "app/api/task/route.ts":
      'import type { Context } from "fw"\nimport { goTo } from "../../../lib/go.ts"\nexport const Post = (c: Context) => goTo(c)\n',
  })
  const git = gitIn(cwd)
  git("add", "--all")
  git("commit", "--quiet", "--message", "Go")
  const { code, stdout } = await fw(["openapi", "diff", "HEAD"], { cwd, env: process.env })
  assert.equal([code, stdout], [0, "No change from HEAD to the project\n"])
})

command("a document of a revision, and files in JSON and YAML, can be compared", async () => {
  const cwd = repository()
  await fw(["openapi", "generate", "--output", "openapi.json"], { cwd })
  const git = gitIn(cwd)
  git("add", "openapi.json")
  git("commit", "--quiet", "--message", "Add the document")
  write(cwd, { "app/api/task/route.ts": next.replace("due?: string", "due: string") })
  await fw(["openapi", "generate", "--output", "new.yaml", "-f", "yaml"], { cwd })
  for (const argv of [["HEAD:openapi.json"], ["HEAD:openapi.json", "new.yaml"], ["openapi.json", "new.yaml"]]) {
    const { stdout } = await fw(["openapi", "diff", ...argv, "--json"], { cwd, env: process.env })
    const { data } = JSON.parse(stdout)
    assert.equal(data.old, argv[0])
    assert.equal(data.counts, { breaking: 0, warning: 0, info: 1 }, stdout)
    assert.equal(data.changes, [
      {
        severity: "info",
        kind: "response-property-became-required",
        method: "GET",
        path: "/api/task",
        place: "answer 200",
        message: "due is required now",
      },
    ])
  }
})

const failures: readonly (readonly [flag: string[], code: number])[] = [
  [[], 0],
  [["--fail-on", "breaking"], 0],
  [["--fail-on", "warning"], 1],
  [["--fail-on", "info"], 1],
]
for (const [flag, expected] of failures) {
  command(`a warning ends with exit code ${expected} with ${flag.join(" ") || "no flag"}`, async () => {
    const cwd = makeProject({ "a.json": JSON.stringify(parameter(text)), "b.json": JSON.stringify(plain) }, [])
    const { code, stdout } = await fw(["openapi", "diff", "a.json", "b.json", ...flag], { cwd })
    assert.is(code, expected)
    assert.match(stdout, /warning {3}query parameter q: the parameter was removed\n/)
  })
}

for (const name of ["v0.9", "v0.9:openapi.json", "--upload-pack=x", "app"]) {
  command(`${name} is refused if it is neither a file nor a revision`, async () => {
    const cwd = repository()
    const { code, stderr } = await fw(["openapi", "diff", "--", name], { cwd, env: process.env })
    assert.is(code, 1)
    assert.match(stderr, `${name} is neither a file nor a revision of git`)
  })
}

command("a document with parts of a wrong type is refused", async () => {
  const broken = { openapi: "3.1.0", paths: { "/a": { get: { tags: null, security: 5 } } } }
  const valid = { openapi: "3.1.0", paths: { "/a": { get: {} } } }
  const cwd = makeProject({ "a.json": JSON.stringify(broken), "b.json": JSON.stringify(valid) }, [])
  const { code, stderr } = await fw(["openapi", "diff", "a.json", "b.json"], { cwd })
  assert.is(code, 1)
  assert.match(stderr, /a\.json and b\.json cannot be compared: one of them is not a valid OpenAPI 3 document/)
})

command("a project without TypeScript is refused, because changes of types would not be found", async () => {
  const cwd = makeProject({ "app/api/task/route.ts": old, "a.json": JSON.stringify(plain) }, ["fw"])
  const { code, stderr } = await fw(["openapi", "diff", "a.json", "--fail-on", "breaking"], { cwd })
  assert.is(code, 1)
  assert.match(stderr, /the project cannot be compared: .*TypeScript/)
})

command.run()
