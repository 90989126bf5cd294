/** The scripts on a small clone: what they build, and that the last line counts every failure. */
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { project, type Ran, runNode } from "../support/bin/cli/command.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const source = (name: string) => readFileSync(join(root, name), "utf8")

const sum = "/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b\n}\n"
const passing = `import { test } from "uvu"
import * as assert from "uvu/assert"
import { add } from "../lib/index.ts"

test("add() adds two numbers", () => assert.is(add(1, 2), 3))
test.run()
`
const files = {
  "package.json": source("package.json"),
  "package-lock.json": source("package-lock.json"),
  "tsconfig.json": source("tsconfig.json"),
  "tsconfig.edge.json": source("tsconfig.edge.json"),
  // Without the part that asks git what to leave out: there is no repository here.
  "biome.json": source("biome.json")
    .replace(/\n.*"vcs".*/, "")
    .replace(/"includes": \[.*?\]/, '"includes": ["lib/**"]'),
  "vendor/urlpattern.ts": source("vendor/urlpattern.ts"),
  ".ci/run": source(".ci/run"),
  "tests/runtimes/versions.json": source("tests/runtimes/versions.json"),
  "lib/index.ts": sum,
  "bin/fw.ts": "#!/usr/bin/env node\nconsole.log(process.cwd(), process.argv.slice(2))\n",
  "examples/tasks/main.ts": "export default 1\n",
  "tests/a.test.ts": passing,
}

