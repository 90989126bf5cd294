// Tests of the markup that the HTML language service reads: code is replaced by blanks, and every character keeps
// its position.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { htmxData } from "../../../bin/lsp/html/htmx-data.ts"
import { buildOutline } from "../../../bin/lsp/html/outline.ts"
import { readShadow } from "../../../bin/lsp/html/shadow.ts"
import { listHTMXNames } from "../../../lib/html/attributes.ts"
import type { Node, Span } from "../../../template/ast.ts"
import { getChildBlocks } from "../../../template/check/node-facts.ts"
import { findLanguage } from "../../../template/compile.ts"
import { parseModule } from "../../../template/module.ts"
import { listFiles } from "../../support/structure.ts"
import { root } from "../../support/tsc.ts"

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
  test(`the markup of ${body} keeps its positions, with blanks instead of code`, () => {
    const head = "template Page(a: { b: string }) {\n"
    const { text } = readShadow(`${head}${body}`)
    assert.is(text.slice(head.length), markup.replaceAll(".", " "))
    assert.is(text.slice(0, head.length).trim(), "")
  })
}

/** Markup, and the CSS in it. `+` marks a style element whose end tag exists. */
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
  test(`the styles in ${body} are ${css.join(" and ") || "none"}`, () => {
    const source = `template Page(a: string) {\n${body}`
    const found = readShadow(source).styles
    assert.equal(
      found.map(({ start, end, isClosed }) => (isClosed ? "+" : "-") + source.slice(start, end)),
      css,
    )
  })
}

/** The parts of the nodes of a template, in the form that a shadow has them. */
function listParts(nodes: readonly Node[], source: string): { tags: string[]; blocks: string[]; code: Span[] } {
  const found = { tags: [] as string[], blocks: [] as string[], code: [] as Span[] }
  const visit = (node: Node): void => {
    if (node.kind === "element") {
      const { tag, content, nameCode } = node
      if (!nameCode) found.tags.push(`start ${tag.start} ${tag.end}`)
      if (!nameCode && content) found.tags.push(`end ${content.end} ${node.end}`)
      for (const named of nameCode ? [nameCode, content?.closing] : [])
        if (named) found.code.push({ start: named.start - 1, end: named.end + 1 })
      for (const one of node.attributes) {
        if (one.kind === "dynamic")
          found.code.push({ start: source.indexOf("{", one.start + one.name.length), end: one.end })
        if (one.kind === "spread") found.code.push(one)
      }
    }
    if (node.kind === "const") found.code.push(node)
    if (node.kind === "expression" && (node.place === "text" || node.place === "plain")) found.code.push(node)
    if ("blocks" in node) {
      const word = node.kind === "component" ? "call" : node.kind
      const ends = [node.start, ...node.blocks.map(({ end }) => end)]
      found.code.push(...ends.map((start, at) => ({ start, end: node.blocks[at]?.start ?? node.end })))
      found.blocks.push(
        [word, node.start, node.end, ...node.blocks.flatMap(({ start, end }) => [start, end])].join(" "),
      )
    }
    for (const inner of getChildBlocks(node)) inner.forEach(visit)
  }
  nodes.forEach(visit)
  return found
}

for (const file of listFiles(["examples", "scaffold", "site", "tests/fixtures/template"], ".tpl")) {
  const source = readFileSync(join(root, file), "utf8")
  const { parts, problems } = parseModule(source, findLanguage(file))
  if (problems.length > 0) continue
  test(`the parser and the language server read the same structure in ${file}`, () => {
    const templates = parts.filter((part) => part.kind === "template")
    const shadow = readShadow(source, parts)
    const parsed = listParts(
      templates.flatMap(({ body }) => body),
      source,
    )
    assert.equal(
      shadow.bodies.map(({ start, end }) => [start, end]),
      templates.map(({ bodySpan: { start, end } }) => [start, end]),
    )
    const tags = shadow.tags.filter(({ kind }) => kind !== "comment")
    assert.equal(tags.map(({ kind, start, end }) => `${kind} ${start} ${end}`).sort(), parsed.tags.sort())
    const blocks = shadow.blocks.map(({ word, start, end, bodies }) =>
      [word, start, end, ...bodies.flatMap((body) => [body.start, body.end])].join(" "),
    )
    assert.equal(blocks.sort(), parsed.blocks.sort())
    // A tree has no comments in braces, and not the last brace of a template.
    const isOnlyShadow = ({ start, end }: Span) =>
      templates.some(({ bodySpan }) => bodySpan.end === start) ||
      (/^\{\s*\/[*/]/.test(source.slice(start, end)) && !parsed.code.some((one) => one.start === start))
    assert.is(
      blank(
        source,
        shadow.code.filter((one) => !isOnlyShadow(one)),
      ),
      blank(source, parsed.code),
    )
  })
}

function blank(source: string, spans: readonly Span[]): string {
  const characters = source.split("")
  for (const { start, end } of spans) characters.fill("·", start, end)
  return characters.join("")
}

test("unfinished markup keeps every line and column", () => {
  const page = bodies.map(([body], at) => `template Part${at}(a: string) {\n  ${body}\n}\n`).join("\n")
  for (let end = 0; end < page.length; end++) {
    const source = page.slice(0, end)
    const { text } = readShadow(source)
    assert.is(text.replace(/[^\n]/g, "x"), source.replace(/[^\n]/g, "x"))
  }
})

test("a tree of very many unclosed tags has a limited depth", () => {
  const source = `template Page() {\n${"<a>".repeat(50_000)}${"</b>".repeat(50_000)}`
  let depth = 0
  for (let nodes = buildOutline(readShadow(source), source); nodes.length > 0; depth++)
    nodes = nodes.at(-1)?.children ?? []
  assert.is(depth, 500)
})

test("each htmx attribute that is offered is also known", () => {
  for (const { name } of htmxData.globalAttributes)
    assert.ok(listHTMXNames().includes(name.replace(/:.*/, "")), `${name} is not known`)
})

test.run()
