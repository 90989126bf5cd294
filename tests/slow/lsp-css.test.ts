// Tests of CSS in `fw lsp`: an editor sends requests about positions in `<style>` and `style="…"` and gets the
// expected answers.

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { colors, completed, fixes } from "../support/bin/lsp/css.ts"
import { Editor } from "../support/bin/lsp/editor.ts"
import { makeProject, removeProject } from "../support/bin/lsp/project.ts"

const file = "app/page.tpl"
const page = `export const title = "😀"

template Page(names: readonly string[]) {
  <style>
    :root { --space: 1rem }
    .card, h2 > a:hover { color: tomato; margin: var(--space) }
    /* 😀 */ .wide { display: grid; width: calc(100% - var(--size)) }
    @media (width >= 40rem) { .card { & .inner { inset: 0 } } }
  </style>
  <main id="main" class={["page", names.length > 0 && "w-1/2 big"]} style={{ "--rows": 2 }}>
    {for (const name of names) { <p class="row" style="color: #ff0000; top: 0">😀 {name}</p> }}
    <b class='last' style='quotes: "a" "b"'>x</b>
  </main>
  {if (names.length > 0) { <style>.row { all: unset }</style> }}
  <script>const first = {{names}}</script>
}
`
const files = {
  "package.json": '{ "name": "styles", "type": "module" }\n',
  [file]: page,
  "styles/input.css": "@theme { --color-brand: red }\n/* --no: 1 */ .empty { --gap: 1px; top: var(--gap) }\n",
}

const test = suite<{ root: string; editor: Editor }>("fw lsp in CSS")
test.before(async (context) => {
  context.root = makeProject(files, "typescript")
  context.editor = await Editor.start(context.root, ["node_modules/fw/dist/bin/fw.js", "lsp", "--stdio"])
  context.editor.open(file)
})
test.after(async ({ root, editor }) => {
  await editor.stop()
  removeProject(root)
})

/** A text of the page and its replacement with the cursor at `¦`, and some of the completions there. */
const completions: readonly [text: string, written: string, has: readonly string[], hasNot?: readonly string[]][] = [
  ["display: grid", "dis¦", ["display", "margin"], ["div", "section"]],
  [".wide { display: grid;", ".wide {¦", ["display", "-webkit-line-clamp"], ["-moz-user-select"]],
  ["display: grid", "display: ¦", ["grid", "inline-block", "inherit"], ["display"]],
  ["color: tomato", "color: ¦", ["red", "rgb", "tomato"]],
  ["/* 😀 */ .wide", "/* 😀 */ @m¦", ["@media", "@layer", "@container"]],
  ["/* 😀 */ .wide", "/* 😀 */ a:¦", [":hover", ":has", "::before"]],
  ["/* 😀 */ .wide", "/* 😀 */ .¦", [".card", ".page", ".big", ".w-1\\/2", ".row", ".last"], [".empty"]],
  ["/* 😀 */ .wide", "/* 😀 */ #¦", ["#main"]],
  ["/* 😀 */ .wide", "/* 😀 */ ma¦", ["main", "nav"], ["margin"]],
  ["var(--size)", "var(--¦)", ["--space", "--rows", "--color-brand", "--gap"], ["--no"]],
  ["(width >= 40rem)", "(wi¦)", ["prefers-color-scheme", "width"]],
  ['style="color: #ff0000; top: 0"', 'style="¦"', ["color", "display"], ["main"]],
  ["color: #ff0000", "color: ¦", ["red", "rgb"]],
  ["color: #ff0000", "color: var(--¦)", ["--space", "--color-brand"]],
  ['quotes: "a" "b"', "position: ¦", ["absolute", "sticky"]],
  [".row { all: unset", ".row { al¦", ["all", "align-items"]],
  ['class="row"', 'class="¦"', ["card", "wide", "empty"]],
  ["const first", "const ¦first", [], ["display", ".card"]],
  ["😀 {name}", "😀 {name.¦}", ["length"], ["display", ".card"]],
]
for (const [text, written, has, hasNot = []] of completions) {
  test(`the completions at the cursor in ${written} are right`, async ({ editor }) => {
    assert.ok(page.includes(text))
    editor.change(
      file,
      page.replace(text, () => written.replace("¦", "")),
    )
    const found = await editor.completion(file, written)
    for (const label of has) assert.ok(found.includes(label), `${label} in ${found.slice(0, 20)}`)
    for (const label of hasNot) assert.not.ok(found.includes(label), label)
    assert.is(new Set(found).size, found.length)
  })
}

test("a completion replaces the word at its position in the template", async ({ editor }) => {
  editor.change(file, page.replace("display: grid", "disp"))
  assert.match(await completed(editor, file, "disp¦", "display"), /😀 \*\/ \.wide \{ display: ; width/)
  editor.change(file, page.replace("var(--size)", "var(--co)"))
  assert.match(await completed(editor, file, "var(--co¦", "--color-brand"), /- var\(--color-brand\)\) \}/)
})

