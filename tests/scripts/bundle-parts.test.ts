/** The parts of the core that Node loads when they are first needed: each works from its bundle, and a server needs none. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { runOnBundles } from "../support/adapters/bundled-tests.ts"
import { root } from "../support/tsc.ts"

const bundles = join(root, "dist", "node")
const parts = readdirSync(bundles).flatMap((file) => /^part-(\w+)-\w+\.cjs$/.exec(file)?.[1] ?? [])

/** Tests that use only entries of the package, and the parts that they load. `tests/slow/bundle-parts.test.ts` has more. */
const runs: Readonly<Record<string, readonly string[]>> = {
  "lib/middleware/middleware": ["messages", "middleware"],
  "lib/mount/file-middleware": ["mount"],
  "lib/request/body": ["forms"],
  "lib/static/static-http": ["files"],
  "lib/answer/sse": ["streams"],
  "lib/log/app-logger": ["log"],
  "adapters/node/node-handler": ["hosted", "addresses"],
}

test("each part is loaded by a test of this table", () => {
  assert.equal([...new Set(Object.values(runs).flat())].sort(), parts.sort())
})

for (const [name, expected] of Object.entries(runs)) {
  test(`${name}.test.ts holds for the bundles, and loads ${expected.join(", ")}`, async () => {
    const loaded = await runOnBundles(name)
    for (const part of expected) assert.ok(loaded.includes(part), `${part}: ${loaded}`)
  })
}

/** Runs a program with `fw` and `fw/node` from a directory of bundles. */
function run(directory: string, body: string): string {
  const [fw, node] = ["index.js", "node.js"].map((file) => JSON.stringify(join(directory, file)))
  const program = `
    import { createRequire } from "node:module"
    import { App, FwError } from ${fw}
    import { serve } from ${node}
    const loaded = () => Object.keys(createRequire(${fw}).cache).map((path) => path.replace(/^.*part-|-.*$/g, ""))
    ${body}`
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", NODE_V8_COVERAGE: undefined },
  })
}

test("a server with routes and JSON loads no part before its answers, also to another method and path", () => {
  const printed = run(
    bundles,
    `const app = new App({ logger: false })
    app.get("/items/{id}", (c) => c.json(200, { id: c.param("id"), page: c.queryInt("page") }))
    app.post("/items", async (c) => c.json(201, JSON.parse(await c.text())))
    const server = await serve(app, "127.0.0.1:0")
    const requests = [["/items/7?page=2"], ["/items", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }], ["/none"]]
    const statuses = []
    for (const [path, init] of requests) statuses.push((await fetch("http://" + server.addr + path, init)).status)
    await server.shutdown()
    console.log(JSON.stringify([statuses, loaded()]))`,
  )
  assert.equal(JSON.parse(printed), [[200, 201, 404], []])
})

test("what a part throws is an error of the core, with a stack that names functions", () => {
  const printed = run(
    bundles,
    `try { new App().get("x", 5) } catch (error) { console.log(error instanceof FwError, error.code, error.stack) }`,
  )
  assert.match(printed, /^true handler FwError: get\("\/x"\) was given a number, not a function\n/)
  assert.match(printed, /at checkFunction \(.*\n +at .*\n +at App\.get \(/)
})

test("a program without the files of the parts says which condition a bundler needs", () => {
  const directory = mkdtempSync(join(tmpdir(), "fw-parts-"))
  try {
    cpSync(bundles, directory, { recursive: true, filter: (path) => !path.endsWith(".cjs") })
    writeFileSync(join(directory, "package.json"), '{ "type": "module" }')
    const printed = run(
      directory,
      "try { new App().get('/', 5) } catch (error) { console.log(error.message) }",
    )
    assert.match(printed, /part-log-\w+\.cjs is not next to .*core\.js\. .*"module" or "fw-modules"/)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test.run()
