/**
 * Tests of the test runner: its results for files that pass, fail, hang, contain no test, or leave processes
 * running.
 */
import { once } from "node:events"
import { readFileSync, symlinkSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { project } from "../support/bin/cli/command.ts"
import { root } from "../support/tsc.ts"

interface Result {
  name: string
  passed: number
  failed: number
  skipped: number
  problem?: string
  output: string
}

const { runJobs } = await import(join(root, "scripts/runner.mjs"))

/** Returns the job of one test file. */
const testFile = (name: string, cwd: string) => ({ name, program: process.execPath, args: [name], cwd })

const uvu = `import { suite, test } from "uvu"; import * as assert from "uvu/assert";\n`

/** Runs one test file in a directory that has uvu. */
async function outcome(text: string, seconds = 60): Promise<Result> {
  const cwd = project({ "x.test.mjs": uvu + text })
  symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"))
  const results: Result[] = await runJobs([testFile("x.test.mjs", cwd)], { maxJobs: 1, seconds })
  assert.is(results.length, 1)
  return results[0] as Result
}

/** Returns the counts and the problem of a result. */
function judged({ passed, failed, skipped, problem }: Result): Partial<Result> {
  return { passed, failed, skipped, ...(problem ? { problem } : {}) }
}

const noTest = "has no test that ran: could it not be loaded, or is test.run() missing?"

const runner = suite("runner")

const cases: ReadonlyArray<readonly [string, string, Partial<Result>]> = [
  ["passes", `test("a", () => {}); test("b", async () => {}); test.run()`, { passed: 2, failed: 0, skipped: 0 }],
  [
    "passes in two suites",
    `for (const name of ["a", "b"]) { const s = suite(name); s("x", () => {}); s.run() }`,
    { passed: 2, failed: 0, skipped: 0 },
  ],
  [
    "has a failed test and exits with 1",
    `test("a", () => {}); test("b", () => assert.is(1, 2)); test.run()`,
    { passed: 1, failed: 1, skipped: 0 },
  ],
  ["never runs its tests", `test("a", () => {})`, { passed: 0, failed: 0, skipped: 0, problem: noTest }],
  ["has no test", "test.run()", { passed: 0, failed: 0, skipped: 0, problem: "has no test" }],
  ["skips", `test("a", () => {}); test.skip("b"); test.run()`, { passed: 1, failed: 0, skipped: 1 }],
  ["skips all", `test.skip("b"); test.run()`, { passed: 0, failed: 0, skipped: 1 }],
  [
    "runs only some of its tests because of test.only()",
    `test("a", () => {}); test.only("b", () => {}); test.run()`,
    { passed: 1, failed: 0, skipped: 1 },
  ],
  [
    "throws while it is loaded",
    `test("a", () => {}); test.run(); throw new Error("no")`,
    { passed: 0, failed: 0, skipped: 0, problem: "ended with exit code 1" },
  ],
  [
    "exits with 0 before its end",
    `test("a", () => process.exit(0)); test.run()`,
    { passed: 0, failed: 0, skipped: 0, problem: "ended with exit code 1" },
  ],
  [
    "passes and then throws",
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
  runner(`the result is right for a file that ${what}`, async () => {
    assert.equal(judged(await outcome(text)), expected)
  })
}

runner("a process that a file leaves running is ended", async () => {
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
  // A dead process stays a zombie (Z) until its new parent collects it. If it is alive, the test never ends.
  while (!["Z", undefined].includes(readState(pid))) await new Promise((resolve) => setTimeout(resolve, 5))
})

/** Returns the results of files that share a process. */
async function together(texts: Record<string, string>, seconds = 60): Promise<Result[]> {
  const files = Object.keys(texts).map((name) => `${name}.test.mjs`)
  const cwd = project(Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}.test.mjs`, uvu + text])))
  symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"))
  const args = [join(root, "scripts/test-files.mjs"), ...files]
  return runJobs([{ files, note: " (all)", program: process.execPath, args, cwd }], { maxJobs: 1, seconds })
}

const passes = `test("a", () => {}); test.run()`

runner("files that share a process have separate results", async () => {
  const results = await together({
    good: `process.env.LEFT = "x"; test("a", () => {}); test("b", () => {}); test.run()`,
    bad: `test("a", () => assert.is(process.env.LEFT, undefined)); test("b", () => assert.is(1, 2)); test.skip("c"); test.run()`,
    throws: `throw new Error("while it is loaded")`,
    hook: `test.before(() => { throw new Error("in a hook") }); ${passes}`,
    last: passes,
    forgets: `test("a", () => {})`,
  })
  assert.equal(
    results.map((result) => ({ name: result.name, ...judged(result) })),
    [
      { name: "good.test.mjs (all)", passed: 2, failed: 0, skipped: 0 },
      { name: "bad.test.mjs (all)", passed: 1, failed: 1, skipped: 1 },
      { name: "throws.test.mjs (all)", passed: 0, failed: 0, skipped: 0, problem: noTest },
      { name: "hook.test.mjs (all)", passed: 0, failed: 1, skipped: 0 },
      { name: "last.test.mjs (all)", passed: 1, failed: 0, skipped: 0 },
      { name: "forgets.test.mjs (all)", passed: 0, failed: 0, skipped: 0, problem: noTest },
    ],
  )
  assert.match(results[1]?.output ?? "", 'FAIL  "b"')
  assert.not.match(results[1]?.output ?? "", "while it is loaded")
  assert.match(results[2]?.output ?? "", "while it is loaded")
})

const ends: ReadonlyArray<readonly [string, string, string]> = [
  ["waits for nothing", `test("a", () => new Promise(() => {})); test.run()`, "ended with exit code 1"],
  ["exits", `test("a", () => process.exit(0)); test.run()`, "ended with exit code 1"],
  ["is killed", `test("a", () => process.kill(process.pid, "SIGKILL")); test.run()`, "ended by SIGKILL"],
]
for (const [what, text, problem] of ends) {
  runner(`a file that ${what} is named, and later files in its process count as not run`, async () => {
    const results = await together({ good: passes, bad: text, after: passes })
    const did = `did not begin, because the process that it shares with other files ${problem}`
    assert.equal(results.map(judged), [
      { passed: 1, failed: 0, skipped: 0 },
      { passed: 0, failed: 0, skipped: 0, problem },
      { passed: 0, failed: 0, skipped: 0, problem: did },
    ])
  })
}

runner("a failed test does not keep its process running with open handles", async () => {
  const [result] = await together({
    bad: `test("a", () => { setInterval(() => {}, 1e6); assert.ok(false) }); test.run()`,
  })
  assert.equal(judged(result as Result), { passed: 0, failed: 1, skipped: 0 })
})

runner("a file that hangs is ended and named, and its output is shown", async () => {
  const late = 4321
  const usual = globalThis.setTimeout
  let end = () => {}
  let begun = 0
  // The time limit is over when the file says that it hangs.
  globalThis.setTimeout = ((run: () => void, ms?: number) => {
    if (ms !== late * 1000) return usual(run, ms)
    end = run
    const timer = usual(() => {})
    timer.refresh = () => {
      begun += 1
      return timer
    }
    return timer
  }) as typeof setTimeout
  const server = createServer((socket) => socket.on("error", () => {}).end() && end()).listen(0, "127.0.0.1")
  try {
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const hangs = `import { connect } from "node:net"
    console.log("here")
    test("a", () => new Promise(() => connect(${port}, "127.0.0.1")))
    setInterval(() => {}, 1e6)
    test.run()`
    const results = await together({ good: passes, bad: hangs, after: passes }, late)
    const problem = `did not end within ${late} s and was killed`
    assert.equal(
      results.map((result) => result.problem),
      [undefined, problem, `did not begin, because the process that it shares with other files ${problem}`],
    )
    assert.match(results[1]?.output ?? "", "here")
    // Each file has its own time limit.
    assert.ok(begun > 0)
  } finally {
    globalThis.setTimeout = usual
    server.close()
  }
})

runner("files run at the same time, each is reported once, and the counts add up", async () => {
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
      maxJobs: 2,
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

runner.run()

/** Returns the state letter of a process (proc(5)), or undefined if there is no such process. */
function readState(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "")[0]
  } catch {
    return undefined
  }
}
