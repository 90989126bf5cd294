/**
 * Builds examples/tasks with `fw build --target`, and runs each bundle on its runtime: every answer is the same as
 * on Node.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { getCommand, type Runtime } from "../support/adapters/runtimes.ts"
import { startWorker } from "../support/adapters/workerd.ts"
import { build, copyExample, serve } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"
import { transport } from "../support/contract/wire.ts"
import { askTasks, taskRequests } from "../support/examples/tasks.ts"

const variables = { TASKS_DATA: "", TASKS_API_KEYS: "ada=s3cret", FW_LOG_LEVEL: "off" }

/** A program that replaces the CSS compiler, because only its output matters here. */
const compiler = `#!${process.execPath}
const fs = require("node:fs")
const at = process.argv.findIndex((arg) => arg === "--output" || arg === "-o")
if (at > 0) fs.writeFileSync(process.argv[at + 1], "/* compiled */ p{color:red}\\n")
else console.log("tailwindcss v4.0.0")
`

const tasks = copyExample("tasks")
// A route whose bodies are checked against types.
const checkedRoute = join(tasks, "app/api/checked")
mkdirSync(checkedRoute)
writeFileSync(
  join(checkedRoute, "route.ts"),
  `import type { Context } from "fw"

export async function Post(c: Context) {
  return c.json(200, await c.bind<{ count: number; at?: Date; kind: "a" | "b" }>())
}

export async function Put(c: Context) {
  return c.json(200, await c.bindForm<{ count: number; tags: string[] }>())
}
`,
)
const json = { "content-type": "application/json" }
const form = { "content-type": "application/x-www-form-urlencoded" }
type Request = readonly [
  method: string,
  path: string,
  headers?: Record<string, string>,
  body?: string | undefined,
  status?: number,
  part?: string,
]
/** Requests to this route, with the status and a part of the answer. */
const checkedRequests: readonly Request[] = [
  ["POST", "/api/checked", json, '{"count":1,"kind":"b","more":2}', 200, '{"count":1,"kind":"b"}'],
  ["POST", "/api/checked", json, '{"count":1,"kind":"a","at":"2026-01-02T03:04:05Z"}', 200, '"at":"<time>"'],
  ["POST", "/api/checked", json, '{"count":"1","kind":"c"}', 400, '"path":["kind"]'],
  ["PUT", "/api/checked", form, "count=2&tags=x", 200, '{"count":2,"tags":["x"]}'],
  ["PUT", "/api/checked", form, "count=x", 400, '"path":["count"]'],
]
const message = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
const settings = message("tools/call", { name: "getApiSettings", arguments: {} })
/** Requests of a language model's program to the tools of the example. */
const toolRequests: readonly Request[] = [
  ["POST", "/mcp", json, message("tools/list"), 200, '"name":"getApiTasks"'],
  ["POST", "/mcp", json, settings, 200, "HTTP 401"],
  ["POST", "/mcp", { ...json, "x-api-key": "s3cret" }, settings, 200, '"name":"Tasks"'],
  ["POST", "/mcp", json, message("tools/call", { name: "none" }), 200, '"error"'],
  ["POST", "/mcp", { ...json, origin: "https://other.example" }, message("tools/list"), 403],
  ["POST", "/mcp", json, "{", 400],
  ["GET", "/mcp", {}, undefined, 405],
]
const elsewhere = project({})
const FW_CSS_BINARY = join(elsewhere, "compiler.cjs")
writeFileSync(FW_CSS_BINARY, compiler, { mode: 0o755 })

/** A directory in which another build has left a file. */
const sharedAssets = project({ "static/other-0THER000.txt": "of another build" })

interface Running {
  readonly url: string
  stop(): Promise<unknown>
}
const running: Running[] = []
test.after(async () => {
  for (const one of running) await one.stop()
})

/** Starts the bundle of a target from an empty directory. */
async function start(target: string, runtime: Runtime): Promise<Running> {
  const directory = join(elsewhere, target)
  if (target !== "workers")
    return serve([...getCommand(runtime), join(directory, "server.mjs")], elsewhere, {
      ...bare(),
      ...variables,
      FW_ASSETS_DIR: sharedAssets,
    })
  const wrangler = JSON.parse(readFileSync(join(directory, "wrangler.json"), "utf8"))
  assert.is(wrangler.assets.binding, "ASSETS")
  assert.is(wrangler.assets.run_worker_first, true, "files come before guards")
  const worker = await startWorker({
    code: readFileSync(join(directory, wrangler.main), "utf8"),
    vars: variables,
    assets: join(directory, wrangler.assets.directory),
    date: wrangler.compatibility_date,
    flags: wrangler.compatibility_flags,
  })
  return { url: `http://127.0.0.1:${worker.port}`, stop: worker.stop }
}

