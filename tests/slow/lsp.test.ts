// Tests of `fw lsp` with both versions of TypeScript: an editor is connected to it, with a project that imports its
// templates in both spellings.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { Editor } from "../support/bin/lsp/editor.ts"
import { checkCompletions, checkEach, checkErrors, checkHovers, checkNames } from "../support/bin/lsp/golden.ts"
import { checkImports } from "../support/bin/lsp/imports.ts"
import { makeProject, page, projectFiles, removeProject } from "../support/bin/lsp/project.ts"

const command = ["node_modules/fw/dist/bin/fw.js", "lsp", "--stdio"]

for (const [version, spelling, mappers] of [
  ["typescript", "./page.tpl.ts", false],
  ["typescript-next", "./page.tpl.ts", true],
  ["typescript", "#app/page.tpl", true],
  ["typescript-next", "#app/page.tpl", true],
] as const) {
  const test = suite<{ root: string; editor: Editor }>(`fw lsp with ${version} and "${spelling}"`)

  test.before(async (context) => {
    context.root = makeProject(projectFiles(spelling), version, mappers)
    context.editor = await Editor.start(context.root, command)
    context.editor.open("app/page.tpl")
    context.editor.open("app/use.ts")
  })
  test.after(async ({ root, editor }) => {
    await editor.stop()
    removeProject(root)
  })

  test("each construct has its type", ({ editor }) => checkHovers(editor))
  if (version === "typescript-next" || !mappers)
    test("each construct has its definition, references, rename, errors and completion", ({ editor }) =>
      checkEach(editor))
  test("incomplete code in each construct has completions", ({ editor }) => checkCompletions(editor))
  test("definitions, references and renames work across templates and modules", ({ editor }) => checkNames(editor))

  test("a completion and a quick fix import a name", ({ editor }) => checkImports(editor))

  test("typing a character of markup or CSS requests no completions from TypeScript", async ({ editor }) => {
    editor.open("app/typed.ts", "const text =\nconst other: string = text\nother.\n")
    assert.equal(await editor.completion("app/typed.ts", "text =¦\n", "="), [])
    assert.equal(await editor.completion("app/typed.ts", "other:¦", ":"), [])
    assert.ok((await editor.completion("app/typed.ts", "other.¦\n", ".")).includes("length"))
    editor.close("app/typed.ts")
  })

  test("errors are at the right positions", async ({ editor }) => {
    await checkErrors((text) => {
      editor.change("app/page.tpl", text)
      return editor.diagnostics("app/page.tpl")
    })
  })

  test("a module keeps its types while a template that it imports is broken", async ({ editor }) => {
    editor.change("app/page.tpl", page.replace("<section>", "<section"))
    assert.equal(await editor.diagnostics("app/use.ts"), [])
    editor.change("app/page.tpl", page)
  })

  test("templates on the disk are known, also new and changed ones", async ({ editor, root }) => {
    const file = "app/other.tpl"
    editor.open("app/new.ts", 'import { Other } from "./other.tpl.ts"\nexport const other = Other(1)\n')
    assert.match((await editor.diagnostics("app/new.ts"))[0]?.message ?? "", "Cannot find module")
    writeFileSync(join(root, file), "template Other(text: string) {<p>{text}</p>}\n")
    editor.fileChanged(file)
    assert.match((await editor.diagnostics("app/new.ts"))[0]?.message ?? "", "not assignable")
    assert.equal(await editor.definition("app/new.ts", "= ¦Other"), ["app/other.tpl:1 Other"])
    writeFileSync(join(root, file), "template Other(count: number) {<p>{count}</p>}\n")
    editor.fileChanged(file)
    assert.equal(await editor.diagnostics("app/new.ts"), [])
  })

  test.run()
}

const push = suite<{ root: string; editor: Editor }>("fw lsp for an editor that does not ask for diagnostics")
push.before(async (context) => {
  context.root = makeProject(projectFiles("./page.tpl.ts"), "typescript")
  context.editor = await Editor.start(context.root, command, { asks: false })
})
push.after(async ({ root, editor }) => {
  await editor.stop()
  removeProject(root)
})

push("the server sends diagnostics after each change", async ({ editor }) => {
  editor.open("app/page.tpl", page.replace("title={row.name}", "title={row.nmae}"))
  const types = await editor.publishedWhen("app/page.tpl", (found) => found.length > 0)
  assert.equal(
    types.map(({ text }) => text),
    ["nmae"],
  )
  editor.change("app/page.tpl", page.replace("<p>{tasks.length} none</p>", "<p>{tasks.length} none"))
  const syntax = await editor.publishedWhen("app/page.tpl", (found) => found[0]?.source === "fw")
  assert.match(syntax[0]?.message ?? "", "<p> is never closed")
  editor.change("app/page.tpl", page)
  await editor.publishedWhen("app/page.tpl", (found) => found.length === 0)
})

push("the diagnostics are removed after a file is closed", async ({ editor }) => {
  editor.change("app/page.tpl", page.replace("</section>", ""))
  await editor.publishedWhen("app/page.tpl", (found) => found.length > 0)
  const gone = editor.publishedWhen("app/page.tpl", (found) => found.length === 0)
  editor.close("app/page.tpl")
  await gone
})

push.run()
