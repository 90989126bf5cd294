/** Tests of `fw build` without a Node program: what is refused before any work, and how mistakes are reported. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../support/bin/cli/command.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"

process.env.FW_LOG_LEVEL = "off"

const app = { "app/api/hello/route.ts": route("hello") }

interface Failed {
  readonly code: string
  readonly message: string
  readonly fix: string
  readonly at?: { readonly file: string; readonly line?: number; readonly column?: number }
  readonly problems?: readonly Failed[]
}

/** Runs a build that fails, and checks that it leaves no files. */
async function fail(cwd: string, ...args: string[]): Promise<Failed & { exit: number }> {
  const { code, stdout } = await fw(["build", "--json", ...args], { cwd, env: { HOME: cwd } })
  const { success, error } = JSON.parse(stdout) as { success: boolean; error: Failed }
  assert.is(success, false)
  const left = existsSync(join(cwd, ".fw")) ? readdirSync(join(cwd, ".fw")) : []
  assert.equal(
    left.filter((name) => name.includes("partial")),
    [],
  )
  return { ...error, exit: code }
}

const text = "export const a = 1\n"
const refused: ReadonlyArray<
  readonly [what: string, args: string[], code: string, message: RegExp, fix: RegExp, exit?: number]
> = [
  [
    "a machine for which there is no Node",
    ["--os", "windows", "--arch", "arm64"],
    "build_machine",
    /no Node [\d.]+ package for windows\/arm64/,
    /linux\/amd64, linux\/arm64, darwin\/amd64, darwin\/arm64, windows\/amd64/,
  ],
  ["an unknown system", ["--os", "plan9"], "invalid_value", /plan9/, /linux/, 2],
  ["an unknown target", ["--target", "rhino"], "invalid_value", /rhino/, /workers/, 2],
  ["a target with a system", ["--target", "node", "--os", "linux"], "usage", /--os is for executables/, /Leave out/, 2],
  ["a target with a processor", ["--target", "bun", "--arch", "arm64"], "usage", /--arch is for/, /Leave out/, 2],
  ["an output that is a directory", ["-o", "lib"], "build_output", /lib is a directory/, /lib\/app/],
  ["an output with a slash at its end", ["-o", "out/"], "build_output", /is a directory/, /out\/app/],
  [
    "an output that is a source file",
    ["-o", "main.ts"],
    "build_output",
    /main\.ts is not an executable, so it is not overwritten/,
    /--output/,
  ],
  ["an output in the routes", ["-o", "app/bin"], "build_output", /inside app\//, /outside/],
  ["an output in the static files", ["-o", "static/app"], "build_output", /inside static\//, /outside/],
  ["an output below a file", ["-o", "main.ts/app"], "build_output", /cannot be written/, /--output/],
  [
    "a bundle in place of another directory",
    ["--target", "node", "-o", "lib"],
    "build_output",
    /lib was not written by fw build, so it is not overwritten/,
    /--output/,
  ],
  [
    "a bundle in place of a file",
    ["--target", "node", "-o", "main.ts"],
    "build_output",
    /main\.ts is a file, not a directory/,
    /--output/,
  ],
  ["a bundle in the routes", ["--target", "node", "-o", "app/out"], "build_output", /inside app\//, /outside/],
]
for (const [what, args, code, message, fix, exit = 1] of refused) {
  test(`fw build refuses ${what}`, async () => {
    const cwd = makeProject({ ...app, "main.ts": text, "lib/a.ts": text })
    const error = await fail(cwd, ...args)
    assert.equal([error.code, error.exit], [code, exit])
    assert.match(error.message, message)
    assert.match(error.fix, fix)
    assert.is(readFileSync(join(cwd, "main.ts"), "utf8"), text)
    assert.equal(readdirSync(join(cwd, "lib")), ["a.ts"])
  })
}

test("fw build refuses a directory that is not a project", async () => {
  const error = await fail(project({}))
  assert.is(error.code, "no_project")
})

test("fw build refuses a project without esbuild, and says how to install it", async () => {
  const error = await fail(makeProject(app, ["fw"]), "--target", "node")
  assert.equal([error.code, error.fix], ["esbuild_missing", "Install it: npm install --save-dev esbuild"])
})

const mistakes: ReadonlyArray<
  readonly [what: string, files: Record<string, string>, at: object, message: RegExp, fix: RegExp]
> = [
  [
    "a package that is not installed",
    { "lib/a.ts": 'import x from "left-pad/deep"\nexport const a = x\n' },
    { file: "lib/a.ts", line: 1, column: 15 },
    /^Could not resolve "left-pad\/deep"\n\n> 1 \| import x from "left-pad\/deep"\n/,
    /^Install it: npm install left-pad\. Or correct its name\. If the program runs without it/,
  ],
  [
    "a file that is not there",
    { "lib/a.ts": 'export const a = 1\nexport * from "./b.ts"\n' },
    { file: "lib/a.ts", line: 2, column: 15 },
    /^Could not resolve "\.\/b\.ts"/,
    /Correct the path/,
  ],
  [
    "a template under its own name",
    {
      "app/list/page.tpl": "template Page() {<p>list</p>}\n",
      "lib/a.ts": 'export { Page as a } from "../app/list/page.tpl"\n',
    },
    { file: "lib/a.ts", line: 1, column: 27 },
    /^No loader is configured for "\.tpl" files/,
    /^Import the compiled template, which fw writes next to it: page\.tpl\.ts$/,
  ],
  [
    "a name that is not exported",
    {
      "lib/a.ts": 'import { nope } from "./c.ts"\nexport const a = nope\n',
      "lib/c.ts": "export const c = 1\n",
    },
    { file: "lib/a.ts", line: 1, column: 10 },
    /No matching export in "lib\/c\.ts" for import "nope"/,
    /./,
  ],
  [
    "a misspelled name",
    {
      "lib/a.ts": 'import { addContac } from "./c.ts"\nexport const a = addContac\n',
      "lib/c.ts": "export const addContact = 1\n",
    },
    { file: "lib/a.ts", line: 1, column: 10 },
    /No matching export in "lib\/c\.ts" for import "addContac"/,
    /^Did you mean addContact\?$/,
  ],
  [
    "a path without its extension",
    {
      "package.json": '{ "type": "module", "imports": { "#lib/*": "./lib/*" } }',
      "lib/a.ts": 'export { c as a } from "#lib/c"\n',
      "lib/c.ts": "export const c = 1\n",
    },
    { file: "lib/a.ts", line: 1, column: 24 },
    /^Could not resolve "#lib\/c"/,
    /^Add "\.ts" to the path: "#lib\/c\.ts"$/,
  ],
  [
    "a syntax error",
    { "lib/a.ts": "export const a = = 1\n" },
    { file: "lib/a.ts", line: 1, column: 18 },
    /Unexpected "="[\s\S]*\^/,
    /./,
  ],
]
for (const [what, files, at, message, fix] of mistakes) {
  test(`fw build reports the position of ${what}`, async () => {
    const main = 'import { App } from "fw"\nimport "./lib/a.ts"\nexport default new App()\n'
    const error = await fail(makeProject({ ...app, "main.ts": main, ...files }), "--target", "node")
    assert.is(error.code, "bundle")
    const [first] = error.problems ?? []
    assert.equal(first?.at, at)
    assert.match(first?.message ?? "", message)
    assert.match(first?.fix ?? "", fix)
  })
}

const several: ReadonlyArray<readonly [what: string, imported: string, message: RegExp, fix: RegExp]> = [
  [
    "a missing module",
    'import { a } from "../../lib/gone.ts"',
    /^Could not resolve "\.\.?\/.*gone\.ts"\n/,
    /^Correct the path, or write the file\. 3 more files import it: app\/b\/page\.tpl, .*\.$/,
  ],
  [
    "a missing export",
    'import { a } from "../../lib/x.ts"',
    /^No matching export in "lib\/x\.ts" for import "a"\n/,
    /^Did you mean b\? 3 more files import it: app\/b\/page\.tpl, .*\.$/,
  ],
]
for (const [what, imported, message, fix] of several) {
  test(`fw build reports ${what} once, with the other files that import it`, async () => {
    const route = `${imported}\nexport const Get = () => new Response(a)\n`
    const error = await fail(
      makeProject({
        ...app,
        "lib/x.ts": "export const b = 1\n",
        "lib/other.ts": `${imported.replace("../../lib", ".")}\nexport const other = a\n`,
        "app/a/route.ts": `import "../../lib/other.ts"\n${route}`,
        "app/b/page.tpl": `${imported}\n\ntemplate Page() {\n  <p>{a}</p>\n}\n`,
        "app/c/route.ts": route,
      }),
      "--target",
      "node",
    )
    const [first, ...others] = error.problems ?? []
    assert.equal(others, [])
    assert.match(first?.message ?? "", message)
    assert.match(first?.fix ?? "", fix)
  })
}

test("fw build reports the position of mistakes in a template, also of wrong types", async () => {
  const cwd = makeProject({ ...app, "app/page.tpl": 'template Page() {\n  <p class={nope}>{"a".sice(1)}</p>\n}\n' }, [
    "fw",
    "esbuild",
    "typescript",
  ])
  const error = await fail(cwd, "--target", "node")
  assert.is(error.code, "templates")
  assert.equal(
    error.problems?.map(({ at }) => at),
    [
      { file: "app/page.tpl", line: 2, column: 13 },
      { file: "app/page.tpl", line: 2, column: 24 },
    ],
  )
})

test("fw build reports the file of a mistake in the routes", async () => {
  const cwd = makeProject({ "app/api/a/route.ts": "export function GET() {}\n" })
  const error = await fail(cwd, "--target", "node")
  assert.is((error.problems ?? [error])[0]?.at?.file, "app/api/a/route.ts")
})

test("a value that is only known when the program runs causes a warning with its position", async () => {
  const cwd = makeProject({
    ...app,
    "main.ts":
      'import { App } from "fw"\nconst app = new App()\napp.static("/up", process.env.UP ?? "up")\nexport const load = (name: string) => import(name)\nexport const here = import.meta.url\nexport default app\n',
  })
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: {} })
  assert.is(code, 0)
  assert.match(
    stderr,
    /warning: the directory of app\.static\(\) is known only when the program runs[^\n]*\n {2}main\.ts:3:19\n/,
  )
  assert.match(stderr, /warning: what this imports is known only when the program runs[^\n]*\n {2}main\.ts:4:39\n/)
  assert.match(stderr, /warning: import\.meta has the path of the built program[^\n]*\n {2}main\.ts:5\n/)
})

test("a link that no route answers causes a warning with its position, and does not stop the build", async () => {
  const page = 'template Page() {\n  <p><a href="/api/nope">x</a></p>\n}\n'
  const cwd = makeProject({ ...app, "app/page.tpl": page })
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: {} })
  assert.is(code, 0)
  assert.match(stderr, /warning: no route answers GET \/api\/nope[^\n]*\n {2}app\/page\.tpl:2:9\n/)
})

