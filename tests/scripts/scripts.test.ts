/** The parts of `npm test` besides its runner: the order of jobs, the check of coverage, the check of installed packages. */
import { existsSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { project } from "../support/bin/cli/command.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const load = (name: string) => import(join(root, "scripts", name))
const { judge } = await load("runner.mjs")
const { judgeCoverage } = await load("coverage.mjs")
const { withSourcePlaces } = await load("stacks.mjs")
const { checkNode, isInstalled } = await load("setup.mjs")
const { longest, longestFirst, readsTypes, suiteOf, togetherOrAlone } = await load("schedule.mjs")

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

runner("the stack of a test that fails names its source", () => {
  const { stack = "" } = new Error("x")
  const mapped = withSourcePlaces(`${stack}\n at /nowhere/x.js:1:2`)
  const compiled = relative(join(root, "dist"), fileURLToPath(import.meta.url))
  const source = join(root, compiled.replace(/\.js$/, ".ts"))
  const [, place] = new RegExp(`${source.replaceAll(".", "\\.")}:(\\d+):`).exec(mapped) ?? []
  const text = readFileSync(source, "utf8").split("\n")[Number(place) - 1]
  assert.match(text as string, 'new Error("x")')
  assert.match(mapped, "/nowhere/x.js:1:2")
})

runner.run()

const schedule = suite("schedule")

schedule("every file in the list of long tests exists and is listed once", () => {
  assert.is(new Set(longest).size, longest.length)
  for (const name of longest) {
    const file = name.startsWith("examples/") ? `${name}/package.json` : `tests/${name}.test.ts`
    assert.ok(existsSync(join(root, file)), file)
  }
})

schedule("the longest jobs run first, and the others in their order", () => {
  const given = ["dist/tests/a.test.js", `dist/tests/${longest[1]}.test.js`, "examples/x", longest[0]]
  const jobs = longestFirst(given.map((name) => ({ name }))) as { name: string }[]
  assert.equal(
    jobs.map(({ name }) => name),
    [given[3], given[1], given[0], given[2]],
  )
})

schedule("each file of the fast suite is in one process, which most files share", () => {
  const many = Array.from({ length: 30 }, (_, i) => `dist/tests/lib/${i}.test.js`)
  const single = [
    `dist/tests/${longest[0]}.test.js`,
    "dist/tests/adapters/node/a.test.js",
    "dist/tests/bin/dev/a.test.js",
  ]
  const groups = togetherOrAlone([...many, ...single]) as string[][]
  assert.equal(groups.flat().sort(), [...many, ...single].sort())
  assert.equal(
    groups.map(({ length }) => length),
    [1, 1, 1, 12, 12, 6],
  )
  for (const file of ["dist/tests/slow/a.test.js", "dist/tests/runtimes/a.test.js"]) {
    const other = file.replace("a.test", "b.test")
    assert.equal(togetherOrAlone([file, other]), [[file], [other]])
  }
})

schedule("every file is in one suite", () => {
  for (const [name, expected] of [
    ["dist/tests/a.test.js", "fast"],
    ["dist/tests/slow/a.test.js", "slow"],
    ["dist/tests/runtimes/a.test.js", "runtimes"],
    ["examples/tasks", "fast"],
    ["examples/auth", "slow"],
  ])
    assert.is(suiteOf(name), expected, name)
})

schedule(
  "files that read types run with both versions of TypeScript, and the most important ones in both suites",
  () => {
    for (const [name, fast, slow] of [
      ["dist/tests/openapi.test.js", false, true],
      ["dist/tests/openapi-types.test.js", true, true],
      ["dist/tests/validate-types.test.js", true, true],
      ["dist/tests/validate-checks.test.js", false, true],
      ["dist/tests/slow/openapi.test.js", false, true],
      ["dist/tests/slow/openapi-types.test.js", false, true],
      ["dist/tests/slow/generate-types.test.js", false, true],
      ["dist/tests/router.test.js", false, false],
      ["dist/tests/runtimes/bun.test.js", false, false],
      ["examples/tasks", false, false],
    ] as const)
      assert.equal([readsTypes(name, "fast"), readsTypes(name, "slow")], [fast, slow], name)
    assert.not.ok(readsTypes("dist/tests/openapi.test.js", "runtimes"))
    const versionOf = (directory: string) =>
      JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")).version as string
    assert.match(versionOf("node_modules/typescript"), /^7\.0\./)
    assert.match(versionOf("tests/typescript-next/node_modules/typescript"), /^7\.1\./)
    const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    // New projects take this range: it may not let a minor version in that nobody has tried.
    assert.match(devDependencies.typescript, /^~7\.0\./)
  },
)

schedule.run()

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
