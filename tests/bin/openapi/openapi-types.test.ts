/** Tests of the schemas of types that handlers answer with. All types are read in one program. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { shared } from "../../support/bin/openapi/openapi-types.ts"

const string = { type: "string" }
const number = { type: "number" }
const task = { $ref: "#/components/schemas/Task" }
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
})

/** A type, and the schema of the JSON that JSON.stringify writes for it. */
const rows: ReadonlyArray<readonly [type: string, schema: unknown]> = [
  ["string", string],
  ["number", number],
  ["boolean", { type: "boolean" }],
  ["null", { type: "null" }],
  ["any", {}],
  ["unknown", {}],
  ["object", { type: "object", additionalProperties: {} }],
  ["{}", { type: "object", additionalProperties: {} }],
  ["NonNullable<unknown>", { type: "object", additionalProperties: {} }],
  ["{ run(): void }", { type: "object" }],
  ["Record<never, never>", { type: "object" }],
  ["never[]", { type: "array", items: { not: {} } }],
  ['"a"', { type: "string", const: "a" }],
  ["1 | 2", { type: "number", enum: [1, 2] }],
  ["true", { type: "boolean", const: true }],
  [
    '"a" | 1',
    {
      anyOf: [
        { type: "string", const: "a" },
        { type: "number", const: 1 },
      ],
    },
  ],
  ['"a" | "b" | null', { type: ["string", "null"], enum: ["a", "b", null] }],
  ["string | null", { type: ["string", "null"] }],
  ["string | number", { type: ["string", "number"] }],
  ["string | number | null", { type: ["string", "number", "null"] }],
  ["boolean | null", { type: ["boolean", "null"] }],
  ["string[]", { type: "array", items: string }],
  ["readonly string[]", { type: "array", items: string }],
  ["(string | undefined)[]", { type: "array", items: { type: ["string", "null"] } }],
  ["(() => void)[]", { type: "array", items: { type: "null" } }],
  ["[string, number]", { type: "array", prefixItems: [string, number], items: false, minItems: 2, maxItems: 2 }],
  ["[string, number?]", { type: "array", prefixItems: [string, number], items: false, minItems: 1, maxItems: 2 }],
  // JSON Schema cannot describe items after a rest element, so only their number is checked.
  [
    "[...string[], number]",
    {
      type: "array",
      items: { type: ["string", "number"] },
      minItems: 1,
      contains: number,
      maxContains: 1,
    },
  ],
  [
    "[string, ...number[], boolean]",
    {
      type: "array",
      prefixItems: [string],
      items: { type: ["number", "boolean"] },
      minItems: 2,
      contains: { type: "boolean" },
      maxContains: 1,
    },
  ],
  [
    "[boolean, ...number[], string, boolean]",
    {
      type: "array",
      prefixItems: [{ type: "boolean" }],
      items: { type: ["number", "string", "boolean"] },
      minItems: 3,
      contains: { anyOf: [string, { type: "boolean" }] },
      minContains: 3,
      maxContains: 3,
    },
  ],
  ["[...number[], number]", { type: "array", items: number, minItems: 1 }],
  // An item of the rest may have the type of the last item.
  [
    '[...string[], "end"]',
    {
      type: "array",
      items: { anyOf: [{ type: "string", const: "end" }, string] },
      minItems: 1,
      contains: { type: "string", const: "end" },
    },
  ],
  ["[a: string, ...number[]]", { type: "array", prefixItems: [string], items: number, minItems: 1 }],
  ["{ a: string; b?: number }", object({ a: string, b: number }, ["a"])],
  ["{ a: string | undefined }", object({ a: string }, [])],
  ["{ a?: string | null }", object({ a: { type: ["string", "null"] } }, [])],
  ["{ a: undefined; b: () => void; c: symbol; d: never }", { type: "object" }],
  ["Record<string, number>", { type: "object", additionalProperties: number }],
  ['Record<"a" | "b", number>', object({ a: number, b: number })],
  [
    "{ [key: string]: string | number; a: string }",
    { ...object({ a: string }), additionalProperties: { type: ["string", "number"] } },
  ],
  ["{ [key: number]: string }", { type: "object", additionalProperties: string }],
  ["Date", { type: "string", format: "date-time" }],
  ["{ at: Date | null }", object({ at: { type: ["string", "null"], format: "date-time" } })],
  ["URL", { type: "string", format: "uri" }],
  ["Uint8Array", { type: "object", additionalProperties: number }],
  ["Map<string, number>", { type: "object" }],
  ["Set<string>", { type: "object" }],
  ["RegExp", { type: "object" }],
  ["bigint", { description: "A bigint, which JSON cannot hold: this answer fails when it is made." }],
  ["`/api/${string}`", { type: "string", pattern: "^\\/api\\/[\\s\\S]*$" }],
  [
    '`${number}-${"a" | "b"}`',
    {
      anyOf: ["a", "b"].map((end) => ({
        type: "string",
        pattern: `^-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?-${end}$`,
      })),
    },
  ],
  ["Uppercase<string>", string],
  ["Partial<Task>", object({ id: number, title: { description: "What to do.", type: "string" } }, [])],
  ['Omit<Task, "title">', object({ id: number })],
  [
    "Task & { extra: string }",
    object({ id: number, title: { description: "What to do.", type: "string" }, extra: string }, [
      "extra",
      "id",
      "title",
    ]),
  ],
  ["Task", task],
  ['import("../../z.ts").Task', { $ref: "#/components/schemas/ZTask" }],
  ['import("../../z.ts").Box<Task>', { $ref: "#/components/schemas/BoxTask" }],
  ["Task | null", { anyOf: [task, { type: "null" }] }],
  ["Task[]", { type: "array", items: task }],
  ["{ task?: Task }", object({ task }, [])],
  ["Readonly<Record<string, Task>>", { type: "object", additionalProperties: task }],
  ["Derived", { $ref: "#/components/schemas/Derived" }],
  ["Node1", { $ref: "#/components/schemas/Node1" }],
  ["Json", { $ref: "#/components/schemas/Json" }],
  ["Level", { $ref: "#/components/schemas/Level" }],
  ["Level.Low", { type: "string", const: "low" }],
  ["Size", { $ref: "#/components/schemas/Size" }],
  [
    "{ state?: State; other: State | null }",
    object(
      {
        state: { $ref: "#/components/schemas/State" },
        other: { anyOf: [{ $ref: "#/components/schemas/State" }, { type: "null" }] },
      },
      ["other"],
    ),
  ],
  ["Page<Task>", { $ref: "#/components/schemas/PageTask" }],
  ["Page<string>", { $ref: "#/components/schemas/PageString" }],
  [
    "Page<{ a: 1 }>",
    object({ items: { type: "array", items: object({ a: { type: "number", const: 1 } }) }, next: string }, ["items"]),
  ],
  ["Boxed<Task[]>", { $ref: "#/components/schemas/BoxedTaskArray" }],
  ["Nullable<string>", { type: ["string", "null"] }],
  ["Shape", { $ref: "#/components/schemas/Shape" }],
  ["Circle | Task", { anyOf: [{ $ref: "#/components/schemas/Circle" }, task] }],
  [
    "{ ok: true; v: 1 } | { ok: false; e: string }",
    {
      anyOf: [
        object({ ok: { type: "boolean", const: true }, v: { type: "number", const: 1 } }),
        object({ ok: { type: "boolean", const: false }, e: string }),
      ],
    },
  ],
  [
    '{ t: "a"; v: 1 } | { t: "b" }',
    {
      oneOf: [
        object({ t: { type: "string", const: "a" }, v: { type: "number", const: 1 } }),
        object({ t: { type: "string", const: "b" } }),
      ],
    },
  ],
  ["Id", string],
  ["{ id: Id }", object({ id: string })],
  ["Money", { $ref: "#/components/schemas/Money" }],
  ["Temperature", { $ref: "#/components/schemas/Temperature" }],
  ["Odd", { $ref: "#/components/schemas/Odd" }],
  ["Notes", { $ref: "#/components/schemas/Notes" }],
  ["(string & {}) | 'a'", { anyOf: [{ type: "string", const: "a" }, string] }],
  ["Deep<string>", { $ref: "#/components/schemas/DeepString" }],
  ["Awaited<Promise<Task>>", task],
  ["ReturnType<typeof JSON.parse>", {}],
  [
    "Readonly<{ a: readonly [1] }>",
    object({
      a: {
        type: "array",
        prefixItems: [{ type: "number", const: 1 }],
        items: false,
        minItems: 1,
        maxItems: 1,
      },
    }),
  ],
]

