/** The command on newer versions of Node keeps what Node compiles, in the user's cache. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { commandOf, type Runtime } from "../support/adapters/runtimes.ts"
import { root } from "../support/tsc.ts"

/** Runs the command with an empty cache; returns what it keeps there. */
function keptBy(runtime: Runtime, env: NodeJS.ProcessEnv): number {
  const cache = mkdtempSync(join(tmpdir(), "fw-cache-"))
  try {
    const [program, ...args] = commandOf(runtime)
    const options = {
      cwd: root,
      env: { ...process.env, XDG_CACHE_HOME: cache, ...env },
      encoding: "utf8",
    } as const
    const text = execFileSync(program, [...args, "dist/bin/fw.js", "routes", "--help"], options)
    assert.match(text, "fw routes")
    const directory = join(cache, "fw", "compiled")
    return existsSync(directory) ? readdirSync(directory, { recursive: true }).length : 0
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

for (const runtime of ["node-24", "node-26"] as const) {
  test(`${runtime}: compiled code is kept`, () => {
    assert.ok(keptBy(runtime, {}) > 3)
  })
}

for (const [name, env] of [
  ["the switch of Node", { NODE_DISABLE_COMPILE_CACHE: "1" }],
  ["coverage", { NODE_V8_COVERAGE: join(tmpdir(), "fw-coverage-test") }],
] as const) {
  test(`${name} turns it off`, () => {
    assert.is(keptBy("node-24", env), 0)
  })
}

test("a cache that cannot be made changes nothing else", () => {
  assert.is(keptBy("node-24", { XDG_CACHE_HOME: join(root, "package.json") }), 0)
})

test.run()
