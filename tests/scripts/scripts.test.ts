/** The parts of `npm test` besides its runner: the versions of TypeScript, the check of coverage, the check of installed packages. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite, test } from "uvu"
import * as assert from "uvu/assert"
import { project } from "../support/bin/cli/command.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const load = (name: string) => import(join(root, "scripts", name))
const { judge } = await load("runner.mjs")
const { judgeCoverage } = await load("coverage.mjs")
const { checkNode, isInstalled } = await load("setup.mjs")

const runner = suite("runner")

runner("a summary that a test prints is not read as that of the file", () => {
  const summary = (n: number) =>
    `\n  Total:     ${n}\n\x1b[32m  Passed:    ${n}\x1b[39m\n  Skipped:   0\n  Duration:  1ms\n`
  assert.equal(judge(`${summary(50)}${summary(2)}`, undefined), { passed: 2, failed: 0, skipped: 0 })
})

runner("text of the other stream after a summary does not hide it", () => {
  const output = "  Total:     5\n  Passed:    5\n  Skipped:   0TypeError: x\n\n  Duration:  1ms\n"
  assert.equal(judge(output, undefined), { passed: 5, failed: 0, skipped: 0 })
})

runner.run()

test("TypeScript has the version of new projects, and the next one", () => {
  const versionOf = (directory: string) =>
    JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")).version as string
  assert.match(versionOf("node_modules/typescript"), /^7\.0\./)
  assert.match(versionOf("tests/typescript-next/node_modules/typescript"), /^7\.1\./)
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  // New projects take this range: it may not let a minor version in that nobody has tried.
  assert.match(devDependencies.typescript, /^~7\.0\./)
})

test.run()

const coverage = suite("coverage")

const lines = (total: number, covered: number) => ({
  lines: { total, covered, pct: (covered / total) * 100 },
})

coverage("coverage counts only the sources of lib/ and adapters/node", () => {
  const summary = {
    total: lines(1000, 0),
    "/p/lib/a.ts": lines(90, 90),
    "/p/adapters/node.ts": lines(10, 5),
    "/p/bin/fw.ts": lines(100, 0),
    "/p/adapters/bun.ts": lines(100, 0),
  }
  assert.equal(judgeCoverage(summary, "/p"), {
    summary: "95.0 % of the lines of lib/ and adapters/node (2 files)",
  })
})

coverage("a coverage below the limit names the files with missing lines, the worst first", () => {
  const { problem } = judgeCoverage({ "/p/lib/a.ts": lines(100, 99), "/p/lib/b.ts": lines(100, 50) }, "/p")
  assert.match(problem, "74.5 %")
  assert.ok(problem.indexOf("lib/b.ts: 50 %, 50 lines not run") < problem.indexOf("lib/a.ts"))
})

coverage("a coverage without sources is a failure", () => {
  assert.match(judgeCoverage({ total: lines(0, 0) }, "/p").problem, "names no source")
  assert.match(judgeCoverage({ "/p/dist/lib/a.js": lines(9, 9) }, "/p").problem, "names no source")
})

coverage.run()

const setup = suite("setup")

setup("a version of Node that is too old is refused", () => {
  for (const version of ["20.19.0", "20.20.1", "22.0.0", "24.1.0", "100.0.0"]) checkNode(version)
  for (const version of ["20.18.9", "18.20.0", "9.0.0"]) {
    assert.throws(
      () => checkNode(version),
      (error: Error) => error.message.includes(`This is Node ${version}; fw needs 20.19`),
    )
  }
})

const lock = (packages: Record<string, unknown>) => JSON.stringify({ packages: { "": {}, ...packages } })
const wanted = lock({
  "node_modules/a": { version: "1.0.0" },
  "node_modules/b": { version: "2.0.0", optional: true },
})
const installs: ReadonlyArray<readonly [string, Record<string, string>, boolean]> = [
  ["no package exists", {}, false],
  ["all packages exist", { "node_modules/.package-lock.json": wanted }, true],
  [
    "only the package of another platform is missing",
    { "node_modules/.package-lock.json": lock({ "node_modules/a": { version: "1.0.0" } }) },
    true,
  ],
  ["a version is another", { "node_modules/.package-lock.json": wanted.replace("1.0.0", "1.0.1") }, false],
  ["a package is missing", { "node_modules/.package-lock.json": lock({}) }, false],
  ["an install broke off", { "node_modules/a/package.json": "{}" }, false],
  ["the lock file in node_modules is not JSON", { "node_modules/.package-lock.json": "{" }, false],
]
for (const [what, files, expected] of installs) {
  setup(`packages count as ${expected ? "" : "not "}installed if ${what}`, () => {
    assert.is(isInstalled(project({ "package-lock.json": wanted, ...files })), expected)
  })
}

setup.run()
