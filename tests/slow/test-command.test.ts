/** Tests of `fw test`: which files run, what it prints about them, and how it ends. */
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, program, runNode } from "../support/bin/cli/command.ts"
import { makeProject, route, write } from "../support/bin/dev/dev-project.ts"

const head = 'import assert from "node:assert/strict"\nimport { describe, it, test } from "node:test"\n'
const files = {
  "app/page.tpl": "template Page() {\n  <p>Hello</p>\n}\n",
  "app/api/hello/route.ts": route("hello"),
  "lib/price.ts": "export function price(item?: { cost: number }) {\n  return (item as { cost: number }).cost\n}\n",
  "tests/app.test.ts": `${head}
import routes from "../.fw/routes.ts"
import { Page } from "../app/page.tpl.ts"
import { App } from "fw"
import { readFileSync } from "node:fs"

test("a route answers", async () => {
  const app = new App({ logger: false })
  await app.mount(routes)
  assert.equal(await (await app.request("/api/hello")).text(), "hello")
})
test("a template is imported", () => assert.equal(typeof Page, "function"))
test("a file finds its neighbours", () => {
  assert.match(readFileSync(new URL("./notes.txt", import.meta.url), "utf8"), /found/)
})
test("the environment is that of tests", () => {
  assert.equal(process.env.NODE_ENV, "test")
  assert.ok(Buffer.byteLength(process.env.FW_SECRETS ?? "") >= 32)
})
test.todo("more")
test("later", { skip: true }, () => {})
`,
  // Node would read these brackets as a pattern.
  "app/users/[id]/route.test.ts": `${head}test("in a directory of a parameter", () => {})\n`,
  "tests/notes.txt": "found\n",
  "lib/sums.test.ts": `${head}
describe("sums", () => {
  describe("of two", () => {
    it("adds", () => {
      assert.deepEqual({ sum: 1 + 1 }, { sum: 3 })
    })
    it("is right", () => {})
  })
})
`,
  "tests/thrown.test.ts": `${head}
import { price } from "../lib/price.ts"
test("prices", async (t) => {
  await t.test("of nothing", () => { price() })
})
test("a text", () => { throw "just text" })
`,
  "tests/load.test.ts": 'import "./support/broken.ts"\n',
  "tests/support/broken.ts": 'const found: string = "it"\nthrow new TypeError(found + " is broken")\n',
  // Other projects, packages and output.
  "examples/other/package.json": "{}",
  "examples/other/other.test.ts": "throw new Error()",
  "node_modules/some/some.test.ts": "throw new Error()",
  "dist/built.test.ts": "throw new Error()",
}

type Failure = Record<"name" | "test" | "file" | "message", string> & {
  readonly line: number | null
  readonly fix: string | null
  readonly expected: string | null
  readonly actual: string | null
  readonly frame: string | null
  readonly stack: readonly string[]
}
interface Data {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly todo: number
  readonly files: number
  readonly failures: readonly Failure[]
}

function failed(data: Data, name: string): Failure {
  const found = data.failures.find((one) => one.name === name)
  assert.ok(found, JSON.stringify(data, null, 1))
  return found
}

const results = suite("fw test")
const root = makeProject(files)
let data: Data
let ran: { code: number; stdout: string; stderr: string }

results.before(async () => {
  ran = await runNode([program, "test", "--json"], { cwd: root })
  data = JSON.parse(ran.stdout).data
})

results("fw test counts tests, not suites, and exits with 1 if one fails", () => {
  const { total, passed, failed, skipped, todo, files } = data
  assert.equal(
    { total, passed, failed, skipped, todo, files },
    { total: 12, passed: 6, failed: 4, skipped: 1, todo: 1, files: 5 },
  )
  assert.is(ran.code, 1)
})

results("the data of fw test --json lists only the failures", () => {
  assert.equal(data.failures.map(({ name }) => name).sort(), [
    "a text",
    "prices › of nothing",
    "sums › of two › adds",
    "tests/load.test.ts",
  ])
})

