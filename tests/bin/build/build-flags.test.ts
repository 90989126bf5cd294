/**
 * Tests of a worker's compile-time flags, by its routes and the texts of its modules.
 * `slow/build-flags.test.ts` builds some.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Metafile } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Flag, type FlagUse, flags, flagUse } from "../../../bin/build/flag-use.ts"
import { defines, unusedFlags } from "../../../bin/build/flags.ts"
import { emptyTree, type RouteTree } from "../../../lib/tree.ts"
import { project } from "../../support/bin/cli/command.ts"
import { root } from "../../support/tsc.ts"

const searched = flags.filter((flag) => (flagUse[flag] as FlagUse).words)

/** Every source that may have a flag, with its text. */
const sources = ["lib", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), "utf8")] as const),
)

test("the flags that fw has are those that fw build sets and docs/operations/runtimes.md lists", () => {
  const used = new Set(
    sources.flatMap(([, text]) =>
      [...text.matchAll(/^declare const FW_(\w+): boolean$/gm)].map(([, name]) => name),
    ),
  )
  const docs = readFileSync(join(root, "docs/operations/runtimes.md"), "utf8")
  const listed = [...docs.matchAll(/^\| `FW_(\w+)` \|/gm)].map(([, name]) => name)
  assert.equal([...used].sort(), [...flags].sort())
  assert.equal(listed, [...flags].sort())
})

// In any other form a bundler keeps what the flag leaves out, or a program without flags breaks.
const guard = /typeof (FW_\w+) === "undefined" \|\| \1\b/g
for (const [file, text] of sources) {
  if (!text.includes("declare const FW_") || file === "adapters/platform/disk.ts") continue
  test(`${file} reads its flags in the one form that bundlers can remove`, () => {
    assert.match(text, guard)
    const others = /^declare const .*$|\/\*[\s\S]*?\*\/|\/\/.*$|"[^"\n]*"|`[^`]*`/gm
    assert.not.match(text.replace(guard, "").replace(others, ""), /FW_[A-Z]+\b/)
  })
}

test("a build defines every flag: those that are off as false, the others as true", () => {
  const defined = defines(["SSE"])
  assert.equal(
    Object.keys(defined),
    flags.map((flag) => `FW_${flag}`),
  )
  assert.equal(
    Object.keys(defined).filter((name) => defined[name] === "false"),
    ["FW_SSE"],
  )
  assert.is(defined.FW_BODY, "true")
})

/** Returns esbuild's metafile of a bundle: bytes by module. */
const metafileOf = (inputs: Readonly<Record<string, number>>): Metafile => {
  const parts = Object.entries(inputs).map(([name, bytesInOutput]) => [name, { bytesInOutput }])
  const output = { bytes: 0, imports: [], exports: [], inputs: Object.fromEntries(parts) }
  const read = Object.keys(inputs).map((name) => [name, { bytes: 0, imports: [] }])
  return { inputs: Object.fromEntries(read), outputs: { "worker.mjs": output } }
}

