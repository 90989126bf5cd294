/**
 * Tests of pages and layouts in JSX as docs/reference/routing.md describes them, and of the message for a project
 * that names no JSX library. tests/slow/jsx-dev.test.ts tests both under `fw dev`.
 */
import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { ask, makeProject } from "../../support/bin/dev/dev-project.ts"
import { config, files, packages, typed } from "../../support/bin/project/jsx-recipe.ts"
import { packageDirectory } from "../../support/packages.ts"

const shown =
  '<!doctype html><html lang="en"><head><title>Home</title></head><body data-path="/"><h1 class="hello">Hello, &lt;Ada&gt;!</h1></body></html>'

test("docs/reference/routing.md has the recipe for JSX", () => {
  assert.equal(Object.keys(files), ["app/layout.tsx", "app/page.tsx"])
  assert.match(config, "jsxImportSource")
})

test("JSX pages can be built and run, and pass the type check of the project", async () => {
  const cwd = makeProject({ ...files, "tsconfig.json": typed }, packages)
  const built = await fw(["build", "--target", "node"], { cwd })
  assert.is(built.code, 0, built.stderr)
  const program = spawn(process.execPath, [join(cwd, "dist/node/server.mjs")], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    program.stdout.setEncoding("utf8")
    let said = ""
    for await (const text of program.stdout) {
      said += text
      if (said.includes("\n")) break
    }
    const port = Number(/Listening on \S*:(\d+)/.exec(said)?.[1])
    assert.is((await ask(port, "/?name=%3CAda%3E")).body, shown)
  } finally {
    program.kill()
  }
  const tsc = join(packageDirectory("typescript"), "bin/tsc")
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", cwd], { encoding: "utf8" })
  assert.is(status, 0, stdout)
})

test("fw build refuses JSX without a library, with the position", async () => {
  const said = [
    "this file contains JSX, but the project does not name a library for it",
    '"jsxImportSource": "hono/jsx"',
  ]
  const cwd = makeProject({ "app/page.tsx": files["app/page.tsx"] ?? "" }, packages)
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd })
  assert.is(code, 1)
  for (const text of ["app/page.tsx:8:10", ...said]) assert.ok(stderr.includes(text), stderr)
})

test("a pragma in the file can name the library for JSX", async () => {
  const text = `/** @jsxImportSource hono/jsx */\n${files["app/page.tsx"]}`
  const cwd = makeProject({ "app/page.tsx": text }, packages)
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd })
  assert.is(code, 0, stderr)
})

test.run()