results("a failed assertion is shown with its values and its position in the .ts file", () => {
  const { test, file, line, expected, actual, message, frame } = failed(data, "sums › of two › adds")
  assert.equal(
    { test, file, line, expected, actual },
    {
      test: "lib/sums.test.ts",
      file: "lib/sums.test.ts",
      line: 7,
      expected: "{ sum: 3 }",
      actual: "{ sum: 2 }",
    },
  )
  assert.match(message, "deep-equal")
  assert.match(String(frame), /> 7 \| +assert\.deepEqual/)
})

results("an error in the project's code is shown with the position where it was thrown, and the stack", () => {
  const { test, file, line, message, stack, expected } = failed(data, "prices › of nothing")
  assert.equal([test, file, line, expected], ["tests/thrown.test.ts", "lib/price.ts", 2, null])
  assert.match(message, /^TypeError: Cannot read properties of undefined/)
  assert.match(stack.join("\n"), /^price \(lib\/price\.ts:2:\d+\)\n.*tests\/thrown\.test\.ts:6:\d+/)
})

results("a thrown text is the message, with the position of the test", () => {
  const { file, line, message } = failed(data, "a text")
  assert.equal([file, line, message], ["tests/thrown.test.ts", 8, "just text"])
})

results("a file that cannot be loaded fails with its error", () => {
  const { test, file, line, message } = failed(data, "tests/load.test.ts")
  assert.equal(
    [test, file, line, message],
    ["tests/load.test.ts", "tests/support/broken.ts", 2, "TypeError: it is broken"],
  )
})

results("a run leaves no files in .fw/tests", () => {
  assert.equal(readdirSync(join(root, ".fw/tests")), [])
})

results("fw test prints a line for each file, each failure with its position, and the totals", async () => {
  const { code, stdout } = await fw(["test", "SUMS"], { cwd: root, env: process.env })
  assert.is(code, 1)
  assert.match(
    stdout,
    /^✗ lib\/sums\.test\.ts \(2 tests, 1 failed, \d+ ms\)\n\n✗ sums › of two › adds\n {2}lib\/sums\.test\.ts:7\n/,
  )
  assert.match(stdout, /\n1 failed, 1 passed \(2 tests in 1 file, [\d.]+ m?s\)\n$/)
})

results("--limit and --offset select a part of the failures", async () => {
  const { stdout } = await fw(["test", "--json", "--limit", "1", "--offset", "1"], {
    cwd: root,
    env: process.env,
  })
  const part: Data = JSON.parse(stdout).data
  assert.is(part.failed, 4)
  assert.equal(
    part.failures.map(({ name }) => name),
    [data.failures[1]?.name],
  )
})

results("a filter that matches nothing is an error that names the files", async () => {
  const { code, stderr } = await fw(["test", "nobody"], { cwd: root })
  assert.is(code, 1)
  assert.match(stderr, 'no test file has "nobody" in its path')
  assert.match(stderr, "lib/sums.test.ts")
})

results("a project without tests and code that does not compile are errors with a fix", async () => {
  const empty = makeProject({ "main.ts": "export default 1\n" })
  const none = await fw(["test"], { cwd: empty })
  assert.is(none.code, 1)
  assert.match(none.stderr, "the project has no test file")
  write(empty, { "tests/a.test.ts": "const a = = 1\n" })
  const broken = await fw(["test", "--json"], { cwd: empty })
  assert.is(broken.code, 1)
  assert.equal(JSON.parse(broken.stdout).error.problems[0].at, {
    file: "tests/a.test.ts",
    line: 1,
    column: 11,
  })
})