function clone(changes: Record<string, string> = {}): string {
  const directory = project({ ...files, ...changes })
  for (const part of ["scripts", "explorer", join("vendor", "css")]) {
    cpSync(join(root, part), join(directory, part), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  return directory
}

function script(directory: string, name: string, ...args: string[]): Promise<Ran> {
  return runNode([join(directory, "scripts", name), ...args], { cwd: directory })
}

/** The last line, and whether the exit code agrees with it. */
function closing({ code, stdout }: Ran): string {
  const lines = stdout.trimEnd().split("\n")
  const line = lines.at(-1) as string
  assert.is(code, line.endsWith(" 0 failed") ? 0 : 1)
  assert.is(lines.filter((other) => /^\d+ passed, \d+ failed$/.test(other)).length, 1)
  return line
}

test("a correct clone passes, and is not built again", async () => {
  const directory = clone()
  const first = await script(directory, "test.mjs", "--coverage")
  assert.is(closing(first), "1 passed, 0 failed")
  assert.match(first.stdout, "✓ coverage: 100.0 % of the lines of lib/ and adapters/node (1 files)")
  assert.is(existsSync(join(directory, "dist/vendor/urlpattern.js")), true)
  assert.match(
    readFileSync(join(directory, "dist/vendor/urlpattern.js"), "utf8"),
    /^\/\*!\nurlpattern-polyfill@.*Intel/s,
  )

  const marked = join(directory, "dist/lib/index.js")
  writeFileSync(marked, `${readFileSync(marked, "utf8")}// not built again\n`)
  assert.equal(await script(directory, "setup.mjs"), { code: 0, stdout: "", stderr: "" })
  assert.match(readFileSync(marked, "utf8"), "not built again")

  const second = await script(directory, "test.mjs")
  assert.is(closing(second), "1 passed, 0 failed")
  assert.not.match(second.stdout, "coverage")
})

test("a changed file is built, and the output of a deleted one is removed", async () => {
  const directory = clone({ "tests/old.test.ts": passing })
  await script(directory, "setup.mjs")
  rmSync(join(directory, "tests/old.test.ts"))
  writeFileSync(join(directory, "lib/index.ts"), sum.replace("a + b", "a - b"))
  assert.is(closing(await script(directory, "test.mjs", "test")), "0 passed, 1 failed")
})

test("types, format, coverage, a skip and each bad file count as one failure each", async () => {
  const ran = await script(
    clone({
      "lib/index.ts": `${sum}export const x: string = 1;\nexport function never() {\n${"  x.trim()\n".repeat(99)}}\n`,
      "tests/empty.test.ts": "export {}\n",
      "tests/fails.test.ts": passing.replace("3))", "4))"),
      "tests/skips.test.ts": passing.replace("test.run", "test.skip('x')\ntest.run"),
    }),
    "test.mjs",
    "--coverage",
  )
  // Failures: types, the core's types, format, empty, fails, the skip, coverage.
  assert.is(closing(ran), "2 passed, 7 failed")
  for (const line of [
    "✗ types",
    "✗ lint and format",
    "✗ core without Node's types",
    "✗ dist/tests/empty.test.js (0 passed",
    "✗ dist/tests/fails.test.js (0 passed, 1 failed",
    "✗ no test is skipped",
    "✗ coverage",
    "lib/index.ts(5,14): error TS2322",
    "dist/tests/empty.test.js has no test that ran: is test.run() missing?",
  ]) {
    assert.match(ran.stdout, line)
  }
})

test("names choose files without checks, and a name that matches nothing fails", async () => {
  const directory = clone({
    "tests/b.test.ts": passing,
    "tests/slow/c.test.ts": passing.replace("../", "../../"),
  })
  const one = await script(directory, "test.mjs", "b.test")
  assert.is(closing(one), "1 passed, 0 failed")
  assert.not.match(one.stdout, "coverage")
  assert.is(closing(await script(directory, "test.mjs", "nothing")), "0 passed, 1 failed")
  assert.is(closing(await script(directory, "test.mjs", "--slow")), "1 passed, 0 failed")
})

test("in CI a file runs once, and what fails has failed", async () => {
  // It would pass the second time.
  const once = `import { existsSync, writeFileSync } from "node:fs"
const isSecond = existsSync("ran")
writeFileSync("ran", "")
${passing.replace("3))", "isSecond ? 3 : 4))")}`
  const directory = clone({ "tests/once.test.ts": once })
  const { stdout, code } = await runNode([join(directory, "scripts/test.mjs")], {
    env: { ...process.env, CI: "true" },
  })
  assert.is(stdout.split("✗ dist/tests/once.test.js").length, 2, stdout)
  assert.match(stdout, /\n1 passed, \d+ failed\n$/)
  assert.is(code, 1)
})

test("an example is tested by its own scripts, and checked in the slow suite", async () => {
  const scripts = { check: "exit 3", test: "uvu . '[.]test[.]mjs$'" }
  const example = (name: string) => ({
    [`examples/${name}/package.json`]: JSON.stringify({ name, private: true, scripts }),
    [`examples/${name}/x.test.mjs`]: 'import { test } from "uvu"\ntest("x", () => {})\ntest.run()\n',
  })
  const directory = clone({ ...example("tasks"), ...example("auth"), "examples/bare/package.json": "{}" })
  const fast = await script(directory, "test.mjs")
  assert.is(closing(fast), "2 passed, 0 failed")
  assert.match(fast.stdout, "✓ examples/tasks (1 passed")
  assert.not.match(fast.stdout, "auth")
  const slow = await script(directory, "test.mjs", "--slow")
  assert.is(closing(slow), "1 passed, 2 failed")
  assert.match(slow.stdout, "✗ examples/tasks (npm run check)")
  assert.match(slow.stdout, "✗ examples/auth (npm run check)")
  assert.match(slow.stdout, "✓ examples/auth (1 passed")
  assert.is(closing(await script(directory, "test.mjs", "tasks")), "1 passed, 0 failed")
})

test("tests use a temporary directory that is removed after the run, unless TMPDIR is set", async () => {
  const says =
    'import { tmpdir } from "node:os"\nimport { test } from "uvu"\ntest("x", () => { throw new Error("in <" + tmpdir() + ">") })\ntest.run()\n'
  const directory = clone({ "tests/a.test.ts": says })
  const chosen = join(directory, "tmp")
  for (const [env, expected] of [
    [{ TMPDIR: chosen }, (place: string) => place === chosen],
    [{ TMPDIR: "" }, (place: string) => place === "/tmp" || !existsSync(place)],
  ] as const) {
    const ran = await runNode([join(directory, "scripts/test.mjs"), "a.test"], { cwd: directory, env })
    const place = /in <(.*?)>/.exec(ran.stdout)?.[1]
    assert.ok(place && expected(place), ran.stdout)
  }
})

test("npm start runs `fw dev` in the example, with the given arguments", async () => {
  const directory = clone()
  const { stdout } = await script(directory, "start.mjs", "--port", "0")
  assert.is(stdout, `${join(directory, "examples/tasks")} [ 'dev', '--port', '0' ]\n`)
})

test.run()
