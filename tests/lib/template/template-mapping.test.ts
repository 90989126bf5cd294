// Errors that only esbuild and tsc can see land at their place in the .tpl, and the output type-checks.

import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Message, transform } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { imports as proposed } from "../../../lib/template/advice.ts"
import { compileFor } from "../../../lib/template/compile.ts"
import type { Purpose } from "../../../lib/template/form.ts"
import { type Compiled, compile, mapMessages, originalPosition } from "../../../lib/template/index.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** Compiles a source in which ¦ marks a place. */
function compileMarked(
  marked: string,
  file = "page.tpl",
  purpose: Purpose = "run",
): { compiled: Compiled; at: number } {
  const compiled = compileFor(purpose, marked.replaceAll("¦", ""), file)
  assert.equal(compiled.diagnostics, [], marked)
  return { compiled, at: marked.indexOf("¦") }
}

async function esbuildErrors(compiled: Compiled): Promise<Message[]> {
  try {
    await transform(compiled.code, { loader: "ts", logLevel: "silent" })
    return []
  } catch (error) {
    return (error as { errors: Message[] }).errors
  }
}

test("an error of esbuild is reported at its place in the .tpl file", async () => {
  const sources = [
    "const a = = 1\ntemplate Page() {x}".replace("= =", "= ¦="),
    "template Page(x: number) {<p>{x +¦}</p>}",
    "template Page(x: number) {\n  <p>\n    {x ¦x}\n  </p>}",
    "template Page(x: number) {<p title={x ¦y}></p>}",
    "template Page(x: number) {<p {...x ¦y}></p>}",
    'template Page(x: number) {é<p>ü{"ö"}{if (x ¦x) {a}}</p>}',
    "template Page(x: number) {{for (const y of x ¦from) {a}}}",
    "template Page(x: number) {{const y = ¦}}".replace("= ¦}", "=¦}"),
    "template Page(x: number) {{const ¦1 = 2}}",
    "template Page(x: number) {{switch (x) { case 1 ¦1: {a} }}}",
    "template Page(x: number) {{Box(x ¦y) {a}}}",
    "template Page(x number) {a}".replace("x number", "x ¦number"),
    "template Page(x: number) {<script>a = {{x ¦y}}</script>}",
    "template Page(x: number) {{() => { ¦await x }}}",
    "template Page(x: number) {a}\nconst b = ¦}".replace("¦}", "¦)"),
    "template A() {a}\nconst z = 1\nconst ¦z = 2",
    "template Page(x: number) {<p class={['a', x ¦y && 'b']}></p>}",
  ].filter((source) => !source.endsWith("¦)"))
  for (const marked of sources) {
    const { compiled, at } = compileMarked(marked)
    const errors = await esbuildErrors(compiled)
    assert.ok(errors.length > 0, `esbuild finds nothing in ${marked}`)
    const [first] = mapMessages(
      compiled,
      errors.map(({ text, location }) => ({
        text,
        line: location?.line ?? 1,
        column: location?.column ?? 0,
      })),
    )
    assert.ok(
      first && Math.abs(first.offset - at) <= 1,
      `${marked}: at ${first?.offset}, not ${at}: ${first?.message}`,
    )
    assert.match(first.frame, "^")
    assert.is(first.file, "page.tpl")
  }
})

test("each word of the user's code is mapped to its place in the source", () => {
  const source = [
    'import { a } from "./a.ts"',
    "template Page<T>(one: T, two: Map<string, T>) {",
    '  {const three = one} <p title={two} {...three} class={["x", one && "y"]}>{/* c */ two}</p>',
    "  {if (three) {{for (const four of two) {{Box(four, one) {{five(four)}}}}}}}",
    "  <script>{{six}}</script>",
    "  {Box({ eight: {<b id={nine}>{two}</b>}, ten: {<i>x</i>} }, eleven)}",
    "}",
    "const seven = 1",
  ].join("\r\n")
  const { code, map } = compile(source, "x.tpl")
  const lines = code.split(/\r?\n/)
  const original = source.split("\r\n")
  for (const word of [
    "Page",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "Box",
  ]) {
    let found = 0
    lines.slice(4, -2).forEach((text, index) => {
      for (const { index: column } of text.matchAll(new RegExp(`\\b${word}\\b`, "g"))) {
        const place = originalPosition(map, { line: index + 5, column })
        assert.ok(place)
        const at = (original[place.line - 1] ?? "").slice(place.column)
        assert.ok(at.startsWith(word), `${word} of output line ${index + 5} is mapped to "${at}"`)
        found++
      }
    })
    assert.ok(found > 0, word)
  }
})

