/**
 * Tests of the scripts of all examples, and of their entries in the workspace. `npm test` and `npm run test:slow`
 * run the tests of the examples themselves.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { project, type Ran, runNode } from "../support/bin/cli/command.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8")
const names = readdirSync(join(root, "examples"))

/** Runs a script of a project as its user does. */
function npm(script: string, cwd: string): Promise<Ran> {
  const run = `process.exit(require("node:child_process").spawnSync("npm run --silent ${script}", { shell: true, stdio: "inherit" }).status)`
  return runNode(["--input-type=commonjs", "-e", run], { cwd, env: { NODE_V8_COVERAGE: undefined } })
}

/** Copies the scripts of an example, with other tests. */
function copy(name: string, tests: Readonly<Record<string, string>>): string {
  const directory = project({ "package.json": read("examples", name, "package.json"), ...tests })
  for (const part of ["tsconfig.json", "main.ts", "app", "db", "lib", "static"]) {
    const source = join(root, "examples", name, part)
    if (existsSync(source)) cpSync(source, join(directory, part), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"), "junction")
  return directory
}

const examples = suite("examples")

examples("each example is private, uses the fw of the repository, and has a README and scripts", () => {
  assert.ok(names.length > 0)
  for (const name of names) {
    const { type, private: isPrivate, dependencies, scripts } = JSON.parse(read("examples", name, "package.json"))
    assert.equal([type, isPrivate, dependencies.fw], ["module", true, "file:../.."])
    assert.is(scripts.dev, "fw dev")
    for (const script of ["check", "test"]) assert.match(scripts[script], /^fw generate templates && /)
    assert.match(read("examples", name, "README.md"), /^# /)
  }
})

examples("package-lock.json links the examples, and names no registry", () => {
  const { packages } = JSON.parse(read("package-lock.json"))
  for (const name of names) assert.is(packages[`node_modules/${name}`]?.resolved, `examples/${name}`)
  const hosts = Object.values<{ resolved?: string }>(packages).filter(({ resolved }) => resolved?.includes("://"))
  assert.equal(hosts, [])
})

for (const name of names) {
  examples(
    `${name}: npm test in a copy runs its tests, runs no deleted test, and fails if there is no test`,
    async () => {
      const test = `import { test } from "uvu"\ntest("one", () => {})\ntest.run()\n`
      const directory = copy(name, { "tests/one.test.ts": test, ".fw/tests/gone.test.js": "throw new Error()" })
      const good = await npm("test", directory)
      assert.is(good.code, 0, good.stdout + good.stderr)
      assert.match(good.stdout, /Total: {5}1\D[\s\S]*Passed: {4}1\D/)
      const bad = await npm("test", copy(name, {}))
      assert.is.not(bad.code, 0, bad.stdout + bad.stderr)
    },
  )

  examples(`${name}: npm run check finds a wrong type in a route`, async () => {
    const directory = copy(name, {})
    const good = await npm("check", directory)
    assert.equal(good, { ...good, code: 0 }, good.stdout)
    const wrong = `import type { Context } from "fw"\nexport const Get = (c: Context<"id">) => c.string(200, c.param("di"))\n`
    mkdirSync(join(directory, "app", "wrong"))
    writeFileSync(join(directory, "app", "wrong", "route.ts"), wrong)
    const bad = await npm("check", directory)
    assert.is.not(bad.code, 0)
    assert.match(bad.stdout, /app\/wrong\/route\.ts\(2,\d+\): error TS2345/)
  })
}

examples.run()