test("fw build refuses a package fw that is older than the command", async () => {
  const cwd = makeProject(app, ["esbuild"])
  mkdirSync(join(cwd, "node_modules/fw"))
  writeFileSync(
    join(cwd, "node_modules/fw/package.json"),
    '{ "name": "fw", "version": "0.0.1", "type": "module", "exports": { ".": "./index.js", "./html": "./index.js", "./package.json": "./package.json" } }',
  )
  writeFileSync(join(cwd, "node_modules/fw/index.js"), "export class App {}\nexport class FwError {}\n")
  assert.is((await fail(cwd, "--target", "node")).code, "fw_version")
})

test("a main.ts without a default export is an error about that file, not about generated code", async () => {
  const main = 'import { App } from "fw"\nexport const app = new App()\n'
  for (const target of ["node", "workers"]) {
    const { code, message } = await fail(makeProject({ ...app, "main.ts": main }), "--target", target)
    assert.is(code, "main")
    assert.match(message, /main\.ts has no default export/)
  }
})

test("native packages and addons cannot be part of a worker", async () => {
  const cwd = makeProject({
    "app/api/a/route.ts": 'import x from "own"\nexport function Get() {\n  return new Response(x)\n}\n',
    "app/api/b/route.ts": 'import x from "../../../lib/b.node"\nexport function Get() {\n  return new Response(x)\n}\n',
    "lib/b.node": "",
    "node_modules/own/package.json": '{ "name": "own", "main": "index.js" }',
    "node_modules/own/index.js": 'module.exports = require("./a.node")\n',
    "node_modules/own/a.node": "",
  })
  const error = await fail(cwd, "--target", "workers")
  const text = JSON.stringify(error)
  assert.match(text, /own has native code, which does not run in workers/)
  assert.match(text, /lib\/b\.node is native code, which does not run in workers/)
})

test.run()