test("the source map is inside the output, and names the .tpl file next to it", () => {
  const { code, map } = compile('template Page() {é{"ü"}\u{1f600}}', "app/deep/page.tpl")
  const encoded = /\n\/\/# sourceMappingURL=data:application\/json;base64,(\S+)\n$/.exec(code)?.[1] ?? ""
  assert.equal(JSON.parse(Buffer.from(encoded, "base64").toString("utf8")), map)
  assert.equal(map.sources, ["page.tpl"])
  assert.is(map.file, "page.tpl.ts")
  assert.match(code, /^\/\/ Generated by fw from page\.tpl\. Do not edit/)
})

test("the output imports only fw/html, and only what it uses", () => {
  const imports = (source: string): string[] =>
    [...compile(source, "x.tpl").code.matchAll(/^import .*$/gm)].map(([line]) => line)
  assert.equal(imports("const a = 1"), [])
  assert.equal(imports("template A() {a}"), [
    'import { $fwRaw } from "fw/html";',
    'import type { Html } from "fw/html";',
  ])
  assert.equal(imports("template Layout() {<p id={1}>{children}</p>}"), [
    'import { $fwRaw, $fwAttribute, $fwText } from "fw/html";',
    'import type { Html } from "fw/html";',
    'import type { Context as $fwContext } from "fw";',
  ])
})

test("the type of a template has its own name, unless the source uses that name", () => {
  const signature = (source: string, file = "x.tpl"): string =>
    /export (?:async )?function .*(?= \{)/.exec(compile(source, file).code)?.[0] ?? ""
  assert.is(signature("template A() {{children}}"), "export function A(children: Html): Html")
  assert.is(signature("template A() {{await b}}"), "export async function A(): Promise<Html>")
  assert.is(signature("template A() {a}", "x.xml.tpl"), "export function A(): Xml")
  for (const used of ["type Html = 1\n", 'import { Html } from "./a.ts"\n', "const Html = 1\n"])
    assert.is(signature(`${used}template A() {a}`), "export function A(): $fwHtml")
  for (const imported of ['import { type Html } from "fw/html"\n', 'import type { Html } from "fw/html"\n'])
    assert.is(signature(`${imported}template A() {a}`), "export function A(): Html")
  for (const other of ["const aHtml = 1\n", "const $Html = 1\n", "const Html2 = 1\n"])
    assert.is(signature(`${other}template A() {a}`), "export function A(): Html")
})

test("literal markup is merged into as few strings as possible", () => {
  const { code } = compile(
    "template A(x: 1) {<p a='b'>c<!-- d --> {const y = x}<b>{y}</b></p><i>j</i>}",
    "x.tpl",
  )
  assert.match(code, `let $fw = "<p a='b'>c <b>";\n  ($fw as string) += $fwText(y);`)
  assert.match(code, `return $fwRaw($fw + "</b></p><i>j</i>");`)
  assert.match(compile("template A() {<p>a</p>}", "x.tpl").code, 'return $fwRaw("<p>a</p>");')
})

test("a missing import is proposed, with names that the modules export", async () => {
  const { compiled } = compileMarked("template Page(c: Context) {{c.path}}")
  const message = {
    text: "Cannot find name 'Context'. (TS2304)",
    line: 5,
    column: 25,
    unit: "utf16",
  } as const
  const [first] = mapMessages(compiled, [message])
  assert.is(first?.fix, 'Write import type { Context } from "fw" at the top of the file.')
  assert.is(mapMessages(compiled, [{ ...message, text: "Cannot find name 'toString'." }])[0]?.fix, "")
  const declared = { fw: "lib/index.ts", "fw/html": "lib/html.ts" }
  for (const [name, line] of Object.entries(proposed)) {
    const [, module = ""] = /from "([^"]+)"$/.exec(line) ?? []
    const text = readFileSync(join(root, declared[module as keyof typeof declared]), "utf8")
    assert.match(text, new RegExp(`\\b${name}\\b`), line)
    assert.match(line, new RegExp(`\\{ ${name} \\}`))
  }
})

