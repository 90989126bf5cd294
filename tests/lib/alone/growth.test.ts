/**
 * Tests that the number of steps of parsers is proportional to the length of hostile text instead of its square.
 * `tests/slow/growth.test.ts` tests all parsers.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { canonicalizePath, splitSegments } from "../../../lib/path.ts"
import { listAcceptedCodings } from "../../../lib/request/accept-encoding.ts"
import { readCookie } from "../../../lib/request/cookies.ts"
import { parseForm } from "../../../lib/request/form.ts"
import * as grammar from "../../../lib/request/header-grammar.ts"
import { verifyCookie } from "../../../lib/request/signed-cookies.ts"
import { readModule } from "../../../lib/scan/exports.ts"
import { type Attack, assertLinear, growth, mostGrowth, repeated } from "../../support/growth/growth.ts"
import { countSteps } from "../../support/growth/steps.ts"

const parsers: [name: string, run: (text: string) => unknown, attacks: Attack[]][] = [
  [
    "Accept-Encoding",
    listAcceptedCodings,
    [repeated(" ", "gzip;q=a", "b"), repeated(" ", "gzip; ", "q"), repeated("q=", "gzip;"), repeated(";q=0", "gzip")],
  ],
  ["Cookie", (text) => readCookie(text, "x"), [repeated("a;"), repeated("a=b;"), repeated(" ", "x=", "b")]],
  [
    "a signed cookie",
    (text) =>
      verifyCookie({ env: { FW_SECRETS: "a secret for tests of 32 bytes or more" } }, "x", text, { signed: true }),
    [repeated("."), repeated("A"), repeated(`.${"A".repeat(43)}`), repeated(",", "", `.${"A".repeat(43)}`)],
  ],
  [
    "multipart/form-data",
    (text) =>
      parseForm(Buffer.from(text, "latin1"), `multipart/form-data; boundary=${"-".repeat(60)}a`, 9).catch(() => {}),
    [repeated("-"), repeated(`${"-".repeat(62)}b`), repeated(`${"-".repeat(62)}a\r\n`), repeated("\r\n--")],
  ],
  [
    "the grammar of headers",
    (text) => [
      grammar.listElements(text),
      grammar.readParameterized(text),
      grammar.readWeights(text),
      grammar.parseEntityTags(text),
      grammar.parseMediaType(text),
      grammar.unquoteText(text),
      grammar.quoteText(text),
      grammar.readDate(text),
    ],
    [
      repeated("\\", ',a="', '"'),
      repeated('"', ",a="),
      repeated('\\"', ',a="'),
      repeated("\\", ',"', '"'.repeat(500)),
      repeated('W/"a",'),
      repeated("W/", "", '"'),
      repeated(" ,\t;", "a", "b"),
      repeated(';a="\\,"', "a"),
    ],
  ],
  [
    "the exports of a module",
    (text) => readModule(text, { file: "a.ts", allowsJSX: false }),
    [
      repeated("a,", "export {", "}"),
      {
        name: "exports with comments",
        make: (length) =>
          Array.from({ length: length / 32 }, (_, at) => `/** a */\nexport const a${at} = 1\n`).join(""),
      },
    ],
  ],
  ["the segments of a path", splitSegments, [repeated("a/", "/"), repeated("%41/", "/"), repeated("a", "/")]],
  ["the canonical path", canonicalizePath, [repeated("a/", "/"), repeated("/", "", "%41"), repeated("../", "/a/")]],
]

for (const [name, run, attacks] of parsers) {
  test(`${name} is read in linear time`, () => assertLinear(name, run, attacks))
}

/** Functions with linear and with quadratic effort, named by the construct that causes it. */
const linear: Readonly<Record<string, (text: string) => unknown>> = {
  "a loop": (text) => {
    let sum = 0
    for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
    return sum
  },
  "a search that starts after the last match": (text) => {
    let count = 0
    for (let at = text.indexOf("a"); at >= 0; at = text.indexOf("a", at + 1)) count++
    return count
  },
  "slices that do not overlap": (text) => [...text].map((_, at) => text.slice(at, at + 1)),
  "a slice of the rest per element, which copies no characters": (text) => {
    for (let rest = text; rest !== ""; ) rest = rest.slice(1)
  },
  "a sticky expression that needs one character at each place": (text) => {
    const assigned = /\s*=|a?b|(?!a)./y
    for (let at = 0; at < text.length; at++) {
      assigned.lastIndex = at
      assigned.exec(text)
    }
  },
  "a text that is read once, after all additions": (text) => {
    let copy = ""
    for (const character of text) copy += `${character}!`
    return copy.indexOf("?")
  },
  "split, map and join": (text) => text.split("a").map(encodeURIComponent).join(","),
  "a map that grows": (text) => new Map([...text].map((_, at) => [at, at])),
  "an expression that looks one character ahead": (text) => text.replace(/a(?=b)/g, "").split(/[ab]/),
}
const quadratic: typeof linear = {
  "a loop in a loop": (text) => {
    let count = 0
    for (const _ of text) for (let at = 0; at < text.length; at += 64) count++
    return count
  },
  "a loop in a loop, with the square root of the number of steps": (text) => {
    let count = 0
    for (const _ of text) for (let at = 0; at < Math.sqrt(text.length); at++) count++
    return count
  },
  "indexOf per element": (text) => [...text].map(() => text.indexOf("?")),
  "indexOf of bytes per element": (text) => Buffer.from(text).map((_, _at, bytes) => bytes.indexOf(98)),
  "includes() of an array that grows": (text) => {
    const read: number[] = []
    for (let at = 0; at < text.length; at++) if (!read.includes(at)) read.push(at)
  },
  "a search of the rest per element": (text) => {
    for (let rest = text; rest !== ""; rest = rest.slice(1)) rest.indexOf("?")
  },
  "an expression that reads ahead at each place, and matches less": (text) => text.match(/a[^b]*b|a/g),
  "a text that is read after each addition": (text) => {
    let copy = ""
    for (const character of text) {
      copy += `${character}!`
      if (copy[copy.length - 1] === "?") break
    }
  },
  "an array that is copied for each element": (text) => {
    let read: string[] = []
    for (const character of text) read = [...read, character]
  },
  "an object that is copied for each element": (text) => {
    let read: object = {}
    for (const [at] of [...text].entries()) read = { ...read, [at]: at }
  },
  "bytes that are joined for each element": (text) => {
    let bytes = Buffer.alloc(0)
    for (const character of text) bytes = Buffer.concat([bytes, Buffer.from(character)])
  },
  "an expression that searches the whole text per element": (text) => [...text].map(() => /b/.test(text)),
  "a sticky expression that looks for an end at each place": (text) => {
    const quoted = /a[^b]*b/y
    for (let at = 0; at < text.length; at++) {
      quoted.lastIndex = at
      quoted.exec(text)
    }
  },
}
const sample = repeated("a")

for (const [name, run] of Object.entries(linear)) {
  test(`${name} is linear`, () => assertLinear(name, run, [sample]))
}
for (const [name, run] of Object.entries(quadratic)) {
  test(`${name} is not linear`, async () => {
    const { exponent } = await growth(run, [sample])
    assert.ok(exponent > mostGrowth, `${exponent}`)
  })
}

for (const expression of [/\s*;\s*/, /^\s*(.*?)\s*$/, /(a|a)*b/, /,+$/]) {
  test(`every use of ${expression} is reported as not linear`, async () => {
    for (const run of [
      (text: string) => expression.test(text),
      (text: string) => text.split(expression),
      (text: string) => text.replace(expression, ""),
      (text: string) => [...text.matchAll(new RegExp(expression, "g"))],
    ]) {
      let message = ""
      await assertLinear("It", run, [sample]).catch((error: Error) => (message = error.message))
      assert.match(message, "which is not linear for")
    }
  })
}

test("two runs of the same code count the same number of steps", async () => {
  const count = async () => {
    const { blocks, characters } = await countSteps(() => readCookie("a=b; c; x=d", "x"))
    return { blocks, characters }
  }
  // The first call loads what is loaded only once, so it does not count.
  await count()
  const first = await count()
  assert.ok(first.blocks > 0 && first.characters > 0)
  assert.equal(await count(), first)
})

test.run()
