// Tests of the structure of templates in `fw lsp`: symbols, folding, growing selections, and both tags of an
// element as one name.

import { suite } from "uvu"
import * as assert from "uvu/assert"
import { Editor } from "../support/bin/lsp/editor.ts"
import { type Place, type Range, toOffset, toPlace } from "../support/bin/lsp/places.ts"
import { page as everyConstruct, makeProject, removeProject } from "../support/bin/lsp/project.ts"

const file = "app/page.tpl"
const page = `import { count } from "./count.ts"

interface Row {
  name: string
}

export function helper(row: Row) {
  return row.name
}

template Page(names: readonly string[]) {
  <!-- 😀
    two -->
  <main id="top" class="wide {count}">
    😀<b title="😀">{names[0]}</b><br>
    {if (names.length > 0) {
      <ul>
        {for (const name of names) { <li>{name}</li> }}
      </ul>
    } else {
      <p class="empty none">Nothing.</p>
    }}
    {switch (names.length) {
      case 1: { <em>1</em> }
    }}
    {Box() {
      <i>in</i>
    }}
  </main>
  <style>
    .wide { color: red }
  </style>
}

template Box() {
  <div>{children}</div>
}
`
const test = suite<{ root: string; editor: Editor }>("fw lsp and structure")
test.before(async (context) => {
  const files = {
    "package.json": '{ "name": "structure", "type": "module" }\n',
    [file]: page,
    "app/count.ts": "export const count = 1\n",
  }
  context.root = makeProject(files, "typescript")
  context.editor = await Editor.start(context.root, ["node_modules/fw/dist/bin/fw.js", "lsp", "--stdio"])
  context.editor.open(file)
})
test.before.each(({ editor }) => editor.change(file, page))
test.after(async ({ root, editor }) => {
  await editor.stop()
  removeProject(root)
})

interface FlatSymbol {
  readonly name: string
  readonly containerName?: string
  readonly location: { readonly range: Range }
}

test("the symbols are the declarations, the templates and their elements", async ({ editor }) => {
  const found = (await editor.about("documentSymbol", file)) as FlatSymbol[]
  assert.equal(
    found.map(({ name, containerName = "" }) => `${containerName} > ${name}`),
    [
      ...[" > Page", "Page > main#top", "main#top > b", "main#top > br", "main#top > ul", "ul > li"],
      ...["main#top > p.empty.none", "main#top > em", "main#top > i", "Page > style", " > Box", "Box > div"],
      ...[" > count", " > Row", "Row > name", " > helper"],
    ],
  )
  const texts = found.map(({ location }) => readText(editor, location.range).split("\n")[0])
  assert.is(texts[0], "template Page(names: readonly string[]) {")
  assert.is(texts[2], '<b title="😀">{names[0]}</b>')
})

test("templates, elements, blocks, comments and code can be folded, and their ends stay visible", async ({
  editor,
}) => {
  const found = (await editor.about("foldingRange", file)) as { startLine: number; endLine: number }[]
  const lines = page.split("\n")
  const shown = found
    .toSorted((a, b) => a.startLine - b.startLine)
    .map(({ startLine, endLine }) => `${lines[startLine]?.trim()} … ${lines[endLine + 1]?.trim()}`)
  assert.equal(shown, [
    // TypeScript also folds the last line of a block.
    "interface Row { … ",
    "export function helper(row: Row) { … ",
    "template Page(names: readonly string[]) { … }",
    '<!-- 😀 … <main id="top" class="wide {count}">',
    '<main id="top" class="wide {count}"> … </main>',
    "{if (names.length > 0) { … } else {",
    "<ul> … </ul>",
    "} else { … }}",
    "{Box() { … }}",
    "<style> … </style>",
    "template Box() { … }",
  ])
})