/** The fix for a value of these types that is printed. */
const printedFixes: Readonly<Record<string, readonly string[]>> = {
  "{date.toISOString()}": ["Date", "Date | undefined"],
  "{name()}": ["() => string", "(a: Date) => Map<string, Date>", "Function"],
  '{done ? "yes" : "no"}': ["true", "boolean", "boolean | undefined"],
  "{mark.description}": ["symbol", "unique symbol"],
  "await before it": ["Promise<string>", "Promise<Date[]>"],
  "{for (const [key, value] of map)": ["Map<string, Date>", "ReadonlyMap<string, string[]>"],
  "{for (const one of list)": [
    "Set<Date>",
    "Date[]",
    "readonly [Date]",
    "Generator<string, any, any>",
    "void",
  ],
  "{error.message}": ["Error", "HttpError"],
  "{String(value)}": ["URL", "RegExp", "unknown"],
  "{user.name}": ["User", "{ name: Date; }", "Dated"],
}

/** The fix for a value that an attribute does not take, by the type that it takes and that of the value. */
const attributeFixes = [
  ["StyleValue", "string", "style={{ color: value }}"],
  ["JSONObject", "string", "hx-vals={{ name: value }}"],
  ["ConfigObject<object>", "string", "hx-config={{ timeout: 500 }}"],
  ["URLValue", "string[]", "one address"],
  ["ClassValue", "{ a: boolean; }", "class={["],
  ["AttributeValue", "{ a: string; }", "title={user.name}"],
  ["AttributeValue", "Date", "{date.toISOString()}"],
  ["AttributeValue", "() => string", "{name()}"],
] as const

test("a value that cannot be printed or put into an attribute has the fix of its kind", () => {
  const { compiled } = compileMarked("template Page(c: Context) {{c.path}}")
  const fixOf = (text: string) => mapMessages(compiled, [{ text, line: 5, column: 25 }])[0]?.fix ?? ""
  const message = (type: string, wanted: string) =>
    `Argument of type '${type}' is not assignable to parameter of type '${wanted}'. (TS2345)\n  More about 'Date'.`
  for (const [fix, types] of Object.entries(printedFixes))
    for (const type of types)
      for (const wanted of ["Printable", "PlainText", "XmlPrintable"])
        assert.ok(fixOf(message(type, wanted)).includes(fix), `${type}: ${fixOf(message(type, wanted))}`)
  for (const [wanted, type, fix] of attributeFixes)
    assert.ok(fixOf(message(type, wanted)).includes(fix), `${type}: ${fixOf(message(type, wanted))}`)
  const literal =
    "Object literal may only specify known properties, and 'a' does not exist in type 'readonly ClassValue[]'."
  assert.ok(fixOf(literal).includes("class={["))
  assert.is(fixOf(message("Date", "string")), "")
})

test("the error of an import of a .tpl file names the right path", () => {
  const { compiled } = compileMarked("template Page(c: Context) {{c.path}}")
  const text = "Cannot find module '../_form.tpl' or its corresponding type declarations. (TS2307)"
  const [first] = mapMessages(compiled, [{ text, line: 5, column: 25, unit: "utf16" }])
  assert.is(first?.fix, "Import the compiled template, which fw writes next to it: _form.tpl.ts")
})

test("the error of an import of #links in a project without that name says what to add", () => {
  const { compiled } = compileMarked("template Page(c: Context) {{c.path}}")
  const text = "Cannot find module '#links' or its corresponding type declarations. (TS2307)"
  const [first] = mapMessages(compiled, [{ text, line: 5, column: 25, unit: "utf16" }])
  assert.match(first?.fix ?? "", /^Add "#links": "\.\/\.fw\/links\.ts" to "imports" in package\.json/)
})

