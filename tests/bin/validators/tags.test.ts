/**
 * Tests of tags on properties of requests: wrong values and types are mistakes, and similar names cause a notice.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { listProblems } from "../../../bin/validators/prepare-validators.ts"
import { formatHelpers } from "../../../bin/validators/text-helpers.ts"
import { type ReadInputs, readInputs } from "../../support/bin/validators/inputs.ts"

/** A type, its tag, and the beginning of the message; `""` if nothing is wrong. */
type Row = readonly [type: string, tag: string, problem: string]

const mistakes: readonly Row[] = [
  ["number", "minimum abc", 'the @minimum of "x" is not a number'],
  ["number", "maximum", 'the @maximum of "x" is not a number'],
  ["number", "exclusiveMinimum 1 or more", 'the @exclusiveMinimum of "x" is not a number'],
  ["number", "multipleOf 0", 'the @multipleOf of "x" is not a number greater than 0'],
  ["string", "maxLength -1", 'the @maxLength of "x" is not a whole number of at least 0'],
  ["string", "minLength 1.5", 'the @minLength of "x" is not a whole number of at least 0'],
  ["string[]", "minItems two", 'the @minItems of "x" is not a whole number of at least 0'],
  ["number", "minLength 1", 'the @minLength of "x" is for a string'],
  ["string", "minimum 1", 'the @minimum of "x" is for a number'],
  ["string", "maxItems 1", 'the @maxItems of "x" is for an array'],
  ["string[]", "maxLength 1", 'the @maxLength of "x" is for a string'],
  ["boolean", "pattern ^a$", 'the @pattern of "x" is for a string'],
  ["number", "format email", 'the @format of "x" is for a string'],
  ["boolean", "format int32", 'the @format of "x" is for a number'],
  ["Named", "minimum 1", 'the @minimum of "x" is for a number'],
]

const notices: readonly Row[] = [
  ["number", "minimun 1", '"x" has @minimun'],
  ["number", "min 1", '"x" has @min,'],
  ["string", "minlength 1", '"x" has @minlength'],
  ["string", "maxLenght 5", '"x" has @maxLenght'],
  ["string", "patern ^a$", '"x" has @patern'],
  ["string", "defualt a", '"x" has @defualt'],
  ["string", "format emial", '"x" has @format emial'],
  ["string", "format datetime", '"x" has @format datetime'],
  ["string", "format Email", '"x" has @format Email'],
  ["string", "format url", '"x" has @format url'],
  ["number", "type integer", '"x" has @type integer'],
  ["number", "type {int}", '"x" has @type {int}'],
]

const right: readonly Row[] = [
  ["number", "minimum -1.5e3", ""],
  ["bigint", "minimum 5", ""],
  ["bigint", "format int64", ""],
  ["number | null", "maximum 5", ""],
  ["1 | 2", "maximum 5", ""],
  ["Date", "minLength 20", ""],
  ["Date", "format date-time", ""],
  ["Named", "minLength 1", ""],
  ["unknown", "minLength 1", ""],
  ["[string, number]", "minItems 2", ""],
  ["string | number[]", "minLength 0", ""],
  ["number", "type {number}", ""],
  ["number", "format double", ""],
  ...["ulid", "cuid", "int16", "ip", "slug", "color", "uri-reference", "idn-email", "phone", "password"].map(
    (format): Row => ["string", `format ${format}`, ""],
  ),
  // The tags of JSDoc and TSDoc, and names of JSON Schema that only describe a value.
  ...`abstract access alias alpha async augments author beta borrows callback class classdesc constant constructor constructs copyright
decorator default defaultValue defaultvalue deprecated description enum event eventProperty example exports extends external file fileoverview
fires function generator global hideconstructor ignore implements import inheritdoc inheritDoc inner instance interface internal
kind label license link listens member memberof method mixes mixin module name namespace override overload package packageDocumentation
param private privateRemarks prop property protected public readonly remarks requires returns satisfies sealed see since static
summary template this throws todo tutorial type typedef typeParam variation version virtual yields
title nullable minProperties maxProperties uniqueItems minContains maxContains contentMediaType readOnly writeOnly examples2 category group
hidden tag tags mcp security operationId param returns`
    .split(/\s+/)
    .filter((name) => name !== "default")
    .map((name): Row => ["string", `${name} text`, ""]),
]

const tags = suite("tags of properties")
const rows = [...mistakes, ...notices, ...right]
let read: ReadInputs

tags.before(async () => {
  const types = rows.map(([type, tag], i) => `export interface T${i} {\n  /** @${tag} */\n  x: ${type}\n}\n`)
  const shared = `export type Named = string | null\n${types.join("")}`
  read = await readInputs(
    shared,
    rows.map((_, i) => ({ type: `T${i}` })),
  )
})

/** Returns the notices of a row. Each row has its own line after the imports. */
const findNotices = (i: number) => read.notices.filter(({ at, isOpen }) => at?.line === i + 2 && !isOpen)

for (const [i, [type, tag, problem]] of rows.entries())
  tags(`@${tag} of ${type} has ${problem === "" ? "no problem" : `the problem ${problem}`}`, () => {
    const isMistake = i < mistakes.length
    const found = read.problems[i] ?? []
    assert.equal(
      [...found, ...findNotices(i)].map(({ message }) => message.slice(0, problem.length)),
      problem === "" ? [] : [problem],
    )
    assert.equal(
      found.map((one) => "isMistake" in one),
      isMistake ? [true] : [],
    )
    for (const { fix } of findNotices(i)) assert.match(fix, /^Write @\w+( [\w-]+)?\.$/)
  })

tags("every misspelt tag is reported, but of types that accept everything only the first one", () => {
  const open = { message: "any", fix: "x", at: { file: "a.ts", line: 1 }, isOpen: true } as const
  const tag = { message: "tag", fix: "x", at: { file: "a.ts", line: 2 } }
  const file = {
    file: "a.ts",
    text: "",
    calls: [],
    notices: [open, tag, { ...open }, { ...tag, message: "other" }],
  }
  assert.equal(
    listProblems([file], true).map(({ message, isError }) => [message, isError]),
    [
      ["any", false],
      ["tag", false],
      ["other", false],
    ],
  )
})

tags("the formats that a tag may name are the formats that validators check", async () => {
  const { textualFormats } = await import("../../../bin/openapi/types/tag-checks.ts")
  assert.equal(textualFormats, Object.keys(formatHelpers))
})

tags.run()
