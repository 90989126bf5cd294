/** Tests of `npm test` in a small clone: what it runs, and that its last line counts every failure. */
import { cpSync, existsSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { project, type Ran, runNode } from "../support/bin/cli/command.ts"
import { root } from "../support/tsc.ts"

const source = (name: string) => readFileSync(join(root, name), "utf8")

const sum = "/** Adds. */\nexport function add(a: number, b: number): number {\n  return a + b\n}\n"
const passing = `import { test } from "uvu"
import * as assert from "uvu/assert"
import { add } from "../../lib/index.ts"

test("add() adds two numbers", () => assert.is(add(1, 2), 3))
test.run()
`
const files = {
  "package.json": source("package.json"),
  "package-lock.json": source("package-lock.json"),
  "tests/runtimes/versions.json": source("tests/runtimes/versions.json"),
  "lib/index.ts": sum,
  "tests/lib/a.test.ts": passing,
}

function clone(changes: Record<string, string> = {}): string {
  const directory = project({ ...files, ...changes })
  cpSync(join(root, "scripts"), join(directory, "scripts"), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  return directory
}

function runTests(directory: string, ...args: string[]): Promise<Ran> {
  return runNode([join(directory, "scripts/test.mjs"), ...args], { cwd: directory })
}

/** Returns the last line, and says whether the exit code agrees with it. */
function closing({ code, stdout }: Ran): string {
  const lines = stdout.trimEnd().split("\n")
  const line = lines.at(-1) as string
  assert.is(code, line.endsWith(" 0 failed") ? 0 : 1)
  assert.is(lines.filter((other) => /^\d+ passed, \d+ failed$/.test(other)).length, 1)
  return line
}

test("a correct clone passes without a build", async () => {
  const directory = clone()
  const first = await runTests(directory, "--coverage")
  assert.is(closing(first), "1 passed, 0 failed")
  assert.match(first.stdout, "✓ coverage: 100.0 % of the lines of lib/, template/ and adapters/node (1 files)")
  assert.is(existsSync(join(directory, "dist")), false)
  const second = await runTests(directory)
  assert.is(closing(second), "1 passed, 0 failed")
  assert.not.match(second.stdout, "coverage")
})

test("coverage, a skip and each bad file count as one failure each", async () => {
  const ran = await runTests(
    clone({
      "lib/index.ts": `${sum}export function never(x: string) {\n${"  x.trim()\n".repeat(99)}}\n`,
      "tests/lib/empty.test.ts": "export {}\n",
      "tests/lib/fails.test.ts": passing.replace("3))", "4))"),
      "tests/lib/skips.test.ts": passing.replace("test.run", "test.skip('x')\ntest.run"),
    }),
    "--coverage",
  )
  assert.is(closing(ran), "2 passed, 4 failed")
  for (const line of [
    "✗ tests/lib/empty.test.ts (0 passed",
    "✗ tests/lib/fails.test.ts (0 passed, 1 failed",
    "✗ no test is skipped",
    "✗ coverage",
    "tests/lib/empty.test.ts has no test that ran: could it not be loaded, or is test.run() missing?",
  ]) {
    assert.match(ran.stdout, line)
  }
})

test("a source that no test loads counts as not covered, except if it contains only types", async () => {
  const types = "export interface Sum {\n  readonly a: number\n}\n"
  const fine = await runTests(clone({ "lib/sum.ts": types }), "--coverage")
  assert.match(fine.stdout, "✓ coverage: 100.0 % of the lines of lib/, template/ and adapters/node (1 files)")
  const lost = await runTests(clone({ "lib/sum.ts": types, "lib/lost.ts": sum }), "--coverage")
  assert.is(closing(lost), "1 passed, 1 failed")
  assert.match(lost.stdout, "lib/lost.ts: 0 %")
})

test("names select files, also in a run with skips, and a name that matches nothing fails", async () => {
  const directory = clone({
    "tests/docs/b.test.ts": passing,
    "tests/slow/c.test.ts": passing,
    "tests/adapters/skips.test.ts": passing.replace("test.run", "test.skip('x')\ntest.run"),
  })
  assert.is(closing(await runTests(directory, "docs/b")), "1 passed, 0 failed")
  assert.is(closing(await runTests(directory, "docs/b", "lib/a")), "2 passed, 0 failed")
  assert.is(closing(await runTests(directory, "skips")), "1 passed, 0 failed")
  const none = await runTests(directory, "slow/c")
  assert.is(closing(none), "0 passed, 1 failed")
  assert.match(none.stdout, "npm run test:slow")
})

test("tests use a temporary directory that is removed after the run, unless TMPDIR is set", async () => {
  const says =
    'import { tmpdir } from "node:os"\nimport { test } from "uvu"\ntest("x", () => { throw new Error("in <" + tmpdir() + ">") })\ntest.run()\n'
  const directory = clone({ "tests/lib/a.test.ts": says })
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

test.run()
