// What the template compiler refuses, rule by rule, and where and how it says so.

import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, formatDiagnostic, outputPath } from "../lib/template/index.ts"

/** A wrong source, the place of the error marked with ¦, and words of the message and the mend. */
type Case = readonly [source: string, says: string]

const page = (body: string): string => `template Page(x: any) {\n${body}\n}\n`
const inPage = (cases: readonly Case[]): Case[] => cases.map(([body, says]) => [page(body), says])

const rules: Readonly<Record<string, readonly Case[]>> = {
  "1: templates start at the start of a line, and are exported by themselves": [
    ["¦export template Page() {}", 'a template takes no "export" … every template is exported'],
    ["¦async template Page() {}", 'takes no "async" … an {await …} in it makes it async'],
    ["¦export async template Page<T>() {}", 'takes no "export async"'],
    ["¦export default template Page() {}", 'takes no "export default"'],
    ["  ¦template Page() {}", "starts at the start of a line"],
    ["const a = 1; ¦template Page() {}", "starts at the start of a line"],
    ["template A() {} ¦template B() {}", "starts at the start of a line"],
    ["¦template Page {}", "no parameter list … Write template Page() { … }"],
    ["template ¦class() {}", '"class" is a reserved word'],
    ["template ¦$fwPage() {}", "reserved"],
    ["const ¦$fw = 1", '"$fw" is reserved'],
    ["template Page(¦$fwText: string) {}", "reserved"],
    ["template A() {}\ntemplate ¦A() {}", "written twice"],
    ["template Page()¦: Html {}", "no return type"],
    ["template Page() ¦=> {}", "no return type"],
    ["template Page() ¦<p></p>", '"{" is missing after template Page(…)'],
    ["template Page¦<T() {}", 'this "<" is never closed'],
    ["template Page(a: string¦} {}", 'stray "}" … Expected ")"'],
    ["template Page() ¦{ <p></p>", "this block is never closed"],
    ["const a = ¦{", "this { is never closed"],
    ["const a = 1\n¦}", 'stray "}" … A brace in markup is written {"}"}'],
    ["template A() {}¦}", 'stray "}"'],
  ],
  "2: one tokeniser": [
    ["const a = ¦'x", "this string is never closed"],
    [`const a = ¦\`x\${1}`, "this template literal is never closed"],
    ["¦/* x", "this comment is never closed"],
    ["const a = ¦/[/]", "this regular expression is never closed"],
    ["const a = (1¦]", '"]" does not close "("'],
    ...inPage([
      ["{¦'x}", "this string is never closed"],
      ["{x(¦}", '"}" does not close "("'],
      ["{x¦)}", 'stray ")"'],
      ["{x¦; y}", "an expression holds no statements"],
    ]),
    [page("{`$" + "{¦'}`}"), "this string is never closed"],
  ],
  "3: the first token after a brace": inPage([
    ["¦{}", "nothing in these braces"],
    ["¦{  }", 'nothing in these braces … {"{"}'],
    ["{if (x) {a}} {¦else {b}}", '"else" cannot begin … {if (a)'],
    ["{¦else if (x) {b}}", '"else" cannot begin'],
    ["{¦while (x) {b}}", '"while" cannot begin … {for'],
    ["{¦do {b} while (x)}", '"do" cannot begin'],
    ["{¦try {b} catch {}}", '"try" cannot begin'],
    ["{¦return x}", '"return" cannot begin … {if}'],
    ["{¦function f() {}}", '"function" cannot begin'],
    ["{¦class A {}}", '"class" cannot begin'],
    ["{¦let y = 1}", '"let" cannot begin … {const}'],
    ["{¦var y = 1}", '"var" cannot begin'],
    ["{¦#if x}", '"#" cannot begin'],
    ["{¦@html x}", '"@" cannot begin … {raw(html)}'],
    ["{if (x) {a}}{¦/if}", '"/" cannot begin … A block ends with "}"'],
    ["{¦:else}", '":" cannot begin'],
    ["{/* why */ ¦case 1}", '"case" cannot begin'],
    ["{¦...x}", "nothing can be spread here … {items}"],
    ["<p title={¦...x}></p>", "nothing can be spread here"],
    ["<title>{¦...x}</title>", "nothing can be spread here"],
    ["<script>a = {{¦...x}}</script>", "nothing can be spread here"],
    ["{if ¦x {a}}", '"(" is missing after if'],
    ["{if ¦() {a}}", "if has nothing between its parentheses"],
    ["{if (x) ¦a}", '"{" is missing after if (…)'],
    ["{if (x) {a} else ¦b}", '"{" is missing after else'],
    ["{if (x) {a} ¦x}", "goes on after its block"],
    ["{if (x) {a} else {b} ¦else {c}}", "goes on after its block"],
    ["{for ¦x of y {a}}", '"(" is missing after for'],
    ["{for (const a of x) ¦<p></p>}", '"{" is missing after for (…)'],
    ["{for (const ¦children of x) {a}}", '"children" is the markup'],
    ["{const ¦children = 1}", '"children" is the markup'],
    ["{const a = 1¦; const b = 2}", "holds no statements"],
  ]),
  "4: switch": inPage([
    ["{switch (x) ¦case}", '"{" is missing after switch (…)'],
    ["{switch (x) { case 1: ¦a }}", '"{" is missing after case …:'],
    ["{switch (x) { case 1: ¦case 2: {a} }}", '"{" is missing'],
    ["{switch (x) { ¦a }}", "outside the cases of a switch"],
    ["{switch (x) { ¦case: {a} }}", "this case has no expression"],
    ["{switch (x) { default ¦x }}", '":" is missing after default'],
    ["{switch (x) { default: {a} ¦default: {b} }}", "two defaults"],
    ["{switch (x) { case 1: {a} } ¦y}", "goes on after its block"],
  ]),
  "5: components and children": [
    ...inPage([
      ["{x ¦{a}}", "follows no call of a component"],
      ["{new Card() ¦{a}}", "follows no call of a component"],
      ["{x.y[0]() ¦{a}}", "follows no call of a component"],
      ["{x()() ¦{a}}", "follows no call of a component"],
      ["{x?.y() ¦{a}}", "follows no call of a component"],
      ["{1 + x() ¦{a}}", "follows no call of a component"],
      ["{x() {a} ¦b}", "hold more than a component"],
    ]),
    ["template A(¦children: string) {}", 'cannot be called "children"'],
    ["template A({ ¦children }: { children: string }) {}", 'cannot be called "children"'],
    ["template A(...¦children: string[]) {}", 'cannot be called "children"'],
    ["template A(a: string, ¦b?: string) {{children}}", "takes no optional parameter"],
    ["template A(¦b = 1) {<p>{if (b) {{children}}}</p>}", "takes no optional parameter"],
    ["template A(¦...rest: string[]) {{children}}", "takes no optional parameter"],
    ["template A(a: Map<string, number>, ¦b?: Map<string, number>) {{children}}", "takes no optional"],
    ["template Layout(¦name: string) {}", "its title and its context c, nothing else"],
    ["template Layout(¦{ path }: Context) {}", "nothing else"],
    ["template Layout(¦title?: string) {}", "always given its title"],
    ["template Layout(title: ¦number) {}", "the title of a layout is a string"],
    ["template Layout¦<T>() {}", "no type parameters"],
  ],
  "8: markup is no expression": inPage([
    ["{x && ¦<b>y</b>}", "a tag cannot stand inside an expression … use {if"],
    ["{x ? ¦<b>y</b> : 1}", "use {if"],
    ["{x ? 1 : ¦<b>y</b>}", "use {if"],
    ["{x.map((y) => ¦<li>{y}</li>)}", "{for (…) { … }}"],
    ["{x.map((y) => { return ¦<li>{y}</li> })}", "{for (…) { … }}"],
    ["{x(¦<b>y</b>)}", "use {if"],
    ["{x(1, ¦<b/>)}", "use {if"],
    ["{x ?? ¦<></>}", "use {if"],
    ["{¦<b>y</b>}", "without braces around it"],
    ["{x && ¦<Card title='a' />}", "a tag cannot stand"],
    ["{const a = ¦<b></b>}", "use {if"],
    ["¦{{x}}", "one pair of braces"],
    ["<p>¦{ { x } }</p>", "one pair of braces"],
  ]),
  "9: literal braces and angle brackets": inPage([
    ["<p>a ¦} b</p>", 'stray "}": <p> of line 2 is still open … {"}"}'],
    ["{if (x) {<p>¦}}</p>", "<p> of line 2 is still open"],
    ["a ¦</ b>", "begins no end tag"],
  ]),
  "10: elements": [
    ["template A() {¦<p", "the tag <p is never closed"],
    ["template A() {<p>x¦}", "<p> of line 1 is still open"],
    ["template A() ¦{<p>x</p>", "this block is never closed"],
    ...inPage([
      ["<p><b>x¦</p>", "</p> stands where <b> is open … Close it with </b> first"],
      ["<ul><li>a¦</ul>", "</ul> stands where <li> is open"],
      ["¦</p>", "</p> closes nothing in this block"],
      ["<p>{if (x) {¦</p>}}", "closes nothing in this block"],
      ["<br>¦</br>", "<br> has no end tag"],
      ["<p>¦</p x>", "an end tag takes no attributes"],
      ["¦<?xml ?>", '"<?" is no HTML'],
      ["¦<!x>", "neither a comment nor a doctype"],
      ["¦<!-- x", "this comment is never closed"],
      ["¦<![CDATA[x]]>", "CDATA stands in SVG only"],
      ["<math>¦<![CDATA[x]]></math>", "CDATA stands in SVG only"],
      ["<svg><foreignObject>¦<![CDATA[x]]></foreignObject></svg>", "CDATA stands in SVG only"],
      ["<svg>¦<![CDATA[x</svg>", "this CDATA section is never closed"],
      ["¦<Card/>", "<Card> is no element … {Name(…)}"],
      ["¦<p%></p%>", "no name for an element"],
    ]),
  ],
  "11: attributes": inPage([
    ["<p a=¦></p>", '"a=" has no value'],
    ["<p a=x¦{x}></p>", "an unquoted value cannot hold {"],
    ['<p a=x¦"></p>', 'cannot hold "'],
    ["<p a=x¦'></p>", "cannot hold '"],
    ["<p a=x¦<b></p>", "cannot hold <"],
    ["<p a=x¦=y></p>", "cannot hold ="],
    ["<p a=x¦`></p>", "cannot hold `"],
    ['<p a=¦"x></p>', 'the value of "a" is never closed'],
    ["<p a=1 ¦A=2></p>", '"A" is written twice'],
    ["<p a={1} ¦a></p>", '"a" is written twice'],
    ["<p a='1'¦b='2'></p>", "need a blank between them"],
    ["<p ¦{x}></p>", "needs the name of an attribute … name={expression}"],
    ["<p ¦{if (x) {a}}></p>", "needs the name of an attribute"],
    ["<p a=¦{}></p>", "no expression in these braces"],
    ["<p a=¦{/* x */}></p>", "no expression in these braces"],
    ["<p ¦<b></p>", 'a "<" cannot stand in a tag'],
    ["<p ¦}></p>", 'stray "}" in a tag'],
    ["<p ¦=x></p>", "stray = in a tag"],
    ['<p ¦"x"></p>', 'stray " in a tag'],
    ["<p a ¦/ b></p>", "stray / in a tag"],
    ["<p ¦onclick={x}></p>", '"onclick" is evaluated as code … event listener'],
    ["<p ¦OnClick={x}></p>", '"OnClick" is evaluated as code'],
    ["<p ¦data-onclick={x}></p>", "evaluated as code"],
    ["<p ¦hx-on:click={x}></p>", "evaluated as code"],
    ["<p ¦hx-on--after={x}></p>", "evaluated as code"],
    ["<p ¦data-hx-on:x={x}></p>", "evaluated as code"],
    ["<p ¦x-data={x}></p>", "evaluated as code … data- attribute"],
    ["<p ¦data-x-html={x}></p>", "evaluated as code"],
    ["<p ¦@click.prevent={x}></p>", "evaluated as code"],
    ["<p ¦:class={x}></p>", "evaluated as code"],
    ["<p ¦v-html={x}></p>", "evaluated as code"],
    ["<p ¦ng-click={x}></p>", "evaluated as code"],
    ["<p ¦_={x}></p>", "evaluated as code"],
    ["<p ¦hx-vars={x}></p>", "evaluated as code … hx-vals"],
    ["<p ¦hx-trigger={x}></p>", "evaluated as code … literally"],
    ["<p ¦data-hx-trigger={x}></p>", "evaluated as code"],
    ["<iframe ¦srcdoc={x}></iframe>", "evaluated as code … src={url}"],
    ['<meta http-equiv="refresh" ¦content={x}>', '"content" beside "http-equiv"'],
    ['<meta ¦content={x} HTTP-EQUIV="refresh">', '"content" beside "http-equiv"'],
    ["<svg><animate ¦attributeName={x}/></svg>", "evaluated as code"],
    ['<svg><set attributeName="href" ¦to={x}/></svg>', "evaluated as code"],
    ['<svg><animate ¦values={x} attributeName="onbegin"/></svg>', "evaluated as code"],
    ["<svg><animate ¦from={x}/></svg>", "evaluated as code … attributeName"],
  ]),
  "12: scripts and styles": inPage([
    ['<script>"¦{{x}}"</script>', "cannot stand in a string … const name = {{name}}"],
    ["<script>'a ¦{{x}}'</script>", "in a string"],
    ["<script>`¦{{x}}`</script>", "in a template literal"],
    ["<script>/¦{{x}}/</script>", "in a regular expression"],
    ["<script>// ¦{{x}}\n</script>", "in a comment"],
    ["<script>/* ¦{{x}} */</script>", "in a comment"],
    ["<script>a ¦{{x}}</script>", "where JavaScript takes no value"],
    ["<script>const ¦{{x}} = 1</script>", "takes no value"],
    ["<script>a.¦{{x}}</script>", "takes no value"],
    ["<script>if (a) ¦{{x}}</script>", "takes no value … blank between"],
    ["<script>f() ¦{{x}}</script>", "takes no value"],
    ["<script>{{x}} ¦{{x}}</script>", "takes no value"],
    ["<script>a = ¦{{}}</script>", "no expression in these braces"],
    ["<script>a = ¦{{x}</script>", 'this "{{" is never closed'],
    ["<script>a = ¦{{x} }</script>", 'this "{{" is never closed'],
    ['<script type="text/template">¦{{x}}</script>', "a script of this type takes no interpolation"],
    ["<script type={x}>¦{{x}}</script>", "takes no interpolation"],
    ["<script {...x}>¦{{x}}</script>", "takes no interpolation"],
    ['<script>{{x}}; "¦<!--<script>"</script>', '"<!--" and "<script" stand in one script'],
    ["¦<script>a</scrip>", "<script> is never closed"],
    ["<style>a { b: ¦{{x}} }</style>", "<style> takes no interpolation … var(--name)"],
    ["<script>a = {{ x¦; y }}</script>", "holds no statements"],
  ]),
  "13: titles, text areas and the like": inPage([
    ["<title>¦<b>x</b></title>", "<title> holds text and expressions only"],
    ["<textarea>¦<!-- x --></textarea>", "<textarea> holds text and expressions only"],
    ["<title>{¦if (x) {a}}</title>", "holds text and expressions only"],
    ["<title>{¦const a = 1}</title>", "holds text and expressions only"],
    ["<title>a ¦} b</title>", 'stray "}"'],
    ["<title>¦{{x}}</title>", "one pair of braces"],
    ["<title>¦{}</title>", "no expression in these braces"],
    ["<title>x¦</p>", "<title> holds text and expressions only"],
    ["<iframe>¦{x}</iframe>", "<iframe> takes no interpolation"],
    ["<noscript><p>¦{x}</p></noscript>", "<noscript> takes no interpolation"],
    ["<noembed>¦{x}</noembed>", "takes no interpolation"],
    ["<noframes>¦{x}</noframes>", "takes no interpolation"],
    ["<xmp>¦{x}</xmp>", "takes no interpolation"],
    ["<plaintext>¦{x}</plaintext>", "takes no interpolation"],
    ["<title>¦</title x>", "holds text and expressions only"],
    ["<svg><script>a = ¦{{x}}</script></svg>", "a script in <svg> takes no interpolation"],
    ["<svg><style>¦<a onclick='</style>{x}'></a></svg>", "in <svg>, <style> holds markup … CDATA"],
    ["<svg><script>a ¦<b</script></svg>", "in <svg>, <script> holds markup"],
    ["<math><style>¦{{x}}</style></math>", "<style> takes no interpolation"],
  ]),
}

