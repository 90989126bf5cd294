/**
 * Tests of values that are made to exhaust a validator: they are refused with few issues, and in time that is
 * proportional to their size.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { writeValidators } from "../../../bin/validators/write-validators.ts"
import {
  importValidators,
  type ReadInputs,
  readInputs,
  type WrittenValidator,
} from "../../support/bin/validators/inputs.ts"

const shared = `
export interface Tree { value: number; children: Tree[] }
export interface Chain { next?: Chain; value?: string }
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Deep = { left?: Deep; value: number } | { left?: Deep; value: string }
export interface Texts {
  /** @maxLength 5 @format email */
  email?: string
  /** @format uri */
  uri?: string
  /** @format hostname */
  host?: string
  path?: \`\${string}a\${string}b\${string}c\${string}d\`
  number?: \`\${string}\${number}\${string}\${number}x\`
  at?: Date
  big?: bigint
}
`
const names = ["Tree", "Chain", "Json", "Deep", "Texts", "Record<string, number>", "{ list: string[] }"]

const hostile = suite("hostile values")
let read: ReadInputs
let validators: Record<string, WrittenValidator["~standard"]>

hostile.before(async () => {
  read = await readInputs(
    shared,
    names.map((type) => ({ type })),
  )
  assert.equal(read.problems.flat(), [])
  const written = await importValidators(read.validators)
  validators = Object.fromEntries(names.map((name, i) => [name, (written[i] as WrittenValidator)["~standard"]]))
})

/** Returns a value that is wrapped in a number of levels. */
function nested(levels: number, wrap: (inner: unknown) => unknown, inner: unknown = null): unknown {
  let made = inner
  for (let i = 0; i < levels; i++) made = wrap(made)
  return made
}

const deep: ReadonlyArray<readonly [type: string, wrap: (inner: unknown) => unknown, inner: unknown]> = [
  ["Tree", (inner) => ({ value: 1, children: [inner] }), { value: 1, children: [] }],
  ["Chain", (next) => ({ next }), {}],
  ["Json", (inner) => [inner], 1],
  ["Json", (a) => ({ a }), 1],
  ["Deep", (left) => ({ left, value: 1 }), { value: 1 }],
  ["Deep", (left) => ({ left, value: 1 }), { value: null }],
]

for (const [type, wrap, inner] of deep) {
  hostile(`${type} with 100,000 levels of ${JSON.stringify(wrap("…"))} is refused`, () => {
    const { issues = [] } = (validators[type] as WrittenValidator["~standard"]).validate(nested(100_000, wrap, inner))
    assert.ok(issues.length > 0 && issues.length <= 21)
    assert.ok(JSON.stringify(issues).length < 50_000)
  })
}

hostile("a value with 100 levels is accepted", () => {
  for (const [type, wrap, inner] of deep.slice(0, 5))
    assert.is(
      (validators[type] as WrittenValidator["~standard"]).validate(nested(100, wrap, inner)).issues,
      undefined,
      type,
    )
})

hostile("members of a union that share parts do not visit the shared parts again at every level", () => {
  // If validators did not remember visited values, two members at 60 levels would need 2 ** 60 visits.
  const value = nested(60, (left) => ({ left, value: 1 }), { value: null })
  assert.ok((validators.Deep as WrittenValidator["~standard"]).validate(value).issues)
})

hostile("issues are bounded in number and size, and no key or value of the client is repeated in full", () => {
  const long = "k".repeat(100_000)
  const values = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${long}${i}`, "secret"]).slice(0, 30))
  const { issues = [] } = (validators["Record<string, number>"] as WrittenValidator["~standard"]).validate(values)
  assert.is(issues.length, 21)
  assert.match(issues.at(-1)?.message ?? "", "more issues")
  const text = JSON.stringify(issues)
  assert.ok(text.length < 10_000 && !text.includes("secret"))
})

hostile("a list of wrong items is not read to its end", () => {
  const list = Array.from({ length: 100_000 }, () => 1)
  const { issues = [] } = (validators["{ list: string[] }"] as WrittenValidator["~standard"]).validate({
    list,
  })
  assert.is(issues.length, 21)
})

/** Texts of a given length for which patterns try many ways to match. */
const texts: ReadonlyArray<readonly [property: string, text: (length: number) => string]> = [
  ["email", (length) => `${"a".repeat(length)}@`],
  ["email", (length) => `a@${"a-".repeat(length / 2)}`],
  ["email", (length) => `a@${"a.".repeat(length / 2)}`],
  ["uri", (length) => `a:${"/a".repeat(length / 2)} `],
  ["uri", (length) => `a://${"@:".repeat(length / 2)} `],
  ["host", (length) => `${"a-".repeat(length / 2)}.`],
  ["path", (length) => "abc".repeat(length / 3)],
  ["number", (length) => "1".repeat(length)],
  ["number", (length) => "1.".repeat(length / 2)],
  ["at", (length) => `2020-01-01T00:00:00.${"0".repeat(length)}`],
  ["big", (length) => "9".repeat(length)],
]

for (const [property, make] of texts) {
  hostile(`${property} with 200,000 characters like ${make(6)} is refused`, () => {
    // A pattern that tries every combination would not end.
    const { issues } = (validators.Texts as WrittenValidator["~standard"]).validate({
      [property]: make(200_000),
    })
    assert.is(issues?.length, property === "email" ? 2 : 1)
  })
}

hostile("results do not change prototypes, and contain no inherited properties", () => {
  const value = JSON.parse('{"__proto__": 1, "constructor": 2}')
  const result = (validators["Record<string, number>"] as WrittenValidator["~standard"]).validate(value)
  assert.ok(!result.issues && Object.getPrototypeOf(result.value) === Object.prototype)
  assert.equal(Object.keys((result as { value: object }).value), ["__proto__", "constructor"])
})

hostile("the same types give the same text in every run, without eval", async () => {
  const text = writeValidators(read.validators)
  const again = await readInputs(
    `\n\n${shared}`,
    names.map((type) => ({ type })),
  )
  assert.is(writeValidators([...again.validators].reverse()), text)
  assert.not.match(text, /\beval\b|new Function/)
})

hostile("a nameless type that doubles with every level is written once per level", async () => {
  const levels = Array.from({ length: 30 }, (_, i) => `const d${i + 1} = { a: d${i}, b: d${i} }`)
  const shared = `const d0 = { n: 1 }\n${levels.join("\n")}\nexport const top = d30\n`
  const { validators, problems } = await readInputs(shared, [{ type: "typeof top" }])
  assert.equal(problems, [[]])
  assert.ok(writeValidators(validators).length < 200_000)
})

hostile.run()
