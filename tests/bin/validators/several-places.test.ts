/**
 * Tests of types that limit a value in several places: the validator and the JSON Schema apply all limits, or a
 * notice names the place that does not count.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { importValidators, readInputs } from "../../support/bin/validators/inputs.ts"
import { toJSONSchema } from "../../support/bin/validators/json-schema.ts"

const shared = `
export interface Base { /** @minimum 1 */ n: number }
interface Cat { kind: "cat"; /** @minimum 100 @maximum 500 */ n: number }
interface Dog { kind: "dog"; /** @maximum 500 */ n: number }
export type Pets = Pick<Cat | Dog, "n">
/** @minLength 3 */
export type Name = string
/** @maxLength 4 */
export type Short = Name
/** @minItems 2 */
export type Names = readonly Name[]
export type Pair = [/** @minimum 5 */ a: number, b?: string, /** @minimum 1 */ ...more: number[]]
export interface Task { title: string; /** @minimum 1 @default 3 */ priority?: number; /** @default 1 */ size: number }
export type Patch = Partial<Task>
export interface Change extends Partial<Task> { id: string }
export type Deep<T> = { [K in keyof T]?: T[K] extends object ? Deep<T[K]> : T[K] }
export type Path = \`/\${string}\` & \`\${string}.html\`
export type Renamed = { [K in keyof Base as \`x_\${K}\`]: Base[K] }
export type Kind = { kind: string; tags: string[] } & { kind: "A"; tags: ["A"] }
export interface Twice { /** @minimum 1 */ n: number }
export interface Twice { /** @maximum 5 */ n: number }
export type Json = string | Json[] | { [k: string]: Json }
export type Box<T> = { value: T }
export type Limited = { [k: \`n_\${string}\`]: Short }
`

/**
 * A type, values that it accepts (as a pair with the result, if that differs), values that it refuses, and the
 * notices.
 */
type Row = readonly [type: string, right: readonly unknown[], wrong: readonly unknown[], notices?: string]
const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown

const rows: readonly Row[] = [
  ["Path", ["/a.html"], ["/a.txt", "a.html"]],
  ["{ path: Path }", [{ path: "/a.html" }], [{ path: "/a.txt" }]],
  ["{ [k: Path]: 1 }", [{ "/a.html": 1 }], []],
  ["`${number}-${string}` & `${string}-b`", ["1-b", "1-a-b"], ["1-a", "a-b"]],
  ["string[] & ['A']", [["A"]], [["B"], [], ["A", "A"]]],
  ["number[] & [number, number]", [[1, 2]], [[1], [1, "2"]]],
  ["readonly string[] & string[]", [["a"], []], [[1]]],
  ["{ a: string }[] & { b: number }[]", [[{ a: "x", b: 1 }]], [[{ a: "x" }], [{ b: 1 }]]],
  ["[string, ...number[]] & [string, number]", [["a", 1]], [["a"], ["a", 1, 2]]],
  [
    "Kind",
    [{ kind: "A", tags: ["A"] }],
    [
      { kind: "A", tags: ["B"] },
      { kind: "A", tags: [] },
    ],
  ],
  ["string[] & { readonly __brand: 'Tags' }", [["a"]], [[1]]],
  ["Date & { readonly __brand: 'Day' }", [], ["x"]],
  ["{ /** @minimum 1 */ n: number } & { /** @maximum 5 */ n: number }", [{ n: 1 }, { n: 5 }], [{ n: 0 }, { n: 6 }]],
  ["{ n: number } & Base", [{ n: 1 }], [{ n: 0 }]],
  ["Base & { n: number }", [{ n: 1 }], [{ n: 0 }]],
  ["Base & { /** @minimum 3 */ n: number }", [{ n: 3 }], [{ n: 2 }, { n: 0 }]],
  ["{ /** @pattern ^a */ s: string } & { /** @pattern b$ */ s: string }", [{ s: "ab" }], [{ s: "a" }, { s: "b" }]],
  ["Partial<{ n: number } & Base>", [{}, { n: 1 }], [{ n: 0 }]],
  ["Twice", [{ n: 1 }, { n: 5 }], [{ n: 0 }, { n: 6 }]],
  ["Pets", [{ n: 1 }, { n: 500 }], [{ n: 501 }]],
  ["Renamed", [{ x_n: 0 }], [], 'the tags of "n" do not count here'],
  ["{ name: Name }", [{ name: "abc" }], [{ name: "ab" }]],
  ["{ name?: Short | null }", [{ name: "abcd" }, { name: null }, {}], [{ name: "ab" }, { name: "abcde" }]],
  ["Name", ["abc"], ["ab"]],
  ["Name[]", [["abc"]], [["ab"], ["abc", "a"]]],
  ["{ names: Names | undefined }", [{ names: ["abc", "def"] }], [{ names: ["abc"] }, { names: ["abc", "d"] }]],
  ["Array<Name> | null", [["abc"], null], [["ab"]]],
  ["Record<string, Name>", [{ a: "abc" }], [{ a: "ab" }]],
  ["{ [k: string]: Name }", [{ a: "abc" }], [{ a: "ab" }]],
  ["Limited", [{ n_a: "abcd" }], [{ n_a: "ab" }, { n_a: "abcde" }]],
  ["{ /** @minimum 1 */ [k: string]: number }", [{ a: 1 }, {}], [{ a: 0 }]],
  [
    "{ /** @minimum 1 */ [k: string]: number } & { /** @maximum 5 */ [k: string]: number }",
    [{ a: 5 }],
    [{ a: 0 }, { a: 6 }],
  ],
  ["[/** @minimum 5 */ a: number]", [[5]], [[4]]],
  ["Pair", [[5], [5, "b", 1]], [[4], [5, "b", 0]]],
  ["{ pair: Pair }", [{ pair: [5] }], [{ pair: [4] }]],
  ["Box<Name>", [{ value: "a" }], [], 'the tags of "Name" do not count here'],
  ["{ v: Name | number[] | boolean }", [{ v: "a" }], [], 'the tags of "Name" do not count here'],
  ["{ /** @pattern /^a$/ */ s: string }", [{ s: "a" }], [{ s: "b" }, { s: "/^a$/" }]],
  ["{ /** @pattern /^\\/a$/u */ s: string }", [{ s: "/a" }], [{ s: "a" }]],
  ["{ /** @pattern /a/ */ s: string }", [{ s: "x/a/b" }], [{ s: "a" }]],
  ["{ /** @minimum 5 */ at: bigint }", [], [{ at: "4" }]],
  ["Task", [[{ title: "a" }, { title: "a", priority: 3, size: 1 }]], [{ title: "a", priority: 0 }]],
  ["Pick<Task, 'priority'>", [[{}, { priority: 3 }]], []],
  ["Readonly<Task>", [[{ title: "a" }, { title: "a", priority: 3, size: 1 }]], []],
  ["Required<Task>", [[{ title: "a" }, { title: "a", priority: 3, size: 1 }]], []],
  ["Partial<Task>", [{ title: "a" }, {}], [{ priority: 0 }]],
  ["Patch", [{ title: "a" }], [{ priority: 0 }]],
  ["Change", [{ id: "a" }], [{ id: "a", priority: 0 }]],
  ["Deep<Task>", [{ title: "a" }], []],
  ["Omit<Partial<Task>, 'title'>", [{}], [{ priority: 0 }]],
  ["Partial<Omit<Task, 'title'>>", [{}], []],
  ["Pick<Partial<Task>, 'priority'> & { id: string }", [{ id: "a" }], []],
  ["Partial<Task> & Pick<Task, 'title'>", [{ title: "a" }], []],
  ["{ [K in keyof Task]?: Task[K] }", [{}], [{ priority: 0 }]],
  [
    "`order-${number}`",
    ["order-1", "order--1.5", "order-1e+21", "order-1e-7", "order-1E5"],
    ["order-", "order-1e", "order-e5", "order-1e+", "order-1.e5"],
  ],
  ["`${number}:${bigint}`", ["1e+21:5"], ["1:1e5"]],
  ["Json", [nested(500)], [nested(501)]],
  ["{ a: Json }", [{ a: nested(499) }], [{ a: nested(500) }]],
]

