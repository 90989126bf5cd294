/**
 * Tests what a new user does: the packed package in an empty folder, `npx fw new`, and every script of the project.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { startProgram } from "../../bin/tools/program.ts"
import { serveInRoot } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"
import { fillImage, leaveOut, named, readParts } from "../support/bin/new/dockerfile.ts"
import { newUser, serving } from "../support/bin/new/packed.ts"
import { readExamples } from "../support/docs/documents.ts"

const user = await newUser()
const script = fileURLToPath(new URL("../../tests/support/bin/css/css-standalone.mjs", import.meta.url))
const compiler = execFileSync(process.execPath, [script], { encoding: "utf8" }).trim().split("\n").at(-1) as string
const env = { ...user.env, FW_CSS_BINARY: compiler }
const shop = join(user.folder, "shop")
const orders = join(user.folder, "orders")
const local = /Local: +http:\/\/localhost:(\d+)/

/** Runs a command line in a project. */
const inside = (cwd: string, ...line: [string, ...string[]]) => user.run(line, { cwd, env })

async function assertServes(port: number): Promise<void> {
  const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: "text/html" } })
  assert.equal(await (await at("/api/health")).json(), { status: "ok" })
  assert.match(await (await at("/")).text(), /<title>Shop<\/title>/)
  assert.is((await at("/static/vendor/htmx-4.0.1.min.js")).status, 200)
  assert.match(await (await at("/static/css/output.css")).text(), /--color-canvas/)
  assert.is((await at("/nothing")).status, 404)
}

const scripts = suite("scripts")

scripts("npx fw new creates a project without changes for git and without errors of tsc", async () => {
  const { stdout } = await user.run(["npx", "fw", "new", "shop", "--skip-prompts"], { env })
  // On a busy machine, a step that takes longer than a second is first printed as running.
  assert.match(stdout, /Packages installed\n(?: {2}… .*\n)*.*Git repository with a first commit\n/, stdout)
  await inside(shop, "npx", "tsc", "--noEmit")
  assert.is((await inside(shop, "git", "status", "--porcelain")).stdout, "")
  assert.equal(
    readdirSync(user.folder).filter((name) => name.startsWith(".")),
    [],
  )
})

