/** Tests of types of bodies, forms and queries that are refused, with the reason. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { InputFrom } from "../../../bin/openapi/types/input-types.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { type ReadInputs, readInputs } from "../../support/bin/validators/inputs.ts"

const shop = `
export interface File { file_id: string }
export interface Blob { size: number }
export interface Date { day: number }
export interface Map { width: number }
export interface Function { name: string }
export interface Error { code: number }
export declare namespace Event { interface Headers { via: string } }
`

const shared = `
import type * as Shop from "shop"
declare global {
  interface Array<T> { sum(): T }
  interface ReadonlyArray<T> { sum(): T }
  interface Date { toDay(): string }
  interface File { toHash(): string }
}
export interface Sale {
  receipt: Shop.File
  image: Shop.Blob
  sold: Shop.Date
  map: Shop.Map
  call: Shop.Function
  problem: Shop.Error
  headers: Shop.Event.Headers
}
export interface Texts extends Array<string> {}
export interface Tagged extends Array<string> { tag: string }
export interface Rows<T> extends ReadonlyArray<T> {}
export interface Lines extends Rows<Lines> {}
export interface Marked extends Tagged {}
export interface Latest {
  /** @default true */
  latest: "true" | "false"
  /** @default 5 */
  size?: "5" | "10" | null
}
export interface User { id: string; name: string }
export interface Handler { onSave(): void; id: string }
export interface WithCallback { done?: () => void }
export class Plain { id = 1; name?: string }
export class Methods { id = 1; save() {} }
export class Getter { get id() { return 1 } }
export class Private { private secret = 1; id = 2 }
export class Hidden { #secret = 1; id = 2; show = () => this.#secret }
export class Sealed { constructor(protected readonly id: number) {} }
export class List extends Array<string> {}
export interface Grow<T> { value: T; left?: Grow<T[]> }
export interface Iter { [Symbol.iterator](): Iterator<string> }
export interface Broken { value: Missing }
export interface BadPattern {
  /** @pattern ( */
  name: string
}
export interface BadDefault {
  /** @default many */
  count: number
}
export type Generic<T> = { value: T }
export const table = { id: 1 }
`

/** A type, and a part of the problem that it has; "" if it has none. */
const rows: ReadonlyArray<readonly [type: string, problem: string, from?: InputFrom]> = [
  ["User", ""],
  ["Plain", ""],
  ["typeof table", ""],
  ["Sale", ""],
  ["{ at: Date; all: string[]; some: readonly Date[] }", ""],
  ["Texts", ""],
  ["{ texts?: Texts[] }", ""],
  ["Latest", ""],
  ["{ rows: Rows<number>; lines: Lines }", ""],
  ["Tagged", "is an object with methods"],
  ["Marked", "is an object with methods"],
  ["Generic<Date>", ""],
  ["Record<string, bigint>", ""],
  ["string & { readonly __brand: 'ID' }", ""],
  ["any", ""],
  ["{ name: string; files: File[] }", "", "form"],
  ["{ tags: string[]; page?: number; at: Date; open: boolean }", "", "query"],
  ["() => void", "is a function"],
  ["new () => Date", "is a function"],
  ["Handler", 'the type of "onSave" is a function'],
  ["WithCallback", 'the type of "done" is a function'],
  ["symbol", "is a symbol"],
  ["{ a: { b: symbol[] } }", 'the type of "b" is a symbol'],
  ["Map<string, number>", "is of type Map"],
  ["{ tags: Set<string> }", 'the type of "tags" is of type Set'],
  ["Uint8Array", "is of type Uint8Array"],
  ["{ at: Promise<string> }", "is of type Promise"],
  ["RegExp", "is of type RegExp"],
  ["URL", "is of type URL"],
  ["Methods", "is a class with methods (Methods)"],
  ["Getter", "is a class with private members or getters"],
  ["Private", "is a class with private members or getters"],
  ["Hidden", "is a class with private members or getters"],
  ["Sealed", "is a class with private members or getters"],
  ["List", "is a class with methods"],
  ["Iter", "is an object with methods"],
  ["Grow<string>", "grows with every level"],
  ["Broken", "TypeScript cannot find"],
  ["Uppercase<string>", "is a text that is computed"],
  ["`a${Uppercase<string>}`", "template literal type with a part"],
  ["10n", "is a literal bigint"],
  ["undefined", "no request has this type"],
  ["never", "no request has this type"],
  ["{ avatar: File }", "has a file, which JSON cannot contain"],
  ["{ avatar: File }", "has a file, which a query string cannot contain", "query"],
  ["{ address: { city: string } }", 'the field "address" of a form or a query has nested values', "form"],
  ["{ lines: string[][] }", 'the field "lines" of a form or a query has nested values', "query"],
  ["string", "is an object with fields", "form"],
  ["BadPattern", 'the @pattern of "name" is not valid'],
  ["BadDefault", 'the @default of "count" does not have its type'],
]

const problems = suite("problems of types")
let read: ReadInputs

problems.before(async () => {
  const inputs = rows.map(([type, , from]) => ({ type, ...(from && { from }) }))
  const packages = makeProject({ "shop/package.json": '{ "types": "i.d.ts" }', "shop/i.d.ts": shop }, [])
  read = await readInputs(shared, inputs, packages)
})

for (const [i, [type, problem, from = "json"]] of rows.entries()) {
  problems(`${type} in ${from} has ${problem === "" ? "no problem" : `the problem "${problem}"`}`, () => {
    const [first, ...more] = read.problems[i] ?? []
    if (problem === "") assert.is(first, undefined, JSON.stringify(first))
    else {
      assert.ok(first?.message.includes(problem), JSON.stringify(first))
      assert.ok(first?.fix && first.at?.file && first.at.line > 0)
      assert.equal(more, [])
    }
  })
}

problems("types that cannot be checked are errors, because the whole body would not be checked", () => {
  const marked = rows.filter((_, i) => read.problems[i]?.some((one) => "isMistake" in one)).map(([type]) => type)
  assert.equal(marked, ["Broken", "BadPattern", "BadDefault"])
})

problems("the types any and unknown cause only one notice at each position", () => {
  assert.is(read.notices.filter(({ message }) => message.includes("any or unknown")).length, 1)
})

problems("validators of equal structure share a name, and other validators do not", () => {
  const names = read.validators.map(({ name }) => name)
  assert.match(names[0] ?? "", /^json_[0-9a-f]{16}$/)
  assert.is(new Set(names.filter((_, i) => rows[i]?.[1] === "")).size, 15)
})

problems.run()
