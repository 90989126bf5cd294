/** The code of long templates, checked by TypeScript itself. */

import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../lib/template/index.ts"
import { makeProject, removeProject } from "../support/bin/lsp/project.ts"

for (const version of ["typescript", "typescript-next"] as const) {
  test(`a template with 1,600 values in a row can be checked (${version})`, () => {
    const line = '  <p class="a">{row.name}: <b>{row.id}</b></p>\n'
    const head = "interface Row { name: string; id: number }\ntemplate Page(row: Row)"
    const source = `${head} {\n${line.repeat(800)}{row.nothing}}\n`
    const root = makeProject({ "package.json": '{ "type": "module" }\n' }, version)
    try {
      writeFileSync(join(root, "page.tpl.ts"), compile(source, "page.tpl").code)
      const tsc = join(root, "node_modules/typescript/bin/tsc")
      const options = ["--noEmit", "--ignoreConfig", "--strict", "--target", "es2022", "--module", "nodenext"]
      const { stdout } = spawnSync(process.execPath, [tsc, ...options, "page.tpl.ts"], {
        cwd: root,
        encoding: "utf8",
      })
      // TypeScript gives up with TS2563 where a function has too many assignments.
      assert.equal(stdout.match(/error TS\d+/g), ["error TS2339"], stdout.slice(0, 500))
    } finally {
      removeProject(root)
    }
  })
}

test.run()
