/**
 * Tests of the patterns that `fw generate auth` writes in a project from `fw new`: the tests of the project pass, and the
 * types are correct. generate-auth-files.test.ts checks that the files are those of the example, whose own tests cover
 * what they do. Here those tests run with PostgreSQL.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { patternNames } from "../../bin/generate/auth-patterns.ts"
import { type ProjectTemplate, readScaffoldFiles, renderPackageJSON } from "../../bin/new/scaffold.ts"
import { fw, program, project, runNode } from "../support/bin/cli/command.ts"
import { temporary } from "../support/examples/auth-app.ts"
import { startPostgres } from "../support/store/postgres.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const tests = join(root, "examples/auth/tests")
const modules = join(root, "node_modules")

/** Creates a new project with the packages of this repository. */
async function newProject(template: ProjectTemplate, dependencies: object = {}): Promise<string> {
  const cwd = project({})
  const { devDependencies: versions } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const options = { name: "mine", template, versions }
  for (const { file, content } of await readScaffoldFiles(options)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), content)
  }
  const manifest = JSON.parse(renderPackageJSON(options, "file:vendor/fw.tgz"))
  Object.assign(manifest.dependencies, dependencies)
  writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest))
  symlinkSync(modules, join(cwd, "node_modules"), "junction")
  return cwd
}

/** Replaces the tests of the project by tests of the example. Imports from this repository get an absolute path. */
function replaceTests(cwd: string, names: readonly string[]): void {
  rmSync(join(cwd, "tests"), { recursive: true })
  mkdirSync(join(cwd, "tests/support"), { recursive: true })
  const support = readdirSync(join(tests, "support")).map((name) => `support/${name}`)
  for (const file of [...support, ...names.map((name) => `${name}.test.ts`)]) {
    const text = readFileSync(join(tests, file), "utf8")
    const placed = text.replace(/"(?:\.\.\/)+tests\/support\//g, `"${join(root, "tests/support/")}`)
    writeFileSync(join(cwd, "tests", file), placed)
  }
}

async function run(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stdout, stderr } = await runNode(args, { cwd, env: { ...env, NODE_V8_COVERAGE: undefined } })
  assert.is(code, 0, `${args.join(" ")}\n${stdout}${stderr}`)
  return stdout
}

/** The example's tests that use the database. */
const postgresTests = [
  "session",
  "resets",
  "refresh",
  "api-key",
  "passkeys",
  "second-factor",
  "invitations",
  "oauth-accounts",
]

/** The flags of each step, with as few patterns as possible. */
const cases: ReadonlyArray<readonly [steps: readonly (readonly string[])[], template?: ProjectTemplate]> = [
  [[["--session"]], "api"],
  [[["--oauth", "--passkey"]]],
  [[["--two-factor", "--invitation"], ["--jwt"]]],
  [[["--api-key"], ["--roles"], ["--jwt"]], "api"],
]

async function generate(cwd: string, steps: readonly (readonly string[])[], DATABASE_URL = ""): Promise<void> {
  for (const flags of steps) {
    const { code, stderr } = await fw(["generate", "auth", ...flags], { cwd })
    assert.is(code, 0, stderr)
  }
  await run(cwd, [program, "test"], { TMPDIR: temporary(), AUTH_JWT_SECRET: "s".repeat(32), DATABASE_URL })
  await run(cwd, [join(modules, "typescript/bin/tsc"), "--noEmit"])
}

for (const [steps, template = "full-stack"] of cases) {
  const shown = steps.map((flags) => flags.join(" ")).join(", then ")
  test(`fw generate auth ${shown} works in a new project (${template})`, async () =>
    generate(await newProject(template), steps))
}

let server: Awaited<ReturnType<typeof startPostgres>> | undefined
test.after(() => server?.end())

test("all patterns of fw generate auth together work with PostgreSQL", async () => {
  server = await startPostgres()
  const address = `postgres://postgres@127.0.0.1:${server.port}/postgres`
  const cwd = await newProject("full-stack", { pg: "8" })
  await generate(cwd, [patternNames.map((name) => `--${name}`)], address)
  await run(cwd, [program, "openapi", "generate", "-o", ".fw/openapi.json"])
  replaceTests(cwd, postgresTests)
  await build({
    absWorkingDir: cwd,
    entryPoints: postgresTests.map((name) => `tests/${name}.test.ts`),
    outdir: ".fw/tests",
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
  })
  const counted = await run(cwd, [join(modules, "uvu/bin.js"), ".fw/tests", "\\.test\\.js$"], {
    TEST_DATABASE_URL: address,
  })
  const [, total, passed] = /Total: +(\d+)[\s\S]*Passed: +(\d+)/.exec(counted) ?? []
  assert.ok(Number(total) > 0 && total === passed, counted)
})

test("the tests of forms, public and behind a login, pass, and tests have databases of their own, which are deleted", async () => {
  const cwd = await newProject("full-stack")
  assert.is((await fw(["generate", "auth", "--session"], { cwd })).code, 0)
  for (const args of [["(account)/notes/new"], ["contact"]])
    assert.is((await fw(["generate", "form", ...args], { cwd })).code, 0)
  const lines = [
    'import assert from "node:assert/strict"',
    'import { test } from "node:test"',
    'import { testClient } from "fw/testing"',
    'import { app } from "./support/app.ts"',
    'test("a new user", async () => {',
    '  const form = { email: "ada@example.com", password: "correct-horse-battery" }',
    '  assert.equal((await testClient(app).request("/signup", { form })).status, 303)',
    "})",
  ]
  // The two test files run at the same time, and create the same user.
  for (const name of ["one", "two"]) writeFileSync(join(cwd, `tests/${name}.test.ts`), `${lines.join("\n")}\n`)
  const TMPDIR = temporary()
  const { code, stdout, stderr } = await runNode([program, "test"], { cwd, env: { TMPDIR } })
  assert.is(code, 0, stdout + stderr)
  assert.equal(readdirSync(join(cwd, "data")), [".gitignore"])
  assert.equal(
    readdirSync(TMPDIR).filter((name) => name.startsWith("fw-test-")),
    [],
  )
})

test.run()
