/**
 * Tests that every regular expression of the library and its adapters needs linear time for every text, because
 * clients send texts of any size. The expressions are read from the sources, and each is analysed.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { attackOn, listExpressions } from "../support/growth/expressions.ts"

const all = listExpressions()

test("these tests find the regular expressions in the sources", () =>
  assert.ok(all.size > 250, `only ${all.size} expressions were found`))

for (const [text, file] of all) {
  const end = text.lastIndexOf("/")
  test(`the expression ${text} of ${file} takes linear time`, () =>
    assert.is(attackOn(text.slice(1, end), text.slice(end + 1)), undefined))
}

test.run()
