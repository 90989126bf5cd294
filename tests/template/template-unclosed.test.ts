/** Tests that an unclosed construct in a template is reported where it begins, even if another template follows. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../template/index.ts"
import { testRules } from "../support/template/template-cases.ts"

const next = '\ntemplate Page() {\n  <p class="b">{if (x) { <b>y</b> }}</p>\n  <script>go()</script><!-- x -->\n}\n'
/** Returns a template whose body has a mistake, before a template without one. */
const card = (body: string): string => `template Card(a: any) {\n${body}\n}\n${next}`
/** Returns the same template before one whose elements end after the characters that would close the construct. */
const open = (body: string): string =>
  `template Card(a: any) {\n${body}\n}\n\ntemplate Page() {\n  <div><script>go()</script><style>a{}</style><!-- x --></div>\n}\n`

testRules({
  "a template": [
    [
      `const a = 1\n\ntemplate Card() ¦{\n  <p>x</p>\n${next}`,
      'template Card, which begins on line 3, is never closed … "}" after line 4',
    ],
    [`template Card<T extends string>() ¦{\n  <p>x</p>\n${next}`, "template Card, which begins on line 1"],
    ["template Card() ¦{\n  <p>x</p>\n", "template Card, which begins on line 1, is never closed"],
    ...[
      "export const b = { c: 1 }",
      "function f() {\n  return a < b\n}",
      "const b = 1",
      "interface Task {\n  id: string\n}",
    ].map((code) => [`template Card() ¦{\n  <p>x</p>\n\n${code}\n`, "template Card, which begins on line 1"] as const),
    [`template Card¦(a: string {\n  <p>x</p>\n}\n${next}`, 'this "(" is never closed … ")" before the "{" of line 1'],
  ],
  "braces, by their indentation": [
    [card("  ¦{if (a) {\n    <p>x</p>\n  }"), 'this {if} is never closed … "}" of line 4 ends only its block'],
    [card("  ¦{if (a) {\n    <p>x</p>"), 'this {if} is never closed … before the "}" of line 4'],
    [card("  ¦{if (a) {\n    <p>x</p>\n\n  <p>y</p>"), 'this {if} is never closed … before the "}" of line 6'],
    [card("  {if (a) {\n    <p>x</p>\n  }}\n  ¦{for (const b of a) {\n    {b}"), "this {for} is never closed"],
    [card("  ¦{Box() {\n    <p>x</p>\n  }"), 'this "{" is never closed … before the "}" of line 5'],
    [card("  ¦{a"), 'this "{" is never closed … before the "}" of line 3'],
    [card("  ¦{const b = { c: 1 }\n  {b.c}"), "this {const} is never closed"],
    [
      card("  {switch (a) {\n    case 1: ¦{\n      <p>x</p>\n    default: { <p>y</p> }\n  }}"),
      "this case is never closed … before line 5",
    ],
    [card("  ¦{switch (a) {\n    case 1: {\n      <p>x</p>\n    }\n  }"), "this {switch} is never closed"],
    [card("  ¦{defer {\n    <p>x</p>\n  } pending {\n    y"), "this {defer} is never closed"],
  ],
  "brackets, tags, comments and scripts": [
    [card("  {if ¦(a {\n    <p>x</p>\n  }}"), 'this "(" is never closed … ")" before the "{" of line 2'],
    [card("  {for ¦(const b of a.filter(c) {\n    <p>x</p>\n  }}"), 'this "(" is never closed'],
    [card('  <p ¦class="a>x</p>'), 'the value of "class" is never closed'],
    [card("  ¦<div\n    <p>x</p>\n  </div>"), 'the tag <div is never closed … ">" on line 2'],
    [card("  ¦<div"), 'the tag <div is never closed … ">" on line 2'],
    [`template Card() {\n  ¦<div\n${next}`, "the tag <div is never closed"],
    [card("  <div>x¦</div"), "the end tag </div is never closed"],
    [`template Card() {\n  ¦<div>\n    <p>x</p>\n${next}`, "<div> is never closed"],
    [open("  ¦<script>\n    go()"), "<script> is never closed"],
    [open("  ¦<style>\n    p { margin: 0"), "<style> is never closed"],
    [open("  ¦<!-- x"), "this comment is never closed"],
    [card("  ¦<textarea>\n    x"), "<textarea> is never closed"],
    [`function f() ¦{\n  return 1\n${next}`, 'this { is never closed … "}" before the template of line 4'],
    [`const a = f¦(1\n${next}`, 'this ( is never closed … ")" before the template of line 3'],
  ],
})

test("the template after an unclosed construct is compiled", () => {
  const { templates, diagnostics } = compile(`template Card() {\n  <p>x</p>\n${next}`, "page.tpl")
  assert.equal(
    templates.map(({ name }) => name),
    ["Card", "Page"],
  )
  assert.is(diagnostics.length, 1)
})

test("each of many unclosed templates in a file is reported once", () => {
  const source = Array.from({ length: 5 }, (_, at) => `template T${at}() {\n  <p>x</p>\n\n`).join("")
  const { templates, diagnostics } = compile(source, "page.tpl")
  assert.is(templates.length, 5)
  assert.equal(
    diagnostics.map(({ message }) => message),
    [1, 4, 7, 10, 13].map((line, at) => `template T${at}, which begins on line ${line}, is never closed`),
  )
})

