/** Tests of how `fw format` writes each construct of a template. */

import { test } from "uvu"
import * as assert from "uvu/assert"
import { formatTemplates } from "../../../bin/format/format-templates.ts"
import type { LineStyle } from "../../../bin/format/layout.ts"

const usual: LineStyle = { indentWidth: 2, useTabs: false, lineWidth: 42, lineEnding: "\n" }

function formatted(source: string, style: Partial<LineStyle> = {}, file = "page.tpl"): string {
  const { parts, diagnostics } = formatTemplates(source, file, { ...usual, ...style })
  assert.equal(
    diagnostics.map(({ message }) => message),
    [],
    source,
  )
  return parts.map(({ text }) => text).join("")
}

/** Returns a template with a body, whose lines are indented except for those that begin with `|`. */
function template(body: string): string {
  const lines = body.split("\n").map((line) => (line.startsWith("|") ? line.slice(1) : line && `  ${line}`))
  return `template Page(v: any, n: any) {\n${lines.join("\n")}\n}\n`
}

const forms: Readonly<Record<string, readonly (readonly [source: string, form: string])[]>> = {
  "white space that prints a space can be a space or a line": [
    ["  one \t two  ", "one two"],
    ["<b>  x  </b>", "<b> x </b>"],
    ["<b>x</b>\n\n\n\n<b>y</b>", "<b>x</b>\n\n<b>y</b>"],
    ["aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii", "aaaa bbbb cccc dddd eeee ffff gggg hhhh\niiii"],
  ],
  "formatting adds no white space where a template prints none": [
    ["<b>x</b><i>y</i>{n}{v}", "<b>x</b><i>y</i>{n}{v}"],
    ["<p>aaaa bbbb cccc dddd eeee ffff ggg</p>", "<p>aaaa bbbb cccc dddd eeee ffff ggg</p>"],
    ["<p>aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii</p>", "<p>aaaa bbbb cccc dddd eeee ffff gggg\n  hhhh iiii</p>"],
    [
      "<li><a href={n} class='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'>{v}</a></li>",
      "<li><a\n  href={n}\n  class='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'\n>{v}</a></li>",
    ],
  ],
  "an element that begins on its own line stays on its own lines": [
    ["<p>\n<b>x</b></p>", "<p>\n  <b>x</b></p>"],
    ["<p>\n  text\n</p>", "<p>\n  text\n</p>"],
    ["<a>1</a>\n<a>2</a>\n<a>3</a>", "<a>1</a>\n<a>2</a>\n<a>3</a>"],
    ["<a>1</a> <a>2</a>", "<a>1</a> <a>2</a>"],
  ],
  "each block element gets its own lines": [
    ["<div> <p>a</p> <p>b</p> </div>", "<div>\n  <p>a</p>\n  <p>b</p>\n</div>"],
    ["<div><p>a</p><p>b</p></div>", "<div><p>a</p><p>b</p></div>"],
    ["<ul>\n<li>a</li><li>b</li>\n</ul>", "<ul>\n  <li>a</li><li>b</li>\n</ul>"],
  ],
  "attributes that do not fit on one line get one line each": [
    ['<p   class = "a"\n id=x  >t</p>', '<p class="a" id=x>t</p>'],
    ['<input type="text" name="a-long-name" required>', '<input\n  type="text"\n  name="a-long-name"\n  required\n>'],
    [
      '<p class="one only, and much too long for a line">t</p>',
      '<p class="one only, and much too long for a line">t</p>',
    ],
    ["<p {/* why */} id={ n } {... v }></p>", "<p {/* why */} id={n} {...v}></p>"],
    ['<p title="a\n   b" id="c"></p>', '<p\n  title="a\n|   b"\n  id="c"\n></p>'],
  ],
  "tags have one spelling": [
    ["<br/><br />", "<br><br>"],
    ["<div/><i></i  >", "<div></div><i></i>"],
    ["<svg><path d='M0 0'></path></svg>", "<svg><path d='M0 0'/></svg>"],
    ["<svg><path d=a /></svg>", "<svg><path d=a /></svg>"],
    ["<{ n } id=x >x</{ n }>", "<{n} id=x>x</{n}>"],
    ["<DIV>x</div>", "<DIV>x</DIV>"],
  ],
  "each block is on one line, or gets its own lines": [
    ["{ if(v){yes}else{no} }", "{if (v) {yes} else {no}}"],
    ["{if (v) {\nyes}else{no}}", "{if (v) {\n  yes\n} else {\n  no\n}}"],
    [
      "{if (v) {<b>aaaaaaaaaaaaaaaaaa</b>} else if (n) {bbbbbbbb}}",
      "{if (v) {\n  <b>aaaaaaaaaaaaaaaaaa</b>\n} else if (n) {\n  bbbbbbbb\n}}",
    ],
    ["{for  (const x  of v) {{x}} else {none}}", "{for (const x  of v) {{x}} else {none}}"],
    ["{if (v) { yes } else { no }}", "{if (v) { yes } else { no }}"],
    ["{if (\n  v &&\n  n\n) {yes}}", "{if (\n  v &&\n  n\n) {\n  yes\n}}"],
    ["{switch(n){case 1:{a} default : {b}}}", "{switch (n) {\n  case 1: {a}\n  default: {b}\n}}"],
    ["{ String(n) }", "{String(n)}"],
    ["{ Box( n ){x} }", "{Box( n ) {x}}"],
    [
      "{defer{<p>{await v}</p>}pending{…}failed(e){{String(e)}}}",
      "{defer {\n  <p>{await v}</p>\n} pending {\n  …\n} failed (e) {\n  {String(e)}\n}}",
    ],
  ],
  "each constant gets its own line": [
    ["{const a = 1}{const b = 2}<p>{a}{b}</p>", "{const a = 1}\n{const b = 2}\n<p>{a}{b}</p>"],
    ["a{const x = 1}b", "a{const x = 1}b"],
    ["a {const x = 1}b", "a\n{const x = 1}\nb"],
    ["{if (v) { {const x = 1}{x} }}", "{if (v) { {const x = 1}{x} }}"],
  ],
  "comments stay": [
    ["a {/* b */} c <!-- d --> e", "a {/* b */} c <!-- d --> e"],
    ["a{/* glued */}b", "a{/* glued */}b"],
    ["{// to the end\n}\nx", "{// to the end\n}\nx"],
    ["{if (v) {a} /* c */ else /* d */ {b}}", "{if (v) {a} /* c */ else /* d */ {b}}"],
    [
      "{switch (n) { // first\n case 1: {a} /* last */ }}",
      "{switch (n) {\n  // first\n  case 1: {a}\n  /* last */\n}}",
    ],
    ["<p>\n  <!-- one\n       two -->\n  x\n</p>", "<p>\n  <!-- one\n       two -->\n  x\n</p>"],
  ],
  "the lines of an expression move with its first line": [
    ["<p>{v.map((x) => {\n    return x\n  })}</p>", "<p>{v.map((x) => {\n    return x\n  })}</p>"],
    ["<div> <p>{[\n  1,\n]}</p> </div>", "<div>\n  <p>{[\n    1,\n  ]}</p>\n</div>"],
    ["<div>\n<p>{`\n  kept\n`}</p></div>", "<div>\n  <p>{`\n|  kept\n|`}</p></div>"],
    ["{n // why\n}", "{n // why\n}"],
    ["{\n  n\n}", "{n}"],
  ],
  "the content of pre, textarea, script and style stays as it is": [
    ["<div>\n      <pre>\n a\n   <b>b</b></pre></div>", "<div>\n  <pre>\n| a\n|   <b>b</b></pre></div>"],
    ["<textarea>\n {n}\n</textarea>", "<textarea>\n| {n}\n|</textarea>"],
    ["<script>\n    a( {{n}} )\n</script>", "<script>\n|    a( {{n}} )\n|</script>"],
    ["<style>\n a { b: c }\n  </style>", "<style>\n| a { b: c }\n|  </style>"],
  ],
}