const components: ReadonlyArray<readonly [name: string, schema: unknown]> = [
  [
    "Task",
    {
      description: "A thing to do.\n\nWith more text.",
      ...object({ id: number, title: { description: "What to do.", type: "string" } }),
    },
  ],
  ["Derived", object({ z: string, a: { description: "Inherited.", type: "number" }, b: { type: "boolean" } })],
  ["Node1", object({ value: string, children: { type: "array", items: { $ref: "#/components/schemas/Node1" } } })],
  ["ZTask", object({ other: { type: "boolean", const: true } })],
  ["BoxTask", object({ value: task })],
  ["Level", { type: "string", enum: ["low", "high"] }],
  ["Size", { type: "number", enum: [0, 5] }],
  ["State", { type: "string", enum: ["done", "open"] }],
  ["PageTask", object({ items: { type: "array", items: task }, next: string }, ["items"])],
  [
    "Shape",
    {
      oneOf: [{ $ref: "#/components/schemas/Circle" }, { $ref: "#/components/schemas/Square" }],
      discriminator: {
        propertyName: "kind",
        mapping: { circle: "#/components/schemas/Circle", square: "#/components/schemas/Square" },
      },
    },
  ],
  ["Money", object({ currency: string })],
  ["Temperature", object({ celsius: number })],
  ["Odd", object({ "a-b": { type: "number", const: 1 }, ["__proto__"]: { type: "number", const: 2 } })],
  [
    "Notes",
    {
      type: "object",
      properties: {
        stars: { description: "Up to ten.", type: "number", minimum: 1, maximum: 10, examples: [3] },
        first: string,
        old: { type: "string", deprecated: true },
        second: { description: "The second.", type: "string" },
        mail: { type: "string", format: "email", pattern: "^.+@" },
        when: { type: "string", default: "now" },
      },
      required: ["stars", "first", "second", "mail"],
    },
  ],
]

