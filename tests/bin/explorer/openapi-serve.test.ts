/** Tests of `fw openapi serve`: where its document comes from, and that it follows changes of the project. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ExplorerServer } from "../../../bin/explorer/server.ts"
import { main } from "../../../bin/main.ts"
import { fakeIo, fw, project } from "../../support/bin/cli/command.ts"
import { documentFor } from "../../support/bin/explorer/explored.ts"

/** Runs `fw openapi serve` until `use` has ended. */
async function serving(cwd: string, args: readonly string[], use: (base: string) => Promise<void>) {
  const stop = new AbortController()
  const { io, stdout, stderr } = fakeIo({ cwd, signal: stop.signal })
  let listening: (base: string) => void = () => {}
  const ready = new Promise<string>((resolve) => {
    listening = resolve
  })
  const write = io.stdout.write
  const told = {
    ...io.stdout,
    write: (text: string) => {
      write(text)
      const base = /http:\/\/localhost:\d+/.exec(stdout())?.[0]
      if (base) listening(base)
    },
  }
  const ended = main(["openapi", "serve", "-p", "0", ...args], { ...io, stdout: told })
  const base = await Promise.race([
    ready,
    ended.then((code) => assert.unreachable(`fw openapi serve ended with ${code}: ${stderr()}`)),
  ])
  try {
    await use(base as unknown as string)
  } finally {
    stop.abort()
    await ended
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows the type of what it requests.
const get = async (url: string): Promise<any> => (await fetch(url)).json()

test("fw openapi serve follows the project, and keeps the last good document while the project is broken", async () => {
  const route = (what: string) => `/** ${what} */\nexport function Get(c) { return c.json(200, {}) }\n`
  const cwd = project({ "package.json": '{"name":"shop"}', "app/api/a/route.ts": route("First.") })
  const file = join(cwd, "app/api/a/route.ts")
  await serving(cwd, ["--title", "Mine", "--version", "2.0.0"], async (base) => {
    const first = await get(`${base}/openapi.json`)
    assert.equal(first.info, { title: "Mine", version: "2.0.0" })
    assert.equal(first.servers, [{ url: "http://localhost:3000" }])
    assert.is(first.paths["/api/a"].get.summary, "First.")
    const events = await fetch(`${base}/docs/events`)
    const heard = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    const change = async () => {
      for (;;) if ((await heard?.read())?.value?.includes("event: change")) return
    }
    // A client that connects gets the current document.
    await change()
    writeFileSync(file, route("Second."))
    await change()
    assert.is((await get(`${base}/openapi.json`)).paths["/api/a"].get.summary, "Second.")
    writeFileSync(file, "export function GET() {}\n")
    await change()
    assert.match((await get(`${base}/docs/state`)).problem, /app\/api\/a\/route\.ts.*GET/)
    assert.is((await get(`${base}/openapi.json`)).paths["/api/a"].get.summary, "Second.")
    writeFileSync(file, route("Third."))
    await change()
    assert.is((await get(`${base}/docs/state`)).problem, null)
    await heard?.cancel()
  })
})

test("fw openapi serve --spec shows a document from a file, in JSON or YAML", async () => {
  const cwd = project({
    "a.json": JSON.stringify(documentFor("http://localhost:1")),
    "b.yaml": "openapi: 3.0.3\ninfo: {title: B, version: '1'}\npaths: {}\n",
  })
  await serving(cwd, ["--spec", "a.json"], async (base) => {
    assert.equal(await get(`${base}/openapi.json`), documentFor("http://localhost:1"))
  })
  await serving(cwd, ["--spec", "b.yaml"], async (base) => {
    assert.is((await get(`${base}/openapi.json`)).info.title, "B")
  })
})

test("a file that is not a document is refused, and the error says what a document is", async () => {
  const cwd = project({
    "a.json": "{",
    "b.yaml": "a: [",
    "c.json": '{"swagger":"2.0"}',
    "d.yaml": "hello",
    "app/x": "",
  })
  const table: [string, RegExp][] = [
    ["nowhere.json", /there is no file nowhere\.json/],
    ["app", /app is not a file/],
    ["a.json", /a\.json cannot be read/],
    ["b.yaml", /b\.yaml cannot be read/],
    ["c.json", /not an OpenAPI 3 document\n {2}It is a Swagger 2 document. Convert it/],
    ["d.yaml", /not an OpenAPI 3 document/],
  ]
  for (const [file, expected] of table) {
    const { code, stderr } = await fw(["openapi", "serve", "-p", "0", "--spec", file], { cwd })
    assert.is(code, 1, file)
    assert.match(stderr, expected)
  }
})

test("a port in use is an error that says how to choose another one", async () => {
  const explorer = new ExplorerServer({ document: {}, problem: null })
  await explorer.listen(0)
  const cwd = project({ "a.json": JSON.stringify(documentFor()) })
  const { code, stderr } = await fw(["openapi", "serve", "--spec", "a.json", "-p", String(explorer.port)], {
    cwd,
  })
  assert.is(code, 1)
  assert.match(stderr, /in use.*fw openapi serve --port/s)
  await explorer.close()
})

test.run()