scripts("npm test and npm run check pass", async () => {
  const { stdout } = await inside(shop, "npm", "test")
  assert.match(stdout, /9 passed \(9 tests in 2 files/)
  await inside(shop, "npm", "run", "check")
})

scripts("a failing test makes npm test fail, and a deleted test does not run", async () => {
  const file = join(shop, "tests/extra.test.ts")
  writeFileSync(file, 'import { test } from "node:test"\ntest("extra", () => { throw new Error("no") })\n')
  const failed = await user.start(["npm", "test"], { cwd: shop, env }).ended
  assert.is.not(failed.code, 0)
  assert.match(failed.output, /extra\.test\.ts:2/)
  rmSync(file)
  assert.match((await inside(shop, "npm", "test")).stdout, /9 passed \(9 tests in 2 files/)
})

scripts("npm run dev serves the project", async () => {
  await serving(
    (onLine) => user.start(["npm", "run", "dev", "--", "--port", "0"], { cwd: shop, env, onLine }),
    local,
    async (port) => {
      // The styles are compiled at the same time, so the test requests them until they exist.
      while ((await fetch(`http://127.0.0.1:${port}/static/css/output.css`)).status !== 200)
        await new Promise((resolve) => setTimeout(resolve, 50))
      await assertServes(port)
    },
  )
})

scripts("npm start builds a bundle and serves the project", async () => {
  await serving(
    (onLine) => user.start(["npm", "start"], { cwd: shop, env: { ...env, PORT: "0" }, onLine }),
    /Listening on .*:(\d+)/,
    assertServes,
  )
})

scripts("npm run build makes an executable that serves from an empty directory", async () => {
  await inside(shop, "npm", "run", "build")
  const empty = join(user.folder, "empty")
  mkdirSync(empty)
  await serving(
    (onLine) =>
      startProgram({
        program: join(shop, "bin/shop"),
        args: [],
        cwd: empty,
        env: { PATH: "/nowhere", PORT: "0" },
        onLine,
      }),
    /Listening on .*:(\d+)/,
    assertServes,
  )
  assert.is((await inside(shop, "git", "status", "--porcelain")).stdout, "")
})

scripts("the Dockerfile builds an image with everything that the executable needs, from a clone", async () => {
  const clone = join(user.folder, "clone")
  await user.run(["git", "clone", "--quiet", shop, clone])
  const dockerfile = readParts(readFileSync(join(clone, "Dockerfile"), "utf8"))
  leaveOut(clone, readFileSync(join(clone, ".dockerignore"), "utf8"))
  assert.not.ok(["Dockerfile", ".git", ".vscode"].some((name) => existsSync(join(clone, name))))
  // The program shows that it knows the names of other containers and its own user.
  mkdirSync(join(clone, "app/api/machine"))
  writeFileSync(
    join(clone, "app/api/machine/route.ts"),
    `import { lookup } from "node:dns/promises"
import { writeFileSync } from "node:fs"
import { homedir, tmpdir, userInfo } from "node:os"
import type { Context } from "fw"
export async function Post(c: Context) {
  for (const folder of ["data", tmpdir()]) writeFileSync(\`\${folder}/saved\`, "yes")
  const { address } = await lookup("redis")
  return c.json(200, { redis: address, home: homedir(), user: userInfo().username })
}
`,
  )
  for (const line of named(dockerfile[0] ?? [], "RUN")) await inside(clone, "/bin/sh", "-c", line)
  const rootfs = join(user.folder, "rootfs")
  const image = fillImage(dockerfile, clone, rootfs)
  // Every container has this file.
  writeFileSync(join(rootfs, "etc/hosts"), "127.0.0.9 redis\n")
  const served = await serveInRoot(rootfs, image, image.env)
  await assertServes(Number(new URL(served.url).port))
  const headers = { origin: served.url }
  const machine = await fetch(`${served.url}/api/machine`, { method: "POST", headers })
  assert.equal(await machine.json(), { redis: "127.0.0.9", home: "/srv", user: "nonroot" })
  assert.is(await served.stop(), 0)
  for (const name of ["rootfs", "clone/image", "clone/own", "clone/app/api/machine"])
    rmSync(join(user.folder, name), { recursive: true })
})

scripts(
  "a clone passes its checks with its copy of fw, and fw validate finds no problem in the examples of AGENTS.md",
  async () => {
    const clone = join(user.folder, "clone")
    const text = readFileSync(join(clone, "AGENTS.md"), "utf8")
    for (const { file, code } of readExamples("AGENTS.md", text)) {
      const path = join(clone, file.replace("AGENTS/", ""))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, code)
    }
    mkdirSync(join(clone, "app/users"))
    writeFileSync(join(clone, "app/users/page.tpl"), /```tpl\n([\s\S]*?)```/.exec(text)?.[1] ?? "")
    assert.match((await inside(clone, "npm", "test")).stdout, /10 passed \(10 tests in 3 files/)
    await inside(clone, "npm", "run", "check")
    const { stdout } = await inside(clone, "npx", "fw", "validate", "--json")
    assert.is(JSON.parse(stdout).data.valid, true)
  },
)

scripts("a project with only an API passes its tests and checks", async () => {
  await user.run(["npx", "fw", "new", "orders", "--api-only"], { env })
  await inside(orders, "npx", "tsc", "--noEmit")
  assert.match((await inside(orders, "npm", "test")).stdout, /6 passed \(6 tests in 1 file,/)
})

scripts.run()

const lent = suite("without a fw of its own")

for (const [what, prepare, says] of [
  ["none", () => {}, /fw is not installed in this project, so this command's own copy is used/],
  [
    "a stranger's",
    (directory: string) => {
      mkdirSync(directory)
      writeFileSync(join(directory, "package.json"), '{ "name": "fw", "version": "9.9.9", "main": "index.js" }')
      writeFileSync(join(directory, "index.js"), 'throw new Error("the stranger runs")')
    },
    /the fw in node_modules is another package of that name, so this command's own copy is used/,
  ],
] as const) {
  lent(`with ${what} in node_modules, fw dev and fw build use the command's copy and say so`, async () => {
    // The project is in another directory, because the folder of the new user contains a node_modules above it.
    const cwd = join(project({}), "shop")
    renameSync(shop, cwd)
    const installed = join(cwd, "node_modules/fw")
    const aside = join(user.folder, "aside")
    renameSync(installed, aside)
    try {
      prepare(installed)
      const command = join(user.folder, "node_modules/.bin/fw")
      const said = await serving(
        (onLine) => user.start([command, "dev", "--port", "0"], { cwd, env, onLine }),
        local,
        assertServes,
      )
      assert.match(said, says)
      assert.not.match(said, /warning|Cannot find module/)
      const { output } = await inside(cwd, command, "build", "--target", "node")
      assert.match(output, says)
      rmSync(installed, { recursive: true, force: true })
      await serving(
        (onLine) => user.start(["node", "dist/node/server.mjs"], { cwd, env: { ...env, PORT: "0" }, onLine }),
        /Listening on .*:(\d+)/,
        assertServes,
      )
    } finally {
      rmSync(installed, { recursive: true, force: true })
      renameSync(aside, installed)
      renameSync(cwd, shop)
    }
  })
}

lent.run()
