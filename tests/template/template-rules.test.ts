/**
 * Tests of the compiler's errors in modules, control blocks and expressions, rule by rule, with their positions and
 * texts.
 */

import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, formatDiagnostic, outputPath } from "../../template/index.ts"
import { inPage, page, testRules } from "../support/template/template-cases.ts"

testRules({
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
    ["template Page() ¦{ <p></p>", "template Page, which begins on line 1, is never closed"],
    ["template Page() {\n  ¦{if (x) {\n    <p></p>\n  }\n}\n", 'this {if} is never closed … "}" of line 4'],
    ["template Page() {\n  ¦{for (const a of x) {\n    <p></p>\n  }\n  <p></p>\n}\n", "this {for} is never closed"],
    ["template Page() {\n  <ul>\n    ¦{x.y\n    <li></li>\n  </ul>\n}\n", 'this "{" is never closed … line 3'],
    ["template Page() {\n  <p></p>¦}\n  <p></p>\n}\n", 'this "}" ends template Page'],
    ["template Page() {\n  {if (x) {\n  }}¦}\n  {if (x) { a }}\n}\n", 'this "}" ends template Page'],
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
      ["<p>¦{x</p>", 'this "{" is never closed … "}" before </p>'],
      ["<p>{x¦(1</p>", 'this "(" is never closed … ")" before </p>'],
      ["{x¦; y}", "an expression cannot contain statements"],
    ]),
    [page("{`$" + "{¦'}`}"), "this string is never closed"],
  ],
  "3: the first token after a brace": inPage([
    ["¦{}", "nothing in these braces"],
    ["¦{  }", 'nothing in these braces … {"{"}'],
    ["{if (x) {a}} {¦else {b}}", '"else" is not allowed … the same pair of braces: {if (a)'],
    ["{¦else if (x) {b}}", '"else" is not allowed'],
    ["{¦while (x) {b}}", '"while" is not allowed … {for'],
    ["{¦do {b} while (x)}", '"do" is not allowed'],
    ["{¦try {b} catch {}}", '"try" is not allowed'],
    ["{¦return x}", '"return" is not allowed … {if}'],
    ["{¦function f() {}}", '"function" is not allowed'],
    ["{¦class A {}}", '"class" is not allowed'],
    ["{¦let y = 1}", '"let" is not allowed … {const}'],
    ["{¦var y = 1}", '"var" is not allowed'],
    ["{¦#if x}", '"#" is not allowed'],
    ["{¦@html x}", '"@" is not allowed … {raw(html)}'],
    ["{if (x) {a}}{¦/if}", '"/" is not allowed … A block ends with "}"'],
    ["{¦:else}", '":" is not allowed'],
    ["{/* why */ ¦case 1}", '"case" is not allowed'],
    ["{¦...x}", "a spread is not allowed here … {items}"],
    ["<p title={¦...x}></p>", "a spread is not allowed here"],
    ["<title>{¦...x}</title>", "a spread is not allowed here"],
    ["<script>a = {{¦...x}}</script>", "a spread is not allowed here"],
    ["{if ¦x {a}}", '"(" is missing after if'],
    ["{if ¦() {a}}", "if has nothing between its parentheses"],
    ["{if (x) ¦a}", '"{" is missing after if (…)'],
    ["{if (x) {a} else ¦b}", '"{" is missing after else'],
    ["{if (x) {a} ¦x}", "continues after its block"],
    ["{if (x) {a} else {b} ¦else {c}}", "continues after its block"],
    ["{for ¦x of y {a}}", '"(" is missing after for'],
    ["{for (const a of x) ¦<p></p>}", '"{" is missing after for (…)'],
    ["{for (const ¦children of x) {a}}", '"children" is the markup'],
    ["{const ¦children = 1}", '"children" is the markup'],
    ["{const a = 1¦; const b = 2}", "cannot contain statements"],
  ]),
  "4: switch": inPage([
    ["{switch (x) ¦case}", '"{" is missing after switch (…)'],
    ["{switch (x) { case 1: ¦a }}", '"{" is missing after case …:'],
    ["{switch (x) { case 1: ¦case 2: {a} }}", '"{" is missing'],
    ["{switch (x) { ¦a }}", "outside the cases of a switch"],
    ["{switch (x) { ¦case: {a} }}", "this case has no expression"],
    ["{switch (x) { default ¦x }}", '":" is missing after default'],
    ["{switch (x) { default: {a} ¦default: {b} }}", "two defaults"],
    ["{switch (x) { case 1: {a} } ¦y}", "continues after its block"],
  ]),
  "5: components and children": [
    ...inPage([
      ["{x ¦{a}}", "does not follow a call of a component"],
      ["{new Card() ¦{a}}", "does not follow a call of a component"],
      ["{x.y[0]() ¦{a}}", "does not follow a call of a component"],
      ["{x()() ¦{a}}", "does not follow a call of a component"],
      ["{x?.y() ¦{a}}", "does not follow a call of a component"],
      ["{1 + x() ¦{a}}", "does not follow a call of a component"],
      ["{x() {a} ¦b}", "contain more than a component"],
    ]),
    ["template A(¦children: string) {}", 'cannot be called "children"'],
    ["template A({ ¦children }: { children: string }) {}", 'cannot be called "children"'],
    ["template A(...¦children: string[]) {}", 'cannot be called "children"'],
    ["template A(a: string, ¦b?: string) {{children}}", "takes no optional parameter"],
    ["template A(¦b = 1) {<p>{if (b) {{children}}}</p>}", "takes no optional parameter"],
    ["template A(¦...rest: string[]) {{children}}", "takes no optional parameter"],
    ["template A(a: Map<string, number>, ¦b?: Map<string, number>) {{children}}", "takes no optional"],
    ["template Layout(¦name: string) {}", "only its title and its context c"],
    ["template Layout(¦{ path }: Context) {}", "gets only its title and its context c"],
    ["template Layout(¦title?: string) {}", "always gets its title"],
    ["template Layout(title: ¦number) {}", "the title of a layout is a string"],
    ["template Layout¦<T>() {}", "no type parameters"],
  ],
  "17: the else of a for": inPage([
    ["{for (const a of x) {c}} {¦else {b}}", '"else" is not allowed … {for (const item of items) { … } else { … }}'],
    ["{for (const a of x) {c} else ¦b}", '"{" is missing after else'],
    ["{for (const a of x) {c} else ¦if (x) {b}}", "the else of a for takes no condition … no item … {if (…)"],
    ["{for (const a of x) {c} else {b} ¦else {c}}", "continues after its block"],
    ["{for (const a of x) {c} ¦empty {b}}", "continues after its block"],
    ["{switch (x) { case 1: {a} ¦else {b} }}", "outside the cases of a switch"],
    ["{switch (x) { case 1: {a} } ¦else {b}}", "continues after its block"],
    ["{x() {a} ¦else {b}}", "contain more than a component"],
    ["{for (const a of x) {c} else {<p>¦}}</p>", 'this "}" ends the block before </p> … {"}"}'],
  ]),
  "8: markup is not an expression": inPage([
    ["{x && ¦<b>y</b>}", "a tag cannot be inside an expression … use {if"],
    ["{x ? ¦<b>y</b> : 1}", "use {if"],
    ["{x ? 1 : ¦<b>y</b>}", "use {if"],
    ["{x.map((y) => ¦<li>{y}</li>)}", "{for (…) { … }}"],
    ["{x.map((y) => { return ¦<li>{y}</li> })}", "{for (…) { … }}"],
    ["{x(¦<b>y</b>)}", "use {if"],
    ["{x(1, ¦<b/>)}", "use {if"],
    ["{x ?? ¦<></>}", "use {if"],
    ["{¦<b>y</b>}", "without braces around it"],
    ["{x && ¦<Card title='a' />}", "a tag cannot be"],
    ["{x ¦<b>y</b>}".replace("¦<b>y", "<b>y¦"), "a tag cannot be … use {if"],
    ["{const a = ¦<b></b>}", "use {if"],
    ["¦{{x}}", "one pair of braces"],
    ["<p>¦{ { x } }</p>", "one pair of braces"],
  ]),
  "18: markup as an argument": inPage([
    ["{[¦{<b>y</b>}]}", "markup is not allowed here … use {if … whole argument … whole value of a property"],
    ["{x([1, ¦{<b>y</b>}])}", "markup is not allowed here"],
    ["{x ? ¦{<b>y</b>} : 1}", "markup is not allowed here … use {if"],
    ["{x({ a: x ? 1 : ¦{<b>y</b>} })}", "markup is not allowed here"],
    ["{x(x ? ¦{<b>y</b>} : 1)}", "markup is not allowed here"],
    ["{x.map((y) => ¦{<li>{y}</li>})}", "markup is not allowed here … {for (…) { … }}"],
    ["{x.map((y) => ¦{ <li>{y}</li> })}", "markup is not allowed here"],
    ["{const a = ¦{<b>y</b>}}", "markup is not allowed here"],
    ["{(¦{<b>y</b>})}", "markup is not allowed here"],
    ["{x(...¦{<b>y</b>})}", "markup is not allowed here"],
    ["{x(Card() ¦{<b>y</b>})}", "markup is not allowed here"],
    ["{x(() => { if (¦{<b/>}) {} })}", "markup is not allowed here"],
    ["<p title={¦{<b/>}}></p>", "markup is not allowed here"],
    ["{`${ ¦{<b/>} }`}", "markup is not allowed here"],
    ["{x({ a: { ¦<b>y</b> } })}", "white space before this tag … directly after the brace"],
    ["{x({\n  ¦<b>y</b>\n})}", "white space before this tag"],
    ["{x({ a: ¦<b>y</b> })}", "a tag cannot be … put braces around it … use {if"],
    ["{x({<b>y</b>} ¦+ 1)}", "follows markup in the same argument or value"],
    ["{x({ a: {<b>y</b>}¦.value })}", "follows markup"],
    ["{x({ a: {<b>y</b>} ¦as Html })}", "follows markup"],
    ["{x({¦<>y</>})}", "no fragments"],
    ["{x({¦</b>})}", "cannot begin like this"],
    ["{x({ a: {¦<!-- c --><b/>} })}", "cannot begin like this"],
    ["{x({text <b>y¦</b>})}", "a tag cannot be inside an expression"],
    ["{x({¦<b>y})}", "<b> is never closed"],
    ["{x({<b>¦</i></b>})}", "</i> does not close <b> of line 2"],
    ["<script>a = {{x(¦{<b/>})}}</script>", "a script cannot contain markup"],
  ]),
  "19: an element by name": inPage([
    ["<h¦{x}>a</h{x}>", "a part of an element's name cannot be an expression … <{tag}>…</{tag}>"],
    ["{if (x) {¦<{x}>a}}", "<{x}> is never closed … </{x}>"],
    ["<{x}>a¦</{y}>", "</{y}> does not close <{x}> of line 2"],
    ["<{x.a}>a¦</{x . a}>", "does not close <{x.a}> of line 2"],
    ["<{x}>a¦</h1>", "</h1> does not close <{x}> of line 2"],
    ["<h1>a¦</{x}>", "</{x}> does not close <h1> of line 2"],
    ["<{x}><b>a¦</{x}></b>", "</{x}> does not close <b> of line 2"],
    ["¦</{x}>", "</{x}> closes nothing in this block"],
    ["<{x}>a¦</{x} b>", "an end tag takes no attributes"],
    ["<¦{}>a</{}>", "there is no expression in these braces"],
    ["<{¦if (x) {a}}>", '"if" cannot begin an element\'s name … {if (…)'],
    ["<{¦...x}></{...x}>", "a spread is not allowed here"],
    ["<{x} ¦}</{x}>", 'stray "}" in a tag'],
    ["<{x}¦class='a'></{x}>", "need a space between them"],
    ["<{x} class='a' ¦class='b'></{x}>", '"class" is written twice'],
    ["<{x} ¦onclick={x}></{x}>", '"onclick" is evaluated as code'],
    ["<{x} ¦x-data={x}></{x}>", "evaluated as code"],
    ["<{x} ¦hx-trigger={x}></{x}>", "evaluated as code"],
    ["<svg>¦<{x}>a</{x}></svg>", "<svg> takes no element whose name is an expression"],
    ["<math>¦<{x}>a</{x}></math>", "<math> takes no element"],
    ["<title>a ¦<{x}></title>", "only text and expressions"],
    ["<textarea>¦<{x}></textarea>", "only text and expressions"],
  ]),
  "9: literal braces and angle brackets": inPage([
    ["<p>a ¦} b</p>", 'this "}" ends the block before </p> … {"}"}'],
    ["{if (x) {<p>¦}}</p>", 'this "}" ends the block before </p>'],
    ["a ¦</ b>", "does not begin an end tag"],
  ]),
})

