// Tests of templates in TypeScript 7.1 with its content mappers: `tsc --lsp` and `tsc --runExternalCode` are used
// as editors and developers use them.

import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../template/index.ts"
import { Editor } from "../support/bin/lsp/editor.ts"
import { checkCompletions, checkEach, checkErrors, checkHovers, checkNames } from "../support/bin/lsp/golden.ts"
import { makeProject, page, projectFiles, removeProject } from "../support/bin/lsp/project.ts"
import { root as checkout } from "../support/tsc.ts"

const test = suite<{ root: string; editor: Editor }>("content mapper")

test.before(async (context) => {
  context.root = makeProject(projectFiles("#app/page.tpl"), "typescript-next", true)
  const server = join(context.root, "node_modules/typescript/bin/tsc")
  context.editor = await Editor.start(context.root, [server, "--lsp", "--stdio"], { runExternalCode: true })
  context.editor.open("app/page.tpl")
  context.editor.open("app/use.ts")
})
test.after(async ({ root, editor }) => {
  await editor.stop()
  removeProject(root)
})

test("each construct has its type in the editor", ({ editor }) => checkHovers(editor))
test("each construct has its definition, references, rename, errors and completion", ({ editor }) => checkEach(editor))
test("incomplete code in each construct has completions", ({ editor }) => checkCompletions(editor))
test("definitions, references and renames work across templates and modules", ({ editor }) => checkNames(editor))

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

test("the command line finds errors in templates", ({ root }) => {
  const tsc = join(root, "node_modules/typescript/bin/tsc")
  const check = () => {
    const args = [tsc, "-p", root, "--runExternalCode", "--pretty", "false"]
    return spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" }).stdout
  }
  assert.is(check(), "")
  writeFileSync(join(root, "app/page.tpl"), page.replace("title={row.name}", "title={row.nmae}"))
  assert.match(check(), /^app\/page\.tpl\(7,55\): error TS2339: Property 'nmae' does not exist/)
  writeFileSync(join(root, "app/page.tpl"), page.replace("<section>", "<section"))
  assert.match(check(), /^app\/page\.tpl\(\d+,\d+\): error fw1: a tag cannot contain "<"/)
  writeFileSync(join(root, "app/page.tpl"), page)
})

test("a version before 7.1 ignores the entry in tsconfig.json", ({ root }) => {
  writeFileSync(join(root, "app/page.tpl.ts"), compile(page, "page.tpl").code)
  const before = join(checkout, "node_modules/typescript/bin/tsc")
  const args = [before, "-p", root, "--pretty", "false"]
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" })
  assert.equal([stdout, status], ["", 0])
})

test.run()
