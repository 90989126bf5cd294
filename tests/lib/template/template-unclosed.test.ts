/** A part of a template that is not closed is reported where it begins, also if the next template follows. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../../lib/template/index.ts"
import { testRules } from "../../support/lib/template/template-cases.ts"

const next =
  '\ntemplate Page() {\n  <p class="b">{if (x) { <b>y</b> }}</p>\n  <script>go()</script><!-- x -->\n}\n'
/** A template whose body lacks something, before a template without a mistake. */
const card = (body: string): string => `template Card(a: any) {\n${body}\n}\n${next}`

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
    ].map(
      (code) =>
        [`template Card() ¦{\n  <p>x</p>\n\n${code}\n`, "template Card, which begins on line 1"] as const,
    ),
    [
      `template Card¦(a: string {\n  <p>x</p>\n}\n${next}`,
      'this "(" is never closed … ")" before the "{" of line 1',
    ],
  ],
  "braces, by their indentation": [
    [
      card("  ¦{if (a) {\n    <p>x</p>\n  }"),
      'this {if} is never closed … "}" of line 4 ends only its block',
    ],
    [card("  ¦{if (a) {\n    <p>x</p>"), 'this {if} is never closed … before the "}" of line 4'],
    [
      card("  ¦{if (a) {\n    <p>x</p>\n\n  <p>y</p>"),
      'this {if} is never closed … before the "}" of line 6',
    ],
    [
      card("  {if (a) {\n    <p>x</p>\n  }}\n  ¦{for (const b of a) {\n    {b}"),
      "this {for} is never closed",
    ],
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
    [card("  ¦<script>\n    go()"), "<script> is never closed"],
    [card("  ¦<textarea>\n    x"), "<textarea> is never closed"],
    [card("  ¦<!-- x"), "this comment is never closed"],
    [`function f() ¦{\n  return 1\n${next}`, 'this { is never closed … "}" before the template of line 4'],
    [`const a = f¦(1\n${next}`, 'this ( is never closed … ")" before the template of line 3'],
  ],
})

test("the template after a part that is not closed is compiled", () => {
  const { templates, diagnostics } = compile(`template Card() {\n  <p>x</p>\n${next}`, "page.tpl")
  assert.equal(
    templates.map(({ name }) => name),
    ["Card", "Page"],
  )
  assert.is(diagnostics.length, 1)
})

for (const [what, body] of [
  ["text", '<pre>\ntemplate Page() {"{"}\n</pre>'],
  ["a template literal", "<pre>{`\ntemplate Page() {\n}\n`}</pre>"],
  ["text of a sentence", "<p>\ntemplate Page(x) is compiled\n</p>"],
  ["code in an element", "<pre>\n\nexport const a = 1\n</pre>"],
  ["code in an attribute", "<p data-code='\ntemplate Page() {\n}\n'>x</p>"],
] as const) {
  test(`the head of a template is allowed in ${what}`, () => {
    assert.equal(compile(`template Card() {\n${body}\n}\n`, "page.tpl").diagnostics, [])
  })
}

test.run()
