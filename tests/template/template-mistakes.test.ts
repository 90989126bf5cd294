/** Tests that syntax of other template languages is an error that says what to write instead. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, formatDiagnostic, mapMessages } from "../../template/index.ts"
import { testRules } from "../support/template/template-cases.ts"

/** Returns a module with all types of names, around a template's body. */
const within = (body: string): string => `import link, { type Task as Job, open } from "x"
import * as all from "y"
const base = 1
export const { a1, b: c1 } = base
template Page(id: number, { x, y: z }: { x: number; y: Map<string, Key> }, [q] = f(r)) {
${body}
}
const later = 2
function helper(inner) {}
class Model {}
template Other(theirs: string) {}
`

testRules({
  "a quoted value that names something in scope": [
    ...[
      ["id", "/tasks/¦{id}"],
      ["x", "¦{x}"],
      ["z", "¦{z.name}/{id}"],
      ["q", "¦{ q[0] }"],
      ["link", "¦{link}"],
      ["Job", "¦{Job}"],
      ["open", "¦{open(1)}"],
      ["all", "¦{all.y}"],
      ["base", "¦{base}"],
      ["a1", "¦{a1}"],
      ["c1", "¦{c1}"],
      ["later", "¦{later}"],
      ["helper", "¦{helper(id)}"],
      ["Model", "¦{Model}"],
      ["Other", "¦{Other()}"],
      ["children", "¦{children}"],
      ["id", "$¦{id}"],
    ].map(
      ([name, value]) => [within(`<a href="${value}"></a>`), `"${name}" is not read in it … Write href={`] as const,
    ),
    [
      within('<a href="/tasks/¦{id}/{x}"></a>'),
      "Write href={`/tasks/$" + "{id}/$" + '{x}`}. … href={"/tasks/{id}/{x}"}',
    ],
    [within("<a href='¦{id}'></a>"), "Write href={id}."],
    [within('{const u = 1}<p title="¦{u}"></p>'), '"u" is not read'],
    [within('{const { m, n: [o] } = x}<p title="{m:1} {n} ¦{o}"></p>'), '"o" is not read'],
    [within('{for (const [k] of x) {<p title="¦{k}"></p>}}'), '"k" is not read'],
    [within('{for (let i = 0; i < 3; i++) {<p title="¦{i}"></p>}}'), '"i" is not read'],
  ],
  "braces in a quoted value that is code or markup": [
    [within('<p onclick="f(¦{id})"></p>'), '"id" is not read in it … static/app.js … onclick={"f({id})"}'],
    [within('<p onClick="¦{open()}"></p>'), '"open" is not read in it … static/app.js'],
    [within('<p onclick="go(`/a/$¦{id}`)"></p>'), '"id" is not read in it'],
    [within('<p onclick="f(¦{ z.name })"></p>'), '"z" is not read in it'],
    [within('<p onclick="if (a) { f(¦{link}) }"></p>'), '"link" is not read in it'],
    [
      within('<iframe srcdoc="<b>¦{id}</b>"></iframe>'),
      '"id" is not read … Serve the document from a route of its own … srcdoc={"<b>{id}</b>"}',
    ],
    ...["data-onclick", "data-srcdoc", "wire:click", "ng-click", "up-on-opened", "_", "script", "#a", ".a"].map(
      (name) => [within(`<p ${name}="¦{id}"></p>`), '"id" is not read in it … For the braces themselves'] as const,
    ),
    [within('<animate attributeName="¦{id}"/>'), '"id" is not read'],
  ],
  "a block that has only the name of a value": [
    [within("{for (const tag of q) {¦tag}}"), '"tag" is text here, not the value … Write { {tag} }. … {"tag"}'],
    [within("{if (x) { ¦z.name }}"), '"z.name" is text here … Write { {z.name} }.'],
    [within("{if (x) {y} else {¦id}}"), '"id" is text here'],
    [within("{switch (x) { case 1: {¦id} }}"), '"id" is text here'],
    ...["n", " n ", "n.m", "n?.m", "n[0]", "n!.m", "n?.[0].m"].map(
      (text) =>
        [
          within(`{for (const n of q) {${text.replace("n", "¦n")}}}`),
          `"${text.trim()}" is text here … Write { {${text.trim()}} }.`,
        ] as const,
    ),
    [within("{for (const [k, v] of q) {¦v}}"), '"v" is text here'],
    [within("{for (let i = 0; i < 3; i++) {¦i} else {i}}"), '"i" is text here'],
    [within("{const n = 1}{if (id) {¦n}}"), '"n" is text here'],
    [within("{for (const n of q) { {if (n) {¦n}} }}"), '"n" is text here'],
    [within("{for (const n of q) { {Other(n) {¦n}} }}"), '"n" is text here'],
    [within("{defer {a} failed (e) {¦e}}"), '"e" is text here'],
  ],
  "text that is a call of a template": [
    [
      within("{for (const e of q) {¦Other(e)}}"),
      '"Other(e)" is text … template Other … These braces are those of the block. Write { {Other(e)} }.',
    ],
    [within("{if (q) { ¦Other(e) is it}}"), '"Other(e)" is text … Write {Other(e)}. … {"Other(e)"}'],
    [within("{for (const s of q) {¦Other(s)}}"), '"Other(s)" is text'],
    [within("{if (id) {\n  ¦Page(id, { x }, q)\n}}"), '"Page(…)" is text … Write {Page(…)}'],
    [within("<ul>¦Other(f(1))</ul>"), '"Other(…)" is text'],
    [within("<p>see ¦Page(1)</p>"), '"Page(1)" is text'],
    ...[
      'import { Row } from "./row.tpl.ts"',
      "import { type Task, Row } from './row.tpl.ts'",
      'import { Item as Row } from "./row.tpl"',
      'import type { Task } from "./task.ts"\nimport { Row } from "#ui/row.tpl.ts"',
    ].map((line) => [`${line}\ntemplate Page() {\n  ¦Row(1)\n}\n`, '"Row(1)" is text'] as const),
    [
      'import * as ui from "./ui.tpl.ts"\ntemplate Page() {\n  <b>¦ui.Row(1)</b>\n}\n',
      '"ui.Row(1)" is text … the template ui.Row',
    ],
  ],
  "an element with the name of a component": [
    [within("¦<Other/>"), "<Other> is not an element … braces: {Other(…)} or {Other(…) { markup }}."],
    [within("<p>¦<Otehr>a</Otehr></p>"), "<Otehr> is not an element … Did you mean Other? … {Other(…)}"],
    [within("¦<Otherr/>"), "Did you mean Other?"],
    ...["Crad", "Car", "CARD", "Cord"].map(
      (name) =>
        [
          `import { a } from "b"\nimport {\n  type Task,\n  Card,\n} from "./card.tpl.ts"\ntemplate Page() {\n  ¦<${name.replace("CARD", "CArd")}/>\n}\n`,
          "Did you mean Card? Call a component in braces: {Card(…)}",
        ] as const,
    ),
    [within("¦<Fragment></Fragment>"), "Call a component in braces: {Name(…)}"],
  ],
  "a style that names something in scope": [
    [within('<p style="color: ¦{id}"></p>'), 'a quoted value is literal, and "id" … style={{ color: value }}'],
    [within("<style>p { color: ¦{id}; }</style>"), 'a <style> is literal, and "id" is not read in it … var(--name)'],
    [within("<style>p { color: ¦{ base }; }</style>"), '"base" is not read'],
  ],
  "a loop of another language": [
    [within("{for (¦one of q) { <p>{one}</p> }}"), '"one" is not declared … Write {for (const one of q) { … }}.'],
    [within("{for (¦one in q.rows()) {a}}"), '"one" is not declared … Write {for (const one of q.rows()) { … }}.'],
    [within("{for (¦[k, v] of q) {a}}"), '"[k, v]" is not declared … {for (const [k, v] of q)'],
    [within("{for await (¦one of q) {a}}"), "Write {for await (const one of q) { … }}."],
    [within("{for (¦i = 0; i < 3; i++) {a}}"), '"i" is not declared … Write {for (let i = 0; …) { … }}.'],
    [within("{for ¦one of q {a}}"), '"(" is missing after for … Write {for (const one of q) { … }}.'],
    [within("{for ¦const one of q {a}}"), "Write {for (const one of q) { … }}."],
    [within("{for ¦one in q}<p>{one}</p>{/for}"), "Write {for (const one of q) { … }}."],
    [within("{for (¦q) {a}}"), "does not say what it repeats … Write {for (const item of q) { … }}."],
    [within("{for (¦const one) {a}}"), "Write {for (const one of items) { … }}."],
    [within("{for (const a of q)¦}<p>{a}</p>{/for}"), "{for (…) { <p>…</p> }}"],
    ...["each q as one", "foreach (q as one)", "forEach q as one", "foreach (const one of q)", "each one in q"].map(
      (text) => [within(`{¦${text} {a}}`), "is not a block … Write {for (const one of q) { … }}."] as const,
    ),
    [within("{¦#each q as one}a{/each}"), "Write {for (const one of q) { … }}."],
    [within("{¦#if id}a{/if}"), "{if (…) { … }}"],
    [within("{¦% for one in q %}a{% endfor %}"), "Write {for (const one of q) { … }}."],
  ],
  "a block of another language": [
    [within("{if (x) {a} ¦elseif (id) {b}}"), "Write else if (…) { … }."],
    [within("{if (x) {a} ¦elif (id) {b}}"), "Write else if (…) { … }."],
    [within('{¦include "card"}'), "is not a block … import { Row } from"],
    [within("{¦> card}"), "is not a block … import { Row } from"],
    [within('{¦import { a } from "x"}'), "at the top of the file"],
    [within("{¦yield}"), "{children}"],
    [within("{¦async f()}"), "{await …}"],
    [within("{¦!! id !!}"), "Write {raw(id)}"],
    [within("¦{{id}}"), "Write {id}."],
    [within("¦{{ q.name | upper }}"), "Write {upper(q.name)}."],
    [within("¦{{{id}}}"), "Write {raw(id)}"],
    [within("¦{{#if id}}a{{/if}}"), "{if (a) { … }"],
    [within("¦{{#each q as one}}a{{/each}}"), "Write {for (const one of q) { … }}."],
    [within("¦{{> card}}"), "import { Row } from"],
    [within("{¦total = 1}"), "Write {const total = …}."],
    [within("¦@if (x) <p></p> @endif"), '"@if" is text … {if (a) { … }'],
    [within("a ¦@yield('main')"), "{children}"],
    [within("<p>¦@include('card')</p>"), '"@include" is text … import { Row } from'],
    [within("¦@foreach ($q as $one) <p></p> @endforeach"), "{for (const item of items) { … }}"],
  ],
  "an attribute of another language": [
    [within('<p ¦*ngIf="x"></p>'), 'HTML has no attribute "*ngIf" … {if (…) { … }}'],
    [within('<p ¦*ngFor="let one of q"></p>'), "{for (const item of items) { … }}"],
    [within("<p ¦class:active={x}></p>"), 'class={["a", condition && "b"]}'],
    [within("<input ¦bind:value={x}>"), "value={…}"],
    [within("<p ¦style:color={x}></p>"), "style={{ color: value }}"],
    [within("<p ¦set:html={x}></p>"), "{raw(html)}"],
    [within("<script ¦define:vars={x}></script>"), "{{size}}"],
    ...["on:click={x}", 'on:click="x"', '(click)="x"', "use:action"].map(
      (text) => [within(`<p ¦${text}></p>`), "HTML has no attribute … static/app.js"] as const,
    ),
    [within('<input ¦[(ngModel)]="x">'), "Write value={…}"],
    [within('<a ¦[href]="x"></a>'), "Write the name without brackets: href={url}."],
    [within("<p ¦transition:fade></p>"), "Write the transition in CSS."],
    [within("<p ¦client:load></p>"), "No component runs in the browser."],
    [within("<p ¦key={x}></p>"), 'HTML has no attribute "key" … Remove it'],
    [within("<p ¦ref={x}></p>"), "by its id"],
    [within("<p ¦children={x}></p>"), "between the tags"],
    [within("<p ¦suppressHydrationWarning></p>"), "Remove it"],
    [within("<p {...{ ¦key: x }}></p>"), 'HTML has no attribute "key"'],
    ...["¦value={x}", '¦value="x"', "¦Value", "{...{ ¦value: x }}"].flatMap(
      (text) =>
        [
          [within(`<textarea ${text}></textarea>`), "Print the text … <textarea>{value}</textarea>"],
          [within(`<select ${text}></select>`), '<select> has no attribute "value" … selected={id === value}'],
        ] as const,
    ),
    [within("<p ¦v-if={x}></p>"), "takes no expression … {if (…) { … }} around the element"],
    [within("<p ¦v-else-if={x}></p>"), "{if (…) { … }} around the element"],
    [within("<p ¦v-for={x}></p>"), "{for (const item of items) { … }}"],
    [within("<p ¦v-html={x}></p>"), "{raw(html)}"],
    [within("<a ¦v-bind:href={x}></a>"), "Write the name without a prefix: href={url}."],
    [within("<a ¦:href={x}></a>"), "href={url}"],
    [within("<p ¦@click={x}></p>"), "static/app.js"],
    [within("<p ¦v-on:click={x}></p>"), "static/app.js"],
    [within("{¦@render x()}"), "{Name(…)} for a template"],
  ],
  "marks and words of other languages": [
    [within("¦<%= name %>"), '"<%" is text … Write {expression}'],
    [within("{¦% if a %}x{% endif %}"), '"%" is not allowed … {if'],
    [within("¦<>\n<p>x</p></>"), "there are no fragments … any number of elements"],
    [within("<>x¦</>"), "there are no fragments"],
    [within("¦return <p>x</p>"), '"return" is text in a template … Remove it'],
    [within("{if (x) {¦return (<p>x</p>)}}"), '"return" is text'],
    [within("¦const n = 1\n  <p>a</p>"), '"const" is text in a template … Write {const name = value}.'],
    [within("<p>a</p>\n  ¦let n: Map<string, number> = f()"), '"let" is text'],
    [within("\n  ¦const { a, b } = q\n  <p></p>"), '"const" is text'],
    [within("\n  ¦var [a] = q\n  <p></p>"), '"var" is text'],
    [within("{for (const t of q) {\n  ¦const n = t.n\n<b>x</b>}}"), '"const" is text'],
    [within('\n  ¦import a from "b"\n<p></p>'), '"import" is text … at the top of the file'],
    [within("\n  ¦import { a } from 'b'\n<p></p>"), '"import" is text'],
    [within("\n  ¦// a comment\n<p></p>"), '"//" is text … Write {/* comment */}.'],
    [within("\n  ¦/* a comment */\n<p></p>"), '"/*" is text'],
    ["¦tempalte P() {\n  <p>x</p>\n}", 'begins with "tempalte" … Write template P(…) { … }'],
    ["const a = 1\n¦function P(a: string) {\n  <br>\n}", 'begins with "function" … Write template P(…)'],
    [within("<ul>\n<li>\n¦</ul>"), "</ul> does not close <li> of line 7"],
  ],
})