for (const [rule, cases] of Object.entries(rules)) {
  test(`rule ${rule}`, () => {
    for (const [marked, says] of cases) {
      const at = marked.indexOf("¦")
      const source = marked.replace("¦", "")
      const [first] = compile(source, "page.tpl").diagnostics
      assert.ok(first, `no error for ${marked}`)
      const text = `${first.message} … ${first.fix}`
      assert.is(first.offset, at, `${marked}: wrong place ${first.offset} for: ${text}`)
      for (const part of says.split(" … ")) {
        assert.ok(
          text.toLowerCase().includes(part.toLowerCase()),
          `${marked}: "${text}" does not say "${part}"`,
        )
      }
    }
  })
}

test("what looks wrong and is not compiles", () => {
  const sources = [
    "const template = 1\ntemplate\nexport { template }",
    "template\n  .Row(1)",
    "const a = b\ntemplate instanceof (Foo)",
    "export const $ = 1, fw$ = $.$fw",
    'type A = Array<{ b: string }>\nconst c = a < b, d = c > a\ntemplate Page() {{d ? "x" : "y"}}',
    page("{x<string>(1)}{x.map(<T,>(y: T) => y)}{x(<T>(y: T) => y)}{(<const T>(y: T) => y)(x)}"),
    page("{x as { a: number }}{x satisfies { a: number }}{x ? 1 : x < 2}"),
    page("{x(function () { return {} })}{(class { a = 1 }).name}"),
    page('<svg><animate attributeName="opacity" to={x}/></svg><meta name="x" content={x}>'),
    page("<script>f(function () { { x } })</script><script>a({b: {}})</script>"),
    page("<svg><style><![CDATA[ a > b { c: d } <x> ]]></style><script>a < b</script></svg>"),
    page("<p a=b/c></p><p a=/x/></p><br a=b/>"),
    page("{raw(x)}{import.meta.url}{new Date().getFullYear()}{this}"),
    "template A(b?: string, ...c: string[]) {{b}}",
    'template A({ children: kids }: { children: string }, b = [1, 2].length, c: "x" | "y" = "x") {{kids}}',
    "",
    "\ufefftemplate Page() {a}",
    page("<title>{'</title>'}{x}</title><textarea>{`</textarea>`}</textarea>"),
  ]
  for (const source of sources) {
    assert.equal(compile(source, "page.tpl").diagnostics.map(formatDiagnostic), [], source)
  }
})

