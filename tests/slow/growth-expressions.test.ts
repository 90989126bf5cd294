/**
 * Every regular expression of the library and its adapters takes linear time for every text: clients send the text, or
 * files have it, which may be of any size. The list is taken from the sources, and each expression is decided by analysis.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { attackOn, listExpressions } from "../support/growth/expressions.ts"

const all = listExpressions()

test("these tests find the regular expressions in the sources", () => assert.ok(all.size > 250, `${all.size}`))

for (const [text, file] of all) {
  const end = text.lastIndexOf("/")
  test(`the expression ${text} of ${file} takes linear time`, () =>
    assert.is(attackOn(text.slice(1, end), text.slice(end + 1)), undefined))
}

test.run()
