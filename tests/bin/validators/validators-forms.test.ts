/** Tests of validators of forms and queries, which convert texts to the types of the properties. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { importValidators, readInputs, type WrittenValidator } from "../../support/bin/validators/inputs.ts"

const shared = `
export interface Signup {
  name: string
  age: number
  born?: Date
  big?: bigint
  news: boolean
  tags: string[]
  sizes?: number[]
  plan: "free" | "paid"
  level: 1 | 2
  note: string | null
  nick?: string
  accepted: true
}
export interface Upload { title: string; photo: File; more?: File[] }
export interface Search {
  q?: string
  /** @default 1 @minimum 1 */
  page: number
  /** @minItems 1 */
  ids: number[]
  sort?: "asc" | "desc" | ""
  one?: string | string[]
  any?: number | string
}
export interface Flags { on: boolean; maybe?: boolean | null; only?: true; count?: number | boolean; word?: "no" | boolean }
export type Choice = { kind: "mail"; address: string } | { kind: "phone"; number: number }
`

const file = new File(["x"], "a.txt")
const empty = new File([], "")
const full = { name: "Ada", age: "36", plan: "free", level: "2", accepted: "on" }
const made = {
  name: "Ada",
  age: 36,
  news: false,
  tags: [],
  plan: "free",
  level: 2,
  note: null,
  accepted: true,
}

/** A type, fields that it accepts with the result, and fields that it refuses with their issues. */
interface Row {
  readonly type: string
  readonly from: "form" | "query"
  readonly fits: ReadonlyArray<readonly [fields: object, result: unknown]>
  readonly fails: ReadonlyArray<readonly [fields: object, ...issues: string[]]>
}

const rows: readonly Row[] = [
  {
    type: "Signup",
    from: "form",
    fits: [
      [full, made],
      [
        { ...full, extra: "x", news: "on", tags: "a", sizes: ["1", "2"], note: "x", nick: "" },
        { ...made, news: true, tags: ["a"], sizes: [1, 2], note: "x" },
      ],
      [
        { ...full, news: "false", tags: ["a", "", "b"], born: "1815-12-10", big: "12", name: [""] },
        { ...made, name: "", tags: ["a", "b"], born: new Date("1815-12-10T00:00:00Z"), big: 12n },
      ],
      [
        { ...full, born: "1815-12-10T01:00:00+01:00", age: "-1.5e2", sizes: "" },
        { ...made, age: -150, born: new Date("1815-12-10T00:00:00Z") },
      ],
    ],
    fails: [
      [
        {},
        "name: expected a string, got nothing",
        "age: expected a number, got nothing",
        'plan: expected "free" or "paid", got nothing',
        "level: expected 1 or 2, got nothing",
        "accepted: expected true, got nothing",
      ],
      [{ ...full, age: "", level: "3" }, "age: expected a number, got nothing", "level: expected 1 or 2, got 3"],
      [
        { ...full, age: "0x10", sizes: ["1", "x"], accepted: "false" },
        "age: expected a number, got a string",
        "sizes.1: expected a number, got a string",
        "accepted: expected true, got a string",
      ],
      [
        { ...full, age: "1e999", name: ["a", "b"], news: "maybe" },
        "name: expected a string, got an array",
        "age: expected a number, got a string",
        "news: expected a boolean, got a string",
      ],
      [{ ...full, name: file }, "name: expected a string, got a file"],
    ],
  },
  {
    type: "Upload",
    from: "form",
    fits: [
      [
        { title: "x", photo: file, more: empty },
        { title: "x", photo: file },
      ],
      [
        { title: "", photo: file, more: file },
        { title: "", photo: file, more: [file] },
      ],
    ],
    fails: [
      [{ title: file, photo: "x" }, "title: expected a string, got a file", "photo: expected a file, got a string"],
      [{ title: "x", photo: empty }, "photo: expected a file, got nothing"],
    ],
  },
  {
    type: "Search",
    from: "query",
    fits: [
      [{ ids: "5" }, { page: 1, ids: [5] }],
      [
        { q: "a", page: "2", ids: ["1", "2"], sort: "asc", one: ["a", "b"], any: "12" },
        { q: "a", page: 2, ids: [1, 2], sort: "asc", one: ["a", "b"], any: 12 },
      ],
      [
        Object.assign(Object.create(null), { ids: "1", one: "a", any: "x", sort: "" }),
        { page: 1, ids: [1], one: "a", any: "x" },
      ],
    ],
    fails: [
      [
        { page: "0", ids: "x" },
        "page: expected a number of at least 1, got 0",
        "ids.0: expected a number, got a string",
      ],
    ],
  },
  {
    type: "Flags",
    from: "query",
    fits: [
      [{ on: "true" }, { on: true }],
      [{ on: "1" }, { on: true }],
      [{ on: "yes" }, { on: true }],
      [{ on: "on" }, { on: true }],
      [{ on: "TRUE" }, { on: true }],
      [{ on: "Yes" }, { on: true }],
      [{ on: "false" }, { on: false }],
      [{ on: "0" }, { on: false }],
      [{ on: "no" }, { on: false }],
      [{ on: "off" }, { on: false }],
      [{ on: "Off" }, { on: false }],
      [{}, { on: false }],
      [
        { on: "on", maybe: "1", only: "yes", count: "1", word: "no" },
        { on: true, maybe: true, only: true, count: 1, word: "no" },
      ],
      [
        { on: "0", maybe: "off", count: "on" },
        { on: false, maybe: false, count: true },
      ],
    ],
    fails: [
      [{ on: "maybe", only: "0" }, "on: expected a boolean, got a string", "only: expected true, got a string"],
      [
        { on: "2", count: "yes" },
        "on: expected a boolean, got a string",
        "count: expected a number or a boolean, got a string",
      ],
    ],
  },
  {
    type: "Choice",
    from: "form",
    fits: [
      [
        { kind: "phone", number: "5", address: "x" },
        { kind: "phone", number: 5 },
      ],
    ],
    fails: [
      [{ kind: "mail" }, "address: expected a string, got nothing"],
      [{ kind: "x" }, 'kind: expected "mail" or "phone", got a string'],
    ],
  },
  {
    type: "Record<string, number>",
    from: "query",
    fits: [[{ a: "1", b: "" }, { a: 1 }]],
    fails: [[{ a: "x" }, "a: expected a number, got a string"]],
  },
]

const forms = suite("validators of forms")
let validators: WrittenValidator[]

forms.before(async () => {
  const read = await readInputs(shared, rows)
  assert.equal(read.problems.flat(), [])
  validators = await importValidators(read.validators)
})

for (const [i, { type, from, fits, fails }] of rows.entries()) {
  forms(`the validator of ${type} checks and converts the fields of a ${from}`, () => {
    const { validate } = (validators[i] as WrittenValidator)["~standard"]
    for (const [fields, result] of fits) assert.equal(validate(fields), { value: result })
    for (const [fields, ...issues] of fails) {
      const found = validate(fields).issues?.map(({ path, message }) => `${path.join(".")}: ${message}`)
      assert.equal(found, issues)
    }
  })
}

forms.run()