/** A position, and the beginnings of the selections that grow from it. */
const selections: readonly [place: string, texts: readonly string[]][] = [
  ["<l¦i>", ["li", "<li>", "<li>{name}</li>", " <li>{name}</li> ", "{for (const name of names)"]],
  ["{na¦me}", ["name", "{name}", "<li>{name}</li>", " <li>{name}</li> "]],
  ['title="¦😀"', ['<b title="😀">', '<b title="😀">{names[0]}</b>', "\n    😀<b"]],
  ["No¦thing", ["Nothing", "Nothing.", '<p class="empty none">Nothing.</p>', "\n      <p class"]],
  ["row.na¦me", ["name", "row.name", "return row.name"]],
]
for (const [place, texts] of selections) {
  test(`a selection grows from ${place}`, async ({ editor }) => {
    const positions = [editor.at(file, place)]
    const [found] = (await editor.about("selectionRange", file, { positions })) as [Selection]
    const all: string[] = []
    for (let one: Selection | undefined = found; one; one = one.parent) all.push(readText(editor, one.range))
    assert.equal(
      texts.map((text, at) => all[at]?.slice(0, text.length)),
      texts,
    )
    assert.is(all.at(-1), page)
    for (const [at, text] of all.entries()) assert.ok(at === 0 || text.includes(all[at - 1] ?? "?"))
  })
}

interface Selection {
  readonly range: Range
  readonly parent?: Selection
}

const tags: readonly [place: string, both: readonly string[]][] = [
  ["<ma¦in", ["main", "main"]],
  ["</main¦>", ["main", "main"]],
  ["<¦b title", ["b", "b"]],
  ["<¦li>", ["li", "li"]],
  ["<br¦>", []],
  ["{na¦me}", []],
  ["Noth¦ing", []],
]
for (const [place, both] of tags) {
  test(`the tags at ${place} are edited together`, async ({ editor }) => {
    const position = editor.at(file, place)
    const found = (await editor.about("linkedEditingRange", file, { position })) as { ranges: Range[] } | null
    assert.equal(
      (found?.ranges ?? []).map((range) => readText(editor, range)),
      both,
    )
  })
}

test("renaming a tag changes both tags, and an invalid name is refused", async ({ editor }) => {
  const renamed = await editor.rename(file, "<ma¦in", "section")
  assert.is(
    renamed[file],
    page.replace("<main", () => "<section").replace("</main>", () => "</section>"),
  )
  const one = await editor.rename(file, "<¦br", "hr")
  assert.is(
    one[file],
    page.replace("<br>", () => "<hr>"),
  )
  const refused = await editor.rename(file, "<ma¦in", "no name").catch(String)
  assert.match(String(refused), /"no name" is not a valid name of an element/)
})

test("renaming a name in code is left to TypeScript", async ({ editor }) => {
  const renamed = await editor.rename(file, "{na¦me}", "text")
  assert.match(renamed[file] ?? "", "{for (const text of names) { <li>{text}</li> }}")
})

test("the tags of an element are highlighted", async ({ editor }) => {
  const found = (await editor.about("documentHighlight", file, {
    position: editor.at(file, "<u¦l>"),
  })) as { range: Range }[]
  assert.equal(
    found.map(({ range }) => readText(editor, range)),
    ["ul", "ul"],
  )
})

test("every beginning of a template has a structure inside of the text", async ({ editor }) => {
  for (let length = 0; length <= everyConstruct.length; length += 7) {
    const text = everyConstruct.slice(0, length)
    editor.change(file, text)
    const positions = [toPlace(text, length >> 1), toPlace(text, length)]
    const [symbols, folds, selected] = (await Promise.all([
      editor.about("documentSymbol", file),
      editor.about("foldingRange", file),
      editor.about("selectionRange", file, { positions }),
    ])) as [FlatSymbol[] | null, { endLine: number }[] | null, Selection[]]
    const lines = text.split("\n").length
    for (const { location } of symbols ?? []) assert.ok(isWithin(text, location.range), text)
    for (const { endLine } of folds ?? []) assert.ok(endLine < lines, text)
    for (const [at, { range }] of selected.entries()) {
      assert.ok(isWithin(text, range), text)
      const place = toOffset(text, positions[at] as Place)
      assert.ok(toOffset(text, range.start) <= place && place <= toOffset(text, range.end), text)
    }
  }
})

function isWithin(text: string, { start, end }: Range): boolean {
  return toOffset(text, start) <= toOffset(text, end) && toOffset(text, end) <= text.length
}

function readText(editor: Editor, { start, end }: Range): string {
  const text = editor.getText(file)
  return text.slice(toOffset(text, start), toOffset(text, end))
}

test.run()