test("every template's first error is told, in order", () => {
  const source = "template A() {<p>}\n\ntemplate B() {{}}\n\ntemplate C() {ok}\n\ntemplate D() {<br></br>}\n"
  const { diagnostics, code } = compile(source, "x.tpl")
  assert.equal(
    diagnostics.map(({ line, column }) => `${line}:${column}`),
    ["1:18", "3:15", "7:19"],
  )
  assert.is(code, "")
})

test("a diagnostic names the place, shows it and says what to do", () => {
  const [first] = compile("template A() {\n\t<p>{x && <b>y</b>}</p>\n}\n", "app/page.tpl").diagnostics
  assert.ok(first)
  assert.is(
    formatDiagnostic(first),
    [
      "app/page.tpl:2:11: a tag cannot stand inside an expression",
      "",
      "  1 | template A() {",
      "> 2 | \t<p>{x && <b>y</b>}</p>",
      "    | \t         ^",
      "  3 | }",
      "",
      "Markup is no expression: use {if (…) { … }} or {for (…) { … }} around it.",
      "",
    ].join("\n"),
  )
})

test("templates are listed with what callers must know", () => {
  const source =
    "template A() {x}\ntemplate B() {{await x}}\ntemplate C() {{children}}\ntemplate Layout() {x}"
  assert.equal(compile(source, "x.tpl").templates, [
    { name: "A", line: 1, column: 10, async: false, children: false },
    { name: "B", line: 2, column: 10, async: true, children: false },
    { name: "C", line: 3, column: 10, async: false, children: true },
    { name: "Layout", line: 4, column: 10, async: false, children: true },
  ])
  assert.is(outputPath("app/users/page.tpl"), "app/users/page.tpl.ts")
})

test.run()
