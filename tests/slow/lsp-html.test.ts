// The markup half of `fw lsp`: an editor asks about golden positions in the markup of templates.

import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { Editor } from "../support/bin/lsp/editor.ts"
import { makeProject, removeProject } from "../support/bin/lsp/project.ts"

const file = "app/page.tpl"
const page = `export const title = "Start"

template Row(name: string, link: string) {
  <li class={["row", name && "on"]} title={name}><a href={link}>{name}</a></li>
}

template Page(names: readonly string[]) {
  {if (names.length > 0) {
    <ul>{for (const name of names) { {Row(name, "/tasks")} }}</ul>
  } else {
    <p class="empty">Nothing.</p>
  }}
  {switch (names.length) {
    case 1: { <b>One</b> }
    default: { <em>Many</em> }
  }}
  <a href="/tasks" hx-get="/tasks" hx-swap="outerHTML">Tasks</a>
  <form method="post" action="/tasks"><button type="submit">Add</button></form>
  <a href="/static/logo.svg">Logo</a>
  <textarea>{title}</textarea>
  <script>const first = {{names}}</script>
}
`
const files = {
  "package.json": '{ "name": "markup", "type": "module" }\n',
  [file]: page,
  "app/tasks/page.tpl": "template Page() {\n  <p>Tasks</p>\n}\n",
  "app/tasks/route.ts":
    'import type { Context } from "fw"\n\nexport function Post(c: Context) {\n  return c.text(200, "made")\n}\n',
  "app/tasks/[id]/page.tpl": "template Page() {\n  <p>Task</p>\n}\n",
  "static/logo.svg": "<svg></svg>\n",
  "styles/input.css":
    "/* .no */ .empty, .big\\:wide:hover > .row { color: red }\n@media print { .paper { top: 1.5em } }\n",
}

const test = suite<{ root: string; editor: Editor }>("fw lsp in markup")
test.before(async (context) => {
  context.root = makeProject(files, "typescript")
  context.editor = await Editor.start(context.root, ["node_modules/fw/dist/bin/fw.js", "lsp", "--stdio"])
  context.editor.open(file)
})
test.after(async ({ root, editor }) => {
  await editor.stop()
  removeProject(root)
})

/** Text to write in place of a text of the page, with the cursor at `¦`, and some of the completions there. */
const completions: readonly [
  text: string,
  written: string,
  has: readonly string[],
  hasNot?: readonly string[],
][] = [
  ["<b>One</b>", "<¦ ", ["b", "section", "template"], ["hx-get"]],
  ["<p class", "<se¦", ["section", "select"]],
  ["<b>One</b>", "<b>One</¦ ", ["/b"]],
  ['<button type="submit"', "<button ¦", ["disabled", "type", "hx-post", "aria-label"], ["href"]],
  ['type="submit"', 'type="¦"', ["submit", "reset", "button"]],
  ['hx-swap="outerHTML"', 'hx-swap="¦"', ["outerHTML", "innerMorph", "delete"]],
  ['hx-swap="outerHTML"', "hx-¦", ["hx-target", "hx-swap"]],
  ['<a href="/tasks"', '<a href="¦"', ["/", "/tasks", "/tasks/{id}", "/static/logo.svg"]],
  ['<a href="/tasks"', '<a href="/ta¦"', ["/tasks", "/tasks/{id}"]],
  ['hx-get="/tasks"', 'hx-get="/¦"', ["/tasks", "/tasks/{id}"]],
  ['hx-get="/tasks"', 'hx-post="/¦"', ["/tasks"], ["/", "/tasks/{id}"]],
  ['action="/tasks"', 'action="¦"', ["/tasks"]],
  ['class="empty"', 'class="empty ¦"', ["empty", "big:wide", "row", "paper"], ["no", "5em"]],
  ["{name}</a>", "{name.¦}</a>", ["length"], ["section"]],
  ["export const title", "const less = 1 <¦ 2\nexport const title", [], ["section", "b"]],
]
for (const [text, written, has, hasNot = []] of completions) {
  test(`completion of ${written.split("\n")[0]}`, async ({ editor }) => {
    assert.ok(page.includes(text))
    editor.change(
      file,
      page.replace(text, () => written.replace("¦", "")),
    )
    const found = await editor.completion(file, written)
    for (const label of has) assert.ok(found.includes(label), `${label} in ${found.slice(0, 20)}`)
    for (const label of hasNot) assert.not.ok(found.includes(label), label)
  })
}

const hovers: readonly [place: string, says: RegExp][] = [
  ["<u¦l>", /list/],
  ['<button t¦ype="submit"', /type|button/i],
  ["hx-s¦wap", /How the response is put into the page/],
  ["<li cl¦ass={", /Class names: strings/],
  ["ti¦tle={name}", /quotes and `&` are escaped/],
  ["<a hr¦ef={link}", /about:invalid#blocked/],
  [">¦{name}</a>", /`&`, `<` and `>` are escaped/],
  ["<textarea>¦{title}", /Text without elements/],
  ["{n¦ame}</a>", /name: string/],
]
for (const [place, says] of hovers) {
  test(`hover at ${place}`, async ({ editor }) => {
    editor.change(file, page)
    assert.match(await editor.hover(file, place), says)
  })
}

const definitions: readonly [place: string, leads: readonly string[]][] = [
  ['<a href="/ta¦sks"', ["app/tasks/page.tpl:1 "]],
  ['action="/ta¦sks"', ["app/tasks/route.ts:3 "]],
  ['href="/static/lo¦go.svg"', ["static/logo.svg:1 "]],
]
for (const [place, leads] of definitions) {
  test(`definition of ${place}`, async ({ editor }) => {
    editor.change(file, page)
    assert.equal(await editor.definition(file, place), leads)
  })
}

const links: readonly [text: string, written: string, marked: string, says: RegExp][] = [
  [
    '<a href="/tasks"',
    '<a href="/task"',
    'href="/task"',
    /no route answers GET \/task\. The nearest is \/tasks/,
  ],
  ['hx-get="/tasks"', 'hx-delete="/tasks"', 'hx-delete="/tasks"', /answers GET, POST, not DELETE/],
  ["/static/logo.svg", "/static/no.svg", 'href="/static/no.svg"', /there is no file static\/no\.svg/],
]
for (const [text, written, marked, says] of links) {
  test(`${written} is reported`, async ({ editor }) => {
    editor.change(file, page)
    assert.equal(
      (await editor.diagnostics(file)).filter(({ source }) => source === "fw"),
      [],
    )
    editor.change(file, page.replace(text, written))
    const [found] = (await editor.diagnostics(file)).filter(({ source }) => source === "fw")
    assert.is(found?.text, marked)
    assert.match(found?.message ?? "", says)
  })
}

test("a new route is known", async ({ editor, root }) => {
  editor.change(file, page.replace('<a href="/tasks"', '<a href="/later"'))
  const before = (await editor.diagnostics(file)).filter(({ source }) => source === "fw")
  assert.is(before.length, 1)
  mkdirSync(join(root, "app/later"))
  writeFileSync(join(root, "app/later/page.tpl"), "template Page() {\n  <p>Later</p>\n}\n")
  editor.fileChanged("app/later/page.tpl")
  assert.equal(
    (await editor.diagnostics(file)).filter(({ source }) => source === "fw"),
    [],
  )
})

test.run()
