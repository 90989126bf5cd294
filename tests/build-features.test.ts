/** `fw build --target workers` carries the features that a project uses, and no other. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Metafile } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { importedFeatures, unusedFeatures } from "../bin/project/build-features.ts"
import { workerEntry } from "../bin/project/codegen.ts"
import { featureUse, type WorkerFeature } from "../lib/feature-use.ts"
import { emptyTree, type RouteTree } from "../lib/tree.ts"
import { makeProject, route } from "./dev-project.ts"
import { fw, project } from "./support/command.ts"
import { root } from "./support/tsc.ts"

type Files = Readonly<Record<string, string>>

const all = Object.keys(featureUse) as WorkerFeature[]
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
  assert.equal(features, ["mount"])
  assert.is(text, "hello")
  assert.not.match(stderr, /feature|cookie/, "and nobody has to know")
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
    assert.equal(features, [...new Set(["mount", feature, ...more])].sort())
  })
}
test("every feature has its cases", () => {
  const seen = new Set(uses.map(([feature]) => feature))
  assert.equal(
    all.filter((name) => !seen.has(name)),
    ["messages", "mount"],
    "one that no build has, one that every build has",
  )
})

test("the entry itself imports all that its routes do not rule out: it may be bundled by hand", async () => {
  const imports = (tree: RouteTree) =>
    [...workerEntry(tree, { main: null }).matchAll(/^import "fw\/workers\/(\w+)"$/gm)].map(([, name]) => name)
  const empty = emptyTree("app")
  assert.equal(
    imports(empty),
    all.filter((name) => name !== "pages"),
  )
  const error = { file: "app/error.tpl" }
  assert.equal(imports({ ...empty, error }), all)
  assert.equal(importedFeatures({ ...empty, error }), all)
})

test("docs/runtimes.md lists every import", () => {
  const text = readFileSync(join(root, "docs/runtimes.md"), "utf8")
  const listed = [...text.matchAll(/^\| `fw\/workers\/(\w+)` \|/gm)].map(([, name]) => name)
  assert.equal(listed, [...all, "all"])
})

/** What esbuild says of a bundle: bytes by module. */
const metafileOf = (inputs: Readonly<Record<string, number>>): Metafile => {
  const parts = Object.entries(inputs).map(([name, bytesInOutput]) => [name, { bytesInOutput }])
  const output = { bytes: 0, imports: [], exports: [], inputs: Object.fromEntries(parts) }
  const read = Object.keys(inputs).map((name) => [name, { bytes: 0, imports: [] }])
  return { inputs: Object.fromEntries(read), outputs: { "worker.mjs": output } }
}

const codes: ReadonlyArray<readonly [code: string, ...used: WorkerFeature[]]> = [
  ...["bind", "bytes", "form", "formFile", "formValue", "request", "text"].map(
    (name) => [`c.${name}`, "body"] as const,
  ),
  ["app.router.mount('/a', (request) => fetch(request))", "body"],
  ["const { request } = c", "body"],
  ["const { param, request: r } = c", "body"],
  ["c['text']()", "body"],
  ["const { param, request, path } = c", "body"],
  ["const text = 'text/plain'\nlet request = f(a, text)\nconst mounted = (request) => request", ...[]],
  ["c.cookie('a')", "cookies"],
  ["c.setCookie({})", "cookies"],
  ["const { cookie } = c", "cookies"],
  ["const cookies = 1, cookiejar = resetCookie", ...[]],
  ["c.sse(run)", "sse"],
  ['c["sse"](run)', "sse"],
  ["const assess = essse", ...[]],
  ["app.socket('/ws', run)", "sockets"],
  ["const run = () => ({})\nexport { run as Socket }", "sockets"],
  ["app.registerRoute('SOCKET', '/', run)", "sockets"],
  ["const sockets = WebSocket", ...[]],
  ["app.openapi()", "openapi"],
  ["app\n  // where they are\n  .static('/a', 'b')", "static"],
  ["app?.static?.('/a', 'b')", "static"],
  ["app./* here */static('/a', 'b')", "static"],
  ["const serve = app.static\nserve('/a', 'b')", "static"],
  ["const { static: serve } = app", "static"],
  ['app["static"]("/a", "b")', "static"],
  ["new App({ staticDir })", "static"],
  ["class A {\n  static async a() {}\n  static #b\n  static{}\n  static [c] = 1\n  static*d(){}\n}", ...[]],
  ["const ecstatic = 1, statics = 2", ...[]],
]
const middleware = "fw/dist/lib/middleware/session.js"
const texts = project({
  "fw/dist/adapters/platform.workerd.js": "",
  "fw/dist/lib/context.js": "class Context { cookie() {} sse() {} }",
  [middleware]: 'export const session = (c) => c.cookie("id")',
  ...Object.fromEntries(codes.map(([code], i) => [`app/${i}.ts`, code])),
  "app/names.json": '{ "stream": "sse" }',
  ".fw/routes.ts": '"app/socket/route.ts"',
})
const modules: ReadonlyArray<readonly [what: string, inputs: Record<string, number>, used: WorkerFeature[]]> =
  [
    ...codes.map(([code, ...used], i) => [code, { [`app/${i}.ts`]: 1 }, used] as const),
    ["a module of which nothing is left", { "app/0.ts": 0 }, ["body"]],
    ["JSON", { "app/names.json": 1 }, ["sse"]],
    ["fw's core", {}, []],
    ["fw's middleware", { [middleware]: 9 }, ["cookies"]],
    ["fw's middleware of which nothing is left", { [middleware]: 0 }, []],
    ["what fw generates", { ".fw/routes.ts": 1 }, []],
    ["what a package keeps out of browsers", { "(disabled):node_modules/a/fs.js": 0 }, []],
    [
      "what is no file, which may say anything",
      { "app/0.ts?raw": 1 },
      all.filter((name) => featureUse[name].words),
    ],
  ]
for (const [what, inputs, used] of modules) {
  test(`${what} uses ${used.join(", ") || "nothing"}`, () => {
    const core = { "fw/dist/adapters/platform.workerd.js": 1, "fw/dist/lib/context.js": 1 }
    const unused = unusedFeatures(texts, metafileOf({ ...core, ...inputs }), "adapters/platform.workerd.js")
    assert.equal(
      all.filter((name) => featureUse[name].words && !unused.includes(name)),
      used,
    )
  })
}

test.run()
