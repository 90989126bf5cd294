// Tests of elements whose name is an expression: what they print, which names they accept, and that each attribute
// is escaped for the strictest of the possible elements.

import { test } from "uvu"
import * as assert from "uvu/assert"
import { type AttributeKind, getAttributeKind } from "../../lib/html/attributes.ts"
import { elementNames, getNamedAttributeKind } from "../../lib/html/named-elements.ts"
import { opaqueElements, preformattedElements, textElements, voidElements } from "../../template/check/elements.ts"
import { compile } from "../../template/index.ts"
import { load, render } from "../fixtures/template/render.ts"

const listed = (
  "h1 h2 h3 h4 h5 h6 p div section article aside header footer main nav ul ol li dl dt dd table thead tbody tfoot tr th td " +
  "caption figure figcaption blockquote span strong em b i small mark code"
).split(" ")

test("a named element may have exactly the names in the list of this test", () => {
  assert.equal([...elementNames].sort(), listed.sort())
})

test("a named element is printed with its attributes and content, for each name", async () => {
  const { Page } = await load(
    "template Page(tag: any, v: any) {<{tag} title={v} class={['a', v]} {...{ id: v, hidden: true }}>{v}<br></{tag}>}",
  )
  for (const name of elementNames) {
    const value = "&lt;&quot;&gt;"
    assert.is(
      String(await Page?.(name, '<">')),
      `<${name} title="${value}" class="a ${value}" id="${value}" hidden>${value}<br></${name}>`,
    )
  }
})

test("a named element with a name that is not on the list throws", async () => {
  const { Page } = await load("template Page(tag: any) {<{tag}>x</{tag}>}")
  const others = [...voidElements, ...opaqueElements, ...textElements, ...preformattedElements]
  const strange = ["script", "style", "svg", "math", "a", "form", "object", "template", "H1", "h1 ", "h1 onclick=x", ""]
  for (const value of [...others, ...strange, "toString", "length", 0, 1, null, undefined, ["h1"], {}, Symbol("h1")]) {
    try {
      await Page?.(value)
    } catch (error) {
      assert.instance(error, TypeError)
      assert.match((error as Error).message, /The name of an element cannot be .* one of these: h1, h2/)
      continue
    }
    assert.unreachable(String(value))
  }
})

test("the expression for the name of an element is evaluated once", async () => {
  const source =
    "let calls = 0\nconst tag = () => (calls++, 'h2' as const)\ntemplate Page() {<{tag()}>{calls}</{tag()}>{calls}}"
  assert.is(await render(source), "<h2>1</h2>1")
})

test("the end tag of a named element is copied to the code only if its expression is a name or a member such as a.b", () => {
  for (const [name, count] of [
    ["a", 2],
    [" a.b ", 2],
    ["a()", 1],
    ["null", 1],
  ] as const) {
    const { source, copies } = compile(`template Page() {<{a}><{${name}}></{${name}}></{a}>}`, "x.tpl")
    const found = copies.filter(({ start, length }) => source.slice(start, start + length) === name.trim())
    assert.is(found.length, name === "a" ? 4 : count, name)
  }
})

test("named elements can be nested, be empty, contain await, and be in markup that is an argument", async () => {
  const source = `
const show = (html: unknown) => html as string
const wait = async () => "em" as const
template Page(a: any, b: any) {
  <{a} ><{b}><{a}/></{ b }></{a}>
}
template Other(level: 1 | 2) {
  {for (const n of [1, 2] as const) {<{\`h\${n}\`}>{n}</{\`h\${n}\`}>}}
  <{await wait()}>x</{await wait()}>
  {show({<{"b"}>y</{"b"}>})}
  <svg><foreignObject><{"p"}>z</{"p"}></foreignObject></svg>
}`
  const { Page, Other } = await load(source)
  assert.is(String(await Page?.("ul", "li")), "<ul><li><ul></ul></li></ul>")
  assert.is(
    String(await Other?.(1)),
    "<h1>1</h1><h2>2</h2> <em>x</em> <b>y</b> <svg><foreignObject><p>z</p></foreignObject></svg>",
  )
})

/** Names of attributes of HTML and of its libraries, and of all types in the compiler's table. */
const attributes = (
  "title id lang dir hidden tabindex role class style cite background align width height colspan headers scope href src " +
  "action formaction data poster manifest srcset ping profile usemap itemid onclick onload srcdoc draggable spellcheck " +
  "aria-label data-x data-href data-onclick hx-get hx-post hx-vals hx-headers hx-on:click hx-trigger hx-confirm x-data " +
  "@click :class v-html fill stroke mask xlink:href xml:base xmlns sse-connect ws-connect hx-sse:connect content http-equiv value name"
).split(" ")

test("attributes of a named element are escaped as strictly as on any of the possible elements", () => {
  for (const name of attributes) {
    const kinds = new Set<AttributeKind>(elementNames.map((element) => getAttributeKind(element, name)))
    kinds.delete("plain")
    assert.ok(kinds.size <= 1, `${name} means different things: ${[...kinds].join(", ")}`)
    assert.is(getNamedAttributeKind(name), [...kinds][0] ?? "plain", name)
  }
  assert.is(getNamedAttributeKind("cite"), "cite")
  assert.is(getNamedAttributeKind("title"), "plain")
})

test.run()