test("valid templates that look like another language compile", () => {
  for (const body of [
    '<a href="/{other}"></a>',
    '<a href="{inner}{r}{y}{theirs}"></a>',
    '<p x-data="{id}" hx-vals=\'{"id": 1}\' :a="{id}" @b="{id}" v-bind="{id}" data-hx-vals="{id}"></p>',
    '<p data-x="{id: 1}" title="{}" lang="{ "></p>',
    '{if (x) {{const u = 1}}}<p title="{u}"></p>',
    '{for (const t of x) {<br>}}<p title="{t}"></p>',
    "<style>p {color: red} a{id: x}</style>",
    "a <> b, a < % b",
    "<p>return <b>x</b></p>",
    "<pre>\nconst x = 1\n// a\n{if (x) {\nlet y = 2\nimport a from 'b'}}</pre><p>\n/* a */</p>",
    'a const n = 1, let it be\nconst is a word\nlet a == b\nhttp://x //y\n{"const "}n = 1',
    "\nimport taxes {x}\nimports 'a'\nvar n => 1\n//host/path",
    '<p onclick="const { id } = event; (({ id }) => id)(1); ({ id } = q); if (q) { open() }" onkeyup="f({ id: 1 })"></p>',
    '<my-list key={id} ref="a" children={id} value={id}></my-list><p key="a" ref="b"></p><option value={id}></option><input value={id}><p v-if="id" v-else></p>',
    '<p onclick="if (q) { x.close() }" onchange={"f({id})"} data-onclick="f({other})"></p>',
    "{for (const n of x) { <p>n</p> n, m }}{for (const n of x) {m} else {n}}{for (const a of x) {an apple}}{if (id) {id!}}",
    "{if (x) {x} else {y}}{if (x) {id and more}}{if (x) {other.name}}{if (x) {<p>id</p>}}",
    '<p title={"{id}"}></p>',
    "<p>2 Other(s), Other (1), Others(1), myOther(1), x.Other(1), f(1), Job(1), open(1), Model(1), helper(1)</p>",
    '{"Other(1)"}{Other("a")}<b title="Other(1)">Other</b>',
    "{for (let i = 0; i < 3; i++) {a}}{for (const key in x) {a}}{for (let one of x) {a}}{for (x.y of q) {a}}",
    "{for (;;) {a}}{for (const [a, b = 1] of x) {m}}{for (var i = 0, n = 1; i < n; i++) {a}}{for (const of of q) {a}}",
    "{each(q)}{each}{include}{end}{foreach.a}{unless(x) {a}}{import.meta.url}{!!id}{x.a = 1}{x == 1}{x === 1}",
    "{each instanceof Map}{each in x}{each as string}{each satisfies string}{include ?? id}{async () => 1}{async (a) => a}",
    '<p>mail@if.example, @iffy, @media (x), @if, @for you</p>{"@if ("}<p class="@if (x)"></p>',
    "<script>Other(1)</script><style>a { b: Other(1) }</style><!-- Other(1) --><title>Other(1)</title>",
  ])
    assert.equal(compile(within(body), "page.tpl").diagnostics, [], body)
})

