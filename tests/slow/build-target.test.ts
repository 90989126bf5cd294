/**
 * Tests of the bundles of `fw build --target`, which are run if the runtime is installed. Slow: each test bundles a
 * whole project with most of fw.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler } from "../../adapters/node.ts"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"
import { compile, root } from "../support/tsc.ts"

const app = { "app/api/hello/route.ts": route("hello") }

const site = {
  ...app,
  "package.json": '{ "name": "@me/shop", "type": "module" }\n',
  "main.ts":
    'import { App } from "fw"\nimport ms from "ms"\nconst app = new App({ logger: false })\napp.static("/files", "public")\napp.get("/ms", (c) => c.json(200, ms("2 days")))\nexport const other = 1\nexport default app\n',
  "app/page.tpl": 'template Page() {\n  <h1>{"a" + 1}</h1>\n}\n',
  "app/not-found.tpl": "template NotFound() {\n  <p>nothing here</p>\n}\n",
  "static/a.txt": "static a",
  "public/deep/b.txt": "public b",
  // A CommonJS package that loads a module of Node by its old name, and reads its own path.
  "node_modules/ms/package.json": '{ "name": "ms", "version": "1.0.0" }',
  "node_modules/ms/index.js":
    'const path = require("path")\nmodule.exports = (text) => path.basename("/x/" + text) + typeof __dirname + typeof __filename\n',
} as const

const expected: ReadonlyArray<readonly [path: string, status: number, body: RegExp]> = [
  ["/api/hello", 200, /^hello$/],
  ["/", 200, /<h1>a1<\/h1>/],
  ["/ms", 200, /^"2 daysstringstring"$/],
  ["/static/a.txt", 200, /^static a$/],
  ["/files/deep/b.txt", 200, /^public b$/],
  ["/nowhere", 404, /nothing here/],
]

const children = new Set<ChildProcess>()
test.after(() => {
  for (const child of children) child.kill("SIGKILL")
})

test("--target node writes a server that runs from any directory, and stacks have the positions of the sources", async () => {
  const place =
    'import type { Context } from "fw"\n\nexport const Get = (c: Context) => c.string(200, String(new Error("here").stack))\n'
  const cwd = makeProject({ ...site, "app/api/place/route.ts": place })
  const { code, stdout, stderr } = await fw(["build", "--target", "node", "--json"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const { data } = JSON.parse(stdout)
  const { size, ...rest } = data
  assert.equal(rest, { target: "node", directory: "dist/node", entry: "dist/node/server.mjs" })
  assert.is(size, readFileSync(join(cwd, "dist/node/server.mjs")).length)
  assert.equal(readdirSync(join(cwd, "dist/node")).sort(), [
    "fw-build.json",
    "public",
    "server.mjs",
    "server.mjs.map",
    "static",
  ])
  const child = spawn(process.execPath, ["--enable-source-maps", join(cwd, "dist/node/server.mjs")], {
    cwd: tmpdir(),
    env: { PORT: "0", FW_LOG_LEVEL: "off", NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  children.add(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value } = await lines.next()
  const port = /:(\d+)$/.exec(value as string)?.[1]
  for (const [path, status, body] of [...expected, ["/api/place", 200, /app\/api\/place\/route\.ts:3:/] as const]) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: "text/html" } })
    assert.is(answer.status, status, path)
    assert.match(await answer.text(), body, path)
  }
  child.kill("SIGTERM")
  assert.is(await new Promise((resolve) => child.once("exit", resolve)), 0)
})

test("two builds in different directories are the same, and a new build replaces the old one", async () => {
  const [one, two] = [makeProject(site), makeProject(site)]
  for (const cwd of [one, two]) {
    assert.is((await fw(["build", "--target", "node", "-o", "out"], { cwd, env: {} })).code, 0)
  }
  for (const name of ["server.mjs", "static/a.txt", "fw-build.json"]) {
    assert.equal(readFileSync(join(one, "out", name)), readFileSync(join(two, "out", name)), name)
  }
  writeFileSync(join(two, "out/stale.txt"), "of an older build")
  assert.is((await fw(["build", "--target", "node", "-o", "out"], { cwd: two, env: {} })).code, 0)
  assert.is(existsSync(join(two, "out/stale.txt")), false)
  assert.equal(
    readdirSync(two).filter((name) => name.includes("partial")),
    [],
  )
})

test("--target workers writes a worker, its assets and the configuration for wrangler", async () => {
  const cwd = makeProject({
    ...site,
    "main.ts": site["main.ts"].replace('import ms from "ms"\n', "").replace('ms("2 days")', '"2 daysstringstring"'),
  })
  const { code, stdout, stderr } = await fw(["build", "--target", "workers", "--json"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const at = (name: string) => join(cwd, "dist/workers", name)
  const config = JSON.parse(readFileSync(at("wrangler.json"), "utf8"))
  assert.equal([config.name, config.main, config.assets.binding], ["shop", "worker.mjs", "ASSETS"])
  assert.is(readFileSync(at("assets/static/a.txt"), "utf8"), "static a")
  assert.is(readFileSync(at("assets/files/deep/b.txt"), "utf8"), "public b")
  assert.not.match(readFileSync(at("worker.mjs"), "utf8"), /from"node:/)
  const worker = await import(pathToFileURL(at("worker.mjs")).href)
  // The platform uses other exports of main.ts too, such as a Durable Object.
  assert.is(worker.other, 1)
  const assets = { fetch: async (request: Request) => assetAt(at(`assets${new URL(request.url).pathname}`)) }
  for (const [path, status, body] of expected) {
    const request = new Request(`http://shop.example${path}`, { headers: { accept: "text/html" } })
    const answer = await worker.default.fetch(request, { ASSETS: assets }, { waitUntil() {} })
    assert.is(answer.status, status, path)
    assert.match(await answer.text(), body, path)
  }
})

function assetAt(path: string): Response {
  return existsSync(path) && !path.endsWith("/assets/")
    ? new Response(readFileSync(path))
    : new Response(null, { status: 404 })
}

for (const target of ["bun", "deno"] as const) {
  test(`--target ${target} uses the platform of ${target}, and imports Node's modules by their full names`, async () => {
    const cwd = makeProject(site)
    const { code, stdout } = await fw(["build", "--target", target], { cwd, env: {} })
    assert.equal([code, stdout.split("  ")[0]], [0, `dist/${target}/server.mjs`])
    const text = readFileSync(join(cwd, "dist", target, "server.mjs"), "utf8")
    assert.match(text, target === "bun" ? /Bun\.serve/ : /Deno\.serve/)
    assert.not.match(text, /(?:from|require\()"path"/)
  })
}

test("--target app writes a module that exports the app, its adapters and what main.ts exports", async () => {
  const cwd = makeProject(site)
  const { code, stdout, stderr } = await fw(["build", "--target", "app", "--json"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  assert.is(JSON.parse(stdout).data.entry, "dist/app/app.mjs")
  const names = ["app.d.mts", "app.mjs", "app.mjs.map", "fw-build.json", "public", "static"]
  assert.equal(readdirSync(join(cwd, "dist/app")).sort(), names)
  const built = await import(pathToFileURL(join(cwd, "dist/app/app.mjs")).href)
  assert.is(built.other, 1)
  assert.is(built.default.addr, "", "the app listens")
  const server = createServer(built.nodeHandler(built.default)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  for (const [path, status, body] of expected) {
    const headers = { accept: "text/html" }
    const fetched = await built.default.fetch(new Request(`http://localhost${path}`, { headers }))
    const sent = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    for (const answer of [fetched, sent]) {
      assert.is(answer.status, status, path)
      assert.match(await answer.text(), body, path)
    }
  }
  server.closeAllConnections()
  server.close()
  assert.throws(() => nodeHandler(built.default), /another copy of fw/)
})

test("the types of an app's bundle are those of the package", async () => {
  const cwd = makeProject(app)
  assert.is((await fw(["build", "--target", "app"], { cwd, env: {} })).code, 0)
  writeFileSync(
    join(cwd, "host.mts"),
    'import app, { nodeHandler } from "./dist/app/app.mjs"\nexport const GET: (request: Request) => Promise<Response> = app.fetch\nnodeHandler(app, { fallthrough: true })\n// @ts-expect-error\nnodeHandler(app, { fallthrough: 1 })\n',
  )
  const typeRoots = [join(root, "node_modules/@types")]
  const compilerOptions = { module: "NodeNext", strict: true, skipLibCheck: true, types: ["node"], typeRoots }
  const types = { compilerOptions, include: ["host.mts"] }
  writeFileSync(join(cwd, "tsconfig.host.json"), JSON.stringify(types))
  const found = await compile(join(cwd, "tsconfig.host.json"))
  assert.equal(found, [])
})

test("a project without fw uses the command's own copy, and the output says so", async () => {
  const cwd = makeProject(app, ["esbuild"])
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: {} })
  assert.is(code, 0, stderr)
  assert.match(stderr, /fw is not installed in this project/)
})

test("a bundle is not written into the directory of its static files", async () => {
  const main = 'import { App } from "fw"\nconst app = new App()\napp.static("/a", "dist")\nexport default app\n'
  const cwd = makeProject({ ...app, "main.ts": main, "dist/a.txt": "a" })
  const { code, stdout } = await fw(["build", "--target", "node", "--json"], { cwd, env: {} })
  assert.equal([code, JSON.parse(stdout).error.code], [1, "build_output"])
  assert.equal(readdirSync(join(cwd, "dist")), ["a.txt"])
})

test("a bundle contains the ws of the project, not the one next to fw", async () => {
  const cwd = makeProject({
    ...app,
    "node_modules/ws/package.json": '{ "name": "ws", "main": "index.js" }',
    "node_modules/ws/index.js": 'exports.WebSocketServer = "the ws of the project"\n',
  })
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: {} })
  assert.is(code, 0, stderr)
  assert.match(readFileSync(join(cwd, "dist/node/server.mjs"), "utf8"), /the ws of the project/)
})

test("another package with the name fw is not used", async () => {
  const cwd = makeProject(
    {
      ...app,
      "node_modules/fw/package.json": '{ "name": "fw", "version": "9.0.0" }',
      "node_modules/fw/index.js": 'throw new Error("a stranger")',
    },
    ["esbuild"],
  )
  const { code, stderr } = await fw(["build", "--target", "node"], { cwd, env: {} })
  assert.is(code, 0, stderr)
  assert.match(stderr, /another package of that name/)
  assert.not.match(readFileSync(join(cwd, "dist/node/server.mjs"), "utf8"), /a stranger/)
})

test.run()
