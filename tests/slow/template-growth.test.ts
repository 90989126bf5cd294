/**
 * Tests that the number of steps of the template compiler, and of the functions that compiled templates call, is
 * proportional to the length of hostile text instead of its square.
 */
import { test } from "uvu"
import { buildOutline } from "../../bin/lsp/html/outline.ts"
import { readShadow } from "../../bin/lsp/html/shadow.ts"
import {
  $fwAttribute,
  $fwCite,
  $fwClass,
  $fwConfig,
  $fwHtmx,
  $fwImage,
  $fwJson,
  $fwJsonAttribute,
  $fwLink,
  $fwLocal,
  $fwMedia,
  $fwNewline,
  $fwPaint,
  $fwPlain,
  $fwProse,
  $fwScript,
  $fwSpread,
  $fwSrcset,
  $fwStyle,
  $fwText,
  $fwUrl,
  escapeHtml,
  html,
} from "../../lib/html.ts"
import { findWarnings } from "../../template/compile.ts"
import { compile } from "../../template/index.ts"
import { type Attack, assertLinear, repeated } from "../support/growth/growth.ts"

const page = (piece: string, before = "", after = ""): Attack =>
  repeated(piece, `template Page(v: string) {${before}`, `${after}}`)

/** Texts for the compiler, its tokenizers of code, scripts and styles, and the scanner of modules. */
const sources: Attack[] = [
  ...[
    "x ",
    " ",
    "\n",
    "&",
    "<",
    "< ",
    "<b>x</b>",
    "<p><div></div></p>",
    "<br>",
    "{v}",
    "{v} ",
    "<!-- -->",
    "a<!-- x -->",
    "{/* */}",
  ].map((piece) => page(piece)),
  page(" ", "a", "b"),
  page("\n \t", "a", "b{v}"),
  ...["<", "{", "}", "(", "</", "<a ", "<!--", "{{", "<b>", "{if (", "{if (a) {", "{for (", '"', "'", "`", "/"].map(
    (piece) => page(piece),
  ),
  ...[
    "{if (v) {x}}",
    "{if (v) {x} else {y}}",
    "{for (const x of v) {{x}}}",
    "{switch (v) {case 1: {x}}}",
    "{const a = 1}",
  ].map((piece) => page(piece)),
  page(" else if (v) {x}", "{if (v) {x}", "}"),
  page("case 1: {x}", "{switch (v) {", "}}"),
  ...["{P(v)}", "{P(v) {x}}", "{await P(v)}", "{const {a, b} = v}", "{const { a", "{const [ "].map((piece) =>
    page(piece),
  ),
  // Attributes of one tag, and of many.
  ...[" a{}={v}", " a{}=x", " a{}='x'", " a{}", " data-a{}={v}", " {...v}", " {...{ a{}: v }}"].map(
    (piece): Attack => ({
      name: `attributes ${piece}`,
      make: (length) => {
        const count = Math.ceil(length / (piece.length + 5))
        const attributes = Array.from({ length: count }, (_, at) => piece.replaceAll("{}", String(at)))
        return `template Page(v: string) {<p${attributes.join("")}></p>}`
      },
    }),
  ),
  ...["<p title={v}></p>", "<p class={['a', v && 'b']}></p>", "<p style={{ color: v }}></p>", "<p {...v}></p>"].map(
    (piece) => page(piece),
  ),
  page("{a}", '<p title="', '"></p>'),
  page("{v}{", '<p title="', '"></p>'),
  page("{", '<p title="', '"></p>'),
  page("'a', ", "<p class={[", "]}></p>"),
  page("a ? ", "<p hx-trigger={", "b}></p>"),
  page("a ? 'b' : ", "<p hx-trigger={", "'c'}></p>"),
  page("(", "<p hx-trigger={", "}></p>"),
  page("v && ", "<p hx-trigger={", "'a'}></p>"),
  page("v || ", "<p hx-trigger={", "'a'}></p>"),
  page("{a: 1}, ", "<p {...[", "]}></p>"),
  page("a: 1, ", "<p {...{", "}}></p>"),
  // Expressions.
  ...[
    "async < a, ",
    "async < a extends ",
    "async (",
    "async () ",
    "async () + ",
    "x ? async (): ",
    "async f() ",
    "async function ",
    "async function f() ",
    "async * ",
    "await ",
    "function (",
    "a < ",
    "a<b>",
    "<A>   ",
    "<A, ",
    "(",
    "[",
    "{",
    "`$" + "{",
    "a.",
    "a ",
    "a, ",
    "a + ",
    "! ",
    "1",
    "1.",
    "1_",
    "a => ",
    "(a) => ",
    "/a/ + ",
    "a / ",
    "/[",
    "/* */ ",
    "// x\n",
    "'a' + ",
    '"',
    "as ",
    "$",
    "\u{1d400}",
  ].map((piece) => page(piece, "{f(", ")}")),
  // Scripts and styles.
  ...[
    "<!--",
    "<script",
    "{{v}}",
    "x = {{v}};",
    "a / b;",
    "a() / b;",
    "{} / ",
    "}/ ",
    ")/",
    ")/[",
    "x\n} /'",
    "if (a) /b/.test(c);",
    "--> ",
    "\n-->",
    "'a';",
    "`a`;",
    "`$" + "{",
    "/*",
    "/* */",
    "//",
    "//\n",
    "break\n",
    "</scrip",
    "(",
    "((a)",
  ]
    // With a value before it, the meaning of an ambiguous slash depends on the text that follows.
    .flatMap((piece) => [page(piece, "<script>", "</script>"), page(piece, "<script>", "\nx = {{v}}</script>")]),
  ...["<!--", "<![CDATA[", "<![CDATA[]]>", "{v}", "{", "a{b:c}", "</styl"].flatMap((piece) => [
    page(piece, "<style>", "</style>"),
    page(piece, "<svg><style>", "</style></svg>"),
  ]),
  ...["<script></script>", "<style></style>", "<svg></svg>", "<![CDATA[x]]>"].map((piece) =>
    page(piece, "<svg>", "</svg>"),
  ),
  ...["x", "{v}", "<", "</textare"].map((piece) => page(piece, "<textarea>", "</textarea>")),
  // Modules.
  ...[
    "template ",
    "template\t",
    "template P() {}\n",
    "export ",
    "async ",
    "export async ",
    "const a = 1\n",
    "import { a } from 'b'\n",
    "import {",
    "{",
    "}",
    "(",
    "function f() {}\n",
    "/* */",
    "\n",
    " ",
    "a",
    "\r\n",
    "\u2028",
    "let {a, b} = c\n",
    "type A<B> = C<D>\n",
  ].flatMap((piece) => [
    repeated(piece),
    repeated(piece, "template P(v: string) {<p>{v}</p>}\n"),
    repeated(piece, "", "\ntemplate P(v: string) {<p title='{v}'></p>}"),
  ]),
  // Constructs that are not closed, each followed by the next template.
  ...[
    "template P() {\n",
    "template P() {\n  <p>x</p>\n",
    "template P() {\n  x\n\nconst a = 1\n",
    "template P(a: any) {\n  {if (a) {\n}\n",
    "template P(a: any) {\n  {if (a {\n    <p>x</p>\n  }}\n}\n",
    "template P(a: any) {\n  {f(a\n}\n",
    "f(\ntemplate P() {}\n",
    "template P() {\n<!-- x\n}\n",
    "template P() {\n<script>x\n}\n",
    "template P() {\n<p\n}\n",
  ].map((piece) => repeated(piece)),
  ...["<script>", "<style>", "{/*\n", "{f(/*\n", "{v(\n", "{if (v\n", "<!-- x -->\n<!"].map((piece) => page(piece)),
  repeated("template P() {\n<!-- x\n}\n", "", "-->"),
  repeated("template P() {\n<script>x\n}\n", "", "</script>"),
  page("{P(v) {\nx}}\n"),
  {
    name: "declarations after blank lines",
    make: (length) => page("x\n\nconst a = 1{v}", "\n".repeat(Math.floor(length / 2))).make(length),
  },
  page(`case${" ".repeat(50)}`, "{switch (v) {case 1: {\n", ": {"),
  ...["a: string, ", "a = 1, ", "a < b, ", "{ a }: A, ", "a: A<B, ", "a?: ", "...a, ", "@"].map((piece) =>
    repeated(piece, "template P(", ") {x}"),
  ),
  ...["A, ", "A extends B, ", "A<", "A = (", ">"].map((piece) => repeated(piece, "template P<", ">() {x}")),
]