for (const [title, cases] of Object.entries(forms)) {
  test(title, () => {
    for (const [source, form] of cases) {
      const once = formatted(`template Page(v: any, n: any) {${source}}\n`)
      assert.is(once, template(form))
      assert.is(formatted(once), once, "formatting the result again changes the result")
    }
  })
}

test("the header of a template has one form, and parameters on several lines stay on these lines", () => {
  const source = "template  Row < T > ( a : T ) {x}\ntemplate List(\n    a: string,\n  b?: string,\n) {\n  y}\n"
  const form = "template Row< T >(a : T) {\n  x\n}\ntemplate List(\n    a: string,\n  b?: string,\n) {\n  y\n}\n"
  assert.is(formatted(source), form)
})

test("lines are indented with tabs if the settings of the project ask for tabs", () => {
  const style = { useTabs: true, indentWidth: 4 }
  const source = "template Page() {\n  <div>\n  <p class={[\n    'a',\n  ]}>x</p>\n</div>\n}\n"
  const form = "template Page() {\n\t<div>\n\t\t<p class={[\n\t\t  'a',\n\t\t]}>x</p>\n\t</div>\n}\n"
  assert.is(formatted(source, style), form)
  assert.is(formatted(form, style), form)
})

test("fw format writes the same line ends as the file has", () => {
  const source = "template Page() {<p>\r\nx</p>\r\n<pre>\na\r\nb</pre>}\r\n"
  const form = "template Page() {\r\n  <p>\r\n    x</p>\r\n  <pre>\na\r\nb</pre>\r\n}\r\n"
  assert.is(formatted(source, { lineEnding: "\r\n" }), form)
})

test("in XML, <b/> and <c></c> stay different", () => {
  const source = '<?xml version="1.0"?>\n<a>\n<b/> <c></c>\n</a>'
  const form = 'template Feed() {\n  <?xml version="1.0"?>\n  <a>\n    <b/> <c></c>\n  </a>\n}\n'
  assert.is(formatted(`template Feed() {${source}}\n`, {}, "feed.xml.tpl"), form)
})

test("markup in an expression is indented from the line of the expression", () => {
  const source = 'import { Panel } from "./a.ts"\ntemplate Page() {\n{Panel({ head: {<div>\n<p>a</p>\n</div>} })}\n}\n'
  const form =
    'import { Panel } from "./a.ts"\ntemplate Page() {\n  {Panel({ head: {<div>\n    <p>a</p>\n  </div>} })}\n}\n'
  assert.is(formatted(source), form)
})

test.run()
