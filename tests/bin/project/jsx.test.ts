/** Pages and layouts in JSX, by the recipe of docs/reference/routing.md, and the message for a project that names no library for it. */
import { spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { ask, makeProject, startDev } from "../../support/bin/dev/dev-project.ts"
import { packageDirectory } from "../../support/packages.ts"

// This file runs from dist/tests/.
const page = readFileSync(
  fileURLToPath(new URL("../../../../docs/reference/routing.md", import.meta.url)),
  "utf8",
)
const files = Object.fromEntries(
  [...page.matchAll(/^```tsx\n(\/\/ (\S+)\n[\s\S]*?)^```$/gm)].map(([, code, file]) => [file, code]),
)
const [, config = ""] = /^```json\n(\{ "compilerOptions": .*"jsx".*)\n```$/m.exec(page) ?? []

const options = {
  strict: true,
  noEmit: true,
  module: "nodenext",
  types: [],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}
const typed = JSON.stringify({
  compilerOptions: { ...options, ...JSON.parse(config || "{}").compilerOptions },
  include: ["app", ".fw"],
})
const packages = ["fw", "esbuild", "hono", "typescript", "@typescript"]
const shown =
  '<!doctype html><html lang="en"><head><title>Home</title></head><body data-path="/"><h1 class="hello">Hello, &lt;Ada&gt;!</h1></body></html>'

test("docs/reference/routing.md has the recipe for JSX", () => {
  assert.equal(Object.keys(files), ["app/layout.tsx", "app/page.tsx"])
  assert.match(config, "jsxImportSource")
})

test("JSX pages run in fw dev", async () => {
  const root = makeProject({ ...files, "tsconfig.json": typed }, packages)
  const dev = startDev(root)
  const port = await dev.port()
  const { status, body } = await ask(port, "/?name=%3CAda%3E")
  assert.is(status, 200, body)
  assert.match(body, shown.slice(0, shown.indexOf("</body>")))
  await dev.stop()
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

test("fw build and fw dev refuse JSX without a library, with its place", async () => {
  const said = [
    "this file contains JSX, but the project does not name a library for it",
    '"jsxImportSource": "hono/jsx"',
  ]
  const cwd = makeProject({ "app/page.tsx": files["app/page.tsx"] ?? "" }, packages)
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd })
  assert.is(code, 1)
  for (const text of ["app/page.tsx:8:10", ...said]) assert.ok(stderr.includes(text), stderr)
  const dev = startDev(cwd)
  await dev.says(/this file contains JSX, but the project does not name a library for it/)
  await dev.stop()
})

test("a pragma in the file can name the library for JSX", async () => {
  const text = `/** @jsxImportSource hono/jsx */\n${files["app/page.tsx"]}`
  const cwd = makeProject({ "app/page.tsx": text }, packages)
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd })
  assert.is(code, 0, stderr)
})

test.run()