const head = "\ntemplate Page() {\n"
const code = `${head}  x\n}\n`

/** Valid bodies that contain text which looks like the next template, or like an unclosed construct. */
const bodies: Readonly<Record<string, string>> = {
  "text of an element": '<pre>\ntemplate Page() {"{"}\n</pre>',
  "text of a sentence": "<p>\ntemplate Page(x) is compiled\n</p>",
  "text outside elements": "  x\ntemplate Page(\n  y",
  "text before an expression": "  x\ntemplate Page(x) {a}\n  y",
  "text before markup of an expression": "  x\ntemplate Page(x) {a({<b>x</b>})}\n  y",
  "text before an expression on the next line": "<pre>\ntemplate Page() {\n  a\n}\n</pre>",
  "a declaration in an element": "<pre>\n\nexport const a = 1\n</pre>",
  "a declaration in text": "  <p>x</p>\n\nexport const b = 1\n\nfunction f(x) {a}\n\ninterface Task {a}\n",
  "a type in text": "  Dear reader,\n\ntype Annotation is on the left, const b = {a}\n",
  "a template literal": "<pre>{`" + code + "`}</pre>",
  "nested template literals": "<pre>{`${`" + code + "${a}" + code + "`}`}</pre>",
  "a string with escaped lines": "<p>{'\\\ntemplate Page() {\\\n'}</p>",
  "a regular expression": "{/[{}]template Page() {/.test(a)}",
  "a comment of code": "{a /*" + code + "*/}",
  "a comment in braces": "{/*" + code + "*/}",
  "a comment of HTML": "<!--" + code + "}\n" + code + "-->",
  "the end and the beginning of a template in a comment": "<!-- x\n}\n" + code + "-->",
  "an attribute": "<p data-code='" + code + "'>x</p>",
  "an attribute between others": '<p title="' + code + '}" {...a}\nclass="template Page()">x</p>',
  "names of attributes at the start of a line": "<p\ntemplate\nPage\n>x</p>",
  "a script": "<script>\n/*" + code + "}\n" + code + "*/</script>",
  "a string of a script": "<script>const a = `" + code + "}\n" + code + "`</script>",
  "a script with JSON": "<script>const a = {{a}}; const b = `" + code + "`</script>",
  "a script of another type": '<script type="text/x">\n}\n' + code + "</script>",
  "a style": "<style>\n/*\n}\n" + code + "*/</style>",
  "a textarea": "<textarea>\ntemplate Page(x) {a}\n</textarea>",
  "the operators of an expression": "{(\ntemplate in (a))}{a(\ntemplate as (any),\ntemplate satisfies (any))}",
  "types with brackets": "{f(a as { <T>(x: T): T })}{f(class { <T>(x: T) { return x } })}",
  "functions in arguments": "{a.map(function (x) {\n  return x\n})}{a.map((x) => {\nreturn x\n})}",
  "text like a case": "{switch (a) {\n  case 1: {\n    x\n    case 2: {a}\n    default: {a}\n  }\n  default: { y }\n}}",
  "braces that end left of their line":
    "    {if (a) {\n  x\n}}\n    {a(\n)}\n      {const b = {\n}\n}\n    {Box() {\n  x\n}}",
  "a block of Markdown": "<pre>\n```tpl" + code + "```\n\n# template Page() {a}\n</pre>",
  "windows line ends": "<pre>\r\ntemplate Page() {\r\n  a\r\n}\r\n</pre>",
}

for (const [what, body] of Object.entries(bodies)) {
  test(`a correct file is not refused because of text that looks unclosed: ${what}`, () => {
    const source = `template Card(a: any) {\n${body}\n}\n\ntemplate Last() {\n  <p>x</p>\n}\n`
    const { templates, diagnostics } = compile(source, "page.tpl")
    assert.equal(diagnostics, [])
    assert.is(templates.at(-1)?.name, "Last")
  })
}

/** Valid TypeScript between templates. */
const modules: Readonly<Record<string, string>> = {
  "nested braces": "const a = { b: { c: [{ d() { if (1) { return {} } } }] } }",
  "a template literal": "const a = `" + code + "${`" + code + "`}`",
  comments: "/*" + code + "*/\n// template Page() {",
  "a regular expression": "const a = /template Page() {/",
  "operators in brackets": "const a = (\ntemplate in (b) ||\ntemplate instanceof (c))\nf(\ntemplate as (any))",
  "a name called template": "const template = 1\nf(\ntemplate)\nfunction f(\ntemplate: any) {\ntemplate\n(1)\n}",
  "a class": "class A {\ntemplate() {}\n  b = {\ntemplate: 1 }\n}",
  "an enumeration and a namespace": "enum A { a = 1 }\nnamespace N { export const x = { y: [(1)] } }",
}

for (const [what, text] of Object.entries(modules)) {
  test(`correct TypeScript is not refused: ${what}`, () => {
    const source = `template Card() {\n  <p>x</p>\n}\n\n${text}\n\ntemplate Last() {\n  <p>x</p>\n}\n`
    const { templates, diagnostics } = compile(source, "page.tpl")
    assert.equal(diagnostics, [])
    assert.equal(
      templates.map(({ name }) => name),
      ["Card", "Last"],
    )
  })
}

test.run()