test("valid templates that look wrong compile", () => {
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
    page("{x({ header: {Title} })}{x({ a: { b: 1 } }, {})}{x < /b>/.lastIndex}{x({ a: {<T>(y: T): T} })}"),
    page("<title>{'</title>'}{x}</title><textarea>{`</textarea>`}</textarea>"),
  ]
  for (const source of sources) {
    assert.equal(compile(source, "page.tpl").diagnostics.map(formatDiagnostic), [], source)
  }
})

test("the first error of each template is reported, in order", () => {
  const source = "template A() {<p>}\n\ntemplate B() {{}}\n\ntemplate C() {ok}\n\ntemplate D() {<br></br>}\n"
  const { diagnostics, code } = compile(source, "x.tpl")
  assert.equal(
    diagnostics.map(({ line, column }) => `${line}:${column}`),
    ["1:15", "3:15", "7:19"],
  )
  assert.match(code, "export function C(): Html {")
})

test("a diagnostic names the position, shows it, and says what to do", () => {
  const [first] = compile("template A() {\n\t<p>{x && <b>y</b>}</p>\n}\n", "app/page.tpl").diagnostics
  assert.ok(first)
  assert.is(
    formatDiagnostic(first),
    [
      "app/page.tpl:2:11: a tag cannot be inside an expression",
      "",
      "  1 | template A() {",
      "> 2 | \t<p>{x && <b>y</b>}</p>",
      "    | \t         ^",
      "  3 | }",
      "",
      "Markup is not an expression: use {if (…) { … }} or {for (…) { … }} around it.",
      "",
    ].join("\n"),
  )
})

test("the compiler lists each template with its position, whether it is async, and whether it takes children", () => {
  const source = "template A() {x}\ntemplate B() {{await x}}\ntemplate C() {{children}}\ntemplate Layout() {x}"
  assert.equal(compile(source, "x.tpl").templates, [
    { name: "A", line: 1, column: 10, async: false, children: false },
    { name: "B", line: 2, column: 10, async: true, children: false },
    { name: "C", line: 3, column: 10, async: false, children: true },
    { name: "Layout", line: 4, column: 10, async: false, children: true },
  ])
  assert.is(outputPath("app/users/page.tpl"), "app/users/page.tpl.ts")
})

test.run()
