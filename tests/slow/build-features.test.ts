/** `fw build --target workers` carries the features that a project uses, and no other. Slow: each test bundles a whole project. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { featureUse, type WorkerFeature } from "../../lib/feature-use.ts"
import { makeProject, route } from "../dev-project.ts"
import { fw } from "../support/command.ts"

type Files = Readonly<Record<string, string>>

const hello = { "app/route.ts": route("hello") }
const mainOf = (code: string) => ({
  ...hello,
  "main.ts": `import { App } from "fw"\nconst app = new App({ logger: false })\n${code}\nexport default app\n`,
})

const setter = `import type { Context } from "fw"

template Page(c: Context) {
  {const set = c.setCookie({ name: "a", value: "b" })}
  <p>{typeof set}</p>
}
`
const failure = `import type { Context } from "fw"

template Failure(_c: Context, status: number, message: string) {
  <p>{status} {message}</p>
}
`

/** Builds for workers; gives the features that came along, and what the worker answers to `GET /`. */
async function built(files: Files): Promise<{ features: string[]; text: string; stderr: string }> {
  const cwd = makeProject({ ...mainOf(""), ...files })
  const { code, stdout, stderr } = await fw(["build", "--target", "workers"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const file = join(cwd, "dist/workers/worker.mjs")
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { sources: string[] }
  const features = sources.flatMap((source) => /\/adapters\/workers\/(\w+)\.[jt]s$/.exec(source)?.[1] ?? [])
  const worker = await import(pathToFileURL(file).href)
  const answer = await worker.default.fetch(new Request("http://localhost/"), {}, { waitUntil() {} })
  return { features: features.sort(), text: await answer.text(), stderr }
}

test("a project that says hello carries what mounts its routes", async () => {
  const { features, text, stderr } = await built(hello)
  assert.equal(features, ["logger", "mount"])
  assert.is(text, "hello")
  assert.not.match(stderr, /feature|cookie/, "and nobody has to know")
})

test("all that fw exports, its middleware among it, brings nothing by itself", async () => {
  const main =
    'import * as fw from "fw"\nexport const names = Object.keys(fw)\nexport default new fw.App({ logger: false })\n'
  assert.equal((await built({ ...hello, "main.ts": main })).features, ["logger", "mount"])
})

const uses: ReadonlyArray<readonly [feature: WorkerFeature, how: string, files: Files]> = [
  [
    "cookies",
    "c.cookie() in a package",
    {
      ...mainOf('import { session } from "sessions"\napp.get("/s", session)'),
      "node_modules/sessions/package.json": '{ "name": "sessions", "type": "module", "main": "index.js" }',
      "node_modules/sessions/index.js": 'export const session=e=>e.string(200,e.cookie("a"))',
    },
  ],
  ["cookies", "c.setCookie() in a template", { ...hello, "app/x/page.tpl": setter }],
  [
    "sse",
    "a constant of a module that is gone from the bundle",
    {
      "app/names.ts": 'export const enum Names {\n  Stream = "sse",\n}\n',
      "app/route.ts":
        'import { Names } from "./names.ts"\nexport const Get = (c) => c[Names.Stream](() => {})\n',
    },
  ],
  ["cookies", "an import of the project's own", mainOf('import "fw/workers/cookies"')],
  ["sockets", "a route file's Socket", { "app/ws/route.ts": "export const Socket = () => ({})\n", ...hello }],
  [
    "body",
    "c.bind()",
    {
      "app/route.ts": `${route("hello")}export const Post = async (c: Context) => c.json(200, await c.bind())\n`,
    },
  ],
  [
    "stream",
    "c.stream()",
    {
      "app/route.ts": `${route("hello")}export const Post = (c: Context) => c.stream(200, (async function* () {})(), "a/b")\n`,
    },
  ],
  [
    "proxy",
    "a proxy file",
    {
      ...hello,
      "app/proxy.ts": 'import { proxy } from "fw"\nexport const Proxy = () => proxy.continue()\n',
    },
  ],
  ["openapi", "app.openapi()", mainOf("app.openapi()")],
  ["static", "app.static()", { ...mainOf('app.static("/files", "public")'), "public/a.txt": "a" }],
  ["static", "the directory static", { ...hello, "static/a.txt": "a" }],
  ["pages", "a page for errors", { ...hello, "app/error.tpl": failure }],
]
for (const [feature, how, files] of uses) {
  test(`${how} brings ${feature}, and nothing else`, async () => {
    const { features } = await built(files)
    const more =
      how.endsWith(".tpl") || Object.keys(files).some((name) => name.endsWith(".tpl")) ? ["pages"] : []
    assert.equal(features, [...new Set(["logger", "mount", feature, ...more])].sort())
  })
}
test("every feature has its cases", () => {
  const seen = new Set(uses.map(([feature]) => feature))
  assert.equal(
    Object.keys(featureUse).filter((name) => !seen.has(name as WorkerFeature)),
    ["logger", "messages", "mount"],
    "those that every build has, and one that none has",
  )
})

test.run()
