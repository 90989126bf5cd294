// Tests that every example of docs/reference/templates.md compiles and can be parsed.

import { readFileSync } from "node:fs"
import { transform } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { markPattern } from "../../lib/html/deferred-blocks.ts"
import { App } from "../../lib/index.ts"
import { compile, formatDiagnostic } from "../../template/index.ts"
import { load, render } from "../fixtures/template/render.ts"

const page = readFileSync(new URL("../../docs/reference/templates.md", import.meta.url), "utf8")
const examples = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, language]) => language !== "json")

/** Returns the name of an example's file. An example that is not HTML names its file in its first line. */
const findFile = (source: string): string => /^\/\/ (\S+\.xml\.tpl)\n/.exec(source)?.[1] ?? "page.tpl"

test("every example of docs/reference/templates.md compiles", async () => {
  assert.ok(examples.length > 5)
  for (const [, language, source = ""] of examples) {
    const { code, diagnostics } =
      language === "tpl" ? compile(source, findFile(source)) : { code: source, diagnostics: [] }
    assert.equal(diagnostics.map(formatDiagnostic), [], source)
    await transform(code, { loader: "ts" })
  }
})

test("every construct in the table of docs/reference/templates.md prints what the table says", async () => {
  const [, forms = ""] = /## In braces\n([\s\S]*?)\n## /.exec(page) ?? []
  const written = [...forms.matchAll(/^\| `(.*?)`(?: and `(.*?)`)? \|/gm)].flatMap(([, ...found]) =>
    found.filter(Boolean),
  )
  assert.is(written.length, 10)
  const filled = written.map((form) => form?.replaceAll("…", "<i>x</i>")).join("\n")
  const source = `template Page() {\n{const [a, b, x, items, expression, value] = [1, 2, 1, [1], "e", 3]}\n${filled}\n}\n`
  assert.is(
    (await render(source)).replaceAll(markPattern, "").replaceAll(" ", ""),
    ["e", "<i>x</i>", "<i>x</i>", "<i>x</i>", "<i>x</i>", "{", "}"].join(""),
  )
})

test("the first example of docs/reference/templates.md prints a list, and a text for an empty list", async () => {
  const { List } = await load(examples[0]?.[2] ?? "")
  assert.is(String(await List?.([])), "<ul><li>Nothing to do.</li></ul>")
  const tasks = [{ id: 1, name: "<x>", done: true }]
  assert.is(String(await List?.(tasks)), '<ul><li class="task done"><a href="/tasks/1">&lt;x&gt;</a></li></ul>')
})

/**
 * Returns the URL of an example's compiled module. `replaced` has the URLs of modules that the reader would write.
 */
async function createModule(file: string, replaced: Readonly<Record<string, string>> = {}): Promise<string> {
  const source = examples.find(([, , text = ""]) => text.startsWith(`// ${file}\n`))?.[2] ?? ""
  assert.ok(source, `templates.md has no example of ${file}`)
  const { code } = await transform(compile(source, file).code, { loader: "ts" })
  const own = { "fw/html": "html.ts", fw: "index.ts" }
  const urls = Object.entries(own).map(([name, path]) => [name, new URL(`../../lib/${path}`, import.meta.url).href])
  const all = Object.entries({ ...Object.fromEntries(urls), ...replaced })
  const linked = all.reduce((text, [name, url]) => text.replaceAll(JSON.stringify(name), JSON.stringify(url)), code)
  return `data:text/javascript,${encodeURIComponent(linked)}`
}

test("layouts can be nested, and a page passes them its title and other values", async () => {
  const posts =
    'export const findPost = async (id) => id === "7" ? { title: "Seven", summary: "A <post>", text: "Text" } : null'
  const outer = await createModule("app/layout.tpl")
  const inner = await createModule("app/docs/layout.tpl", { "../layout.tpl.ts": outer })
  const post = await createModule("app/posts/[id]/page.tpl", {
    "../../../lib/posts.ts": `data:text/javascript,${encodeURIComponent(posts)}`,
  })
  const modules = {
    "app/layout.tpl": await import(outer),
    "app/docs/layout.tpl": await import(inner),
    "app/posts/[id]/page.tpl": await import(post),
  }
  const app = new App({ logger: false })
  const layouts = Object.keys(modules)
    .slice(0, 2)
    .map((file) => ({ path: "/", file }))
  const one = (pattern: string, layout: number) => ({
    pattern,
    layout,
    file: "app/posts/[id]/page.tpl",
    middleware: [],
    title: "",
  })
  const tree = {
    appDir: "app",
    routes: [],
    middleware: [],
    layouts,
    pages: [one("/posts/{id}", 0), one("/docs/{id}", 1)],
  }
  await app.mount({ tree, modules })
  const shown = await (await app.request("/posts/7")).text()
  assert.match(shown, "<title>Seven</title>")
  assert.match(shown, '<meta name="description" content="A &lt;post&gt;">')
  assert.match(shown, "<h1>Seven</h1> <p>Text</p></body>")
  const nested = await (await app.request("/docs/7")).text()
  assert.match(nested, "<title>Seven · Docs</title>")
  assert.match(nested, /<\/nav> <article>\s*<h1>Seven<\/h1>/)
  assert.is((await app.request("/posts/8")).status, 404)
})

test.run()
