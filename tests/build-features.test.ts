/** Which features a worker may use: what its entry imports, and what the texts of its modules say. `slow/build-features.test.ts` builds some. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Metafile } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { importedFeatures, unusedFeatures } from "../bin/project/build-features.ts"
import { workerEntry } from "../bin/project/codegen.ts"
import { featureUse, type WorkerFeature } from "../lib/feature-use.ts"
import { emptyTree, type RouteTree } from "../lib/tree.ts"
import { project } from "./support/command.ts"
import { root } from "./support/tsc.ts"

const all = Object.keys(featureUse) as WorkerFeature[]
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
  ["function handle({\n  request,\n  path,\n}) {}", "body"],
  ["const text = 'text/plain'\nlet request = f(a, text)\nconst mounted = (request) => request", ...[]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template.
  ['// of every request (RFC 9110): its text\nconst tag = `"${text}"`', ...[]],
  ["c.cookie('a')", "cookies"],
  ["c.setCookie({})", "cookies"],
  ["const { cookie } = c", "cookies"],
  ["const cookies = 1, cookiejar = resetCookie", ...[]],
  ["c.stream(200, lines(), 'text/plain')", "stream"],
  ["const lines = new ReadableStream(upstream)", ...[]],
  ["c.sse(run)", "sse"],
  ['c["sse"](run)', "sse"],
  ["const assess = essse", ...[]],
  ["app.socket('/ws', run)", "sockets"],
  ["const run = () => ({})\nexport { run as Socket }", "sockets"],
  ["app.registerRoute('SOCKET', '/', run)", "sockets"],
  ["const sockets = WebSocket", ...[]],
  ["app.setProxy(guard)", "proxy"],
  ["export const Proxy = guard", "proxy"],
  ["const guard = () => {}\nexport { guard as Proxy }", "proxy"],
  ["const watched = new Proxy({}, {})\nconst proxy = 1", ...[]],
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
  [middleware]: '/** Not as `c.sse()` does. */\nexport const session = (c) => c.cookie("id")',
  ...Object.fromEntries(codes.map(([code], i) => [`app/${i}.ts`, code])),
  "app/names.json": '{ "events": "sse" }',
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
