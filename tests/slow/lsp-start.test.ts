// Tests of the start of `fw lsp`: in every directory and with every command line, it serves the project that the
// editor has open.

import { readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { errorCodes, type ResponseError } from "../../bin/rpc/connection.ts"
import { Editor } from "../support/bin/lsp/editor.ts"
import { makeProject, projectFiles, removeProject } from "../support/bin/lsp/project.ts"
import { root as checkout } from "../support/tsc.ts"

const program = join(checkout, "dist/bin/fw.js")
const project = makeProject(projectFiles("./page.tpl.ts"), "typescript")
/** Another project, whose TypeScript must not be used. */
const other = makeProject(projectFiles("./page.tpl.ts"), "typescript-next")

/** Returns the command lines of the TypeScript servers that `fw lsp` has started. */
function serving(): string[] {
  return readdirSync("/proc").flatMap((id) => {
    try {
      const line = readFileSync(`/proc/${id}/cmdline`, "utf8")
      const env = readFileSync(`/proc/${id}/environ`, "utf8")
      // On Node 20, the package's script is a process of its own, next to the server that it starts.
      const isServer = line.includes("--lsp") && !line.includes("/bin/tsc")
      return /^\d/.test(id) && isServer && env.includes(`FW_TEST_OF=${project}`) ? [line] : []
    } catch {
      return []
    }
  })
}

for (const [cwd, ...words] of [
  [project, "lsp"],
  [project, "lsp", "--stdio"],
  [project, "lsp", "--stdio", "--app-dir", "app"],
  [project, "lsp", "--app-dir=app"],
  [join(project, "lib"), "lsp"],
  [join(project, "lib"), "lsp", "-d", "../app"],
  [other, "lsp"],
  [tmpdir(), "lsp", "--stdio"],
] as const) {
  const name = cwd.replace(project, "the project").replace(other, "another project").replace(tmpdir(), "no project")
  test(`fw ${words.join(" ")} in ${name} serves the editor's project`, async () => {
    process.env.FW_TEST_OF = project
    const editor = await Editor.start(project, [program, ...words], { cwd })
    editor.open("app/page.tpl")
    assert.match(await editor.hover("app/page.tpl", "title={row.¦name}"), "name: string")
    const [one = "", ...more] = serving()
    assert.ok(one.includes(`${checkout}/node_modules/@typescript`), one)
    assert.equal(more, [])
    await editor.stop()
    assert.equal(serving(), [])
  })
}

test("a request with an unknown method gets the error of JSON-RPC, and the next request an answer", async () => {
  const editor = await Editor.start(project, [program, "lsp"], { cwd: project })
  for (const method of ["fw/none", "textDocument/none"]) {
    const error = await editor.request(method, {}).catch((error: unknown) => error)
    assert.is((error as ResponseError).code, errorCodes.unknownMethod, method)
  }
  editor.open("app/page.tpl")
  assert.match(await editor.hover("app/page.tpl", "title={row.¦name}"), "name: string")
  await editor.stop()
})

for (const [signal, code] of [
  ["SIGTERM", 0],
  ["SIGINT", 130],
] as const)
  for (const words of [["lsp"], ["lsp", "--app-dir", "app"]])
    test(`${signal} ends fw ${words.join(" ")} with ${code}`, async () => {
      const editor = await Editor.start(project, [program, ...words])
      assert.equal(await editor.kill(signal), code)
      assert.equal(serving(), [])
    })

test.after(() => {
  removeProject(project)
  removeProject(other)
})
test.run()
