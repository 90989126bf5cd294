/** `fw generate templates`: which files it writes, when it leaves them alone, and what it refuses. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, program, project, runNode } from "./support/command.ts"

const command = ["generate", "templates"]
const route = "export function Get() { return new Response() }\n"
const files = [".fw/routes.ts", ".fw/start.node.ts", ".fw/entry.node.ts"]

const generate = suite("fw generate templates")

generate("the tree, the start and the entry are written, and only when they change", async () => {
  const cwd = project({ "app/api/hello/route.ts": route, "main.ts": "" })
  const written = files.map((file) => `  written    ${file}\n`).join("")
  const unchanged = files.map((file) => `  unchanged  ${file}\n`).join("")
  assert.equal(await fw(command, { cwd }), { code: 0, stdout: written, stderr: "" })
  const times = () => files.map((file) => statSync(join(cwd, file)).mtimeMs)
  const before = times()
  assert.equal(await fw(command, { cwd }), { code: 0, stdout: unchanged, stderr: "" })
  assert.equal(times(), before)
  assert.equal(readdirSync(join(cwd, ".fw")).sort(), ["entry.node.ts", "routes.ts", "start.node.ts"])
  assert.match(readFileSync(join(cwd, ".fw/routes.ts"), "utf8"), '"pattern": "/api/hello"')
})

generate("a new route changes the tree alone; an edited file is written anew", async () => {
  const cwd = project({ "app/api/hello/route.ts": route })
  await fw(command, { cwd })
  writeFileSync(join(cwd, "app/api/hello/route.ts"), `${route}export const Post = Get\n`)
  writeFileSync(join(cwd, ".fw/start.node.ts"), "// mine\n")
  const { stdout } = await fw([...command, "--json"], { cwd })
  assert.equal(JSON.parse(stdout), {
    success: true,
    data: { written: [".fw/routes.ts", ".fw/start.node.ts"], unchanged: [".fw/entry.node.ts"] },
  })
})

generate("the entry imports the project's own main, whatever its ending, or makes an app", async () => {
  for (const main of ["main.ts", "main.mts", "main.js", "main.mjs"]) {
    const cwd = project({ "app/route.ts": route, [main]: "" })
    await fw(command, { cwd })
    assert.match(readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"), `import app from "../${main}"\n`)
  }
  const cwd = project({ "pages/route.ts": route })
  assert.is((await fw([...command, "-d", "pages"], { cwd })).code, 0)
  assert.match(readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"), 'new App({ appDir: "pages" })')
})

generate("a project that registers everything by hand has an empty tree", async () => {
  const cwd = project({ "main.ts": "" })
  assert.is((await fw(command, { cwd })).code, 0)
  assert.match(readFileSync(join(cwd, ".fw/routes.ts"), "utf8"), '"routes": []')
})

generate("mistakes write nothing", async () => {
  for (const [given, args, problem] of [
    [{}, [], 'there is no directory "app"'],
    [{ "app/route.ts": route }, ["--app-dir", "routes"], 'there is no directory "routes"'],
    [
      { "app/route.ts": "export function GET() {}\n" },
      [],
      "app/route.ts:1:1: GET is no name that fw reads, but close to Get",
    ],
  ] as const) {
    const cwd = project(given as Record<string, string>)
    const ran = await fw([...command, ...args], { cwd })
    assert.is(ran.code, 1)
    assert.is(ran.stdout, "")
    assert.ok(ran.stderr.includes(problem), ran.stderr)
    assert.is(existsSync(join(cwd, ".fw")), false)
  }
})

generate("the program itself, with colours for a terminal", async () => {
  const cwd = project({ "app/route.ts": route })
  const ran = await runNode([program, ...command], { cwd, env: { FORCE_COLOR: "1" } })
  assert.is(ran.stderr, "")
  assert.match(ran.stdout, "\x1b[32mwritten\x1b[39m    .fw/routes.ts")
  assert.match((await fw([...command, "--help"])).stdout, "fw generate templates [flags]")
})

generate.run()
