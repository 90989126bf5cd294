/**
 * Tests of `{defer}` in templates: where it is a keyword, which functions it makes async, where it is refused, and
 * its white space.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { markPattern } from "../../lib/html/deferred-blocks.ts"
import { compile } from "../../template/index.ts"
import { load, render } from "../fixtures/template/render.ts"

/** The body of a template, and its error. */
const refused: readonly (readonly [body: string, message: RegExp])[] = [
  ["<p class={defer { a }}></p>", /\{defer\} cannot be here/],
  ["<title>{defer { a }}</title>", /\{defer\} cannot be here/],
  ["<textarea>{ defer { a }}</textarea>", /\{defer\} cannot be here/],
  ["<script>const a = {{defer { a }}}</script>", /\{defer\} cannot be here/],
  ["<style>{defer { a }}</style>", /\{defer\} cannot be here/],
  ["<svg>{defer { <g></g> }}</svg>", /\{defer\} cannot be here/],
  ["<svg><g>{if (a) { {defer { <g></g> }} }}</g></svg>", /\{defer\} cannot be here/],
  ["<math>{defer { <mi></mi> }}</math>", /\{defer\} cannot be here/],
  ["<template>{defer { <p></p> }}</template>", /\{defer\} cannot be here/],
  ["{defer { <p> }}", /<p> is never closed/],
  ["{defer { a } pending b}", /"\{" is missing after pending/],
  ["{defer { a } failed () { b }}", /failed takes one name/],
  ["{defer { a } failed ({ message }) { b }}", /failed takes one name/],
  ["{defer { a } failed (error, more) { b }}", /failed takes one name/],
  ["{defer { a } failed (children) { b }}", /"children" is the markup/],
  ["{defer { a } failed (e) { b } pending { c }}", /"pending" cannot be here/],
  ["{defer { a } pending { b } pending { c }}", /"pending" cannot be here/],
  ["{defer { a } else { b }}", /continues after its block/],
  ['{defer { a } failed (error) { <p title="{error}"></p> }}', /a quoted value is literal/],
]

for (const [body, message] of refused) {
  test(`the compiler refuses ${body}`, () => {
    const { diagnostics } = compile(`template A(a: string) {${body}}`, "a.tpl")
    assert.match(diagnostics.map((one) => one.message).join("\n"), message)
  })
}

test("the compiler refuses {defer} in XML", () => {
  const { diagnostics } = compile("template Feed() {<a>{defer { <b/> }}</a>}", "feed.xml.tpl")
  assert.match(String(diagnostics[0]?.message), "{defer} cannot be here")
})

test("defer is a keyword only before a brace", async () => {
  assert.is(await render("template Page(defer: (x: string) => string) {{defer('x')}}", (x: string) => x + x), "xx")
  assert.is(await render("template Page(defer: string) {{defer}}", "text"), "text")
  assert.is(await render("template Page(defer: { a: string }) {{defer.a}}", { a: "text" }), "text")
})

const async: readonly (readonly [body: string, isAsync: boolean])[] = [
  ["{defer { {await a} }}", false],
  ["{defer { {await a} } pending { <p></p> } failed (error) { {await b} }}", false],
  ["{defer { a } pending { {await a} }}", true],
  ["{defer { a }}{await b}", true],
  ["{defer { {for await (const x of a) { {x} }} }}", false],
]
for (const [body, isAsync] of async) {
  test(`a template is ${isAsync ? "async" : "not async"} with ${body}`, () => {
    const { templates, diagnostics } = compile(`template A(a: Promise<string>) {${body}}`, "a.tpl")
    assert.equal(diagnostics, [])
    assert.is(templates[0]?.async, isAsync)
  })
}

test("a defer block prints one mark in place of its markup", async () => {
  const text = await render("template Page() {<p>a</p>\n{defer {\n<b>b</b>\n} pending {\n<i>c</i>\n}}\n<p>d</p>}")
  assert.match(text, markPattern)
  assert.is(text.replace(markPattern, "|"), "<p>a</p> | <p>d</p>")
})

test("a template that prints its children only in a defer block takes children", () => {
  const { templates, diagnostics } = compile("template A() {{defer { <p>{children}</p> }}}", "a.tpl")
  assert.equal(diagnostics, [])
  assert.is(templates[0]?.children, true)
})

test("code in every part of a defer block is in the output", () => {
  const source =
    "template A(a: string) {\n{defer {\n<b>{a.one}</b>\n} pending {\n{a.two}\n} failed (why) {\n{String(why)}\n}}\n}"
  const { code, diagnostics } = compile(source, "a.tpl")
  assert.equal(diagnostics, [])
  for (const word of ["a.one", "a.two", "why: unknown", "String(why)"])
    assert.ok(code.includes(word), `the output does not contain ${word}`)
})

test("a template also returns the marks of defer blocks in the templates that it prints", async () => {
  const source = `
template Inner() {{defer { b } pending { c }}}
template Outer() {<p>{Inner()}{[Inner()]}</p>}
template Waits() {{await null}{Card() { {Inner()} }}}
template Card() {<div>{children}</div>}
`
  const { Outer, Waits } = await load(source)
  assert.is(String(Outer?.()).match(markPattern)?.length, 2)
  assert.is(String(await Waits?.()).match(markPattern)?.length, 1)
})

test.run()