const types = suite("types")
let made: ProjectDocument

types.before(async () => {
  const files = rows.map(([type], i) => {
    const names = [...shared.matchAll(/export (?:interface|type|enum|class) (\w+)/g)].map(([, name]) => name)
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(type))
    const imports = used.length > 0 ? `import type { ${used.join(", ")} } from "../../types.ts"\n` : ""
    const text = `import type { Context } from "fw"\n${imports}declare const value: ${type}\nexport function Get(c: Context) { return c.json(200, value) }\n`
    return [`app/t${i}/route.ts`, text] as const
  })
  const other =
    "export interface Task { other: true }\nexport class Box<T> { constructor(readonly value: T) {} open() {} }\n"
  const all = { "types.ts": shared, "z.ts": other, ...Object.fromEntries(files) }
  const root = makeProject(all, ["fw", "typescript"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

type Item = { get: { responses: { 200: { content: { "application/json": { schema: unknown } } } } } }

for (const [i, [type, schema]] of rows.entries()) {
  types(`${type} becomes ${JSON.stringify(schema)}`, () => {
    const item = (made.document.paths as Record<string, Item>)[`/t${i}`] as Item
    assert.equal(item.get.responses[200].content["application/json"].schema, schema)
  })
}

for (const [name, schema] of components) {
  types(`the component ${name} has the expected schema`, () => {
    const { schemas } = made.document.components as { schemas: Record<string, unknown> }
    assert.equal(schemas[name], schema)
  })
}

types("a type that JSON changes or refuses causes a warning with its position", () => {
  const warnings = made.warnings.map(({ message, at }) => `${at?.file}:${at?.line}: ${message}`)
  const at = (type: string) => `app/t${rows.findIndex(([row]) => row === type)}/route.ts:3`
  for (const text of [
    `${at("bigint")}: JSON cannot hold a bigint, and JSON.stringify throws`,
    `${at("Map<string, number>")}: JSON makes {} of a value of type Map`,
  ])
    assert.ok(warnings.includes(text), `this warning is missing: ${text}, in\n${warnings.join("\n")}`)
})

types.run()
