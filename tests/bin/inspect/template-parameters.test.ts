/**
 * Tests of pages whose template takes other arguments than fw passes, and of proposed imports for names that are
 * not defined.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findMissingImport } from "../../../bin/inspect/missing-import.ts"
import { lintProject } from "../../../bin/inspect/project-sources.ts"
import { inProject } from "../../support/lib/scan/scan-project.ts"

const test = suite("parameters of pages and missing imports")

const page = (parameters: string, name = "Page") =>
  `interface Task {\n  id: number\n}\ninterface Has {\n  path: string\n  param(name: string): string\n}\n\ntemplate ${name}(${parameters}) {\n  <p>x</p>\n}\n`

const rows: readonly (readonly [parameters: string, kind: "warning" | "right"])[] = [
  ["", "right"],
  ["c: Context", "right"],
  ["_c: Context<'id'>", "right"],
  ["c: AppContext", "right"],
  ["ctx", "right"],
  ["c: Context, extra = 1", "right"],
  ["{ path }: Context", "right"],
  ["{ path, query: q, ...rest }: Context", "right"],
  ["{ path, param }: Pick<Context, 'path' | 'param'>", "right"],
  ["{ path }: { path: string }", "right"],
  ["{ path }: Has", "right"],
  ["has: Has", "right"],
  ["c: { readonly path: string; param(name: string): string }", "right"],
  ["c: Imported", "right"],
  ["{ path, size = 3, big: x = 4 }: { path: string; size?: number; big?: number }", "right"],
  ["options: { size?: number }", "right"],
  ["c: any", "right"],
  ["name: string", "warning"],
  ["id?: number", "warning"],
  ["{ name }: { name: string }", "warning"],
  ["props: { name: string }", "warning"],
  ["users: User[]", "warning"],
  ["[first]: string[]", "warning"],
  ["task: Task", "warning"],
  ["user: User", "warning"],
  ["name", "warning"],
  ["c: Context, user: User", "warning"],
]
for (const [parameters, kind] of rows) {
  test(`template Page(${parameters}) ${kind === "right" ? "is correct" : "causes a warning"}`, async () => {
    const found = await inProject({ "app/a/page.tpl": page(parameters) }, (root) =>
      lintProject({ root, appDir: "app" }),
    )
    const warnings = found.filter(({ code }) => code === "page_parameters")
    assert.is(warnings.length, kind === "warning" ? 1 : 0)
    const [first] = warnings
    if (!first) return
    assert.equal([first.line, first.severity], [9, "warning"])
    assert.match(first.message, /^fw calls Page with the context only, and this one takes /)
    assert.match(first.fix, "Write template Page(c: Context).")
  })
}

const templates: readonly (readonly [file: string, source: string, count: 0 | 1])[] = [
  ["app/not-found.tpl", page("path: string", "NotFound"), 1],
  ["app/error.tpl", page("status: number", "Failure"), 1],
  ["app/error.tpl", page("c: Context, status: number, message: string", "Failure"), 0],
  ["app/page.tpl", page("name: string", "Card"), 0],
  ["app/card.tpl", page("name: string"), 0],
]
test("error pages get the context first, and other templates may have any parameters", async () => {
  for (const [file, source, count] of templates) {
    const found = await inProject({ [file]: source }, (root) => lintProject({ root, appDir: "app" }))
    assert.is(found.filter(({ code }) => code === "page_parameters").length, count, file)
  }
})

const files = {
  "package.json": '{ "type": "module", "imports": { "#lib/*": "./lib/*" } }',
  "app/users/page.tpl": page(""),
  "app/_parts/card.tpl": page("name: string", "Card"),
  "lib/users.ts": "export interface User {}\nexport async function findUser() {}\nexport const most = 1\n",
  "ui/card.tpl": page("name: string", "Card"),
  "ui/old.ts": "const hidden = 1\n// export const absent\n",
}
const names: readonly (readonly [name: string, fix: string | RegExp])[] = [
  [
    "Card",
    'Write import { Card } from "../_parts/card.tpl.ts", or import { Card } from "../../ui/card.tpl.ts" at the top of the file.',
  ],
  ["findUser", 'Write import { findUser } from "#lib/users.ts" at the top of the file.'],
  ["most", 'Write import { most } from "#lib/users.ts" at the top of the file.'],
  ["User", 'Write import type { User } from "#lib/users.ts" at the top of the file.'],
  ["HttpError", 'Write import { HttpError } from "fw" at the top of the file.'],
  ["__dirname", /import\.meta\.dirname/],
  ["window", /only browsers have window/],
  ["endif", /A block ends with "}"/],
  ["unless", /\{if \(!condition\)/],
  ["foreach", /\{for \(const item of items\)/],
  ["slot", /\{children\}/],
  ["props", /A template has parameters/],
  ["hidden", ""],
  ["absent", ""],
  ["toString", ""],
]
for (const [name, fix] of names) {
  test(`${fix === "" ? "no fix" : "a fix"} is proposed for the undefined name ${name}`, async () => {
    const found = await inProject(files, async (root) => findMissingImport({ root, file: "app/users/page.tpl" }, name))
    if (typeof fix === "string") assert.is(found, fix)
    else assert.match(found, fix)
  })
}

test.run()