results("--timeout ends a run in which no test ends, and names the running test", async () => {
  const stuck = makeProject({
    "main.ts": "export default 1\n",
    "tests/stuck.test.ts": `${head}test("waits", () => new Promise(() => setInterval(() => {}, 1000)))\n`,
  })
  const { code, stdout } = await fw(["test", "--timeout", "5", "--json"], { cwd: stuck, env: process.env })
  const [failure] = (JSON.parse(stdout).data as Data).failures
  assert.is(code, 1)
  assert.is(failure?.test, "tests/stuck.test.ts")
  // On a slow machine, the file has not started its test yet.
  assert.match(String(failure?.name), /^(?:waits|tests\/stuck\.test\.ts)$/)
  assert.match(String(failure?.message), "no test ended for 5 seconds")
})

results("a failure shows the fix of its error, and names a variable that only .env sets", async () => {
  const failing = makeProject({
    "main.ts": "export default 1\n",
    ".env": "SHOP_KEY=abc\nOTHER_KEY=abc\n",
    "tests/load.test.ts": 'import { App } from "fw"\nnew App({ bodyLimit: -1 })\n',
    "tests/inside.test.ts": `${head}import { App } from "fw"\ntest("an app", () => { new App({ bodyLimit: -1 }) })\n`,
    "tests/variable.test.ts": 'const key = process.env.SHOP_KEY\nif (!key) throw new Error("no key")\n',
    "tests/named.test.ts": `${head}test("needs it", () => { throw new Error("OTHER_KEY is not set") })\n`,
  })
  const { stdout, stderr } = await runNode([program, "test", "--json"], { cwd: failing })
  const fixes = Object.fromEntries(
    (JSON.parse(stdout).data as Data).failures.map(({ test, message, fix }) => [test, `${message}: ${fix}`]),
  )
  const bytes = /^the option bodyLimit is -1.*: Write bodyLimit: /
  assert.match(fixes["tests/load.test.ts"] ?? "", bytes)
  assert.match(fixes["tests/inside.test.ts"] ?? "", bytes)
  assert.match(fixes["tests/named.test.ts"] ?? "", "OTHER_KEY is in .env, which fw test does not read")
  assert.match(fixes["tests/variable.test.ts"] ?? "", "SHOP_KEY is in .env")
  assert.not.match(stderr, "undefined")
})

results(
  "an error that comes after its test is a failure of the file, with the position where it was thrown",
  async () => {
    const late = (how: string) =>
      `${head}import { full } from "../lib/full.ts"\nconsole.error("a note\\n    at noon")\ntest("ends", () => { ${how} })\ntest("is longer", async () => {\n  await new Promise((done) => setTimeout(done, 50))\n})\n`
    const failing = makeProject({
      "main.ts": "export default 1\n",
      "lib/full.ts": 'export function full() {\n  throw new RangeError("the disk is full")\n}\n',
      "tests/promise.test.ts": late("void Promise.resolve().then(() => setImmediate(() => {})).then(full)"),
      "tests/timer.test.ts": late("setTimeout(full, 5)"),
      "tests/text.test.ts": late('void Promise.resolve().then(() => { throw "no error" })'),
    })
    const { code, stdout, stderr } = await runNode([program, "test", "--json"], { cwd: failing })
    const { passed, failures } = JSON.parse(stdout).data as Data
    assert.is(code, 1)
    assert.is(passed, 6)
    assert.equal(failures.map(({ name, file, line, message }) => [name, file, line, message]).sort(), [
      ["tests/promise.test.ts", "lib/full.ts", 2, "RangeError: the disk is full"],
      ["tests/text.test.ts", "tests/text.test.ts", null, "thrown: no error"],
      ["tests/timer.test.ts", "lib/full.ts", 2, "RangeError: the disk is full"],
    ])
    for (const { fix } of failures) assert.match(String(fix), "when the test that caused it had ended")
    assert.not.match(stderr, "disk is full")
  },
)

results("--watch is refused together with --json", async () => {
  const { code, stdout } = await fw(["test", "--watch", "--json"], { cwd: root })
  assert.is(code, 2)
  assert.match(JSON.parse(stdout).error.message, "--watch and --json")
})

results.run()
