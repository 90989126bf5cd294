/** `{if}` as an expression in the code: it prints what statements print, and only blocks with a declaration or a loop are statements. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../../lib/template/index.ts"
import { load } from "../../fixtures/template/render.ts"

/** Blocks with "if (a)" and others. `¦` is where a constant makes a block a sequence of statements. */
const bodies = [
  "{if (a) {¦}}x",
  "{if (a) {¦<b>{t}</b>}}",
  "<p>{if (a) {¦x} else {¦{t}}}</p>",
  '{if (a) {¦<b title={t} {...{ id: 1 }}>x</b>} else if (b) {¦<i class={["n", b && "m"]}></i>} else {¦}}{t}',
  "{if (a) {¦y{if (b) {¦<b>{t}</b>} else {¦{if (t) {¦z}}}}w}}",
  "{if (a) {¦{Box(t) {1{Box(t) {<u>{t}</u>}}}}{Box(t) {2}}} else {¦{Box(t) {3}}}}{Box(t) {4}}",
  "{if (a, b) {¦{Box({ toString: () => 5 } && t) {5}}{Head({ h: {<b>{if (b) {¦6}}{Box(t) {7}}</b>} })}}}",
  "{if (a) {¦<pre>{t}{if (b) {¦<b></b>}}</pre>{Box(t) {8}}}}",
  "{if (a // comment\n) {¦{t // comment\n}}}",
]
const parameters = "a: boolean, b: boolean, t: string"
const parts =
  "template Box(t: string) {<q>{t}{children}</q>}\ntemplate Head({ h }: { h: Html }) {<h1>{h}</h1>}\n"

for (const [at, body] of bodies.entries()) {
  test(`statements print the same as ${JSON.stringify(body)}`, async () => {
    const source = (separate: string) =>
      `${parts}template Page(${parameters}) {${body.replaceAll("¦", separate)}}\n`
    const isStatement = (code: string) => /^ +if \(/m.test(code)
    assert.not(isStatement(compile(source(""), "page.tpl").code))
    assert.ok(isStatement(compile(source("{const n = 0}"), "page.tpl").code))
    const [expressions, statements] = [await load(source("")), await load(source("{const n = 0}"))]
    for (const a of [true, false])
      for (const b of [true, false])
        for (const t of ["", "\nt"]) {
          const [one, other] = [expressions, statements].map((page) => String(page["Page"]?.(a, b, t)))
          assert.is(one, other, `${at}: ${a} ${b} ${t}`)
        }
  })
}

test("a long block is statements, because tools read a long expression by recursion", () => {
  const code = (values: number) =>
    compile(`template Page(v: string) {{if (v) {${"{v}".repeat(values)}}}}\n`, "page.tpl").code
  assert.match(code(100), "  (v) ? (")
  assert.match(code(101), "  if (v) {")
})

for (const statement of [
  "{const x = t}",
  "{for (const x of t) {{x}}}",
  "{switch (t) {case t: {x}}}",
  "<{t}></{t}>",
])
  test(`a block with ${statement} is statements`, () => {
    const { code } = compile(`template Page(${parameters}) {{if (a) {${statement}}}}\n`, "page.tpl")
    assert.match(code, "  if (a) {")
  })

test.run()