/** Nested constructs. */
for (const [open, close] of [
  ["<div>", "</div>"],
  ["{if (v) {", "}}"],
  ["{", "}"],
  ["{(", ")}"],
  ["{P() {", "}}"],
  ["template A() {", "}"],
] as const)
  sources.push({
    name: `${open} inside of each other`,
    make: (length) => {
      const depth = Math.floor(length / (open.length + close.length))
      return `template Page(v: string) {${open.repeat(depth)}${close.repeat(depth)}}`
    },
  })

test("the compiler reads a source in linear time, including constructs that browsers change", async () => {
  const read = (text: string) => [compile(text, "page.tpl"), findWarnings(text, "page.tpl")]
  await assertLinear("the compiler", read, sources)
})

const values: readonly Attack[] = [
  ..."& < \" ' / : , ; ( ) [ ] { } # ? \\ * % @ $ ` a 1 \0 \u2028 \u{1d400}".split(" ").map((mark) => repeated(mark)),
  ...[
    " ",
    "\t",
    "\n",
    ", ",
    "(,",
    ",(",
    "a ",
    "a, ",
    "a,",
    "url(",
    "url('",
    'url("',
    "url(#a)",
    "url(a ",
    "url( ",
    "'a",
    "\"'",
    "'\\61 ",
    "\\",
    "[a] ",
  ].map((piece) => repeated(piece)),
  ...[
    "(a b), ",
    "a 1x, ",
    "a 1x,",
    "data:image/",
    "data:image/png,",
    "java\tscript:",
    "js:",
    " js",
    "url ",
    "expression ",
    "/*",
    "*/",
    "--",
    "null",
    "{}",
  ].map((piece) => repeated(piece)),
  repeated(",", "a", "b"),
  repeated(" ", "a", "b"),
  repeated(" ", "url(", "x"),
  repeated(" ", "", "javascript:"),
  repeated("\0", "", "javascript:"),
  repeated("a", "", ":"),
  repeated("a", "data:image/", ""),
  repeated("\n", "\n", ""),
  repeated("a", "(", ""),
  repeated("a ", "a 1x (", ""),
  repeated("\\", '"', '"'),
  repeated("\\61", '"', '"'),
  repeated("0\\000", '"\\00000', "\0"),
  repeated("icon ", "", "x"),
  repeated("apple-touch-", "", "icon"),
]

