/**
 * Tests of the executable for this machine: in an empty directory it serves what the project serves, after the
 * project is deleted.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, copyExample, type Served, serve } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"
import { askTasks, taskRequests as requests } from "../support/examples/tasks.ts"
import { rightTools, useTools } from "../support/examples/tools.ts"

const compiler = execFileSync(
  process.execPath,
  [fileURLToPath(new URL("../../tests/support/bin/css/css-standalone.mjs", import.meta.url))],
  { encoding: "utf8" },
)
  .trim()
  .split("\n")
  .at(-1) as string
const env = { FW_CSS_BINARY: compiler }
const alone = { TASKS_DATA: "", TASKS_API_KEYS: "ada=s3cret", FW_LOG_LEVEL: "off" }

const [tasks, twin] = [copyExample("tasks"), copyExample("tasks")]
/** An empty directory for the executable. */
const elsewhere = project({})
const binary = join(elsewhere, "tasks")
let digest = ""
let compare: Served | undefined
let served: Served | undefined

const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")

test("fw build writes an executable, and prints its path and size", async () => {
  const { code, stdout, stderr } = await build(tasks, ["--json", "--sbom"], env)
  assert.is(code, 0, stdout + stderr)
  const path = join(tasks, "bin/tasks")
  const { size, mode } = statSync(path)
  assert.equal(JSON.parse(stdout), {
    success: true,
    data: { binary: "bin/tasks", os: "linux", arch: "amd64", size },
  })
  assert.is(mode & 0o111, 0o111)
  assert.ok(size < 125_000_000, `the executable has ${size} bytes, so its Node is not stripped`)
  assert.equal(readdirSync(join(tasks, "bin")).sort(), ["tasks", "tasks.cdx.json"])
  const { components } = JSON.parse(readFileSync(`${path}.cdx.json`, "utf8")) as {
    components: readonly { name: string; version: string }[]
  }
  const listed = components.map(({ name, version }) => `${name} ${version.split(".")[0]}`)
  for (const one of ["fw 0", "node 26"]) assert.ok(listed.includes(one), listed.join())
  assert.equal(
    readdirSync(join(tasks, ".fw")).filter((name) => name.includes("build")),
    [],
  )
  digest = sha256(path)
})

test("two builds of the same files are the same, also in another directory and with another output", async () => {
  const { code, stdout, stderr } = await build(twin, ["-o", "out/other-name"], env)
  assert.is(code, 0, stdout + stderr)
  assert.match(
    stdout,
    /^out\/other-name {2}1\d\d\.\d MB {2}linux\/amd64, Node 26\.\d+\.\d+\n {2}Removed \d\d\.\d MB of debug symbols\.\n$/,
  )
  assert.is(sha256(join(twin, "out/other-name")), digest)
})

test("the executable runs in an empty directory, without the project and without Node", async () => {
  assert.is((await build(twin, ["--target", "node"], env)).code, 0)
  renameSync(join(tasks, "bin/tasks"), binary)
  chmodSync(binary, 0o500)
  rmSync(tasks, { recursive: true })
  served = await serve([binary], elsewhere, { ...alone, PATH: "/nonexistent" })
  compare = await serve([process.execPath, join(twin, "dist/node/server.mjs")], project({}), alone)
})

for (const [method, path, headers = {}, body] of requests) {
  test(`${method} ${path} ${JSON.stringify(headers)} is answered as by the project on Node`, async () => {
    const [inside, outside] = await Promise.all(
      [served, compare].map((one) => askTasks((one as Served).url, { method, path, headers, body })),
    )
    assert.equal(inside, outside)
    assert.ok((inside?.status ?? 500) < 500)
  })
}

test("the official client lists and calls the tools of the executable", async () => {
  assert.equal(await useTools((served as Served).url), rightTools)
})

test("a static file with the same ETag is answered with 304", async () => {
  const { url } = served as Served
  const etag = (await fetch(`${url}/static/app.js`)).headers.get("etag") as string
  assert.match(etag, /^"[0-9a-f]{20}"$/)
  const again = await fetch(`${url}/static/app.js`, { headers: { "if-none-match": etag } })
  assert.is(again.status, 304)
})

test("SIGTERM ends the executable after the running request is answered", async () => {
  const { url, stop, child } = served as Served
  const exited = new Promise((resolve) => child.once("exit", resolve))
  // The request waits for its body.
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"title":'))
      finish = () => {
        controller.enqueue(new TextEncoder().encode('"Last words"}'))
        controller.close()
      }
    },
  })
  const headers = { "content-type": "application/json" }
  const answer = fetch(`${url}/api/tasks`, { method: "POST", headers, body, duplex: "half" } as RequestInit)
  await fetch(`${url}/api/health`)
  const ended = stop("SIGTERM")
  await refused(url)
  finish()
  assert.is((await answer).status, 201)
  assert.is(await ended, 0)
  assert.is(await exited, 0)
  await compare?.stop()
})

/** Waits until the server accepts no new connection. */
async function refused(url: string): Promise<void> {
  for (;;) {
    const taken = await fetch(url, { headers: { connection: "close" } }).then(
      () => true,
      () => false,
    )
    if (!taken) return
  }
}

const levels: ReadonlyArray<readonly [env: Record<string, string>, logs: boolean]> = [
  [{}, true],
  [{ FW_LOG_LEVEL: "off" }, false],
  [{ NODE_ENV: "production" }, false],
  [{ GO_ENV: "production" }, false],
  [{ GO_ENV: "production", FW_DEV: "true" }, true],
  [{ NODE_OPTIONS: "--require=/nonexistent.js" }, true],
]
for (const [given, logs] of levels) {
  test(`with ${JSON.stringify(given)} a request is ${logs ? "" : "not "}logged`, async () => {
    const one = await serve([binary], elsewhere, { TASKS_DATA: "", ...given })
    assert.is((await fetch(`${one.url}/api/health`)).status, 200)
    assert.is(await one.stop(), 0)
    assert.is(one.output().includes("/api/health"), logs, one.output())
  })
}

test("arguments of the executable are passed to the program, not to Node", async () => {
  const one = await serve([binary, "--version", "--eval", "process.exit(9)"], elsewhere, alone)
  assert.is((await fetch(`${one.url}/api/health`)).status, 200)
  assert.is(await one.stop(), 0)
})

test("a port in use is an error with a fix, and exit code 1", async () => {
  const one = await serve([binary], elsewhere, alone)
  const error = await serve([binary], elsewhere, { ...alone, PORT: new URL(one.url).port }).then(
    () => assert.unreachable("the second executable listened") as never,
    (error: Error) => error,
  )
  assert.match(error.message, /ended with 1 before it listened:\n.*in use by another process[\s\S]*PORT=3001/)
  assert.is(await one.stop("SIGINT"), 0)
})

test("the executable leaves nothing in its directory", () => {
  assert.equal(readdirSync(elsewhere), ["tasks"])
  assert.is(existsSync(tasks), false)
})

test.run()