const imports = 'import { type Html, raw, type Xml } from "fw/html"\nimport type { Context } from "fw"\n'
const declarations = [
  "export declare const p: Promise<string>, h: Html, o: { a: number }, d: Date, t: boolean, u: unknown, f: () => string, s: string, n: number, anything: any, xml: Xml",
  "export const trusted = raw",
  "interface Named { name: string }",
  "export declare const named: Named",
  "template Box(name: string) {{name}{children}}",
  "template Wait() {{await p}}",
  "template Slots(slots: { a: Html; b?: string | Html }) {{slots.a}{slots.b}}",
].join("\n")

/** Bodies of templates that tsc refuses, at ¦. */
const refused: readonly string[] = [
  "{¦p}",
  "{¦Wait()}",
  "{¦o}",
  "{¦d}",
  "{¦t}",
  "{¦u}",
  "{¦f}",
  "{[¦o]}",
  "{[1, [¦p]]}",
  "<p title={¦h}></p>",
  "<p title={¦o}></p>",
  "<p title={¦p}></p>",
  "<a href={¦h}></a>",
  "<p class={¦t}></p>",
  "<p class={¦1}></p>",
  "<p class={¦o}></p>",
  "<p style={¦'color: red'}></p>",
  "<p style={{ ¦color: t }}></p>",
  "<p hx-vals={¦'js:x'}></p>",
  "<p {...¦'x'}></p>",
  "<title>{¦h}</title>",
  "<textarea>{¦Box('x', h)}</textarea>",
  "<script>x = {{¦p}}</script>",
  "<script>x = {{¦f}}</script>",
  "<script>x = {{¦1n}}</script>",
  "<script>x = {{¦new Map<string, string>()}}</script>",
  "<script>x = {{¦new Set([1])}}</script>",
  "<p hx-config={¦{ action: t }}></p>",
  "<p hx-config={¦t}></p>",
  "<a href={¦new Date()}></a>",
  "{¦Box('x')}",
  "{Wait() ¦{a}}",
  "{Box(¦1) {a}}",
  "{¦missing}",
  "{if (¦missing) {a}}",
  "{const n: number = 'x'}{n}".replace("n:", "¦n:"),
  "{Box(¦o.b) {x}}".replace("¦o.b", "o.¦b"),
  "<p id={o.¦nothing}></p>",
  "{¦xml}",
  "{Slots({ a: {<b>{¦p}</b>} })}",
  "{Slots({ a: {<b title={¦o}></b>}, b: 'x' })}",
  "{Slots({ ¦a: 'x' })}",
  "{Slots(¦{ b: {<b/>} })}",
  "{Box(¦{<b>x</b>}) {a}}",
  "{Box(¦{<b>{h}</b>}) {a}}",
  "{[1].map((n) => Slots({ a: {<b>{n}{¦missing}</b>} }))}",
  "<{¦s}>a</{s}>",
  "<{¦anything}>a</{anything}>",
  "<{¦'script'}>a</{'script'}>",
  "<{¦'pre'}/>",
  "<{¦'H1'}/>",
  "<{¦n}/>",
  "<{¦p}/>",
  "<{¦t ? 'h1' : undefined}/>",
  "<{¦t && 'h1'}/>",
  "<{¦t ? 'h1' : 'style'}/>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template.
  "{const l: number = 1}<{¦`h${l}`}></{`h${l}`}>",
  "{const names = ['h1', 'h2'] as const}<{¦names[n]}/>",
  "<{'h1'} title={¦o}></{'h1'}>",
  "{for (const i of [1]) {{i}} else {{¦i}}}",
  "{for (const i of [1]) {{i}} else {{¦p}}}",
]

