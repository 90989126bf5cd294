/**
 * Tests of the parts of fw in a worker under workerd: with all parts, built by the command or bundled by hand, and
 * the error about a part that is left out.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { WebSocket } from "ws"
import { type FrameworkPart, frameworkParts } from "../../bin/system/framework-files.ts"
import { bundleWorker, startWorker } from "../support/adapters/workerd.ts"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"

type Worker = Awaited<ReturnType<typeof startWorker>>

const running: Worker[] = []
test.after(async () => {
  for (const worker of running) await worker.stop()
})

/** Starts a worker. `assets` is the directory that a build wrote. */
async function start(code: string, assets?: string): Promise<Worker> {
  const worker = await startWorker({ code, ...(assets && { assets }) })
  running.push(worker)
  return worker
}

/** Builds a project for workers, and starts the worker. */
async function built(cwd: string, args: readonly string[] = []): Promise<Worker> {
  const { code, stdout, stderr } = await fw(["build", "--target", "workers", ...args], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const at = (name: string) => join(cwd, "dist/workers", name)
  return start(readFileSync(at("worker.mjs"), "utf8"), at("assets"))
}

const files = {
  "main.ts": `import { App } from "fw"
const app = new App({ logger: false })
app.openapi()
app.static("/files", "public")
export default app
`,
  "public/a.txt": "an asset",
  "app/route.ts": route("hello"),
  "app/bound/route.ts": "export const Post = async (c) => c.json(200, await c.bind())\n",
  "app/cookie/route.ts": `export function Get(c) {
  c.setCookie({ name: "b", value: "2" })
  return c.string(200, c.cookie("a"))
}
`,
  "app/events/route.ts": 'export const Get = (c) => c.sse((events) => events.send({ data: "x" }))\n',
  "app/chat/route.ts": `export const Socket = () => ({
  message: (socket, data) => socket.send(\`you said \${data}\`),
})
`,
  "app/page/page.tpl": "template Page() {\n  <p>a page</p>\n}\n",
  "app/not-found.tpl": "template NotFound() {\n  <p>nothing here</p>\n}\n",
}

const html = { accept: "text/html" }
const json = { "content-type": "application/json" }
const answers: ReadonlyArray<readonly [path: string, init: RequestInit, status: number, text: RegExp]> = [
  ["/", {}, 200, /^hello$/],
  ["/bound", { method: "POST", body: '{"a":1}', headers: json }, 200, /^\{"a":1\}$/],
  ["/cookie", { headers: { cookie: "a=1" } }, 200, /^1$/],
  ["/events", {}, 200, /^data: x$/m],
  ["/chat", {}, 426, /upgrade_required/],
  ["/page", { headers: html }, 200, /a page/],
  ["/nowhere", { headers: html }, 404, /nothing here/],
  ["/files/a.txt", {}, 200, /^an asset$/],
  ["/openapi.json", {}, 200, /"\/bound"/],
]

const ways: ReadonlyArray<readonly [how: string, start: (cwd: string) => Promise<Worker>]> = [
  ["built by the command", (cwd) => built(cwd)],
  [
    "bundled by hand",
    async (cwd) => start(await bundleWorker(join(cwd, ".fw/entry.workers.ts")), join(cwd, "dist/workers/assets")),
  ],
]
const cwd = makeProject(files, ["fw", "esbuild", "typescript"])
for (const [how, begin] of ways) {
  test(`a project ${how} answers as on other runtimes`, async () => {
    const { port } = await begin(cwd)
    for (const [path, init, status, text] of answers) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, init)
      assert.is(answer.status, status, path)
      assert.match(await answer.text(), text, path)
      if (path === "/cookie") assert.equal(answer.headers.getSetCookie(), ["b=2; Path=/"])
    }
    const client = new WebSocket(`ws://127.0.0.1:${port}/chat`)
    client.on("open", () => client.send("hi"))
    const said = await new Promise<string>((resolve, reject) => {
      client.on("message", (data) => resolve(String(data)))
      client.on("error", reject)
    })
    assert.is(said, "you said hi")
    client.terminate()
  })
}

test("a hello-world project runs without any part", async () => {
  const main = 'import { App } from "fw"\nexport default new App({ logger: false })\n'
  const project = makeProject({ "app/route.ts": route("hello"), "main.ts": main })
  const { port } = await built(project, ["--without", frameworkParts.join(",")])
  const found = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal([found.status, await found.text()], [200, "hello"])
  const missing = await fetch(`http://127.0.0.1:${port}/nowhere`, { headers: { accept: "text/html" } })
  assert.equal([missing.status, ((await missing.json()) as { error: string }).error], [404, "not_found"])
})

/**
 * Starts a worker of one module. Returns its answer to `GET /`, and its console output until that matches `said`.
 */
async function asked(text: string, without: readonly FrameworkPart[], said: RegExp) {
  const entry = join(makeProject({}), "worker.ts")
  writeFileSync(entry, text)
  const worker = await start(await bundleWorker(entry, without))
  let told = ""
  const matches = new Promise<void>((resolve) => {
    for (const stream of [worker.child.stdout, worker.child.stderr]) {
      stream?.on("data", (chunk) => {
        told += chunk
        if (said.test(told)) resolve()
      })
    }
    worker.child.on("close", () => resolve())
  })
  const answer = await fetch(`http://127.0.0.1:${worker.port}/`)
  const body = await answer.text()
  await matches
  return { status: answer.status, body, told }
}

test("a worker that uses a part that was left out answers with 500, and its console names the part", async () => {
  const text =
    'import { App } from "fw"\nconst app = new App()\napp.get("/", (c) => c.sse(() => {}))\nexport default app\n'
  const { status, body, told } = await asked(text, ["live"], /without the part live/)
  assert.is(status, 500)
  assert.not.match(body, "live")
  assert.match(told, "bundled without the part live")
})

test("a worker that is bundled by hand runs its proxy, and logs requests", async () => {
  const text = `import { App, proxy } from "fw"
const app = new App({ logger: { level: "info" } })
app.setProxy((c) => proxy.responseJSON(203, c.path), { matchers: ["/*"] })
export default app
`
  const { status, body, told } = await asked(text, [], /GET \/ 203/)
  assert.equal([status, body], [203, '"/"'])
  assert.match(told, /^\[\d\d:\d\d:\d\d\] GET \/ 203 in \d+ms \(3B\)$/m)
})

test.run()
