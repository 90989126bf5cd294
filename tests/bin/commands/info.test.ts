/**
 * Tests of `fw info`: what it reports about a project and its machine, if tools are installed and if they are
 * missing.
 */
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { getTypeScriptInstallCommand, readVersion } from "../../../bin/cli/version.ts"
import type { InfoData } from "../../../bin/commands/info.ts"
import { fw, program, project, runNode } from "../../support/bin/cli/command.ts"

const root = realpathSync(fileURLToPath(new URL("../../../", import.meta.url)))
const route = "export function Get() {}\n"

/** Returns an environment with only these programs in `PATH`. Each prints a line. */
function machine(programs: Readonly<Record<string, string>>): { PATH: string; HOME: string } {
  const PATH = project({})
  for (const [name, line] of Object.entries(programs)) {
    writeFileSync(join(PATH, name), `#!/bin/sh\necho "${line}"\n`)
    chmodSync(join(PATH, name), 0o755)
  }
  return { PATH, HOME: PATH }
}

async function info(cwd: string, env: Record<string, string> = machine({}), ...flags: string[]): Promise<InfoData> {
  const { code, stdout, stderr } = await fw(["info", "--json", ...flags], { cwd, env })
  assert.is(code, 0, stdout + stderr)
  return JSON.parse(stdout).data
}

test("fw info reports the project's name, directories, main file and counts", async () => {
  const cwd = project({
    "package.json": '{ "name": "shop", "dependencies": { "fw": "file:vendor/fw.tgz" } }',
    "main.mts": "export default 1\n",
    "app/api/a/[[...b]]/route.ts": route,
    "app/page.tpl": "template Page() {}",
    "app/layout.tpl": "template Layout() {{children}}",
    "app/middleware.ts": "export function Middleware() {}\n",
    "app/proxy.ts": "export function Proxy() {}\n",
  })
  const { name, root: directory, appDir, hasAppDir, main, counts, problems, fw } = await info(cwd)
  assert.equal(
    { name, directory, appDir, hasAppDir, main, counts, problems },
    {
      name: "shop",
      directory: cwd,
      appDir: "app",
      hasAppDir: true,
      main: "main.mts",
      counts: { routes: 3, pages: 1, layouts: 1, middleware: 1, proxy: 1 },
      problems: 0,
    },
  )
  assert.equal(fw, {
    command: { version: readVersion(), path: root },
    project: null,
    declared: "file:vendor/fw.tgz",
  })
})

test("fw info works in a project without a name or a route directory, and takes another directory with -d", async () => {
  const cwd = project({ "package.json": "no JSON", "main.js": "" })
  const { name, hasAppDir, counts, fw } = await info(cwd)
  assert.equal([name, hasAppDir, counts.routes, fw.declared], [cwd.split("/").at(-1), false, 0, null])
  const other = project({ "src/x/route.ts": route })
  for (const directory of ["src", "./src/", join(other, "src")]) {
    const { appDir, counts } = await info(other, machine({}), "-d", directory)
    assert.equal([appDir, counts.routes], ["src", 1])
  }
})

test("fw info reports packages of the project, programs of the machine, and missing tools", async () => {
  const cwd = project({ "app/a/route.ts": route })
  const none = await info(cwd)
  assert.equal(
    Object.values(none.tools),
    Object.keys(none.tools).map(() => null),
  )
  assert.equal(none.node, { version: process.versions.node, path: process.execPath })
  mkdirSync(join(cwd, "node_modules"))
  for (const name of ["fw", "esbuild", "typescript"])
    symlinkSync(name === "fw" ? root : join(root, "node_modules", name), join(cwd, "node_modules", name))
  const css = join(project({}), "css")
  writeFileSync(css, "#!/bin/sh\necho 'compiler v4.0.0'\n", { mode: 0o755 })
  const env = machine({ git: "git version 2.39.5", deno: "deno 2.1.4 (stable)", bun: "?" })
  const { fw, tools } = await info(cwd, { ...env, PATH: `${env.PATH}:/bin`, FW_CSS_BINARY: css })
  assert.equal(fw.project, { version: readVersion(), path: root })
  assert.equal(tools.css, { version: "4.0.0", path: css })
  assert.equal(
    [tools.git, tools.deno, tools.bun],
    [
      { version: "2.39.5", path: "git" },
      { version: "2.1.4", path: "deno" },
      { version: null, path: "bun" },
    ],
  )
  assert.match(tools.esbuild?.version ?? "", /^\d+\.\d+/)
  assert.match(tools.typescript?.path ?? "", /node_modules\/typescript$/)
})

test("fw info reports generated files as missing, current or stale", async () => {
  const cwd = project({ "app/api/a/route.ts": route, "app/page.tpl": "template Page() { <p>x</p> }\n" })
  const state = async () => (await info(cwd)).generated
  const all = [".fw/entry.node.ts", ".fw/links.ts", ".fw/routes.ts", ".fw/start.node.ts", "app/page.tpl.ts"]
  assert.equal(await state(), { state: "missing", stale: all })
  await fw(["generate", "templates"], { cwd })
  assert.equal(await state(), { state: "current", stale: [] })
  writeFileSync(join(cwd, "app/page.tpl"), "template Page() { <b>x</b> }\n")
  assert.equal(await state(), { state: "stale", stale: ["app/page.tpl.ts"] })
  rmSync(join(cwd, "app/page.tpl"))
  assert.equal(await state(), { state: "stale", stale: [".fw/links.ts", ".fw/routes.ts", "app/page.tpl.ts"] })
  writeFileSync(join(cwd, "app/api/a/route.ts"), "export const GET = 1\n")
  const { problems, generated } = await info(cwd)
  assert.equal([problems, generated], [1, null])
})

test("without --json, fw info prints text", async () => {
  const cwd = realpathSync(
    project({ "package.json": '{ "name": "shop" }', "app/a/route.ts": "export const GET = 1\n" }),
  )
  const width = Math.max(readVersion().length, process.versions.node.length, "2.39.5".length)
  const row = (name: string, version: string, place: string) => `${name.padEnd(10)}  ${version.padEnd(width)}  ${place}`
  const rows = [
    row("fw", readVersion(), `${root}, this command's own copy`),
    row("node", process.versions.node, process.execPath),
    row("esbuild", "–", "not found: npm install --save-dev esbuild"),
    row("typescript", "–", `not found: ${getTypeScriptInstallCommand()}`),
    row("css", "–", "not found: fw css install"),
    row("git", "2.39.5", "git"),
    ...["npm", "bun", "deno"].map((name) => row(name, "–", "not found")),
  ]
  const { code, stdout } = await runNode([program, "info"], {
    cwd,
    env: machine({ git: "git version 2.39.5" }),
  })
  assert.is(code, 0)
  assert.is(
    stdout,
    `Project
  Name       shop
  Directory  ${cwd}
  Routes     app
  Main       none: fw creates the App
  Generated  not checked: 1 problem in the routes

Contains
  Routes      0
  Layouts     0
  Middleware  0
  Proxy       no

Tools
${rows.map((row) => `  ${row}\n`).join("")}
1 problem in the routes: run fw validate to see them.
`,
  )
})

test("fw info fails outside a project, and says what to do", async () => {
  const { code, stderr } = await fw(["info"], { cwd: project({}) })
  assert.is(code, 1)
  assert.match(stderr, /has neither a directory "app" nor a main\.ts\n {2}Run this in a project's own directory/)
})

test.run()