/** Deno needs a home directory for its cache. */
const bare = () => ({ HOME: elsewhere })

test("every target can be built before the project is removed", async () => {
  for (const target of ["node", "bun", "deno", "workers"]) {
    const { code, stdout, stderr } = await build(tasks, ["--target", target, "-o", join(elsewhere, target)], {
      FW_CSS_BINARY,
    })
    assert.is(code, 0, stdout + stderr)
  }
  rmSync(tasks, { recursive: true })
})

const runs: ReadonlyArray<readonly [target: string, runtime: Runtime]> = [
  ["node", "node"],
  ["node", "node-24"],
  ["node", "node-26"],
  ["bun", "bun"],
  ["deno", "deno"],
  ["workers", "workerd"],
]
for (const [target, runtime] of runs) {
  test(`the bundle for ${target} starts on ${runtime}`, async () => void running.push(await start(target, runtime)))
}

/**
 * Returns true for a path that the asset binding answers itself: see the difference `assets` in
 * docs/operations/runtimes.md.
 */
const isFile = (path: string) => path.startsWith("/static/")

const requests: readonly Request[] = [...taskRequests, ...checkedRequests, ...toolRequests]
for (const [method, path, headers = {}, body, status, part = ""] of requests) {
  const what = `${method} ${path} ${JSON.stringify(headers)}`
  test(`${what} is answered the same on ${runs.map(([, runtime]) => runtime).join(", ")}`, async () => {
    const answers = await Promise.all(
      running.map(async ({ url }) => {
        const answer = await askTasks(url, { method, path, headers, body })
        for (const name of transport) delete answer.headers[name]
        // The messages differ between runtimes: see the difference `json-place` in docs/operations/runtimes.md.
        return { ...answer, text: answer.text.replace(/not valid JSON[^"]*/, "not valid JSON") }
      }),
    )
    assert.is(answers.length, runs.length)
    const [expected, ...others] = answers as [(typeof answers)[0], ...typeof answers]
    assert.ok(expected.status < 500)
    if (status !== undefined) assert.is(expected.status, status)
    assert.ok(expected.text.includes(part), expected.text)
    for (const [index, answer] of others.entries()) {
      const [, runtime] = runs[index + 1] as (typeof runs)[number]
      if (runtime !== "workerd" || !isFile(path)) assert.equal(answer, expected, `${runtime} ${what}`)
      else if (expected.status === 200) assert.is(answer.text, expected.text, `${runtime} ${what}`)
      else if (expected.status === 404) assert.is(answer.status, 404, `${runtime} ${what}`)
    }
  })
}

test("files with hashes are answered and cached on every runtime, and those of another build if there is a disk", async () => {
  const [first] = running as [Running]
  const page = await (await fetch(first.url, { headers: { accept: "text/html" } })).text()
  const paths = [...new Set(page.match(/\/static\/[\w/.-]+-[0-9A-Z]{8}\.\w+/g))]
  assert.ok(paths.length > 2, page)
  for (const [index, { url }] of running.entries()) {
    const [, runtime] = runs[index] as (typeof runs)[number]
    const ask = async (path: string, status: number) => {
      const answer = await fetch(url + path, { headers: { "accept-encoding": "identity" } })
      assert.is(answer.status, status, `${runtime} ${path}`)
      if (status === 200)
        assert.is(answer.headers.get("cache-control"), "public, max-age=31536000, immutable", `${runtime} ${path}`)
      return answer.text()
    }
    for (const path of paths) {
      const plain = path.replace(/-[0-9A-Z]{8}/, "")
      assert.is(await ask(path, 200), await (await fetch(url + plain)).text(), `${runtime} ${path}`)
      await ask(path.replace(/-[0-9A-Z]{8}/, "-00000000"), 404)
    }
    await ask("/static/other-0THER000.txt", runtime === "workerd" ? 404 : 200)
  }
})

test("in the worker, only the example's store imports the file system, not fw", () => {
  const { compatibility_flags } = JSON.parse(readFileSync(join(elsewhere, "workers/wrangler.json"), "utf8"))
  assert.ok(compatibility_flags.includes("nodejs_compat"))
  const code = readFileSync(join(elsewhere, "workers/worker.mjs"), "utf8")
  // The store of the example imports node:fs, but the files, the scan and the routes of fw do not.
  const importers = [...code.matchAll(/^\/\/ (\S+)\n(?:(?!^\/\/ ).*\n)*?.*from "(?:node:)?fs(?:\/promises)?"/gm)]
  assert.ok(!importers.some(([, file]) => file?.includes("adapters/") || file?.includes("dist/lib")))
})

test.run()
