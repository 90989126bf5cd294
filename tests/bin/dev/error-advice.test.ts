/** Fixes for errors of code that is written for other frameworks. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { errorAdvice } from "../../../bin/dev/error-advice.ts"

const test = suite("advice for errors")

const rows: readonly (readonly [message: string, line: string, fix: RegExp | undefined])[] = [
  ["TypeError: c.send is not a function", "return c.send(1)", /no send\. It has c\.string/],
  ["TypeError: c.status is not a function", "c.status(201).json({})", /c\.json\(201, data\)/],
  ["TypeError: c.send is not a function", "(c as any).send(1)", /no send/],
  [
    "TypeError: Cannot read properties of undefined (reading 'query')",
    "c.req.query.q",
    /no req\. It has c\.query/,
  ],
  ["TypeError: Cannot read properties of undefined (reading 'id')", "ctx.params.id", /no params/],
  ["TypeError: An object (User) cannot be printed in text.", "{user}", /\{user\.name\}/],
  ["TypeError: mail.send is not a function", "mail.send(1)", undefined],
  ["TypeError: c.walk is not a function", "c.walk()", undefined],
  ["TypeError: Cannot read properties of undefined (reading 'id')", "user.params.id", undefined],
  ["TypeError: Cannot read properties of null (reading 'id')", "c.req.id", undefined],
]
for (const [message, line, fix] of rows) {
  test(`${message}: ${line}`, () => {
    const found = errorAdvice(message, line)
    if (fix) assert.match(found ?? "", fix)
    else assert.is(found, undefined)
  })
}

test.run()
