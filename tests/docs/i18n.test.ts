/**
 * Tests of the function in the guide that chooses a visitor's language. Projects copy it, so the test reads it from
 * the guide.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { transformSync } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { assertLinear, repeated } from "../support/growth/growth.ts"
import { root } from "../support/tsc.ts"

const guide = readFileSync(join(root, "docs/guides/i18n.md"), "utf8")
const [, code = ""] = /^```ts\n(\/\/ lib\/texts\.ts\n[\s\S]*?)^```$/m.exec(guide) ?? []
// The imported `notFound` is only needed by a function that is not called here.
const { code: script } = transformSync(code.replace(/^import .*$/m, ""), { loader: "ts" })
const { preferredLanguage } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as {
  preferredLanguage: (header: string) => string
}

const rows: readonly [header: string, language: string][] = [
  ["", "en"],
  ["nl", "nl"],
  ["NL-be", "nl"],
  ["nl-Latn-BE", "nl"],
  ["de", "en"],
  ["nlx", "en"],
  // The site has two languages. Of languages with the same weight, the first one wins.
  ["nl, en", "nl"],
  ["en, nl", "en"],
  ["nl;q=0.5, en;q=0.5", "nl"],
  ["fr;q=0.9, nl-BE;q=0.8, en;q=0.5", "nl"],
  ["en;q=0.1, nl;q=0.9", "nl"],
  ["en;q=0.899, nl;q=0.9", "nl"],
  ["nl;q=0.2, en-GB;q=0.1, nl-BE;q=0.05", "nl"],
  // Spaces and tabs are allowed around every part.
  ["en;q=0.1,nl ; q=0.9", "nl"],
  ["en;q=0.1,\tnl\t;\tq=0.9\t", "nl"],
  ["en;q=0.1, , ,nl", "nl"],
  ["en;q=0.1, \u00a0nl", "en"],
  // Upper and lower case make no difference, also in the name of the weight.
  ["en;Q=0.1, NL;Q=0.9", "nl"],
  // A weight of zero refuses a language.
  ["en;q=0", "nl"],
  ["en;q=0.000, fr", "nl"],
  ["nl;q=0", "en"],
  ["en;q=0, nl;q=0", "en"],
  // A star stands for every language that is not named.
  ["*", "en"],
  ["en;q=0, *", "nl"],
  ["en;q=0.5, *", "nl"],
  ["nl;q=0.5, *;q=0.1", "nl"],
  ["fr, *;q=0", "en"],
  // A malformed weight or name is ignored, because the visitor may not have meant it.
  ["en;q=0.1, nl;q=2", "en"],
  ["en;q=0.1, nl;q=-1", "en"],
  ["en;q=0.1, nl;q=", "en"],
  ["en;q=0.1, nl;q=0.1234", "en"],
  ["en;q=0.1, nl;q=1e3", "en"],
  ["en;q=0.1, nl;level=1", "en"],
  ["en;q=0.1, n l", "en"],
  ["en;q=0.1, __proto__, constructor", "en"],
]

for (const [header, language] of rows) {
  test(`the Accept-Language ${JSON.stringify(header)} prefers ${language}`, () =>
    assert.is(preferredLanguage(header), language))
}

test("Accept-Language is read in linear time", async () => {
  const attacks = [
    repeated(" ", "a", "b"),
    repeated("\t", "nl;", "q"),
    repeated("nl,"),
    repeated("nl;q=0.5,"),
    repeated(",", "", "!"),
    repeated("-a", "nl", "!"),
    repeated(";q=0", "nl"),
  ]
  await assertLinear("preferredLanguage()", preferredLanguage, attacks)
})

test.run()