const hovers: readonly [place: string, says: RegExp][] = [
  ["mar¦gin: var", /margin/i],
  ["col¦or: #ff", /color/i],
  ["dis¦play: grid", /type of box/],
  [".wi¦de {", /class="wide"/],
  ["h2 > a:ho¦ver", /<a :hover>[\s\S]*Specificity.*\(0, 1, 2\)/],
  ['<p class="row" st¦yle=', /CSS/],
  ["const fi¦rst", /^$/],
  ["{{na¦mes}}", /names: readonly string\[\]/],
]
for (const [place, says] of hovers) {
  test(`the hover text at the cursor in ${place} is right`, async ({ editor }) => {
    editor.change(file, page)
    assert.match(await editor.hover(file, place), says)
  })
}

test("the definition of a custom property is its value in the same sheet", async ({ editor }) => {
  editor.change(file, page)
  assert.equal(await editor.definition(file, "var(--sp¦ace)"), ["app/page.tpl:5 --space"])
})

test("the CSS of the page has no errors", async ({ editor }) => {
  editor.change(file, page)
  assert.equal(await editor.diagnostics(file), [])
})

/** A text of the page, its replacement, the text that the diagnostic marks, and what it says. */
const problems: readonly [text: string, written: string, marked: string, says: RegExp][] = [
  ["color: tomato", "colr: tomato", "colr", /colr.*nearest is color/],
  ["color: #ff0000", "colour: #ff0000", "colour", /colour.*nearest is color/],
  ["/* 😀 */ .wide {", "/* 😀 */ .wide { widht: 0;", "widht", /nearest is width/],
  ["display: grid", "display: ", ";", /property value expected/],
  ["calc(100% - var(--size)) }", "0", "}", /expected/],
  ["@media", "@meda", "@meda", /[Uu]nknown at.rule/],
  ["#ff0000", "#ff00000", "#ff00000", /property value expected/],
  ["; top: 0", "; top 0", "0", /expected/],
  ["all: unset", "al: unset", "al", /[Uu]nknown property/],
]
for (const [text, written, marked, says] of problems) {
  test(`${written} is reported`, async ({ editor }) => {
    assert.ok(page.includes(text))
    editor.change(file, page.replace(text, written))
    const [found] = (await editor.diagnostics(file)).filter(({ source }) => source === "css")
    assert.is(found?.text.trim(), marked)
    assert.match(found?.message ?? "", says)
  })
}

/** CSS that is correct, or that another diagnostic is about. */
const sound: readonly [text: string, written: string][] = [
  ["display: grid", "--none:; --json: { a: b }; display: grid"],
  ["display: grid", "-webkit-line-clamp: 2; -moz-osx-font-smoothing: auto"],
  ["color: tomato", "color: rgb(0 0 0 / 50%); color: hsl(from red h s l); color: oklch(0.7 0.1 200)"],
  ["color: tomato", "color: {{title}}"],
  ["color: tomato", "color: {{title"],
  [".card, h2 > a:hover { color: tomato; margin: var(--space) }", ".card {}"],
  ["display: grid", "container: card / inline-size; text-wrap: balance; view-transition-name: x"],
  ['quotes: "a" "b"', "quotes: &quot;a&quot; &#34;b&#34;"],
  ["top: 0", ""],
  ["color: #ff0000; top: 0", ""],
  ["<style>.row", '<style type="text/tailwindcss">@apply x; .row'],
  [".row { all: unset }</style> }}\n", ".row { all: un\n"],
]
for (const [text, written] of sound) {
  test(`${written || `a page without ${text}`} gives no false error of CSS`, async ({ editor }) => {
    assert.ok(page.includes(text))
    editor.change(file, page.replace(text, written))
    const found = await editor.diagnostics(file)
    assert.equal(
      found.filter(({ source }) => source === "css"),
      [],
    )
  })
}

test("a wrong property has a quick fix", async ({ editor }) => {
  editor.change(file, page.replace("color: #ff0000", "colr: #ff0000"))
  const fixed = await fixes(editor, file, "col¦r: #ff0000")
  assert.ok(fixed["Rename to 'color'"]?.includes('style="color: #ff0000'), Object.keys(fixed).join())
})

test("colours have positions and other spellings", async ({ editor }) => {
  editor.change(file, page)
  const found = await colors(editor, file)
  assert.equal(
    found.map(({ text, red, green }) => [text, red, Math.round(green * 255)]),
    [
      ["tomato", 1, 99],
      ["#ff0000", 1, 0],
    ],
  )
  const [first, second] = found
  assert.ok(first?.spellings.includes("#ff6347"))
  assert.ok(second?.spellings.includes("rgb(255, 0, 0)"))
})

test("a new stylesheet is known", async ({ editor, root }) => {
  editor.change(file, page.replace("var(--size)", "var(--)"))
  assert.not.ok((await editor.completion(file, "var(--¦)")).includes("--later"))
  mkdirSync(join(root, "static/css"), { recursive: true })
  writeFileSync(join(root, "static/css/later.css"), ":root { --later: 1 }\n")
  editor.fileChanged("static/css/later.css")
  assert.ok((await editor.completion(file, "var(--¦)")).includes("--later"))
})

test("every beginning of the page is answered", async ({ editor }) => {
  for (let end = 0; end <= page.length; end += 5) {
    editor.change(file, page.slice(0, end))
    await Promise.all(
      ["completion", "hover", "definition"].map((name) => editor.ask(`textDocument/${name}`, file, end)),
    )
    await editor.diagnostics(file)
    await colors(editor, file)
  }
})

test.run()
