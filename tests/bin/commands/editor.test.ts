/** Tests of `fw editor`: the extension that comes with the package, and the editor's program that installs it. */
import { chmodSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { extensionFile, packageDirectory } from "../../../bin/system/package.ts"
import { fw, project } from "../../support/bin/cli/command.ts"
import { unzip } from "../../support/editors/unzip.ts"

/** Creates a project, and an editor's program that runs a script. */
function editor(name: string, script: string, settings = "{}"): { cwd: string; PATH: string } {
  const cwd = project({ [name]: `#!/bin/sh\n${script}\n`, ".vscode/settings.json": settings })
  chmodSync(join(cwd, name), 0o755)
  return { cwd, PATH: cwd }
}

for (const name of ["code", "codium", "cursor"]) {
  test(`fw editor ${name} passes the extension to the program ${name}`, async () => {
    const { cwd, PATH } = editor(name, 'echo "$@" >args; echo noise')
    const { code, stdout, stderr } = await fw(["editor", name], { cwd, env: { PATH } })
    assert.equal([code, stderr], [0, ""])
    assert.is(stdout, "The extension for templates is installed. Open a .tpl file.\n")
    assert.is(readFileSync(join(cwd, "args"), "utf8"), `--install-extension ${extensionFile} --force\n`)
  })
}

test("fw editor names the setting that makes the editor show templates as HTML", async () => {
  const settings = '{\n  // shown as HTML\n  "files.associations": { "*.tpl": "html" },\n}'
  const { cwd, PATH } = editor("code", "", settings)
  const { stdout } = await fw(["editor", "code"], { cwd, env: { PATH } })
  assert.match(stdout, 'Remove "*.tpl": "html" from .vscode/settings.json')
})

test("if the editor's program is missing, the message names the file and how to install it in the editor", async () => {
  const { code, stderr } = await fw(["editor", "code"], { cwd: project({}), env: { PATH: "/nothing" } })
  assert.is(code, 1)
  assert.match(stderr, "code is not installed, or not in PATH")
  assert.match(stderr, `"Extensions: Install from VSIX…" and choose ${extensionFile}`)
})

test("fw editor quotes the error of the editor's program", async () => {
  const { cwd, PATH } = editor("code", "echo Signature is missing >&2; exit 3")
  const { code, stderr } = await fw(["editor", "code"], { cwd, env: { PATH } })
  assert.is(code, 1)
  assert.match(stderr, "Signature is missing")
})

test("the extension has the same version as the package", () => {
  const { version } = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8"))
  const inside = unzip(readFileSync(extensionFile)).get("extension/package.json")
  assert.is(JSON.parse(String(inside)).version, version)
})

test.run()
