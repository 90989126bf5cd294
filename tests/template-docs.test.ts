// Every example of docs/templates.md compiles and can be parsed.

import { readFileSync } from "node:fs"
import { transform } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile, formatDiagnostic } from "../lib/template/index.ts"
import { load, render } from "./fixtures/template/render.ts"

// This file runs from dist/tests/.
const page = readFileSync(new URL("../../docs/templates.md", import.meta.url), "utf8")
const examples = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]

/** An example of another kind than HTML names its file in its first line. */
const fileOf = (source: string): string => /^\/\/ (\S+\.xml\.tpl)\n/.exec(source)?.[1] ?? "page.tpl"

test("every example compiles", async () => {
  assert.ok(examples.length > 5)
  for (const [, language, source = ""] of examples) {
    const { code, diagnostics } =
      language === "tpl" ? compile(source, fileOf(source)) : { code: source, diagnostics: [] }
    assert.equal(diagnostics.map(formatDiagnostic), [], source)
    await transform(code, { loader: "ts" })
  }
})

test("what the table says of braces holds", async () => {
  const [, forms = ""] = /## In braces\n([\s\S]*?)\n## /.exec(page) ?? []
  const written = [...forms.matchAll(/^\| `(.*?)`(?: and `(.*?)`)? \|/gm)].flatMap(([, ...found]) =>
    found.filter(Boolean),
  )
  assert.is(written.length, 9)
  const filled = written.map((form) => form?.replaceAll("…", "<i>x</i>")).join("\n")
  const source = `template Page() {\n{const [a, b, x, items, expression, value] = [1, 2, 1, [1], "e", 3]}\n${filled}\n}\n`
  assert.is(
    (await render(source)).replaceAll(" ", ""),
    ["e", "<i>x</i>", "<i>x</i>", "<i>x</i>", "<i>x</i>", "{", "}"].join(""),
  )
})

test("the example of a list prints what it promises", async () => {
  const { List } = await load(examples[0]?.[2] ?? "")
  assert.is(String(await List?.([])), "<ul><li>Nothing to do.</li></ul>")
  const tasks = [{ id: 1, name: "<x>", done: true }]
  assert.is(
    String(await List?.(tasks)),
    '<ul><li class="task done"><a href="/tasks/1">&lt;x&gt;</a></li></ul>',
  )
})

test.run()