const test = suite("facts in several places")
const read = await readInputs(
  shared,
  rows.map(([type]) => ({ type })),
)
const written = await importValidators(read.validators)

for (const [i, [type, right, wrong, notice = ""]] of rows.entries()) {
  test(`the validator of ${type} applies all limits${notice ? ", and a notice names a place that does not count" : ""}`, () => {
    const check = (value: unknown) => written[i]?.["~standard"].validate(value) as { value?: unknown; issues?: unknown }
    assert.equal(read.problems[i], [])
    for (const one of right) {
      // Only for objects, a row has pairs of a value and its result.
      const [value, result = value] = Array.isArray(one) && one.length === 2 && type.includes("Task") ? one : [one]
      const { value: made, issues } = check(value)
      assert.is(issues, undefined, `${JSON.stringify(value).slice(0, 80)} is refused: ${JSON.stringify(issues)}`)
      assert.equal(made, result)
    }
    for (const value of wrong) assert.ok(check(value).issues, `${JSON.stringify(value).slice(0, 80)} is accepted`)
    if (notice) assert.ok(read.notices.some(({ message, at }) => message.startsWith(notice) && at?.line))
  })
}

test("the notices about types are exactly those that the cases expect", () => {
  const wanted = rows.flatMap(([, , , notice]) => notice ?? [])
  assert.equal(
    [...new Set(read.notices.map(({ message }) => message.split(",")[0]))].sort(),
    [...new Set(wanted)].sort(),
  )
})

test("the JSON Schema of a type has the same limits as its validator", () => {
  const schema = (type: string) => {
    const validator = read.validators[rows.findIndex(([one]) => one === type)] as (typeof read.validators)[0]
    const { components: _, ...rest } = toJSONSchema(validator)
    return rest
  }
  assert.equal(schema("Path"), {
    type: "string",
    pattern: "^\\/[\\s\\S]*$",
    allOf: [{ type: "string", pattern: "^[\\s\\S]*\\.html$" }],
  })
  assert.equal((schema("Base & { /** @minimum 3 */ n: number }").properties as { n: unknown }).n, {
    type: "number",
    minimum: 3,
  })
  assert.equal(schema("Name[]"), { type: "array", items: { type: "string", minLength: 3 } })
})

test.run()
