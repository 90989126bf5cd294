// Tests of markup in `fw lsp`: an editor sends requests about positions in templates and gets the expected answers.

import { mkdirSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { completed } from "../support/bin/lsp/css.ts"
import { Editor } from "../support/bin/lsp/editor.ts"
import { type Range, toOffset } from "../support/bin/lsp/places.ts"
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
  <form action={\`/tasks/\${title}\`}></form>
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
  "app/tasks/[id]/edit/page.tpl": "template Page() {\n  <p>Edit</p>\n}\n",
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

/** A text of the page and its replacement with the cursor at `¦`, and some of the completions there. */
const completions: readonly [text: string, written: string, has: readonly string[], hasNot?: readonly string[]][] = [
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
  ['name && "on"', 'name && "¦"', ["empty", "row"], ["/tasks", "section"]],
  ['"row", name', "`row ¦`, name", ["empty", "row"]],
  ['name && "on"', 'name === "¦" && "on"', [], ["empty"]],
  ["href={link}", 'href={"/ta¦"}', ["/", "/tasks", "/tasks/{id}", "/static/logo.svg"], ["empty"]],
  ["href={link}", "href={name ? `/ta¦` : link}", ["/tasks", "/tasks/{id}", "/static/logo.svg"]],
  ["href={link}", "href={`/tasks/${name}/¦`}", ["/tasks/{id}/edit"], ["/tasks", "/tasks/{id}", "/static/logo.svg"]],
  ["href={link}", "href={`/¦/${name}`}", ["/tasks/{id}"]],
  ["href={link}", "href={`/tasks/${name.¦}`}", ["length"], ["/tasks"]],
  ["href={link}", "href={`/tasks/${name}¦`}", [], ["/tasks", "/tasks/{id}/edit"]],
  ["href={link}", "hx-post={`/¦`}", ["/tasks"], ["/", "/tasks/{id}"]],
  ["href={link}>", "href={`/ta¦}>", ["/tasks", "/tasks/{id}"]],
  ["title={name}", 'title={"¦"}', [], ["/tasks", "empty"]],
  ["export const title", "const less = 1 <¦ 2\nexport const title", [], ["section", "b"]],
]
for (const [text, written, has, hasNot = []] of completions) {
  test(`the completions at the cursor in ${written.split("\n")[0]} are right`, async ({ editor }) => {
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

/** A link and its replacement, the chosen completion, and the text after it. */
const chosen: readonly [text: string, written: string, label: string, after: string][] = [
  ['name && "on"', 'name && "big em¦"', "empty", 'name && "big empty"'],
  ["{link}", '{"/ta¦"}', "/tasks", '{"/tasks"}'],
  ["{link}", '{"/ta¦"}', "/tasks/{id}", "{`/tasks/${id}`}"],
  ["{link}", "{`/ta¦`}", "/tasks/{id}", "{`/tasks/${id}`}"],
  ["{link}", "{`/tasks/${link}/¦`}", "/tasks/{id}/edit", "{`/tasks/${link}/edit`}"],
  ["{link}", "{`/ta¦/${link}`}", "/tasks/{id}", "{`/tasks/${link}`}"],
  ['href="/tasks"', 'href="/ta¦"', "/tasks/{id}", "href={`/tasks/${id}`}"],
]
for (const [text, written, label, after] of chosen) {
  test(`the completion ${label} changes ${written} correctly`, async ({ editor }) => {
    const typed = page.replace(text, () => written.replace("¦", ""))
    editor.change(file, typed)
    const expected = page.replace(text, () => after)
    assert.is(await completed(editor, file, written, label), expected)
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
  test(`the hover text at the cursor in ${place} is right`, async ({ editor }) => {
    editor.change(file, page)
    assert.match(await editor.hover(file, place), says)
  })
}

const definitions: readonly [place: string, leads: readonly string[]][] = [
  ['<a href="/ta¦sks"', ["app/tasks/page.tpl:1 "]],
  ['action="/ta¦sks"', ["app/tasks/route.ts:3 "]],
  ['href="/static/lo¦go.svg"', ["static/logo.svg:1 "]],
  ["action={`/ta¦sks/${title}`}", ["app/tasks/[id]/page.tpl:1 "]],
  ["action={`/tasks/${ti¦tle}`}", ["app/page.tpl:1 title"]],
]
for (const [place, leads] of definitions) {
  test(`the definition at the cursor in ${place} is right`, async ({ editor }) => {
    editor.change(file, page)
    assert.equal(await editor.definition(file, place), leads)
  })
}

test("links and imports lead to the right files", async ({ editor, root }) => {
  const imports =
    'import type { Context } from "fw"\nimport { Page as Tasks } from "./tasks/page.tpl.ts"\nimport "./tasks/route.ts"\n'
  editor.change(file, `${imports}// from "./tasks/no.ts"\n${page}`)
  const found = (await editor.about("documentLink", file)) as { range: Range; target: string }[]
  const text = editor.getText(file)
  assert.equal(
    found.map(({ range: { start, end }, target }) => [
      text.slice(toOffset(text, start), toOffset(text, end)),
      relative(root, fileURLToPath(target)) + new URL(target).hash,
    ]),
    [
      ["/tasks", "app/tasks/page.tpl"],
      ["/tasks", "app/tasks/page.tpl"],
      ["/tasks", "app/tasks/route.ts#L3"],
      ["/tasks/${title}", "app/tasks/[id]/page.tpl"],
      ["/static/logo.svg", "static/logo.svg"],
      ["./tasks/page.tpl.ts", "app/tasks/page.tpl"],
      ["./tasks/route.ts", "app/tasks/route.ts"],
    ],
  )
})

const links: readonly [text: string, written: string, marked: string, says: RegExp][] = [
  ['<a href="/tasks"', '<a href="/task"', 'href="/task"', /no route answers GET \/task\. The nearest is \/tasks/],
  ['hx-get="/tasks"', 'hx-delete="/tasks"', 'hx-delete="/tasks"', /answers GET, POST, not DELETE/],
  ["`/tasks/${title}`", "`/task/${title}`", "action={`/task/${title}`}", /no route answers GET \/task\/\{…\}/],
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