const codes: ReadonlyArray<readonly [code: string, ...used: Flag[]]> = [
  ...["bind", "bytes", "form", "formFile", "formValue", "request", "text"].map(
    (name) => [`c.${name}`, "BODY"] as const,
  ),
  ["app.router.mount('/a', (request) => fetch(request))", "BODY", "MOUNT"],
  ["app.mountHandler('/a', (request) => fetch(request))", "BODY", "MOUNT"],
  ["const { request } = c", "BODY"],
  ["const { param, request: r } = c", "BODY"],
  ["c['text']()", "BODY"],
  ["const { param, request, path } = c", "BODY"],
  ["function handle({\n  request,\n  path,\n}) {}", "BODY"],
  ["const text = 'text/plain'\nlet request = f(a, text)\nconst mounted = (request) => request", ...[]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template.
  ['// of every request (RFC 9110): its text\nconst tag = `"${text}"`', ...[]],
  ["c.cookie('a')", "COOKIES"],
  ["c.setCookie({})", "COOKIES"],
  ["const { cookie } = c", "COOKIES"],
  ["const cookies = 1, cookiejar = resetCookie", ...[]],
  ["c.stream(200, lines(), 'text/plain')", "STREAM"],
  ["const lines = new ReadableStream(upstream)", ...[]],
  ["c.file('data', name)", "FILE"],
  ["const file = 1, files = profile", ...[]],
  ["c.sse(run)", "SSE"],
  ['c["sse"](run)', "SSE"],
  ["const assess = essse", ...[]],
  ["app.socket('/ws', run)", "SOCKETS"],
  ["const run = () => ({})\nexport { run as Socket }", "SOCKETS"],
  ["app.registerRoute('SOCKET', '/', run)", "SOCKETS"],
  ["const sockets = WebSocket", ...[]],
  ["app.setProxy(guard)", "PROXY"],
  ["export const Proxy = guard", "PROXY"],
  ["const guard = () => {}\nexport { guard as Proxy }", "PROXY"],
  ["const watched = new Proxy({}, {})\nconst proxy = 1", ...[]],
  ["app.openapi()", "OPENAPI"],
  ["app.health()", "HEALTH"],
  ["app.get('/health', answer)\nconst health = 1", ...[]],
  ["app\n  // where they are\n  .static('/a', 'b')", "STATIC"],
  ["app?.static?.('/a', 'b')", "STATIC"],
  ["app./* here */static('/a', 'b')", "STATIC"],
  ["const serve = app.static\nserve('/a', 'b')", "STATIC"],
  ["const { static: serve } = app", "STATIC"],
  ['app["static"]("/a", "b")', "STATIC"],
  ["new App({ staticDir })", "STATIC"],
  ["class A {\n  static async a() {}\n  static #b\n  static{}\n  static [c] = 1\n  static*d(){}\n}", ...[]],
  ["const ecstatic = 1, statics = 2", ...[]],
  ["c./* read it */text()", "BODY"],
  ["c\n  // once\n  .request", "BODY"],
  ["const { /* all of it */ request } = c", "BODY"],
  ["c.\\u0073se(run)", "SSE"],
  ['c["\\x73se"](run)', "SSE"],
  ["c['\\u{73}se'](run)", "SSE"],
  ["new App({ trustedProxies: ['10.0.0.0/8'] })", "FORWARDING"],
  ["await app.mount({ tree: { ...tree, pages: [page] }, modules })", "BODY", "MOUNT", "ON_ERROR", "PAGES"],
  ["app.setLogger({ level })", "LOGGER_OPTIONS"],
  ["new App({ logger: { level } })", "LOGGER_OPTIONS"],
  ["new App({ logger: options })", "LOGGER_OPTIONS"],
  ["import { logger } from 'fw'", "LOGGER_OPTIONS"],
  ["new App({ logger: false, 'logger' : true })", ...[]],
  ["// FW_SSE FW_COOKIES", "COOKIES", "SSE"],
  ["const FW_SSE_OR_SO = 1", ...[]],
  ["c[name](run)", ...searched],
  ["c?.[names[0]]?.(run)", ...searched],
  ["this.context[await chosen()] (run)", ...searched],
  ["const run = ctx[name]", ...searched],
  ["Reflect.get(given, name)", ...searched],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template.
  ["c[`form${kind}`]", ...searched],
  ["const read = c['form' + kind]", ...searched],
  ["list[0](x); table['a b'](x); all[Symbol.iterator](); [a](b); const f = (x: string[]) => x[i]", ...[]],
]
const middleware = "fw/dist/lib/middleware/session.js"
const texts = project({
  "fw/dist/adapters/platform/workerd.js": "",
  "fw/dist/lib/context.js": "class Context { cookie() {} sse() {} }",
  [middleware]: '/** Not as `c.sse()` does. */\nexport const session = (c) => c.cookie("id")',
  ...Object.fromEntries(codes.map(([code], i) => [`app/${i}.ts`, code])),
  "app/messages.ts": "// FW_MESSAGES",
  "node_modules/a/index.js": "table[name](x)",
  "fw/dist/lib/index.js": "c.setCookie()",
  "fw/dist/adapters/workers.js": "",
  "fw/dist/lib/store/index.js": "// Not as `c.sse()` does.\nc.setCookie(cookie)",
  "app/names.json": '{ "events": "sse" }',
  ".fw/routes.ts": '"app/socket/route.ts"',
})
const modules: ReadonlyArray<readonly [what: string, inputs: Record<string, number>, used: Flag[]]> = [
  ...codes.map(([code, ...used], i) => [code, { [`app/${i}.ts`]: 1 }, used] as const),
  ["a module of which nothing is left", { "app/0.ts": 0 }, ["BODY"]],
  ["JSON", { "app/names.json": 1 }, ["SSE"]],
  ["a package that computes names", { "node_modules/a/index.js": 1 }, []],
  ["fw's core", {}, []],
  ["fw's middleware", { [middleware]: 9 }, ["COOKIES"]],
  ["fw's middleware of which nothing is left", { [middleware]: 0 }, []],
  ["another part of fw", { "fw/dist/lib/store/index.js": 9 }, ["COOKIES"]],
  ["what fw generates", { ".fw/routes.ts": 1 }, []],
  ["what a package keeps out of browsers", { "(disabled):node_modules/a/fs.js": 0 }, []],
  ["an import that does not lead to a file, so its exports are not known", { "app/0.ts?raw": 1 }, searched],
]
const platform = "fw/dist/adapters/platform/workerd.js"
const unusedOf = (inputs: Record<string, number>, tree: RouteTree = emptyTree("app")): Flag[] => {
  const core = {
    [platform]: 1,
    "fw/dist/adapters/workers.js": 1,
    "fw/dist/lib/index.js": 1,
    "fw/dist/lib/context.js": 1,
  }
  const metafile = metafileOf({ ...core, ...inputs })
  const imports = ["fw/dist/lib/context.js", middleware].map((path) => ({
    path,
    kind: "import-statement" as const,
  }))
  metafile.inputs["fw/dist/lib/index.js"]?.imports.push(...imports)
  return unusedFlags({ root: texts, tree, metafile, mark: "adapters/platform/workerd.js" })
}
for (const [what, inputs, used] of modules) {
  test(`${what} uses ${used.join(", ") || "nothing"}`, () => {
    const unused = unusedOf(inputs)
    assert.equal(
      searched.filter((flag) => !unused.includes(flag)),
      [...used].sort(),
    )
  })
}

test("routes with pages, or with a page for errors, use PAGES", () => {
  const page = { pattern: "/", file: "app/page.tpl", title: "", middleware: [] }
  const empty = emptyTree("app")
  const trees: RouteTree[] = [
    { ...empty, pages: [page] },
    { ...empty, error: page },
    { ...empty, notFound: page },
  ]
  for (const tree of trees) assert.not(unusedOf({}, tree).includes("PAGES"))
  assert.ok(unusedOf({}).includes("PAGES"))
})

test("a build leaves out the text of messages, unless a query of a module has another name", () => {
  assert.ok(unusedOf({ "app/0.ts": 1 }).includes("MESSAGES"))
  assert.ok(unusedOf({ "app/0.ts?raw": 1 }).includes("MESSAGES"))
  assert.not(unusedOf({ "app/messages.ts": 1 }).includes("MESSAGES"))
})

test.run()