const blocks = (text: string): unknown[] => text.split(/(?=[,;( ])/)

/** Functions that compiled templates and `html` literals call with a value. */
const printers: Readonly<Record<string, (text: string) => unknown>> = {
  escapeHtml,
  $fwText,
  "$fwText of an array": (text) => $fwText(blocks(text) as string[]),
  $fwPlain,
  $fwNewline,
  $fwJson: (text) => $fwJson(text),
  "$fwJson of an array": (text) => $fwJson(blocks(text)),
  $fwScript: (text) => $fwScript({ [text]: text, __proto__: null }),
  $fwAttribute: (text) => $fwAttribute(' a="', text),
  $fwUrl: (text) => $fwUrl(text, "a"),
  $fwLink: (text) => $fwLink(text, "a"),
  $fwImage: (text) => $fwImage(text, "a"),
  $fwMedia: (text) => $fwMedia(text, "a"),
  $fwCite: (text) => $fwCite(text, "a"),
  $fwLocal: (text) => $fwLocal(text, "a"),
  $fwSrcset: (text) => $fwSrcset(text, "a"),
  $fwHtmx: (text) => $fwHtmx(text, "a"),
  $fwProse: (text) => $fwProse(text, "a"),
  $fwPaint: (text) => $fwPaint(text, "a"),
  $fwClass: (text) => $fwClass(blocks(text) as string[], "class"),
  $fwStyle: (text) => $fwStyle({ color: text, "--a": text, background: text }, "style"),
  $fwJsonAttribute: (text) => $fwJsonAttribute({ text }, "a"),
  $fwConfig: (text) => $fwConfig({ text, [text]: text }, "a"),
  "$fwSpread of values": (text) =>
    $fwSpread("link", [{ rel: text, href: text, style: { color: text }, "data-a": text }], []),
  "$fwSpread of names": (text) => {
    const names = text.match(/[\s\S]{1,64}/g) ?? []
    const object = Object.fromEntries(names.map((_, at) => [`data-${at}`, "x"]))
    try {
      return $fwSpread("p", [object, { [text]: 1 }], ["a", "b"])
    } catch (error) {
      return error
    }
  },
  html: (text) =>
    html`<a href="${text}" title="${text}">${text}</a><link rel="icon" href="${text}"><p hx-confirm="${text}"></p>`,
  "html of a long literal": (text) => {
    const strings = Object.assign([`<p title="${text.replace(/["&]/g, "")}`, '">', "</p>"], { raw: [] })
    return html(strings, "a", "b")
  },
  "html of many values": (text) => {
    const inner = (text.match(/[\s\S]{1,64}/g) ?? []).map((part) => part.replace(/["'<>&]/g, ""))
    const strings = Object.assign(['<p title="', ...inner, '"></p>'], { raw: [] })
    return html(strings, ...strings.slice(1).map(() => "a"))
  },
}

test("the markup and the outline that editors get are read in linear time", async () => {
  await assertLinear("shadowOf", (text) => buildOutline(readShadow(text), text), sources)
})

for (const [name, print] of Object.entries(printers)) {
  test(`${name} prints a value in linear time`, async () => {
    await assertLinear(name, print, values)
  })
}

test.run()
