/** Validators of random types and their JSON Schemas, which ajv compiles, accept and refuse the same values. */
import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compareWithAjv } from "../../support/bin/validators/agreement.ts"
import { hardTypes } from "../../support/bin/validators/hard-types.ts"
import { importValidators, readInputs } from "../../support/bin/validators/inputs.ts"

for (const target of ["draft-2020-12", "draft-07"] as const)
  test(`20 random types agree with ajv and ${target}`, async () => {
    const { shared, types } = hardTypes(15, 7)
    const read = await readInputs(
      shared,
      types.map((type) => ({ type })),
    )
    assert.equal(read.problems.flat(), [])
    const written = await importValidators(read.validators)
    const { accepted, refused, differences } = compareWithAjv(read.validators, written, 60, 1, target)
    assert.equal(differences.slice(0, 3), [])
    assert.ok(accepted > 200 && refused > 200, `${accepted} accepted, ${refused} refused`)
  })

test("the JSON Schema of a result has what a default fills, and is refused for dates", async () => {
  const shared = `
export interface Filled {
  /** @default 20 */
  limit: number
}
export interface Dated { at: Date }
`
  const read = await readInputs(shared, [{ type: "Filled" }, { type: "Dated" }])
  const [filled, dated] = (await importValidators(read.validators)).map((one) => one["~standard"].jsonSchema)
  const target = { target: "draft-2020-12" }
  assert.equal(filled?.input(target), {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $ref: "#/$defs/Filled",
    $defs: { Filled: { type: "object", properties: { limit: { type: "number", default: 20 } } } },
  })
  const { $defs } = filled?.output(target) ?? {}
  assert.equal(($defs as { Filled: { required: unknown } }).Filled.required, ["limit"])
  assert.throws(() => dated?.output(target), /dates, bigints or files/)
  for (const target of ["draft-04", "toString", ""])
    assert.throws(
      () => dated?.input({ target }),
      /the targets of a JSON Schema are draft-2020-12, draft-07, openapi-3.0/,
    )
})

/** Tuples with items after the rest. */
const tuples = [
  "[...string[], number]",
  "[string, ...number[], boolean]",
  "[boolean, ...string[], boolean]",
  "[...(string | number)[], boolean]",
  "[...number[], number]",
  // Of several types at the end, only the sum is counted.
  "[...string[], number, boolean]",
]

/** Returns a list in every order. */
function ordersOf(list: readonly unknown[]): unknown[][] {
  if (list.length === 0) return [[]]
  return list.flatMap((first, i) => ordersOf(list.toSpliced(i, 1)).map((rest) => [first, ...rest]))
}

/** Returns all lists of at most `most` of some items. */
function listsOf(items: readonly unknown[], most: number): unknown[][] {
  if (most === 0) return [[]]
  const shorter = listsOf(items, most - 1)
  return [[], ...items.flatMap((item) => shorter.map((list) => [item, ...list]))]
}

test("the schema of a tuple accepts too much only where the order of the items is wrong", async () => {
  const read = await readInputs(
    "",
    tuples.map((type) => ({ type })),
  )
  const written = await importValidators(read.validators)
  for (const target of ["draft-2020-12", "draft-07", "openapi-3.0"])
    for (const [i, type] of tuples.entries()) {
      const { validate, jsonSchema } = (written[i] as (typeof written)[0])["~standard"]
      const fits = (value: unknown) => validate(value).issues === undefined
      const ajv = new (target === "draft-07" ? Ajv : Ajv2020)({ strict: false })
      const fitsSchema = ajv.compile(jsonSchema.input({ target }))
      for (const value of listsOf(["a", 1, true, null], 3)) {
        const text = `${target}, ${type}: ${JSON.stringify(value)}`
        if (fits(value)) assert.ok(fitsSchema(value), text)
        else if (target === "draft-2020-12" && i < tuples.length - 1)
          assert.ok(!fitsSchema(value) || ordersOf(value).some(fits), text)
      }
    }
})

const shared = `
export interface Point {
  /** @exclusiveMinimum 0 */
  x: number
  /** @minimum 1 @exclusiveMinimum 0 */
  y: number
}
export interface Words {
  kind: "words"
  pair: [string, number?]
  rest: [Point, ...string[]]
  none: []
  nothing: null
  maybe: string | null
  several: string | number | null
  either: Point | null
  /**
   * Where it began.
   *
   * @example {"x": 1, "y": 1}
   */
  start: Point
  byName: { [name: \`n-\${string}\`]: number }
  file?: { [name: string]: Point }
}
`

test("JSON Schemas of older targets describe the same values", async () => {
  const read = await readInputs(shared, [{ type: "Words" }])
  const [words] = (await importValidators(read.validators)).map((one) => one["~standard"].jsonSchema)
  const of = (target: string) => {
    const { $schema, definitions, ...root } = words?.input({ target }) ?? {}
    const { Words, Point } = definitions as Record<string, { properties: Record<string, unknown> }>
    return { $schema, root, words: Words?.properties ?? {}, point: Point?.properties }
  }
  const point = { $ref: "#/definitions/Point" }
  const old = of("draft-07")
  assert.is(old.$schema, "http://json-schema.org/draft-07/schema#")
  assert.equal(old.root, { $ref: "#/definitions/Words" })
  assert.equal(old.words.pair, {
    type: "array",
    minItems: 1,
    maxItems: 2,
    items: [{ type: "string" }, { type: "number" }],
    additionalItems: false,
  })
  assert.equal(old.words.start, {
    description: "Where it began.",
    examples: [{ x: 1, y: 1 }],
    allOf: [point],
  })
  const open = of("openapi-3.0")
  assert.is(open.$schema, undefined)
  const text = { type: "string" }
  const number = { type: "number" }
  assert.equal(open.words, {
    kind: { ...text, enum: ["words"] },
    pair: { type: "array", minItems: 1, maxItems: 2, items: { anyOf: [text, number] } },
    rest: { type: "array", minItems: 1, items: { anyOf: [point, text] } },
    none: { type: "array", maxItems: 0, items: {} },
    nothing: { type: "object", nullable: true, enum: [null] },
    maybe: { ...text, nullable: true },
    several: { anyOf: [text, number].map((one) => ({ ...one, nullable: true })) },
    either: { anyOf: [point, { type: "object", nullable: true, enum: [null] }] },
    start: { description: "Where it began.", example: { x: 1, y: 1 }, allOf: [point] },
    byName: { type: "object", additionalProperties: number },
    file: { type: "object", additionalProperties: point },
  })
  assert.equal(open.point, {
    x: { ...number, minimum: 0, exclusiveMinimum: true },
    y: { ...number, minimum: 1 },
  })
})

test.run()
