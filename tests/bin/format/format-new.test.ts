/** Tests that `fw format` changes nothing in templates that fw generates. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { formatProject } from "../../../bin/format/format-project.ts"
import { readScaffoldFiles } from "../../../bin/new/scaffold.ts"
import { findTemplates } from "../../../bin/project/templates.ts"
import { fw, project } from "../../support/bin/cli/command.ts"
import { root } from "../../support/tsc.ts"

const versions = { "@types/node": "1", esbuild: "1", typescript: "1" }

async function newProject(name: string): Promise<string> {
  const cwd = project({ "package.json": "{}" })
  for (const { file, content } of await readScaffoldFiles({ name, template: "full-stack", versions })) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), content)
  }
  return cwd
}

for (const name of ["a", "a-name-that-is-much-longer-than-the-names-of-most-projects-are"]) {
  test(`fw format --check passes in a new project called ${name}`, async () => {
    const { code, stdout } = await fw(["format", "--check"], { cwd: await newProject(name) })
    assert.equal([code, stdout], [0, "  unchanged      5 files\n"])
  })
}

test("files that fw generate writes are formatted, also by the settings of the project", async () => {
  const fields = "name,message:long,addressOfTheCompany:email,agreementWithTheTerms:checkbox,photo:file"
  for (const settings of ["", "[*]\nindent_size = 4\nmax_line_length = 60\n"]) {
    const cwd = await newProject("shop")
    writeFileSync(join(cwd, ".editorconfig"), settings)
    await fw(["format"], { cwd })
    for (const line of [
      ["page", "about-the-company-and-everyone-who-works-there", "--with-layout"],
      ["form", "contact", "--fields", fields],
      ["auth", "--session", "--passkey", "--api-key"],
    ]) {
      const { code, stderr } = await fw(["generate", ...line], { cwd })
      assert.equal([code, stderr], [0, ""], line.join(" "))
    }
    const { code, stdout } = await fw(["format", "--check"], { cwd })
    assert.is(code, 0, stdout)
  }
})

test("the templates of the examples are formatted", async () => {
  for (const example of ["tasks", "auth"]) {
    const cwd = join(root, "examples", example)
    const { sources } = await findTemplates(cwd)
    const { signal } = new AbortController()
    const results = await formatProject(cwd, sources, { write: false, signal })
    assert.ok(results.length > 5)
    for (const { file, text } of results) assert.is(text, readFileSync(join(cwd, file), "utf8"), file)
  }
})

test.run()
