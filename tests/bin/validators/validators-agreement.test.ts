/**
 * Tests that the validators of random types accept and refuse the same values as their JSON Schemas, which ajv
 * compiles.
 */
import { Ajv2020 } from "ajv/dist/2020.js"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compareWithAjv } from "../../support/bin/validators/agreement.ts"
import { hardTypes } from "../../support/bin/validators/hard-types.ts"
import { importValidators, readInputs } from "../../support/bin/validators/inputs.ts"
import { toJSONSchema } from "../../support/bin/validators/json-schema.ts"

test("the validators of random types agree with ajv", async () => {
  const { shared, types } = hardTypes(15, 7)
  const read = await readInputs(
    shared,
    types.map((type) => ({ type })),
  )
  assert.equal(read.problems.flat(), [])
  const written = await importValidators(read.validators)
  const { accepted, refused, differences } = compareWithAjv(read.validators, written, 60)
  assert.equal(differences.slice(0, 3), [])
  assert.ok(accepted > 200 && refused > 200, `only ${accepted} values were accepted, and ${refused} refused`)
})

/** Tuples with items after the rest element. */
const tuples = [
  "[...string[], number]",
  "[string, ...number[], boolean]",
  "[boolean, ...string[], boolean]",
  "[...(string | number)[], boolean]",
  "[...number[], number]",
  // If items of several types follow the rest, only their total number is checked.
  "[...string[], number, boolean]",
]

/** Returns a list in every order. */
function listOrders(list: readonly unknown[]): unknown[][] {
  if (list.length === 0) return [[]]
  return list.flatMap((first, i) => listOrders(list.toSpliced(i, 1)).map((rest) => [first, ...rest]))
}

/** Returns all lists of at most `most` items. */
function createLists(items: readonly unknown[], most: number): unknown[][] {
  if (most === 0) return [[]]
  const shorter = createLists(items, most - 1)
  return [[], ...items.flatMap((item) => shorter.map((list) => [item, ...list]))]
}

test("the schema of a tuple accepts too much only where the order of the items is wrong", async () => {
  const read = await readInputs(
    "",
    tuples.map((type) => ({ type })),
  )
  const written = await importValidators(read.validators)
  for (const [i, type] of tuples.entries()) {
    const { validate } = (written[i] as (typeof written)[0])["~standard"]
    const fits = (value: unknown) => validate(value).issues === undefined
    const ajv = new Ajv2020({ strict: false })
    const fitsSchema = ajv.compile(toJSONSchema(read.validators[i] as (typeof read.validators)[0]))
    for (const value of createLists(["a", 1, true, null], 3)) {
      const text = `${type}: ${JSON.stringify(value)}`
      if (fits(value)) assert.ok(fitsSchema(value), `the schema refuses a valid value: ${text}`)
      else if (i < tuples.length - 1)
        assert.ok(
          !fitsSchema(value) || listOrders(value).some(fits),
          `the schema accepts a value that fits in no order: ${text}`,
        )
    }
  }
})

test.run()
