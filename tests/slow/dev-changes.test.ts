/**
 * Tests of the programs that `fw dev` starts and ends between a save and the next answer. Slow: each of some forty
 * saves starts a program.
 */
import { symlinkSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Answer, ask, makeProject, oneDev, route, write } from "../support/bin/dev/dev-project.ts"

const test = suite("fw dev: more changes")
const file = "app/api/hello/route.ts"
const html = { headers: { accept: "text/html" } }

const one = oneDev(test, { [file]: route("one") })

test("during an edit every request is answered, and in the end with the new text", async () => {
  let running = true
  const answers: string[] = []
  const loop = async () => {
    while (running) {
      const { status, body } = await ask(one.port, "/api/hello")
      assert.is(status, 200)
      answers.push(body)
    }
  }
  const loops = [loop(), loop(), loop()]
  for (const text of ["two", "three", "four"]) assert.is(await one.save({ [file]: route(text) }, "/api/hello"), text)
  running = false
  await Promise.all(loops)
  assert.is(answers.includes("two") && answers.includes("three"), true)
  assert.is(answers.at(-1), "four")
})

test("two files that claim one path are an error that names both, and the last program answers until it is fixed", async () => {
  write(one.root, { "app/(other)/api/hello/route.ts": route("other") })
  const [text] = await one.dev.says(/error: .*both claim GET \/api\/hello.*/)
  assert.match(text, "app/(other)/api/hello/route.ts")
  assert.match(text, file)
  assert.is((await ask(one.port, "/api/hello")).status, 200)
  write(one.root, { "app/(other)": null })
  await one.dev.says(/rebuilt in/)
})

test("a misspelled name is an error that suggests the right one", async () => {
  write(one.root, { "app/api/near/route.ts": "export function GET() {}\n" })
  await one.dev.says(/app\/api\/near\/route\.ts:1:\d+/)
  await one.dev.says(/Get/)
  write(one.root, { "app/api/near": null })
  await one.dev.says(/rebuilt in/)
})

test("a program that throws when it is imported is reported at its source, and the last program answers", async () => {
  await one.save({ [file]: route("before") }, "/api/hello")
  write(one.root, { [file]: `type Unused = string\n\nthrow new Error("at import")\n${route("after")}` })
  await one.dev.says(/error: at import\n +app\/api\/hello\/route\.ts:3:7/)
  assert.is(await one.body("/api/hello"), "before")
  assert.is(await one.save({ [file]: route("after") }, "/api/hello"), "after")
})

test("a program that crashes later is restarted by the next request", async () => {
  const crash = `export function Get(): never {\n  setImmediate(() => {\n    throw new TypeError("later")\n  })\n  return new Promise(() => {}) as never\n}\n`
  await one.save({ "app/api/crash/route.ts": crash }, "/api/hello")
  const page = await ask(one.port, "/api/crash", html)
  assert.is(page.status, 500)
  assert.match(page.headers["content-type"] as string, "text/html")
  assert.match(page.body, "TypeError: later")
  assert.match(page.body, "app/api/crash/route.ts:3:11")
  await one.dev.says(/error: TypeError: later\n +app\/api\/crash\/route\.ts:3:11/)
  assert.is((await ask(one.port, "/api/hello")).status, 200)
  assert.is(await one.save({ [file]: route("back") }, "/api/hello"), "back")
  write(one.root, { "app/api/crash": null })
  await one.dev.says(/rebuilt in/)
})

test("a main.ts that exports no App is an error that says what to write, and without main.ts there is a default App", async () => {
  write(one.root, { "main.ts": "export const app = 1\n" })
  await one.dev.says(/error: .*default/)
  assert.match(
    await one.save(
      {
        "main.ts":
          'import { App } from "fw"\nconst app = new App()\napp.get("/by-hand", (c) => c.string(200, "hand"))\nexport default app\n',
      },
      "/by-hand",
    ),
    "hand",
  )
  write(one.root, { "main.ts": null })
  await one.dev.says(/rebuilt in/)
  assert.is((await ask(one.port, "/by-hand")).status, 404)
})

test("import.meta has the values of the source file, and a CommonJS file can use require", async () => {
  const text = `import { readFileSync } from "node:fs"
import { basename } from "node:path"
import old from "../../../lib/old.cjs"

// import.meta.url in a comment, "import.meta.url" in a string: ${"`import.meta.dirname`"}
export function Get(c: import("fw").Context): Response {
  const nearby = readFileSync(new URL("./nearby.txt", import.meta.url), "utf8")
  return c.json(200, [nearby, basename(import.meta.dirname), basename(import.meta.filename), old, "import.meta"])
}
`
  const files = {
    "app/api/hello/nearby.txt": "nearby",
    "lib/old.cjs": 'module.exports = require("node:path").sep\n',
    [file]: text,
  }
  assert.equal(JSON.parse(await one.save(files, "/api/hello")), ["nearby", "hello", "route.ts", "/", "import.meta"])
})

test("a package of the workspace is compiled and watched like the project's code", async () => {
  const shared = makeProject({
    "package.json": '{ "name": "shared", "type": "module", "exports": "./src/index.ts" }',
    "src/index.ts": 'export const word: string = "shared"\n',
  })
  symlinkSync(shared, join(one.root, "node_modules/shared"), "dir")
  write(one.root, { "package.json": '{ "type": "module", "dependencies": { "shared": "*" } }\n' })
  await one.dev.says(/rebuilt in/)
  const text = `import { word } from "shared"\nexport const Get = (c: import("fw").Context) => c.string(200, word)\n`
  assert.is(await one.save({ [file]: text }, "/api/hello"), "shared")
  write(shared, { "src/index.ts": 'export const word: string = "changed"\n' })
  await one.dev.says(/rebuilt in/)
  assert.is(await one.body("/api/hello"), "changed")
  await one.save({ [file]: route("back") }, "/api/hello")
})

test("a program that listens on another port is replaced without a failed request", async () => {
  const main = (version: number) =>
    `import { createServer } from "node:http"\nimport { App } from "fw"\n\ncreateServer().listen(${own})\nconst app = new App()\napp.get("/version", (c) => c.json(200, ${version}))\nexport default app\n`
  const probe = createServer().listen(0)
  const own = (probe.address() as AddressInfo).port
  await new Promise((resolve) => probe.close(resolve))
  assert.is(await one.save({ "main.ts": main(1) }, "/version"), "1")
  for (const version of [2, 3]) {
    const asked: Promise<Answer>[] = []
    write(one.root, { "main.ts": main(version) })
    const loop = setInterval(() => asked.push(ask(one.port, "/version")), 5)
    await one.dev.says(/rebuilt in \d+ ms: main\.ts/)
    clearInterval(loop)
    for (const { status, body } of await Promise.all(asked)) assert.is(status, 200, body)
    assert.is(await one.body("/version"), String(version))
  }
  write(one.root, { "main.ts": null })
  await one.dev.says(/rebuilt in/)
})

test.run()
