/** Validators of random types and their JSON Schemas, which ajv compiles, accept and refuse the same values. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compareWithAjv } from "../../support/bin/validators/agreement.ts"
import { hardTypes } from "../../support/bin/validators/hard-types.ts"
import { importValidators, readInputs } from "../../support/bin/validators/inputs.ts"

test("20 random types agree with ajv", async () => {
  const { shared, types } = hardTypes(15, 7)
  const read = await readInputs(
    shared,
    types.map((type) => ({ type })),
  )
  assert.equal(read.problems.flat(), [])
  const written = await importValidators(read.validators)
  const { accepted, refused, differences } = compareWithAjv(read.validators, written, 60)
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
  assert.throws(() => dated?.input({ target: "draft-07" }), /draft-2020-12 only/)
})

test.run()
