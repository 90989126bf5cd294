/** Tests of the schemas of types that nest, grow or inherit. All types are in one project, which is read once. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const string = { type: "string" }
const number = { type: "number" }
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const keys = Array.from({ length: 300 }, (_, i) => `k${i}`)
const chain = Array.from({ length: 60 }, (_, i) => `export interface L${i} { n: L${i + 1} }`)

const shared = `
${chain.join("\n")}
export interface L60 { end: string }
export type Many = ${keys.map((key) => `"${key}"`).join(" | ")}
export class Failure extends Error { constructor(readonly code: number) { super("x") } }
export class Named extends Failure { override name = "Named"; detail?: string }
export interface Problem extends Error { status: number }
export class Stack extends Array<number> { extra = 1 }
export interface Tags extends ReadonlyArray<string> { readonly first?: string }
export class Registry extends Map<string, number> { label = "x" }
export class Box<T> { constructor(readonly value: T) {} }
export interface Page<T> { items: T[] }
export namespace A { export interface Same { a: 1 } }
export namespace B { export interface Same { b: 2 } }
export type Partial2<T> = { [K in keyof T]?: T[K] extends object ? Partial2<T[K]> : T[K] }
export interface Grow<T> { value: T; left?: Grow<T[]>; right?: Grow<Box<T>> }
export interface Wrap<T> { value: T; next?: Wrap<{ in: T }> }
export class Plain { toJSON() { return "x" } }
export class Converted { toJSON() { return { plain: new Plain(), again: this as Converted | null } } }
export interface Wire { at: string }
export class AsWire { toJSON(): Wire { return { at: "x" } } }
export type Maybe = Wire | undefined
export interface Holder { maybe: Maybe; wire: Wire | null }
export const columns = { id: 1, createdAt: new Date(), active: true, by: "x" }
export type Mapped<T extends object> = { [K in keyof T]: T[K] }
export type Picked<T extends object> = { [K in keyof T & string as K extends "by" ? never : K]: T[K] }
`

/** A type, and the schema of the JSON that JSON.stringify writes for it. */
const rows: ReadonlyArray<readonly [type: string, schema: unknown]> = [
  ["L0", ref("L0")],
  ["{ x: [] }", object({ x: { type: "array", items: {}, maxItems: 0 } })],
  [
    "[...string[], number]",
    { type: "array", items: { type: ["string", "number"] }, minItems: 1, contains: number, maxContains: 1 },
  ],
  [
    "[boolean, ...string[], number]",
    {
      type: "array",
      prefixItems: [{ type: "boolean" }],
      items: { type: ["string", "number"] },
      minItems: 2,
      contains: number,
      maxContains: 1,
    },
  ],
  [
    "{ [k: `n-${string}`]: number; [k: `s-${string}`]: string; id: string }",
    { ...object({ id: string }), patternProperties: { "^n-[\\s\\S]*$": number, "^s-[\\s\\S]*$": string } },
  ],
  [
    "{ [k: `n-${number}`]: 1; [k: string]: 1 | 2 }",
    {
      type: "object",
      patternProperties: { "^n--?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$": { type: "number", const: 1 } },
      additionalProperties: { type: "number", enum: [1, 2] },
    },
  ],
  ["Partial<Record<Many, number>>", object(Object.fromEntries(keys.toSorted().map((key) => [key, number])), [])],
  ["Failure", ref("Failure")],
  ["Named", ref("Named")],
  ["Problem", ref("Problem")],
  ["Stack", ref("Stack")],
  ["Tags", ref("Tags")],
  ["Registry", ref("Registry")],
  ["A.Same", ref("ASame")],
  ["B.Same", ref("BSame")],
  ["Box<A.Same>", ref("BoxASame")],
  ["Page<Page<Wire>>", ref("PagePageWire")],
  ["Partial2<L0>", ref("Partial2L0")],
  ["Grow<string>", ref("GrowString")],
  ["Wrap<string>", ref("WrapString")],
  ["Plain", string],
  ["Converted", ref("Converted")],
  ["AsWire", ref("Wire")],
  ["Holder", ref("Holder")],
  ["Maybe[]", { type: "array", items: { anyOf: [ref("Wire"), { type: "null" }] } }],
  [
    "Mapped<typeof columns>",
    object({
      id: number,
      createdAt: { type: "string", format: "date-time" },
      active: { type: "boolean" },
      by: string,
    }),
  ],
  [
    "Picked<typeof columns>",
    object({ active: { type: "boolean" }, createdAt: { type: "string", format: "date-time" }, id: number }),
  ],
]

