/**
 * Tests of the TextMate grammar: every part of every template has the scope that follows from the compiler's syntax
 * tree.
 */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { randomTemplates } from "../support/bin/format/random-template.ts"
import { findScopes, loadGrammar } from "../support/editors/grammar.ts"
import { readMarks } from "../support/editors/marks.ts"
import { random } from "../support/random.ts"
import { listFiles } from "../support/structure.ts"
import { root } from "../support/tsc.ts"

const grammar = await loadGrammar()
const seed = Number(process.env.FW_TEST_SEED ?? Date.now() % 1_000_000)

/** Compares the scopes of a text, and returns the number of compared positions. */
function check(text: string, file: string): number {
  const expected = readMarks(text, file)
  if (!expected) return 0
  const scopes = findScopes(grammar, text)
  for (const { at, scope, what } of expected.marks) {
    const found = scopes[at] ?? []
    const line = text.slice(text.lastIndexOf("\n", at) + 1).split("\n")[0]
    assert.ok(found.includes(scope), `${file}: ${what} in ${line}\n  has ${found.join(" ")}\n  not ${scope}`)
  }
  for (const { start, end } of expected.plain) {
    const wrong = scopes.slice(start, end).findIndex((found) => found?.includes("meta.template.tpl"))
    assert.is(wrong, -1, `${file}: in a template: ${text.slice(start + wrong, start + wrong + 40)}`)
  }
  return expected.marks.length
}

test("every fixture, example and template of the documentation has the scopes of its tree", () => {
  let places = 0
  for (const file of listFiles(["tests/fixtures/template", "examples", "scaffold", "bench"], ".tpl")) {
    if (!file.includes("node_modules")) places += check(readFileSync(join(root, file), "utf8"), file)
  }
  for (const file of listFiles(["docs"], ".md")) {
    for (const [, text = ""] of readFileSync(join(root, file), "utf8").matchAll(/^```tpl.*\n([\s\S]*?)^```$/gm)) {
      places += check(text, file)
    }
  }
  assert.ok(places > 5_000, `only ${places} positions were compared`)
})

test(`random templates have the scopes of their tree (FW_TEST_SEED=${seed})`, () => {
  assert.ok(check(randomTemplates(seed, 120), "random.tpl") > 1_000)
})

/** Code with a mark before a character, and a scope that this character has. */
const marked: readonly (readonly [code: string, scope: string])[] = [
  ["const ¦a = 1\ntemplate P() {}", "variable.other.constant.ts"],
  ["template P¦<T extends string>(a: T) {}", "punctuation.definition.typeparameters.begin.ts"],
  ["template P<T extends string>(a: ¦T) {}", "entity.name.type.ts"],
  ["template P() {¦<p>}", "punctuation.definition.tag.begin.html"],
  ["template P() {¦{a < b ? c : d}}", "punctuation.section.embedded.begin.tpl"],
  ["template P() {{a ¦< b && c > d}}", "keyword.operator.relational.ts"],
  ["template P() {{new Map¦<string, number>()}}", "punctuation.definition.typeparameters.begin.ts"],
  ["template P() {{¦if (a) {b}}}", "keyword.control.tpl"],
  ["template P() {{if (a) {b} ¦else {c}}}", "keyword.control.tpl"],
  ["template P() {{for (¦const a of b) {c}}}", "storage.type.ts"],
  ["template P() {{for await (const a of b) {c} ¦else {d}}}", "keyword.control.tpl"],
  ["template P() {{switch (a) { ¦case 1: {b} }}}", "keyword.control.tpl"],
  ["template P() {{switch (a) { ¦default: {b} }}}", "keyword.control.tpl"],
  ["template P() {{¦defer {a} pending {b} failed (e) {c}}}", "keyword.control.tpl"],
  ["template P() {{defer {a} ¦pending {b} failed (e) {c}}}", "keyword.control.tpl"],
  ["template P() {{defer {a} pending {b} ¦failed (e) {c}}}", "keyword.control.tpl"],
  ["template P() {{defer {a} pending {b} failed (¦e) {c}}}", "variable.parameter.ts"],
  ["template P() {{¦const a = 1}}", "storage.type.ts"],
  ["template P() {{¦Card(a) { b }}}", "entity.name.function.ts"],
  ["template P() {{Card({ a: {<¦b>c</b>} })}}", "entity.name.tag.html"],
  ["template P() {¦{/* a */}}", "punctuation.section.embedded.begin.tpl"],
  ["template P() {{¦/* a */}}", "comment.block.ts"],
  ["template P() {<!-- ¦a -->}", "comment.block.html"],
  ["template P() {a ¦&amp; b}", "constant.character.entity.html"],
  ['template P() {<p ¦x-data="{ a: 1 }">}', "entity.other.attribute-name.html"],
  ['template P() {<p x-data="¦{ a: 1 }">}', "string.quoted.double.html"],
  ["template P() {<p hx-vals='¦{\"a\":1}'>}", "string.quoted.single.html"],
  ["template P() {<p class={¦`a`}>}", "string.template.ts"],
  ["template P() {<p {¦...a}>}", "keyword.operator.spread.ts"],
  ["template P() {<p id=¦a>}", "string.unquoted.html"],
  ["template P() {<script>¦const a = 1</script>}", "storage.type.js"],
  ["template P() {<script>const a = ¦{{b}}</script>}", "punctuation.section.embedded.begin.tpl"],
  ["template P() {<script>f({ a: ¦{{b}} })</script>}", "punctuation.section.embedded.begin.tpl"],
  ["template P() {<script>const a = 1 // b¦</script>}", "punctuation.definition.tag.begin.html"],
  ["template P() {<style>.a { ¦b: c }</style>}", "meta.property-name.css"],
  ["template P() {<style>\n.a { ¦b: c }\n</style>}", "meta.property-name.css"],
  ["template P() {<script>const a = 1</script>¦<b></b>}", "punctuation.definition.tag.begin.html"],
  ["template P() {<script nonce={a > b}>const a = `</script>¦<b></b>}", "punctuation.definition.tag.begin.html"],
  ["template P() {<!¦doctype html>}", "entity.name.tag.html"],
  ["template P() {<{¦a}>b</{a}>}", "variable.other.readwrite.ts"],
]

for (const [code, scope] of marked) {
  test(`${code} has ${scope}`, () => {
    const at = code.indexOf("¦")
    const found = findScopes(grammar, code.replace("¦", ""))[at]
    assert.ok(found?.includes(scope), found?.join(" "))
  })
}

test("code after a template is TypeScript, and a template that is not closed ends before the next one", () => {
  const { below } = random(seed)
  const whole = randomTemplates(seed, 40)
  for (let count = 0; count < 60; count++) {
    const broken = whole.slice(whole.indexOf("template T"), 700 + below(whole.length - 700))
    const text = `${broken}\ntemplate Next(a: string) {\n  <p>{a}</p>\n}\nconst after = 1\n`
    const scopes = findScopes(grammar, text)
    const at = (part: string) => scopes[text.lastIndexOf(part)] ?? []
    assert.ok(at("template Next").includes("storage.type.template.tpl"), text)
    assert.ok(at("p>{a}").includes("entity.name.tag.html"), text)
    assert.equal(at("const after"), ["source.tpl", "meta.var.expr.ts", "storage.type.ts"], text)
  }
})

test.run()
