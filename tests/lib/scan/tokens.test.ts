/**
 * Tests of splitting modules into tokens: where a slash divides, where `<` begins an element, and which brackets
 * and line breaks are around a token.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { FwError } from "../../../lib/errors.ts"
import { tokenize } from "../../../lib/scan/tokens.ts"

const kindsIn = (source: string, jsx = false) =>
  tokenize(source, { file: "a.ts", allowsJSX: jsx }).tokens.map(({ kind, text }) =>
    kind === "mark" ? text : `${kind}:${text}`,
  )

/** Sources with a `/`, and true if it begins a regular expression. */
const slashes: ReadonlyArray<readonly [source: string, isRegex: boolean]> = [
  ["a / b / c", false],
  ["(a) / b / c", false],
  ["if (a) /b/.test(c)", true],
  ["a.if (b) / c / d", false],
  ["for await (const a of b) /c/.test(a)", true],
  ["for (const a of /b/g.exec(c)) {}", true],
  ["if (a) { b() }\n/c/.test(d)", true],
  ["function a() {}\n/b/.test(c)", true],
  ["const a = { b: 1 } / c / d", false],
  ["class A { #delete = 1; b() { return this.#delete / 2 / 3 } }", false],
  ["a.return / b / c", false],
  ["return /b/.test(c)", true],
  ["a++ / b / c", false],
  ["a! / b / c", false],
  ["!/a/.test(b)", true],
  ["[a] / b / c", false],
  [`\`\${a}\` / b / c`, false],
]
for (const [source, isRegex] of slashes) {
  test(`${JSON.stringify(source)} ${isRegex ? "contains a regular expression" : "divides"}`, () => {
    assert.is(
      kindsIn(source).some((token) => token.startsWith("regex:")),
      isRegex,
    )
  })
}

/** Sources of `.tsx` files, and the elements in them. */
const elements: ReadonlyArray<readonly [source: string, found: readonly string[]]> = [
  ["const a = <b>it's {c} and {`}`}</b>", ["<b>it's {c} and {`}`}</b>"]],
  ["const a = <><b/><c.d e:f='1' g={<h/>} {...i}>j</c.d></>", ["<><b/><c.d e:f='1' g={<h/>} {...i}>j</c.d></>"]],
  ["const a = <b /* , */ c />, d = <e></ e >", ["<b /* , */ c />", "<e></ e >"]],
  ["const a = <T,>(b: T) => <c/>", ["<c/>"]],
  ["const a = <T extends { b: 1 }>(b: T) => <c>{b}</c>", ["<c>{b}</c>"]],
  ["type F = <T>(b: T) => T\nconst a = <c></c>", ["<c></c>"]],
  ["type F = <T>(b: '{') => T\nconst a = <T></T>", ["<T></T>"]],
  ["const a = b < c, d = <e/>", ["<e/>"]],
  ["const a = <b><c></b>", []],
]
for (const [source, found] of elements) {
  test(`${JSON.stringify(source)} has ${found.length} elements`, () => {
    const jsx = kindsIn(source, true).filter((token) => token.startsWith("jsx:"))
    assert.equal(
      jsx,
      found.map((text) => `jsx:${text}`),
    )
  })
}

test("elements may be nested deeply, and a module with even deeper ones cannot be read", () => {
  const nested = (depth: number) => `a = ${"<b>{".repeat(depth)}${"}</b>".repeat(depth)}`
  assert.ok(kindsIn(nested(100), true).includes(`jsx:${nested(100).slice(4)}`))
  assert.throws(
    () => kindsIn(nested(10_000), true),
    (error: Error) => error instanceof FwError,
  )
})

test("a token knows its position, the brackets around it, and the line break before it", () => {
  const source = "\uFEFF#!/usr/bin/env node\na(`x${ {b} /* c */ }y`, /* d\n */ [e])"
  const { tokens, comments } = tokenize(source, { file: "a.ts", allowsJSX: false })
  assert.equal(
    tokens.map(({ text, depth, isOnNewLine: newline }) => [text, depth, newline]),
    [
      ["a", 0, true],
      ["(", 0, false],
      ["`x${ {b} /* c */ }y`", 1, false],
      [",", 1, false],
      ["[", 1, true],
      ["e", 2, false],
      ["]", 1, false],
      [")", 0, false],
    ],
  )
  for (const { text, start } of [...tokens, ...comments]) assert.is(source.slice(start, start + text.length), text)
  assert.equal(
    comments.map(({ text }) => text),
    ["/* d\n */"],
  )
})

const faults: ReadonlyArray<readonly [source: string, message: RegExp, column: number]> = [
  ["(a", /\( is never closed/, 1],
  ["a)", /\) closes nothing/, 2],
  ["(a]", /\] closes nothing/, 3],
  ["'a", /the string never ends/, 1],
  ["a /* b", /the comment never ends/, 3],
  ["a = `b", /the template literal never ends/, 5],
  [`a = \`\${b`, /\{ is never closed/, 7],
  [`a = \`\${b}`, /the template literal never ends/, 5],
]
for (const [source, message, column] of faults) {
  test(`${JSON.stringify(source)} is an error at column ${column}`, () => {
    try {
      tokenize(source, { file: "a.ts", allowsJSX: true })
    } catch (error) {
      assert.instance(error, FwError)
      assert.match((error as FwError).message, message)
      assert.is((error as FwError).at?.column, column)
      return
    }
    assert.unreachable()
  })
}

test.run()
