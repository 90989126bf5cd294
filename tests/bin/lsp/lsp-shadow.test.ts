// The markup that the language service of HTML reads: what is code is blank, and every character keeps its place.

import { test } from "uvu"
import * as assert from "uvu/assert"
import { htmxData } from "../../../bin/lsp/html/htmx-data.ts"
import { buildOutline } from "../../../bin/lsp/html/outline.ts"
import { readShadow } from "../../../bin/lsp/html/shadow.ts"
import { isKnownHTMX } from "../../../lib/html/attributes.ts"

/** The body of a template, and its markup with `.` for each character of code. */
const bodies: readonly [body: string, markup: string][] = [
  ["<p>{name}</p>", "<p>......</p>"],
  ["<p class={a}>x</p>", '<p class=".">x</p>'],
  ["<p {...a} id=b>x</p>", "<p ...... id=b>x</p>"],
  ['<p id="{a}">x</p>', '<p id="{a}">x</p>'],
  ["{if (a) { <b>1</b> } else { <i>2</i> }}", "......... <b>1</b> ........ <i>2</i> .."],
  [
    "{switch (a) { case 1: { <b>1</b> } default: { <i>2</i> } }}",
    "....................... <b>1</b> ............ <i>2</i> ....",
  ],
  ["{Card({ a: 1 }) { <b>1</b> }}<u>2</u>", "................. <b>1</b> ..<u>2</u>"],
  ["{a.map((x) => { return x })}<u>2</u>", "............................<u>2</u>"],
  ["<style>a { b: c }</style><b>1</b>", "<style>a { b: c }</style><b>1</b>"],
  ["<p>{a", "<p>.."],
  ["<p cl", "<p cl"],
  ['<p title="a', '<p title="a'],
]
for (const [body, markup] of bodies) {
  test(`markup of ${body}`, () => {
    const head = "template Page(a: { b: string }) {\n"
    const { text } = readShadow(`${head}${body}`)
    assert.is(text.slice(head.length), markup.replaceAll(".", " "))
    assert.is(text.slice(0, head.length).trim(), "")
  })
}

/** Markup, and the CSS in it: `+` where its end is written. */
const styles: readonly [body: string, css: readonly string[]][] = [
  ["<style>a { b: c }</style><p>x</p>", ["+a { b: c }"]],
  ["<STYLE nonce={n}>a{}</STYLE >", ["+a{}"]],
  ['{if (a) { <style>a { b: "<b>" }</style> }}<i>1</i>', ['+a { b: "<b>" }']],
  ["<svg><style>a{}</style></svg><style>b{}</style>", ["+a{}", "+b{}"]],
  ['<style type="text/css">a{}</style>', ["+a{}"]],
  ['<style type="text/tailwindcss">@apply x</style>', []],
  ["<p style=\"top: 0\" title='style=1'>x</p>", ["+top: 0"]],
  ["<p id=a style = 'top: 0'>x</p>", ["+top: 0"]],
  ["<p data-style='top: 0' style={{ top: 0 }} style=top>x</p>", []],
  ['<script>const a = "<style>b{}</style>"</script>{f("<p style=\'c\'>")}', []],
  ["<style>a { b: ", ["-a { b: "]],
  ["<style>a { b: <p>x</p>", ["-a { b: "]],
  ['<p style="top: ', ["-top: "]],
]
for (const [body, css] of styles) {
  test(`CSS of ${body}`, () => {
    const source = `template Page(a: string) {\n${body}`
    const found = readShadow(source).styles
    assert.equal(
      found.map(({ start, end, isClosed }) => (isClosed ? "+" : "-") + source.slice(start, end)),
      css,
    )
  })
}

test("unfinished markup keeps every line and column", () => {
  const page = bodies.map(([body], at) => `template Part${at}(a: string) {\n  ${body}\n}\n`).join("\n")
  for (let end = 0; end < page.length; end++) {
    const source = page.slice(0, end)
    const { text } = readShadow(source)
    assert.is(text.replace(/[^\n]/g, "x"), source.replace(/[^\n]/g, "x"))
  }
})

test("a tree of very many tags without an end has a limited depth", () => {
  const source = `template Page() {\n${"<a>".repeat(50_000)}${"</b>".repeat(50_000)}`
  let depth = 0
  for (let nodes = buildOutline(readShadow(source), source); nodes.length > 0; depth++)
    nodes = nodes.at(-1)?.children ?? []
  assert.is(depth, 500)
})

test("each attribute of htmx that is offered is known", () => {
  for (const { name } of htmxData.globalAttributes) assert.ok(isKnownHTMX(name), name)
})

test.run()