/** Bodies that tsc takes. */
const taken: readonly string[] = [
  "<p hx-config={{ timeout: 1, headers: { a: 'x' } }}></p>",
  "<p hx-config={false}></p>",
  "<a href={{ href: 'x', searchParams: {} }}></a>",
  "{h}{'s'}{1}{2n}{null}{undefined}{t && 'x'}{[h, ['s', [1]]]}{await p}{await Wait()}{raw('x')}",
  "<p title={t} lang={t && 'x'} size={1} max={2n} id={null} dir={undefined}></p>",
  "<p class={['a', t && 'b', null, undefined, 0 as const, ['c']]} style={{ color: 'red', width: 1, gap: t && 2 }}></p>",
  "<p hx-vals={named} hx-headers={{ a: 1 }} {...named} {...t && named} {...null}></p>",
  "<title>{'x'}{1}</title><textarea>{null}</textarea><script>a = {{named}}; b = {{[1, 'x', null]}}; c = {{u}}</script>",
  "{Box('x') {a}}{if (t) {a} else if (!t) {b} else {c}}{for (const x of [1]) {{x}}}{switch (t) { case true: {a} default: {b} }}",
  "{((): string => 'x')()}{const g = <T,>(x: T) => x}{g('x')}{Box(g<string>('x')) {<pre>{'x'}</pre>}}",
  "{for (const x of [1]) {{x}} else {none}}{for await (const x of [p]) {{x}} else {{await p}}}{for (;;) {a} else {b}}",
  "{Slots({ a: {<b>{h}</b>}, b: {<i>static</i>} })}{[1].map((n) => Slots({ a: {<b>{n}</b>} }))}{Slots({ a: {<b>{await p}</b>} })}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template.
  "{const l = t ? 1 : 2}<{`h${l}`} class={['a']} id={n}>{s}</{`h${l}`}>{const tag: 'h1' | 'td' = t ? 'h1' : 'td'}<{tag}/><{t ? 'ul' : 'ol'}/>",
  "{const names = ['h1', 'h2'] as const}{for (const name of names) {<{name} {...named}>x</{name}>}}<{'code'}>{h}</{'code'}>",
  "{const maybe: { name: string } | null = t ? named : null}{if (maybe) {{Slots({ a: {<b>{maybe.name}</b>} })}}}",
]

const ofXml =
  'import { Html, type Xml, rawXml } from "fw/html"\nexport declare const h: Html, x: Xml, p: Promise<string>, d: Date\nexport const trusted = rawXml\n'

/** Bodies of XML templates that tsc refuses, at ¦. */
const refusedXml: readonly string[] = [
  "<a>{¦h}</a>",
  "<a>{[¦h]}</a>",
  "<a>{¦p}</a>",
  "<a>{¦d}</a>",
  "<a>{¦true as boolean}</a>",
  "<a b={¦x}/>",
  "<a href={¦d}/>",
  "<a style={¦'color: red'}/>",
  "{Part(¦{<b/>})}",
  "<a>{¦missing}</a>",
]

/** Bodies of XML templates that tsc takes. */
const takenXml: readonly string[] = [
  "<a b={true} c={1} d={2n} e={null} href={'/'} style={{ color: 'red' }} {...{ f: 1 }}>{x}{1}{[x, 'y', [2n]]}{null}</a>",
  "{Slot({<b>{x}</b>})}{for (const n of [1]) {<c>{n}</c>} else {<none/>}}{rawXml('<d/>')}{await p}",
]

const config = {
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    lib: ["ES2023"],
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitReturns: true,
    noFallthroughCasesInSwitch: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    erasableSyntaxOnly: true,
    noEmit: true,
    skipLibCheck: true,
    paths: { "fw/html": [join(root, "lib/html.ts")], fw: ["./fw.d.ts"] },
  },
  include: ["*.ts"],
}

/** Layouts, and the id of the body that pages get; undefined for none. */
const bodies: ReadonlyArray<readonly [source: string, id: string | undefined]> = [
  ['template Layout() {<html><body id="page">{children}</body></html>}', "page"],
  ["template Layout() {<body class='a' ID='my page'>{children}</body>}", "my page"],
  ["template Layout() {<body id=page>{children}</body>}", "page"],
  ['template Layout(c) {{if (c.path) {<body id="in">{children}</body>}}}', "in"],
  ["template Layout() {<body>{children}</body>}", undefined],
  ['template Layout(c) {<body id={c.path}><p id="p">{children}</p></body>}', undefined],
  ['template Other() {<body id="page">{children}</body>}', undefined],
  ['template Layout() {<main id="page">{children}</main>}', undefined],
]
for (const [source, id] of bodies) {
  test(`the compiler finds ${id ? `the body id ${id}` : "no body id"} in ${source}`, () => {
    const { code, diagnostics } = compile(`import type { Context } from "fw"\n${source}\n`, "layout.tpl")
    assert.equal(diagnostics, [])
    assert.is(/\bexport const \$fwBodyID = "(.*)";/.exec(code)?.[1], id)
  })
}

