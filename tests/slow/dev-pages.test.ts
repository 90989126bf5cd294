/**
 * Tests of `fw dev` with pages, their templates and their modules, which are saved one by one. Slow: each save
 * starts a program.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, type Dev, makeProject, route, startDev, write } from "../support/bin/dev/dev-project.ts"

const test = suite("fw dev: pages")

const page = (text: string, name = "word") => `import { ${name} } from "../lib/word.ts"
import { Card } from "../lib/card.tpl.ts"

template Page() {
  {Card(${name})}<p>${text}</p>
}
`
const card = (tag: string) => `template Card(text: string) {\n  <${tag}>{text}</${tag}>\n}\n`

let root: string
let dev: Dev
let port: number

test.before(async () => {
  root = makeProject({
    "app/page.tpl": page("one"),
    "app/dist/page.tpl": "template Page() {\n  <p>built</p>\n}\n",
    "app/api/hello/route.ts": route("hello"),
    "lib/card.tpl": card("b"),
    "lib/word.ts": 'export const word = "word"\nexport const other = "other"\n',
  })
  dev = startDev(root)
  port = await dev.port()
})

test.after(async () => {
  assert.is(await dev.stop(), 0)
})

/** Returns the text of a page, without the script that reloads it. */
async function body(path: string): Promise<string> {
  return (await ask(port, path)).body.replace(/<script src="\/__fw\/[\s\S]*$/, "")
}

async function save(files: Readonly<Record<string, string | null>>, path = "/"): Promise<string> {
  write(root, files)
  await dev.says(/rebuilt in \d+ ms: .*/)
  return body(path)
}

test("changes of a page, of the templates that it calls and of its imports are shown", async () => {
  assert.is(await body("/"), "<b>word</b><p>one</p>")
  assert.is(await save({ "app/page.tpl": page("two") }), "<b>word</b><p>two</p>")
  assert.is(await save({ "lib/card.tpl": card("i") }), "<i>word</i><p>two</p>")
  assert.is(
    await save({ "lib/word.ts": 'export const word = "new"\nexport const other = "old"\n' }),
    "<i>new</i><p>two</p>",
  )
  assert.is(await save({ "app/page.tpl": page("two", "other") }), "<i>old</i><p>two</p>")
})

test("a page in a route directory called dist is compiled, also after changes", async () => {
  assert.is(await body("/dist"), "<p>built</p>")
  assert.is(await save({ "app/dist/page.tpl": "template Page() {\n  <p>again</p>\n}\n" }, "/dist"), "<p>again</p>")
})

test("a wrong import in a page is reported at its position until it is fixed", async () => {
  write(root, { "app/page.tpl": page("three", "missing") })
  await dev.says(/error: No matching export in "lib\/word\.ts" for import "missing"\n +app\/page\.tpl:1:10/)
  assert.is(await body("/"), "<i>old</i><p>two</p>")
  assert.is(await save({ "app/page.tpl": page("three") }), "<i>new</i><p>three</p>")
})

test("a page that throws when it is imported is reported at its position, and the last program answers", async () => {
  write(root, { "app/page.tpl": `${page("four")}\nthrow new Error("at import")\n` })
  const [text] = await dev.says(/error: at import\n +app\/page\.tpl:8:7[\s\S]*?\n +at .*\n(?! +at)/)
  assert.is(text.match(/^ +at /gm)?.length, 1, text)
  assert.is(await body("/"), "<i>new</i><p>three</p>")
  assert.is(await save({ "app/page.tpl": page("five") }), "<i>new</i><p>five</p>")
})

test("a moved handler, a new one and a deleted page take effect", async () => {
  const file = "app/api/hello/route.ts"
  assert.is(await save({ [file]: `// A comment.\n\n${route("moved")}` }, "/api/hello"), "moved")
  assert.is((await ask(port, "/api/hello", { method: "POST" })).status, 405)
  await save({ [file]: `${route("both")}\nexport const Post = Get\n` })
  assert.is((await ask(port, "/api/hello", { method: "POST" })).body, "both")
  await save({ "app/dist": null })
  assert.is((await ask(port, "/dist")).status, 404)
  assert.is(existsSync(join(root, "app/dist/page.tpl.ts")), false)
})

test("changes of a main.ts with a top-level await and of pages take effect", async () => {
  const main = (name: string) =>
    `import { App } from "fw"\n\nconst name = await Promise.resolve("${name}")\nconst app = new App()\napp.get("/name", (c) => c.string(200, name))\nexport default app\n`
  assert.is(await save({ "main.ts": main("one") }, "/name"), "one")
  assert.is(await save({ "main.ts": main("two") }, "/name"), "two")
  assert.is(await save({ "app/page.tpl": page("six") }), "<i>new</i><p>six</p>")
})

test.run()