const components: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(chain.map((_, i) => [`L${i}`, object({ n: ref(`L${i + 1}`) })])),
  L60: object({ end: string }),
  Failure: object({ code: number }),
  Named: object({ code: number, name: string, detail: string }, ["code", "name"]),
  Problem: object({ status: number }),
  Stack: { type: "array", items: number },
  Tags: { type: "array", items: string },
  Registry: object({ label: string }),
  ASame: object({ a: { type: "number", const: 1 } }),
  BSame: object({ b: { type: "number", const: 2 } }),
  BoxASame: object({ value: ref("ASame") }),
  PagePageWire: object({ items: { type: "array", items: ref("PageWire") } }),
  Partial2L0: object({ n: ref("Partial2L1") }, []),
  Partial2L59: object({ n: ref("Partial2L60") }, []),
  Converted: object({ plain: string, again: { anyOf: [ref("Converted"), { type: "null" }] } }),
  Holder: object({ maybe: ref("Wire"), wire: { anyOf: [ref("Wire"), { type: "null" }] } }, ["wire"]),
  GrowString: object({ value: string, left: ref("GrowStringArray"), right: ref("GrowBoxString") }, ["value"]),
}

const types = suite("types")
let made: ProjectDocument

types.before(async () => {
  const files = rows.map(([type], i) => {
    const names = [...shared.matchAll(/export (?:interface|type|class|namespace) (\w+)/g)].map(([, name]) => name)
    const used = [...new Set(names)].filter((name) => new RegExp(`\\b${name}\\b`).test(type))
    const text = `import type { Context } from "fw"\nimport type { ${used.join(", ")} } from "../../types.ts"\nimport { columns } from "../../types.ts"\nvoid columns\ndeclare const value: ${type}\nexport function Get(c: Context) { return c.json(200, { value }) }\n`
    return [`app/t${i}/route.ts`, text] as const
  })
  const root = makeProject({ "types.ts": shared, ...Object.fromEntries(files) }, ["fw", "typescript"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

type Item = {
  get: {
    responses: { 200: { content: { "application/json": { schema: { properties: { value: unknown } } } } } }
  }
}

for (const [i, [type, schema]] of rows.entries()) {
  types(`${type} becomes ${JSON.stringify(schema)}`, () => {
    const item = (made.document.paths as Record<string, Item>)[`/t${i}`] as Item
    const { value } = item.get.responses[200].content["application/json"].schema.properties
    assert.equal(value, schema)
    // assert.equal() ignores the order of keys, so the texts are compared too.
    assert.is(JSON.stringify(value), JSON.stringify(schema))
  })
}

types("each named type becomes a component with its schema", () => {
  const { schemas } = made.document.components as { schemas: Record<string, unknown> }
  for (const [name, schema] of Object.entries(components)) {
    assert.equal(schemas[name], schema, name)
    assert.is(JSON.stringify(schemas[name]), JSON.stringify(schema))
  }
})

types("types that grow without end are cut with a warning, and other types are not cut", () => {
  const growing = ["Grow<string>", "Wrap<string>"].map((type) => rows.findIndex(([row]) => row === type))
  const { schemas } = made.document.components as { schemas: Record<string, unknown> }
  const grown = Object.keys(schemas).filter((name) => /^(?:Grow|Wrap)/.test(name))
  assert.ok(grown.length > 4 && grown.length < 64, `${grown.length} components grew: ${grown}`)
  const messages = new Set(made.warnings.map(({ message }) => message))
  assert.equal(
    [...messages],
    ["JSON makes {} of a value of type Map", "a type grows with every level"].filter((text) => messages.has(text)),
  )
  assert.ok(messages.has("a type grows with every level"), `no warning says that a type grows, of the types ${growing}`)
})

types.run()