/** Returns the errors of tsc in the code of each body, with their places in the template. */
function checkBodies(purpose: Purpose): string[][] {
  const folder = mkdtempSync(join(tmpdir(), "fw-tpl-"))
  try {
    const inXml = (body: string) =>
      compileMarked(
        `${ofXml}template Part(text: string) {<a>{text}</a>}\ntemplate Slot(slot: Xml) {{slot}}\ntemplate Page() {\n  ${body}\n}\n`,
        "page.xml.tpl",
        purpose,
      )
    const wrong = [
      ...refused.map((body) =>
        compileMarked(
          `${imports}${declarations}\ntemplate Page(_c: Context) {\n  ${body}\n}\n`,
          "page.tpl",
          purpose,
        ),
      ),
      ...refusedXml.map(inXml),
    ]
    const right = [
      ...taken.map((body) => `${imports}${declarations}\ntemplate Page(_c: Context) {\n  ${body}\n}\n`),
      "template Layout() {<main></main>}",
      "template Layout(title) {{title}{children}}",
      "template Layout(c) {{c.path}{children}}",
      `import type { Context } from "fw"\ntemplate Layout(c: Context, title: string,) {{c.path}{title}{children}}`,
      "template List<T extends { id: number }, U = string>(items: T[], show: (item: T) => U) {{for (const x of items) {{String(show(x))}}}}",
    ]
      .map((source) => compileMarked(source, "page.tpl", purpose))
      .concat(takenXml.map(inXml))
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
    writeFileSync(join(folder, "fw.d.ts"), "export interface Context { path: string }\n")
    for (const [kind, list] of Object.entries({ wrong, right })) {
      for (const [index, { compiled }] of list.entries()) {
        writeFileSync(join(folder, `${kind}${index}.tpl.ts`), compiled.code)
      }
    }
    const tsc = spawnSync(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"],
      {
        encoding: "utf8",
        cwd: folder,
      },
    )
    const errors = [...tsc.stdout.matchAll(/^(\w+?)(\d+)\.tpl\.ts\((\d+),(\d+)\): error (.*)$/gm)]
    assert.equal(
      errors.filter(([, kind]) => kind === "right").map(([line]) => line),
      [],
    )
    return wrong.map(({ compiled, at }, index) => {
      const found = errors.filter(([, kind, number]) => kind === "wrong" && Number(number) === index)
      const diagnostics = mapMessages(
        compiled,
        found.map(([, , , line, column, text = ""]) => ({
          text,
          line: Number(line),
          column: Number(column) - 1,
          unit: "utf16",
        })),
      )
      const places = diagnostics.map(({ offset, message }) => `${offset}: ${message}`)
      const what = `${refused[index]} should fail at ${at}: ${places.join("; ") || tsc.stdout.slice(0, 500)}`
      assert.ok(
        diagnostics.some(({ offset }) => offset === at),
        what,
      )
      return places
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test("tsc accepts the output, and its errors are mapped to the expression in the .tpl", () => {
  checkBodies("run")
})

test("the code for checks has the same errors at the same places", () => {
  assert.equal(checkBodies("check"), checkBodies("run"))
})

test("the output of every fixture passes the type check, or fails at the expected place in the .tpl", () => {
  const folder = new URL("../../../tests/fixtures/template/", import.meta.url)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const source = readFileSync(new URL(`${entry.name}/template.tpl`, folder), "utf8")
    const { code, map, diagnostics } = compile(source, "template.tpl")
    if (diagnostics.length > 0) continue
    const lines = code.split("\n").length
    for (let line = 5; line < lines - 1; line++) {
      const place = originalPosition(map, { line, column: 0 })
      if (place) assert.ok(place.line <= source.split("\n").length, `${entry.name}:${line}`)
    }
  }
})

test.run()
