/**
 * Tests of a directory to which the program writes while it runs: it is not part of a bundle or an executable, and
 * it is served from the disk.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, serve } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"

const secret = "written while trying it in development"
const cwd = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "main.ts": `import { App } from "fw"
const app = new App({ logger: false })
app.static("/uploads", "data/uploads", { embed: false })
app.static("/later", "data/later", { embed: false })
export default app
`,
  "static/a.txt": "embedded",
  "data/uploads/old.txt": secret,
})
const place = project({})

const builds: ReadonlyArray<readonly [what: string, args: string[], file: string, run: (file: string) => string[]]> = [
  ["an executable", [], "bin/shop", (file) => [file]],
  ["a bundle", ["--target", "node"], "dist/node/server.mjs", (file) => [process.execPath, file]],
]
for (const [what, args, file, run] of builds) {
  test(`${what} contains no files of a directory with embed: false, and serves files that are written later`, async () => {
    const { code, stdout, stderr } = await build(cwd, args)
    assert.is(code, 0, stdout + stderr)
    assert.not.match(stderr, /warning/)
    const path = join(cwd, file)
    assert.not.ok(readFileSync(path).includes(secret))
    const elsewhere = join(place, what)
    mkdirSync(elsewhere)
    const { url, stop } = await serve(run(path) as [string, ...string[]], elsewhere)
    const ask = async (name: string) => {
      const answer = await fetch(`${url}${name}`)
      return answer.status === 200 ? answer.text() : answer.status
    }
    assert.equal(
      [await ask("/static/a.txt"), await ask("/uploads/old.txt"), await ask("/later/a.txt")],
      ["embedded", 404, 404],
    )
    for (const directory of ["uploads", "later"]) {
      mkdirSync(join(elsewhere, "data", directory), { recursive: true })
      writeFileSync(join(elsewhere, "data", directory, "a.txt"), "new")
    }
    assert.equal([await ask("/uploads/a.txt"), await ask("/later/a.txt")], ["new", "new"])
    assert.is(await stop(), 0)
  })
}

test("in a worker, which has no disk, the error names the directory", async () => {
  const { code, stdout, stderr } = await build(cwd, ["--target", "workers"])
  assert.is(code, 0, stdout + stderr)
  const worker = await import(join(cwd, "dist/workers/worker.mjs")).then(
    () => "",
    (error: Error) => error.message,
  )
  assert.is(worker, 'a worker has no disk to read "data/uploads" from')
})

test.run()
