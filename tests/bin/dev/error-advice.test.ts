/** Tests of fixes for errors in code that was written for other frameworks. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findErrorFix } from "../../../bin/dev/problems/error-fixes.ts"

const test = suite("advice for errors")

const rows: readonly (readonly [message: string, line: string, fix: RegExp | undefined])[] = [
  ["TypeError: c.send is not a function", "return c.send(1)", /no send\. It has c\.string/],
  ["TypeError: c.status is not a function", "c.status(201).json({})", /c\.json\(201, data\)/],
  ["TypeError: c.send is not a function", "(c as any).send(1)", /no send/],
  ["TypeError: Cannot read properties of undefined (reading 'query')", "c.req.query.q", /no req\. It has c\.query/],
  ["TypeError: Cannot read properties of undefined (reading 'id')", "ctx.params.id", /no params/],
  ["TypeError: An object (User) cannot be printed in text.", "{user}", /\{user\.name\}/],
  ["TypeError: An object (Date) cannot be printed in text.", "{a.at}", /toISOString/],
  ["RangeError: Maximum call stack size exceeded", "{Tree()}", /calls itself/],
  ["TypeError: users is not iterable", "for (const a of users)", /^users is not a list\. .*await/],
  ["TypeError: db.users.map is not a function", "db.users.map(f)", /^db\.users is not a list/],
  ["TypeError: users.walk is not a function", "users.walk()", undefined],
  ["TypeError: mail.send is not a function", "mail.send(1)", undefined],
  ["TypeError: c.walk is not a function", "c.walk()", undefined],
  ["TypeError: Cannot read properties of undefined (reading 'id')", "user.params.id", undefined],
  ["TypeError: Cannot read properties of null (reading 'id')", "c.req.id", undefined],
]
const slice = "TypeError: Cannot read properties of undefined (reading 'slice')"
const sources: readonly (readonly [message: string, line: string, source: string, fix: RegExp | undefined])[] = [
  [slice, "process.env.KEY!.slice(1)", "", /^KEY is not set\. Write KEY=… in \.env/],
  [slice, "(process.env.KEY as string).slice(1)", "", /^KEY is not set/],
  [slice, 'process.env["KEY"]!.slice(1)', "", /^KEY is not set/],
  [slice, "f(process.env.A, process.env.KEY!.slice(1))", "", /^KEY is not set/],
  [slice, "key.slice(1)", "const key = process.env.KEY!\n", /^KEY is not set/],
  [slice, "key!.slice(1)", "const key: string | undefined = process.env.KEY\n", /^KEY is not set/],
  [slice, "KEY.slice(1)", "const { PORT, KEY } = process.env as Env\n", /^KEY is not set/],
  [slice, "other.slice(1)", "const key = process.env.KEY\n", undefined],
  [slice, "a.slice(process.env.KEY)", "", undefined],
  ["TypeError: Invalid URL", "new URL(process.env.API!)", "", /^Is API set\? Write API=… in \.env/],
  ["TypeError: Invalid URL", "new URL(api)", "const api = process.env.API as string", /^Is API set/],
  ["TypeError: Invalid URL", "new URL(api)", "const api = f()", undefined],
  [
    'TypeError: The "path" argument must be of type string. Received undefined',
    "readFileSync(process.env.FILE!)",
    "",
    /^Is FILE set/,
  ],
  [
    "TypeError: Cannot read properties of undefined (reading 'VITE_KEY')",
    "import.meta.env.VITE_KEY",
    "",
    /process\.env\.VITE_KEY/,
  ],
]
for (const [message, line, source, fix] of sources) {
  test(`${fix ? "a fix" : "no fix"} is found for "${message}" in ${line}${source === "" ? "" : ` after ${source.trim()}`}`, () => {
    const found = findErrorFix(message, line, source)
    if (fix) assert.match(found ?? "", fix)
    else assert.is(found, undefined)
  })
}
for (const [message, line, fix] of rows) {
  test(`${fix ? "a fix" : "no fix"} is found for "${message}" in ${line}`, () => {
    const found = findErrorFix(message, line)
    if (fix) assert.match(found ?? "", fix)
    else assert.is(found, undefined)
  })
}

test.run()
