/** Tests of validators that are generated from types: what they return, and what they refuse. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { importValidators, readInputs, type WrittenValidator } from "../../support/bin/validators/inputs.ts"

const shared = `
export interface User { id: string; name: string; tags?: string[]; note: string | null; at?: Date }
export type Shape = { kind: "circle"; radius: number } | { kind: "box"; size: { w: number; h: number } }
export interface Tree { value: number; children: Tree[] }
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export enum Color { Red = "red", Blue = "blue" }
export enum Level { Low, High = 5 }
export type ID = string & { readonly __brand: "ID" }
export interface Page<T> { items: T[]; next?: string }
export type Both = { a: string; x?: number } | { b: string; y?: number }
export type Not = { a: string; b?: never } | { b: string; a?: never }
export type Deep = { left?: Deep; value: number } | { left?: Deep; value: string }
export interface Odd { toString: string; constructor?: number; "a-b": 1; __proto__?: string }
export interface Empty {}
export type Written = {}
export class Bare {}
export type Wrap<T> = { data: T }
export interface Limits {
  /** @minimum 1 @maximum 10 */
  count: number
  /** @multipleOf 0.01 */
  price?: number
  /** @minLength 2 @maxLength 4 */
  name?: string
  /** @pattern ^[a-z]+$ */
  slug?: string
  /** @format email */
  email?: string
  /** @minItems 1 @maxItems 2 */
  list?: string[]
  /** @minimum 5 */
  big?: bigint
}
export interface Formats {
  /** @format date-time */
  dateTime: string
  /** @format date */
  date: string
  /** @format time */
  time: string
  /** @format duration */
  duration: string
  /** @format email */
  email: string
  /** @format hostname */
  hostname: string
  /** @format ipv4 */
  ipv4: string
  /** @format ipv6 */
  ipv6: string
  /** @format uri */
  uri: string
  /** @format uuid */
  uuid: string
  /** @format byte */
  byte: string
  /** @format color */
  color: string
}
export interface Filled {
  /** @default 20 */
  limit: number
  /** @default open */
  state?: "open" | "closed"
  /** @default {"a": [1]} */
  more?: { a: number[] }
  /** @default 2020-01-02T03:04:05Z */
  since: Date
}
`

/** A valid value of each format, which is also the example in its message. */
const formats: ReadonlyArray<readonly [name: string, example: string]> = [
  ["dateTime", "2027-01-31T09:30:00Z"],
  ["date", "2027-01-31"],
  ["time", "09:30:00Z"],
  ["duration", "P1DT12H"],
  ["email", "ada@example.com"],
  ["hostname", "shop.example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["uri", "https://example.com/a"],
  ["uuid", "123e4567-e89b-42d3-a456-426614174000"],
  ["byte", "aGVsbG8="],
]

/**
 * A type; values that it accepts, with the results if they differ; values that it refuses, with the paths and texts
 * of their issues.
 */
interface Row {
  readonly type: string
  readonly from?: "json" | "form" | "query"
  readonly fits?: ReadonlyArray<readonly [value: unknown, result?: unknown]>
  readonly fails?: ReadonlyArray<readonly [value: unknown, ...issues: string[]]>
}

const json = (text: string): unknown => JSON.parse(text)

const rows: readonly Row[] = [
  {
    type: "User",
    fits: [
      [{ id: "1", name: "Ada", note: null }],
      [
        { id: "1", name: "", note: "x", tags: ["a"], extra: 1 },
        { id: "1", name: "", note: "x", tags: ["a"] },
      ],
      [
        { id: "1", name: "a", note: null, at: "2020-02-29T23:59:59.5+01:00" },
        { id: "1", name: "a", note: null, at: new Date("2020-02-29T22:59:59.500Z") },
      ],
    ],
    fails: [
      [null, ": expected an object, got null"],
      [[], ": expected an object, got an array"],
      ["x", ": expected an object, got a string"],
      [{ id: 1, name: "a" }, "id: expected a string, got a number", "note: expected a string or null, got nothing"],
      [{ id: "1", name: "a", note: null, tags: null }, "tags: expected an array, got null"],
      [
        { id: "1", name: "a", note: null, tags: [1, "a", {}] },
        "tags.0: expected a string, got a number",
        "tags.2: expected a string, got an object",
      ],
      [
        { id: "1", name: "a", note: null, at: "2020-02-30T00:00:00Z" },
        "at: expected a string (date-time, such as 2027-01-31T09:30:00Z), got another string",
      ],
    ],
  },
  // These types accept any object with all of its properties.
  ...["{}", "object", "Record<string, unknown>", "Written", "NonNullable<unknown>"].flatMap((type): Row[] => [
    {
      type: `{ e: ${type} }`,
      fits: [[{ e: {} }], [{ e: { a: 1, b: { c: [2] } } }]],
      fails: [
        [{ e: [] }, "e: expected an object, got an array"],
        [{ e: "x" }, "e: expected an object, got a string"],
        [{ e: null }, "e: expected an object, got null"],
        [{}, "e: expected an object, got nothing"],
      ],
    },
    { type: `Wrap<${type}>`, fits: [[{ data: { a: 1 } }]] },
    { type, fits: [[{ a: 1 }]] },
  ]),
  // These types declare that an object has no properties.
  ...["Empty", "Bare", "Record<never, never>", "Omit<{ a: 1 }, 'a'>", "Partial<Empty>", "Empty & {}"].map(
    (type): Row => ({
      type: `Wrap<${type}>`,
      fits: [[{ data: { a: 1 } }, { data: {} }]],
      fails: [[{ data: [] }, "data: expected an object, got an array"]],
    }),
  ),
  { type: "Wrap<unknown>", fits: [[{ data: { a: 1 } }], [{ data: null }]] },
  { type: "{ a: 1 } & {}", fits: [[{ a: 1, b: 2 }, { a: 1 }]] },
  { type: "{ a?: 1 } | {}", fits: [[{ a: 1, b: 2 }]] },
  {
    type: "number",
    fits: [[0], [-1.5]],
    fails: [
      [Infinity, ": expected a number, got a number that is not finite"],
      [json("1e999"), ": expected a number, got a number that is not finite"],
      [Number.NaN, ": expected a number, got a number that is not finite"],
      ["1", ": expected a number, got a string"],
    ],
  },
  {
    type: "bigint",
    fits: [
      ["12", 12n],
      ["-0", 0n],
    ],
    fails: [
      [12, ": expected a string with an integer, got a number"],
      ["1.0", ": expected a string with an integer, got another string"],
      ["9".repeat(1001), ": expected a string with an integer, got another string"],
    ],
  },
  {
    type: "Shape",
    fits: [
      [
        { kind: "circle", radius: 1, size: 2 },
        { kind: "circle", radius: 1 },
      ],
      [
        { kind: "box", size: { w: 1, h: 2, d: 3 } },
        { kind: "box", size: { w: 1, h: 2 } },
      ],
    ],
    fails: [
      [{ kind: "circle", size: 1 }, "radius: expected a number, got nothing"],
      [
        { kind: "box", size: { w: "1" } },
        "size.w: expected a number, got a string",
        "size.h: expected a number, got nothing",
      ],
      [{ kind: "line" }, 'kind: expected "circle" or "box", got a string'],
      [3, ": expected an object, got a number"],
    ],
  },
  {
    type: "Tree",
    fits: [
      [
        { value: 1, children: [{ value: 2, children: [], x: 1 }] },
        { value: 1, children: [{ value: 2, children: [] }] },
      ],
    ],
    fails: [
      [
        { value: 1, children: [{ value: "2", children: [3] }] },
        "children.0.value: expected a number, got a string",
        "children.0.children.0: expected an object, got a number",
      ],
    ],
  },
  { type: "Json", fits: [[{ a: [1, { b: null }] }], [[[]]]], fails: [] },
  {
    type: "Color | Level",
    fits: [["red"], [0], [5]],
    fails: [["green", ': expected "red", "blue", 0 or 5, got a string'], [1]],
  },
  { type: "ID", fits: [["x"]], fails: [[1, ": expected a string, got a number"]] },
  {
    type: "Page<{ a: 1 }>",
    fits: [[{ items: [{ a: 1, b: 2 }] }, { items: [{ a: 1 }] }]],
    fails: [[{ items: [{ a: 2 }] }, "items.0.a: expected 1, got 2"]],
  },
  {
    type: "Both",
    fits: [
      [
        { a: "a", b: "b", x: 1, z: 1 },
        { a: "a", b: "b", x: 1 },
      ],
      [
        { a: "a", b: "b", x: "1", y: 2 },
        { b: "b", y: 2 },
      ],
    ],
    fails: [[{}, ": expected an object of one of 2 types, got another object"]],
  },
  { type: "Not", fits: [[{ a: "a" }]], fails: [[{ a: "a", b: "b" }]] },
  {
    type: "[string, number?, ...boolean[]]",
    fits: [[["a"]], [["a", 1, true]]],
    fails: [
      [[], ": expected an array with at least 1 item, got another array"],
      [["a", "b"], "1: expected a number, got a string"],
    ],
  },
  {
    type: "[string, ...number[], Date]",
    fits: [
      [
        ["a", 1, "2020-01-01T00:00:00Z"],
        ["a", 1, new Date("2020-01-01T00:00:00Z")],
      ],
    ],
    fails: [
      [
        ["a", "x", 1],
        "1: expected a number, got a string",
        "2: expected a string (date-time, such as 2027-01-31T09:30:00Z), got a number",
      ],
    ],
  },
  { type: "[]", fits: [[[]]], fails: [[[1]]] },
  {
    type: "Record<string, number>",
    fits: [[{ a: 1, toString: 2 }], [json('{"__proto__": 1}')]],
    fails: [[{ a: "1" }, "a: expected a number, got a string"], [[1]]],
  },
  {
    type: "Record<number, string>",
    fits: [[{ 1: "a", b: 2 }, { 1: "a" }]],
    fails: [[{ 1: 2 }, "1: expected a string, got a number"]],
  },
  {
    type: "{ id: string; [k: `x-${string}`]: string | number }",
    fits: [
      [
        { id: "a", "x-1": 1, y: 2 },
        { id: "a", "x-1": 1 },
      ],
    ],
    fails: [[{ id: "a", "x-b": null }, "x-b: expected a string or a number, got null"]],
  },
  { type: "`${number}-${string}b`", fits: [["1.5-xb"], ["-1--b"]], fails: [["1-x"], ["x-b"], ["1.-b"]] },
  { type: "`a${string}b${string}c`", fits: [["abc"], ["a-b-b-c"]], fails: [["ab"], ["acb"], ["abcd"]] },
  { type: "`v${bigint}`", fits: [["v12"]], fails: [["v1.5"], ["v"]] },
  {
    type: "Odd",
    fits: [
      [{ toString: "x", "a-b": 1 }],
      [{ toString: "x", "a-b": 1, constructor: 5 }],
      [json('{"toString": "x", "a-b": 1, "__proto__": "y"}')],
    ],
    fails: [[{ "a-b": 1 }, "toString: expected a string, got nothing"]],
  },
  {
    type: "{ a: any; b?: unknown }",
    fits: [[{ a: null }], [{ a: { x: [1] }, b: 1 }]],
    fails: [[{}, "a: expected any value, got nothing"]],
  },
  {
    type: "Date | string | null",
    fits: [["2020-01-01T00:00:00z", new Date("2020-01-01T00:00:00Z")], ["x"], [null]],
    fails: [[1]],
  },
  {
    type: "string[] | { a: string }",
    fits: [[["a"]], [{ a: "a", b: 1 }, { a: "a" }]],
    fails: [
      [[1], "0: expected a string, got a number"],
      [{ a: 1 }, "a: expected a string, got a number"],
      [1, ": expected an array or an object, got a number"],
    ],
  },
  {
    type: "Limits",
    fits: [
      [
        { count: 1, price: 12.29, name: "😀😀😀😀", slug: "a", email: "a@b.example", list: ["x"], big: "5" },
        { count: 1, price: 12.29, name: "😀😀😀😀", slug: "a", email: "a@b.example", list: ["x"], big: 5n },
      ],
    ],
    fails: [
      [
        { count: 0, price: 0.001, name: "😀", slug: "A", email: "a", list: [], big: "4" },
        "count: expected a number of at least 1, got 0",
        "price: expected a number that is a multiple of 0.01, got 0.001",
        "name: expected a string of at least 2 characters, got another string",
        "slug: expected a string that matches ^[a-z]+$, got another string",
        "email: expected a string (email, such as ada@example.com), got another string",
        "list: expected an array of at least 1 item, got another array",
        "big: expected a number of at least 5, got 4",
      ],
      [
        { count: 11, name: "abcde", list: ["a", "b", 1] },
        "count: expected a number of at most 10, got 11",
        "name: expected a string of at most 4 characters, got another string",
        "list.2: expected a string, got a number",
        "list: expected an array of at most 2 items, got another array",
      ],
    ],
  },
  {
    type: "Date",
    fits: [
      ["9999-12-31T23:59:59.999Z", new Date(253402300799999)],
      ["9999-12-31T23:59:59+12:00", new Date("9999-12-31T11:59:59Z")],
    ],
    // In UTC, the years of these dates do not have four digits.
    fails: [
      "9999-12-31T23:59:59-12:00",
      "9999-12-31T23:59:60Z",
      "0000-01-01T00:00:00+00:01",
      "2027-01-31T09:30:00",
    ].map((value) => [value, ": expected a string (date-time, such as 2027-01-31T09:30:00Z), got another string"]),
  },
  {
    type: "Formats",
    fits: [[{ ...Object.fromEntries(formats), color: "any" }]],
    fails: [
      [
        { ...Object.fromEntries(formats.map(([name]) => [name, "\0"])), color: "any" },
        ...formats.map(([name, example]) => {
          const format = name === "dateTime" ? "date-time" : name
          return `${name}: expected a string (${format}, such as ${example}), got another string`
        }),
      ],
      [{ ...Object.fromEntries(formats), color: 1 }, "color: expected a string, got a number"],
    ],
  },
  {
    type: "Filled",
    fits: [
      [{}, { limit: 20, state: "open", more: { a: [1] }, since: new Date("2020-01-02T03:04:05Z") }],
      [
        { limit: 1, state: "closed", more: { a: [] }, since: "2021-01-01T00:00:00Z" },
        { limit: 1, state: "closed", more: { a: [] }, since: new Date("2021-01-01T00:00:00Z") },
      ],
    ],
    fails: [[{ limit: null }, "limit: expected a number, got null"]],
  },
  {
    type: "Deep",
    fits: [
      [
        { value: 1, left: { value: "x", z: 1 } },
        { value: 1, left: { value: "x" } },
      ],
    ],
    fails: [[{ value: null }]],
  },
  { type: "any", fits: [[1], [{ a: 1 }]] },
]

const written = suite("validators")
let validators: WrittenValidator[]

written.before(async () => {
  const inputs = rows.map(({ type, from }) => ({ type, ...(from && { from }) }))
  const read = await readInputs(shared, inputs)
  assert.equal(read.problems.flat(), [])
  validators = await importValidators(read.validators)
})

for (const [i, { type, from = "json", fits = [], fails = [] }] of rows.entries()) {
  written(`the validator of ${type} checks values from ${from}`, () => {
    const { validate } = (validators[i] as WrittenValidator)["~standard"]
    for (const [value, result = value] of fits) {
      const before = structuredClone(value)
      assert.equal(validate(value), { value: result })
      assert.equal(value, before, "the validator changed the value itself")
    }
    for (const [value, ...issues] of fails) {
      const { issues: found = [] } = validate(value)
      assert.ok(found.length > 0, `${JSON.stringify(value)} is accepted`)
      if (issues.length > 0)
        assert.equal(
          found.map(({ path, message }) => `${path.join(".")}: ${message}`),
          issues,
        )
    }
  })
}

written.run()
