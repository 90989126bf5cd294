// Tests that a template with an error keeps its signature and the expressions before the error, so that editors and
// importing files still have types. tests/slow/template-mutation.test.ts tries many more errors.

import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../template/index.ts"
import { random } from "../support/random.ts"
import { checkBeginnings, checkDamaged, compileAny, damage, fixtures } from "../support/template/damage.ts"

/** A broken source, and lines of its output. */
const kept: readonly (readonly [source: string, ...lines: string[]])[] = [
  ["template Page<T>(c: Con", "export function Page<T>(c: Con): Html {"],
  ["template Page(c: Context, list: string[", "export function Page(c: Context, list: string[]): Html {"],
  ["template Page(c: Context,", "export function Page(c: Context,): Html {"],
  ["template Page(c: Context) {<p>{c.", "export function Page(c: Context): Html {", "  void (c.);"],
  ["template Page(c: Context): Html {<p>{c}</p>}", "export function Page(c: Context): $fwHtml {"],
  ["template A() {<p>{f(a, [b.</p>\n}\n", "  void (f(a, [b.]));"],
  ["template A() {<p>{f(`a${b.}", "  void (f(`a${b.}`));"],
  ["template A() {<p title={a.b} class={c.\n}\n", "  void (a.b);", "  void (c.);"],
  ["template A() {<{tag.} class={a}></p>\n}\n", "  const $fw1 = $fwTag(tag.);"],
  ["template A() {<p onclick={a.b}>\n}\n", "  void (a.b);"],
  ["template A() {{if (a.b) {{c.}} else if (d.\n}\n", "  if (a.b) {", "  } else if (d.) {"],
  ["template A() {{if (a.b) {{c}} else {{d.\n}\n", "  } else {", "    ($fw as string) += $fwText(d.);"],
  ["template A() {{for (const a of b) {<p>{a.</p>\n}\n", "  for (const a of b) {", "    void (a.);"],
  ["template A() {{for (const a of b.\n}\n", "  for (const a of b.) {"],
  ["template A() {{for (const a of b) {{a}} else {{c.\n}\n", "    ($fw as string) += $fwText(c.);"],
  ["template A() {{switch (a.\n}\n", "  switch (a.) {"],
  ["template A() {{switch (a) { case b: {{c.\n}\n", "    case b: {", "      ($fw as string) += $fwText(c.);"],
  ["template A() {{switch (a) { case b.\n}\n", "    case b.: {"],
  ["template A() {{const a = b.\n  <p>text</p>\n}\n", "  const a = b.;"],
  [
    "template A() {{Box(a) {<p>{b.\n}\n",
    '    ($fw1 as string) = "<p>";',
    "    ($fw1 as string) += $fwText(b.);",
    "  ($fw as string) += $fwText(Box(a, $fwRaw($fw1)));",
  ],
  ["template A() {{Box({ head: {<b>{a.\n}\n", '      let $fw1 = "<b>";', "      ($fw1 as string) += $fwText(a.);"],
  ["template A() {{defer {{await a}} failed (e) {{e.\n}\n", '  }, $fwRaw("", $fwBlocks), async (e: unknown) => {'],
  ["template A() {<script>const a = {{b}}; const c = {{d.\n</script>\n}\n", "  void (d.);"],
  ["template A() {<title>{a} {b.\n</title>\n}\n", "  void (b.);"],
  ["template A() {<p>}\n\ntemplate B(b: string) {{b}}\n", "}export function B(b: string): Html {"],
  ["template A() {<p>}\n\nexport const c = 1\n", "export function A(): Html {", "export const c = 1"],
  ["template A() {\n  <p>\n}\nexport const c = 1\n", "export const c = 1"],
  ["template A() {\n  <p>{x.\n  <b>{children}</b>\n}\n", "export function A(children: Html): Html {"],
  ["template A(a: string) {\n  <p>{x.\n  {await b}\n}\n", "export async function A(a: string): Promise<Html> {"],
  ["template A(children: Html) {<p>{b}</p>}", "export function A(children: Html): $fwHtml {"],
  ["template A(a?: string) {{children}}", "export function A(a?: string, children: Html): Html {"],
  ["export template A(a: string) {{a}}", "export function A(a: string): Html {"],
  ["tempalte A(a: string) {\n  <p>{a}</p>\n}\n", "export function A(a: string): Html {"],
  ["const a = 1 template B() {b}", "const a = 1 ", "export function B(): Html {"],
  ['import { a } from "./a.ts\ntemplate A() {a}\n', 'import { a } from "./a.ts', "export function A(): Html {"],
  ["const a = [1, {\ntemplate A() {a}\n", "}];", "export function A(): Html {"],
  ["const a = f(1]\nconst b = 2)\ntemplate A() {a}\n", ");", "const b = 2", "export function A(): Html {"],
  ["const a = 1 /* open\ntemplate A() {a}\n", "const a = 1 ", "export function A(): Html {"],
  ["const a = `open\ntemplate A() {a}\n", "const a = ", "export function A(): Html {"],
]

for (const [source, ...lines] of kept) {
  test(`the types in ${JSON.stringify(source)} are kept`, () => {
    const { code, diagnostics } = compile(source, "page.tpl")
    assert.ok(diagnostics.length > 0)
    const written = code.split("\n")
    for (const line of lines) assert.ok(written.includes(line), `${line}\nis not in\n${code}`)
  })
}

test("the output for every beginning of a file is TypeScript without errors before its last words", async () => {
  let parsed = 0
  for (const [index, source] of fixtures.entries()) parsed += await checkBeginnings(source, 29, index % 29)
  assert.ok(parsed > fixtures.length)
})

test("an edit does not change the templates before it", async () => {
  const numbers = random(16)
  for (let round = 0; round < 80; round++) {
    const source = numbers.pick(fixtures)
    await checkDamaged(compile(source, "x.tpl"), damage(source, numbers), `round ${round}`)
  }
})

test("the output of a file with many errors contains its templates without an error", () => {
  const source = `${"template Broken() {<p>}\n".repeat(30)}template Fine(a: string) {<p>{a}</p>}\n`
  const compiled = compileAny(source, "many errors")
  assert.match(compiled.code, "export function Fine(a: string): Html {")
})

test.run()
