/**
 * Tests of the guides: every block of a guide is checked by a test, and each guide ends with the next step.
 * tests/slow/guides.test.ts carries out the guides.
 */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { isWalked, readSteps } from "../support/docs/guides/steps.ts"
import { fits, fitsJSON } from "../support/docs/guides/wildcards.ts"
import { root } from "../support/tsc.ts"

const directory = join(root, "docs/guides")
const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
for (const name of names.filter((name) => name.endsWith(".md"))) {
  const text = readFileSync(join(directory, name), "utf8")
  const document = `docs/guides/${name}`
  if (isWalked(text)) {
    test(`${document}: tests check every block`, () => {
      assert.ok(readSteps(document, text).some(({ kind }) => kind === "ask" || kind === "run"))
    })
  }
  if (dirname(name) !== ".") continue
  test(`${document} ends with a list of pages to read next`, () => {
    assert.match(text, /\n## Next\n\n(?:- .*\n)+$/)
  })
}

test("each kind of block in a guide becomes a step", () => {
  const text = [
    "```sh\n# first\nnpx fw new shop\ncurl \\\n  localhost:3000\n```\n",
    "```text\nhello …\n```\n",
    "```ts\n// app/a/route.ts\nlet a\n```\n",
    '```sh\n# .env\nA=1\n```\n```html\n<!-- static/a.html -->\n<p></p>\n```\n```sh\ntrue\n```\n```json\n{"a": 1}\n```\n',
    "```diff\n // main.ts\n a\n-b\n+c\n…\n d\n+e\n```\n",
    "```http\nGET /\n\nHTTP/1.1 204\n```\n",
    "```ini\n# /etc/systemd/system/shop.service\n[Unit]\n```\n",
    "```sh nocheck\nsudo reboot\n```\n",
  ].join("\nWords.\n\n")
  assert.ok(isWalked(text))
  assert.equal(
    readSteps("x.md", text).map(({ place, ...step }) => ("exchanges" in step ? { ...step, exchanges: 1 } : step)),
    [
      { kind: "run", lines: ["npx fw new shop", "curl localhost:3000"], output: "hello …\n" },
      { kind: "write", file: "app/a/route.ts", content: "// app/a/route.ts\nlet a\n" },
      { kind: "write", file: ".env", content: "# .env\nA=1\n" },
      { kind: "write", file: "static/a.html", content: "<!-- static/a.html -->\n<p></p>\n" },
      { kind: "run", lines: ["true"], output: '{"a": 1}\n' },
      {
        kind: "change",
        file: "main.ts",
        changes: [
          { before: "a\nb", after: "a\nc" },
          { before: "d", after: "d\ne" },
        ],
      },
      { kind: "ask", exchanges: 1 },
    ],
  )
})

test("a block of a guide that no test checks is an error with its place", () => {
  assert.throws(() => readSteps("x.md", "# A\n\n```ts\nlet a\n```\n"), /^x\.md:4: nothing checks this block/)
  assert.throws(() => readSteps("x.md", "```text\nalone\n```\n"), /nothing checks/)
  assert.not.ok(isWalked("```sh\nnpx fw dev\n```\n"))
})

for (const [shown, actual, expected] of [
  ["a b", " a\n  b ", true],
  ["a", "ab", false],
  ["a…", "ab", true],
  ["…<li>a</li>…", "<ul>\n  <li>\n a </li></ul>", true],
  ["…<li>a</li>…", "<ul><li>b</li></ul>", false],
  ['<input value="a"… <p…>b</p>', '<input value="a" required> <p id="b">b</p>', true],
  ["1.5", "115", false],
] as const) {
  test(`the text ${JSON.stringify(shown)} in a guide ${expected ? "matches" : "does not match"} ${JSON.stringify(actual)}`, () => {
    assert.is(fits(shown, actual), expected)
  })
}

for (const [shown, actual, expected] of [
  [{ a: "…", b: [1] }, { a: { c: 1 }, b: [1] }, true],
  [{ a: "x…" }, { a: "xy" }, true],
  [{ a: "x…" }, { a: 1 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [[1], { 0: 1 }, false],
  [{ a: null }, { a: {} }, false],
] as const) {
  test(`the JSON ${JSON.stringify(shown)} in a guide ${expected ? "matches" : "does not match"} ${JSON.stringify(actual)}`, () => {
    assert.is(fitsJSON(shown, actual), expected)
  })
}

test.run()
