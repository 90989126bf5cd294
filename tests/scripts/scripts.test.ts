/**
 * Tests of the parts of `npm test` except its runner: the versions of TypeScript, the coverage check, and the check
 * of installed packages.
 */
import { chmodSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite, test } from "uvu"
import * as assert from "uvu/assert"
import { project, runNode } from "../support/bin/cli/command.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const load = (name: string) => import(join(root, "scripts", name))
const { judgeOutput } = await load("runner.mjs")
const { judgeCoverage } = await load("coverage.mjs")
const { checkNode, isInstalled } = await load("setup.mjs")

const runner = suite("runner")

runner("a summary that a test prints is not read as the summary of the file", () => {
  const summary = (n: number) =>
    `\n  Total:     ${n}\n\x1b[32m  Passed:    ${n}\x1b[39m\n  Skipped:   0\n  Duration:  1ms\n`
  assert.equal(judgeOutput(`${summary(50)}${summary(2)}`, undefined), { passed: 2, failed: 0, skipped: 0 })
})

runner("text of the other output stream inside a summary does not hide the summary", () => {
  const output = "  Total:     5\n  Passed:    5\n  Skipped:   0TypeError: x\n\n  Duration:  1ms\n"
  assert.equal(judgeOutput(output, undefined), { passed: 5, failed: 0, skipped: 0 })
})

runner.run()

test("TypeScript is tested in the version of new projects, and in the next version", () => {
  const readVersion = (directory: string) =>
    JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8")).version as string
  assert.match(readVersion("node_modules/typescript"), /^7\.0\./)
  assert.match(readVersion("tests/typescript-next/node_modules/typescript"), /^7\.1\./)
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  // New projects get this range, so it must not allow a minor version that nobody has tried.
  assert.match(devDependencies.typescript, /^~7\.0\./)
})

test.run()

const coverage = suite("coverage")

const lines = (total: number, covered: number) => ({
  lines: { total, covered, pct: (covered / total) * 100 },
})

coverage("coverage counts only the sources of lib/, template/ and adapters/node", () => {
  const summary = {
    total: lines(1000, 0),
    "/p/lib/a.ts": lines(90, 90),
    "/p/adapters/node.ts": lines(10, 5),
    "/p/bin/fw.ts": lines(100, 0),
    "/p/adapters/bun.ts": lines(100, 0),
  }
  assert.equal(judgeCoverage(summary, "/p"), {
    summary: "95.0 % of the lines of lib/, template/ and adapters/node (2 files)",
  })
})

coverage(
  "if the coverage is below the limit, the message names the files with missing lines, the worst file first",
  () => {
    const { problem } = judgeCoverage({ "/p/lib/a.ts": lines(100, 99), "/p/lib/b.ts": lines(100, 50) }, "/p")
    assert.match(problem, "74.5 %")
    assert.ok(problem.indexOf("lib/b.ts: 50 %, 50 lines not run") < problem.indexOf("lib/a.ts"))
  },
)

coverage("a report of the coverage that names no sources is a failure", () => {
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

const lock = (packages: Record<string, unknown>) => JSON.stringify({ packages })
const a = { "node_modules/a": { version: "1.0.0" } }
const b = { "node_modules/b": { version: "2.0.0", optional: true } }
const tool = { "node_modules/tool": { version: "3.0.0" } }
const links = { "node_modules/tools": { resolved: "tests/tools", link: true }, "tests/tools": {} }
const wanted = lock({ "": { devDependencies: { a: "1" } }, ...a, ...b, ...tool, ...links })
const present = (...packages: object[]) => ({
  "node_modules/.package-lock.json": lock(Object.assign({}, ...packages)),
})
/** Files, and the programs for which they count as installed. */
const installs: ReadonlyArray<readonly [string, Record<string, string>, string]> = [
  ["no package exists", {}, ""],
  ["all packages exist", present(a, b, tool, links), "all build"],
  ["only the package of another platform is missing", present(a, tool, links), "all build"],
  ["only links to folders of the clone are missing", present(a, b, tool), "all build"],
  ["only packages that tests need are missing", present(a, b), "build"],
  [
    "an installed version is not the one in the lock file",
    present({ "node_modules/a": { version: "1.0.1" } }, tool),
    "",
  ],
  ["a package of a build is missing", present(b, tool), ""],
  [
    "a package that nothing needs any more is installed",
    present(a, tool, { "node_modules/c": { version: "1.0.0" } }),
    "all",
  ],
  ["an installation was interrupted", { "node_modules/a/package.json": "{}" }, ""],
  ["the lock file in node_modules is not JSON", { "node_modules/.package-lock.json": "{" }, ""],
]
for (const [what, files, expected] of installs) {
  setup(`packages count as installed for ${expected || "nothing"} if ${what}`, () => {
    const directory = project({ "package-lock.json": wanted, ...files })
    assert.is(["all", "build"].filter((purpose) => isInstalled(directory, purpose)).join(" "), expected)
  })
}

/** Creates a clone with the scripts, and an npm that prints its arguments. */
function cloneWith(npm: string) {
  const files = readdirSync(join(root, "scripts")).filter((name) => name.endsWith(".mjs"))
  const directory = project({
    "package.json": readFileSync(join(root, "package.json"), "utf8"),
    "package-lock.json": wanted,
    ...Object.fromEntries(files.map((name) => [`scripts/${name}`, readFileSync(join(root, "scripts", name), "utf8")])),
    "path/npm": `#!/bin/sh\n${npm}\n`,
  })
  chmodSync(join(directory, "path/npm"), 0o755)
  const install = (purpose: string) =>
    runNode(["-e", `import("./scripts/setup.mjs").then((m) => m.install("${purpose}"))`], {
      cwd: directory,
      env: { PATH: `${join(directory, "path")}:${process.env.PATH}` },
    })
  return { directory, install }
}

setup("an installation prints the number of fetched packages, and nothing of npm's output", async () => {
  const { directory, install } = cloneWith(
    [
      "echo $* > args",
      "echo npm warn install-scripts x >&2",
      "for name in $(seq 60); do",
      '  echo "npm http fetch GET 200 https://r.example/$name 5ms" >&2',
      '  echo "npm http fetch GET 200 https://r.example/$name.tgz 5ms" >&2',
      "done",
    ].join("\n"),
  )
  const args = () => readFileSync(join(directory, "args"), "utf8")
  assert.equal(await install("all"), {
    code: 0,
    stdout: "",
    stderr: "Installing packages (npm ci) …\n  25 fetched\n  50 fetched\n",
  })
  assert.not.match(args(), "--no-workspaces")
  await install("build")
  assert.match(args(), /^ci .*--no-workspaces --legacy-peer-deps\n$/)
})

setup("an installation that fails shows what npm reports", async () => {
  const { install } = cloneWith(
    'echo "npm http fetch GET 404 https://r.example/a" >&2\necho "npm error code E404" >&2\nexit 7',
  )
  const { code, stderr } = await install("all")
  assert.is(code, 1)
  assert.match(stderr, /npm error code E404\n\nnpm ci failed with exit code 7. Fix what npm reports above/)
  assert.not.match(stderr, "npm http")
})

setup.run()
