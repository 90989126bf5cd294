/** Tests of warnings about elements that browsers move to another position than the template says. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, findWarnings } from "../../template/compile.ts"
import { root } from "../support/tsc.ts"

const page = (body: string): string => `template Page(x: any, tag: "p") {\n${body}\n}\n`

/** Returns the warnings of a body, and checks that the first is at its mark. */
function getWarnings(marked: string, file = "page.tpl"): string[] {
  const source = page(marked)
  assert.equal(compile(source.replace("¦", ""), file).diagnostics, [], marked)
  const found = findWarnings(source.replace("¦", ""), file)
  if (source.includes("¦")) assert.is(found[0]?.offset, source.indexOf("¦"), marked)
  return found.map(({ message, fix }) => `${message}. ${fix}`)
}

const wrong: ReadonlyArray<readonly [body: string, message: string]> = [
  ["<p>¦<div>a</div></p>", "browsers close <p> before <div>. End <p> before it"],
  ["<p><b>a ¦<ul><li>b</li></ul></b></p>", "browsers close <p> before <ul>"],
  ["<p>{if (x) {¦<table></table>}}</p>", "close <p> before <table>"],
  ["<p>{for (const a of x) {<i>{a}</i>¦<p>b</p>}}</p>", "close <p> before <p>"],
  ["<P>¦<DIV></DIV></P>", "close <p> before <div>"],
  ["<table>¦<div>a</div></table>", "browsers move <div> out of <table>. Put it into a cell"],
  ["<table><tr>{if (x) {¦<p>a</p>}}</tr></table>", "move <p> out of <tr>"],
  ["<table>¦<form><tr><td>a</td></tr></form></table>", "move <form> out of <table>"],
  ["<table>¦<input></table>", "move <input> out of <table>"],
  ["<table>¦<tr>a<td></td></tr></table>", "move text out of <tr>"],
  ["<table>¦<td>a</td></table>", "browsers do not keep <td> in <table>. Write it directly in <template>, <tr>"],
  ["<div>¦<tr><td>a</td></tr></div>", "do not keep <tr> in <div>"],
  ["<tbody>¦<thead></thead></tbody>", "do not keep <thead> in <tbody>"],
  ["<a>¦<a>b</a></a>", "close <a> before <a>"],
  ["<a><div>¦<a>b</a></div></a>", "close <a> before <a>"],
  ["<form><div>¦<form></form></div></form>", "browsers ignore a <form> inside a <form>"],
  ["<button><span>¦<button></button></span></button>", "close <button> before <button>"],
  ["<li><div>¦<li></li></div></li>", "close <li> before <li>"],
  ["<dt>¦<dd></dd></dt>", "close <dt> before <dd>"],
  ["<h1>¦<h2></h2></h1>", "close <h1> before <h2>"],
  ["<select>¦<select></select></select>", "close <select> before <select>"],
  ["<option>¦<option></option></option>", "close <option> before <option>"],
  ["<head>¦<header></header></head>", "move <header> out of <head>"],
  ["<div>¦<body></body></div>", "do not keep <body> in <div>"],
  ["<svg>¦<div></div></svg>", "browsers close <svg> before <div>"],
  ["<svg><foreignObject><p>¦<div></div></p></foreignObject></svg>", "close <p> before <div>"],
  ["{Card(x) {<p>¦<div></div></p>}}", "close <p> before <div>"],
  ["{Card({ head: {<p>¦<div></div></p>} })}", "close <p> before <div>"],
  ["{defer {<p>¦<div></div></p>} pending {a}}", "close <p> before <div>"],
]

test("an element that browsers close, move or ignore causes one warning, at its position", () => {
  for (const [body, message] of wrong) {
    const found = getWarnings(body)
    assert.is(found.length, 1, `${body}: ${found.join("; ")}`)
    assert.ok(found[0]?.includes(message), `${body}: ${found[0]}`)
  }
})

const right = [
  "<tr><td>a</td></tr>",
  "<td>a</td>",
  "<li><ul><li>a</li></ul></li>",
  "<option>a</option>",
  "<body><p>a</p></body>",
  "<html><head><title>a</title></head><body>b</body></html>",
  "<html><title>a</title><p>b</p></html>",
  "<table><tr><td><div><p>a</p></div></td></tr></table>",
  "<table><col><tr></tr></table><table><caption><div></div></caption><tbody></tbody></table>",
  '<table><tr><input type="hidden" name="a"><input type={x}><input {...x}><td></td></tr></table>',
  "<table>{for (const a of x) {<tr><td>{a}</td></tr>}} {x} {Row(x)} </table>",
  "<p>{Card(x) {<div></div>}}{Card({ head: {<div></div>} })}{x}</p>",
  "<p><{tag}><div></div></{tag}></p>",
  "<p><object><div></div></object><button><a>b</a></button></p>",
  "<a><object><a>b</a></object></a><a><svg><a><circle/></a></svg></a>",
  "<form><template><form></form></template></form>",
  "<select><button><selectedcontent></selectedcontent></button><div><option>a</option></div></select>",
  "<ul><p>a</p></ul><dl><div><dt>a</dt><dd>b</dd></div></dl><button><div></div></button><h1><div></div></h1>",
  "<template><tr></tr></template><template><td></td></template>",
  "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>",
]

test("markup that browsers do not change has no warning", () => {
  for (const body of right) assert.equal(getWarnings(body), [], body)
  assert.equal(getWarnings("<p><div/></p>", "feed.xml.tpl"), [])
  assert.equal(findWarnings(page("<p><div></p>"), "page.tpl"), [], "a file with an error has warnings")
})

test("a stray < before a table row is text in a table", () => {
  assert.match(getWarnings("<table>¦<thead><<tr></tr></thead></table>")[0] ?? "", "move text out of <thead>")
})

test("no template of the examples and of new projects has a warning", () => {
  let read = 0
  for (const folder of ["examples", "scaffold"])
    for (const file of readdirSync(join(root, folder), { recursive: true }) as string[]) {
      if (!file.endsWith(".tpl") || file.includes("node_modules")) continue
      assert.equal(findWarnings(readFileSync(join(root, folder, file), "utf8"), file), [], file)
      read++
    }
  assert.ok(read > 20, `only ${read} templates were read`)
})

test("at most 20 warnings of a file are reported", () => {
  assert.is(getWarnings("<p><div></div></p>".repeat(30)).length, 20)
})

test.run()
