/**
 * Tests that `fw dev` opens the file of a message in the editor, only for pages of its own origin and files of the
 * project.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, symlinkSync, watch, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findEditorPlace, toEditorCommand } from "../../../bin/dev/tools/editor.ts"
import { ask, makeProject, route, startDev } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: editor")

const place = { file: "/p/a b.ts", line: 3, column: 7 }
const commands: ReadonlyArray<readonly [env: Record<string, string>, command: string[]]> = [
  [{}, ["code", "-g", "/p/a b.ts:3:7"]],
  [{ EDITOR: "vim" }, ["code", "-g", "/p/a b.ts:3:7"]],
  [{ EDITOR: "code --wait" }, ["code", "--wait", "-g", "/p/a b.ts:3:7"]],
  [{ EDITOR: "vim", VISUAL: "/usr/bin/subl" }, ["/usr/bin/subl", "/p/a b.ts:3:7"]],
  [{ VISUAL: "gvim", FW_EDITOR: "emacsclient -n" }, ["emacsclient", "-n", "+3:7", "/p/a b.ts"]],
  [{ FW_EDITOR: "term -e vim +{line} {file}" }, ["term", "-e", "vim", "+3", "/p/a b.ts"]],
  [{ EDITOR: "unknown" }, ["unknown", "/p/a b.ts"]],
]
for (const [env, command] of commands) {
  test(`with the environment ${JSON.stringify(env)}, the command that opens the editor is ${command.join(" ")}`, () =>
    assert.equal(toEditorCommand(env, place), command))
}

test("only files of the project can be opened in the editor, and no link leads out of the project", () => {
  const root = makeProject({ "app/a.ts": "x", "b:c.ts": "x" })
  const outside = mkdtempSync(join(tmpdir(), "fw-outside-"))
  writeFileSync(join(outside, "secret"), "")
  symlinkSync(join(outside, "secret"), join(root, "link.ts"))
  assert.equal(findEditorPlace(root, "app/a.ts:3:7"), { file: join(root, "app/a.ts"), line: 3, column: 7 })
  assert.equal(findEditorPlace(root, "app/a.ts"), { file: join(root, "app/a.ts"), line: 1, column: 1 })
  assert.is(findEditorPlace(root, "b:c.ts:2")?.line, 2)
  for (const text of ["../../etc/passwd", "/etc/passwd:1:1", "app", "", "link.ts:1:1", "none.ts:1", "a\0b"])
    assert.is(findEditorPlace(root, text), null, text)
})

test("a POST of this origin starts the editor, and other requests are refused", async () => {
  const root = makeProject({ "app/api/route.ts": route("one") })
  const log = join(root, "opened")
  const script = join(root, "editor.sh")
  writeFileSync(script, `#!/bin/sh\nprintf '%s' "$*" > '${log}.part' && mv '${log}.part' '${log}'\n`)
  chmodSync(script, 0o755)
  const dev = startDev(root, undefined, { FW_EDITOR: `${script} {file} {line}` })
  const port = await dev.port()
  const host = `localhost:${port}`
  const post = async (body: string, headers: Record<string, string>, method = "POST") =>
    (await ask(port, "/__fw/open", { method, body, headers: { host, ...headers } })).status
  const own = { origin: `http://${host}` }
  const target = "app/api/route.ts:3:1"
  assert.is(await post(target, { origin: "https://evil.example" }), 403)
  assert.is(await post(target, {}), 403)
  assert.is(await post(target, { ...own, "sec-fetch-site": "cross-site" }), 403)
  assert.is(await post("", own, "GET"), 403)
  assert.is(await post("../x", own), 404)
  assert.is(await post("x".repeat(5000), own), 404)
  assert.is(existsSync(log), false)
  const watcher = watch(root)
  const opened = new Promise<void>((resolve) => watcher.on("change", () => existsSync(log) && resolve()))
  assert.is(await post(target, own), 200)
  await opened
  watcher.close()
  assert.is(readFileSync(log, "utf8"), `${join(root, "app/api/route.ts")} 3`)
  assert.is(await dev.stop(), 0)
})

test.run()