test("a text that looks like a call of a template is an error in XML too", () => {
  const source = "template Feed() {\n  <a>Item(1)</a>\n}\ntemplate Item(n: number) {\n  <b>{n}</b>\n}\n"
  const [found] = compile(source, "feed.xml.tpl").diagnostics
  assert.match(found?.message ?? "", '"Item(1)" is text')
})

test("a text that looks like a call of an import that is not a template stays text", () => {
  for (const line of [
    'import type { Row } from "./row.tpl.ts"',
    'import { type Row } from "./row.tpl.ts"',
    'import { Row as Item } from "./row.tpl.ts"',
    'import { Row } from "./row.ts"',
    'import { a } from "./a.tpl.ts"\nimport { Row } from "./row.ts"',
  ])
    assert.equal(compile(`${line}\ntemplate Page() {\n  Row(1)\n}\n`, "page.tpl").diagnostics, [], line)
})

test("the error of a call without markup says that the template takes markup", () => {
  const source =
    "template Card(a: string) {{children}}\ntemplate Plain(a: string) {{a}}\ntemplate Page() {\n{Card(1)}{Plain()}{Away(1)}{away(1)}\n{Outer(2) {\n<b>x</b>\n}}\n}"
  const compiled = compile(source, "page.tpl")
  const findFix = (call: string, expected: number): string => {
    const line = compiled.code.split("\n").findIndex((text) => text.includes(call))
    const column = compiled.code.split("\n")[line]?.indexOf(call) ?? 0
    const text = `Expected ${expected} arguments, but got ${expected - 1}.`
    return mapMessages(compiled, [{ text, line: line + 1, column, unit: "utf16" }])[0]?.fix ?? ""
  }
  assert.is(findFix("Card(1)", 2), "Card takes markup: {Card(…) { … }}.")
  assert.is(findFix("Away(1)", 2), "If Away prints {children}, pass it markup: {Away(…) { … }}.")
  const layout = "A layout takes the title and the context before its markup: Outer(title, c) { … }."
  assert.is(findFix("Outer(2", 3), layout)
  assert.is(findFix("Plain()", 1), "")
  assert.is(findFix("away(1)", 2), "")
  const [found] = mapMessages(compiled, [{ text: "Type 'a' is not assignable to type 'b'.", line: 1, column: 0 }])
  assert.ok(found)
  assert.not.match(formatDiagnostic(found), /\n\n\n|Mend/)
})

test.run()
