/** The test runner: what it makes of files that pass, fail, hang, test nothing, or leave something behind. */
import { readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { project } from "./support/command.ts"

interface Result {
  name: string
  passed: number
  failed: number
  skipped: number
  problem?: string
  output: string
}

const root = fileURLToPath(new URL("../../", import.meta.url))
const load = (name: string) => import(join(root, "scripts", name))
const { runJobs, testFile, judge } = await load("runner.mjs")
const { judgeCoverage } = await load("coverage.mjs")
const { checkNode, isInstalled } = await load("setup.mjs")

const uvu = `import { suite, test } from "uvu"; import * as assert from "uvu/assert";\n`

/** Runs one file in a directory that has uvu. */
async function outcome(text: string, seconds = 60): Promise<Result> {
  const cwd = project({ "x.test.mjs": uvu + text })
  symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"))
  const results: Result[] = await runJobs([testFile("x.test.mjs", cwd)], { atOnce: 1, seconds })
  assert.is(results.length, 1)
  return results[0] as Result
}

const runner = suite("runner")

const cases: ReadonlyArray<readonly [string, string, Partial<Result>]> = [
  [
    "passes",
    `test("a", () => {}); test("b", async () => {}); test.run()`,
    { passed: 2, failed: 0, skipped: 0 },
  ],
  [
    "passes in two suites",
    `for (const name of ["a", "b"]) { const s = suite(name); s("x", () => {}); s.run() }`,
    { passed: 2, failed: 0, skipped: 0 },
  ],
  [
    "fails, which its exit code need not count again",
    `test("a", () => {}); test("b", () => assert.is(1, 2)); test.run()`,
    { passed: 1, failed: 1, skipped: 0 },
  ],
  [
    "never runs its tests",
    `test("a", () => {})`,
    { passed: 0, failed: 0, skipped: 0, problem: "has no test that ran: is test.run() missing?" },
  ],
  ["has no test", "test.run()", { passed: 0, failed: 0, skipped: 0, problem: "has no test" }],
  ["skips", `test("a", () => {}); test.skip("b"); test.run()`, { passed: 1, failed: 0, skipped: 1 }],
  ["skips all", `test.skip("b"); test.run()`, { passed: 0, failed: 0, skipped: 1 }],
  [
    "leaves tests out by only",
    `test("a", () => {}); test.only("b", () => {}); test.run()`,
    { passed: 1, failed: 0, skipped: 1 },
  ],
  [
    "breaks while it is read",
    `test("a", () => {}); test.run(); throw new Error("no")`,
    { passed: 0, failed: 0, skipped: 0, problem: "ended with exit code 1" },
  ],
  [
    "ends itself half way, and well",
    `test("a", () => process.exit(0)); test.run()`,
    { passed: 0, failed: 0, skipped: 0, problem: "ended with exit code 1" },
  ],
  [
    "passes and then breaks",
    `test("a", () => {}); test.run(); process.on("exit", () => { process.exitCode = 7 })`,
    { passed: 1, failed: 0, skipped: 0, problem: "ended with exit code 7" },
  ],
  [
    "is killed",
    `test("a", () => process.kill(process.pid, "SIGKILL")); test.run()`,
    { passed: 0, failed: 0, skipped: 0, problem: "ended by SIGKILL" },
  ],
]
for (const [what, text, expected] of cases) {
  runner(`a file that ${what}`, async () => {
    const { passed, failed, skipped, problem } = await outcome(text)
    assert.equal({ passed, failed, skipped, ...(problem ? { problem } : {}) }, expected)
  })
}

runner("a file that hangs is ended, and what it had said is kept", async () => {
  const result = await outcome(
    `console.log("here"); test("a", () => new Promise(() => {})); setInterval(() => {}, 1e6); test.run()`,
    1,
  )
  assert.is(result.problem, "did not end within 1 s and was killed")
  assert.match(result.output, "here")
})

runner("a process that a file leaves behind ends with it", async () => {
  const { output, problem } = await outcome(
    `import { spawn } from "node:child_process"
    test("a", () => {
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit" })
      child.unref()
      console.log("pid " + child.pid)
    })
    test.run()`,
  )
  assert.is(problem, undefined)
  const pid = Number(/pid (\d+)/.exec(output)?.[1])
  assert.ok(pid > 0)
  // Whoever adopted it may not have collected it yet: it is dead (Z) all the same. One that lives makes this wait for ever.
  while (!["Z", undefined].includes(stateOf(pid))) await new Promise((resolve) => setTimeout(resolve, 5))
})

runner("files run side by side, each is reported once, and the counts add up", async () => {
  const files = Object.fromEntries(
    [1, 2, 3, 4, 5].map((n) => [
      `${n}.test.mjs`,
      `${uvu}for (let i = 0; i < ${n}; i++) test("t" + i, () => assert.is.not(i, 3)); test.run()`,
    ]),
  )
  const cwd = project(files)
  symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"))
  const seen: Result[] = []
  const results: Result[] = await runJobs(
    Object.keys(files).map((file) => testFile(file, cwd)),
    {
      atOnce: 2,
      seconds: 60,
      onResult: (r: Result) => seen.push(r),
    },
  )
  assert.equal(seen, results)
  assert.equal(results.map(({ name }) => name).sort(), Object.keys(files))
  assert.is(
    results.reduce((sum, { passed }) => sum + passed, 0),
    13,
  )
  assert.is(
    results.reduce((sum, { failed }) => sum + failed, 0),
    2,
  )
})

runner("a summary that a test prints is not the file's", () => {
  const summary = (n: number) =>
    `\n  Total:     ${n}\n\x1b[32m  Passed:    ${n}\x1b[39m\n  Skipped:   0\n  Duration:  1ms\n`
  assert.equal(judge(`${summary(50)}${summary(2)}`, undefined), { passed: 2, failed: 0, skipped: 0 })
})

runner.run()

const coverage = suite("coverage")

const lines = (total: number, covered: number) => ({
  lines: { total, covered, pct: (covered / total) * 100 },
})

coverage("is of the sources of lib/ and adapters/node alone", () => {
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

coverage("below the bound names what is missing, worst first", () => {
  const { problem } = judgeCoverage({ "/p/lib/a.ts": lines(100, 99), "/p/lib/b.ts": lines(100, 50) }, "/p")
  assert.match(problem, "74.5 %")
  assert.ok(problem.indexOf("lib/b.ts: 50 %, 50 lines not run") < problem.indexOf("lib/a.ts"))
})

coverage("of nothing is a failure", () => {
  assert.match(judgeCoverage({ total: lines(0, 0) }, "/p").problem, "names no source")
  assert.match(judgeCoverage({ "/p/dist/lib/a.js": lines(9, 9) }, "/p").problem, "names no source")
})

coverage.run()

const setup = suite("setup")

setup("Node must be new enough", () => {
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
  ["nothing is there", {}, false],
  ["all is there", { "node_modules/.package-lock.json": wanted }, true],
  [
    "another platform's package is not",
    { "node_modules/.package-lock.json": lock({ "node_modules/a": { version: "1.0.0" } }) },
    true,
  ],
  ["a version is another", { "node_modules/.package-lock.json": wanted.replace("1.0.0", "1.0.1") }, false],
  ["a package is missing", { "node_modules/.package-lock.json": lock({}) }, false],
  ["an install broke off", { "node_modules/a/package.json": "{}" }, false],
  ["npm's note is no JSON", { "node_modules/.package-lock.json": "{" }, false],
]
for (const [what, files, expected] of installs) {
  setup(`packages are ${expected ? "" : "not "}installed where ${what}`, () => {
    assert.is(isInstalled(project({ "package-lock.json": wanted, ...files })), expected)
  })
}

setup.run()

/** The state letter of a process (proc(5)), undefined where there is none. */
function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "")[0]
  } catch {
    return undefined
  }
}
