/** `fw build --target workers` includes the parts of fw that a project uses, and no others. Slow: each test bundles a whole project. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Flag, flags } from "../../bin/build/flag-use.ts"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"

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

const deferring = `template Page() {
  {defer { <p>slow</p> } pending { <p>wait</p> }}
}
`
const bindsQuery = `const anything = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }
export const Get = async (c) => c.json(200, await c.bindQuery(anything))
`

/** A module of fw that is in a bundle for each flag, and in no other; or a text that is. */
const modules: Readonly<Record<Flag, string>> = {
  BODY: "body",
  COOKIES: "cookies",
  DEFER: "deferred",
  FILE: "answer/file",
  FORMS: "parts",
  // The header that it reads: one function of its module is in every bundle.
  FORWARDING: "x-forwarded-for",
  HEALTH: "health-routes",
  LOGGER: "request-logger",
  LOGGER_OPTIONS: "logger-options",
  MESSAGES: "messages/application",
  MOUNT: "mount-handler",
  ON_ERROR: "error-handlers",
  OPENAPI: "openapi-route",
  PAGES: "pages",
  PROXY: "proxy",
  ROUTES: "mount",
  SIGNED_COOKIES: "signed-cookies",
  SOCKETS: "socket",
  SSE: "sse",
  STATIC: "mounts",
  STATUS_NAMES: "status-names",
  STORE: "outage-error",
  STREAM: "stream",
}

/** Builds for workers; gives the flags whose parts came along, and what the worker answers to `GET /`. */
async function built(
  files: Files,
): Promise<{ parts: string[]; text: string; stderr: string; code: Uint8Array }> {
  const cwd = makeProject({ ...mainOf(""), ...files }, ["fw", "esbuild", "typescript"])
  const { code, stdout, stderr } = await fw(["build", "--target", "workers"], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const file = join(cwd, "dist/workers/worker.mjs")
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { sources: string[] }
  const has = (name: string) =>
    (name.startsWith("x-") && readFileSync(file, "utf8").includes(`"${name}"`)) ||
    sources.some((source) => new RegExp(`/lib/(?:.*/)?${name}\\.[jt]s$`).test(source))
  const worker = await import(pathToFileURL(file).href)
  const answer = await worker.default.fetch(new Request("http://localhost/"), {}, { waitUntil() {} })
  return {
    parts: flags.filter((flag) => has(modules[flag])),
    text: await answer.text(),
    stderr,
    code: readFileSync(file),
  }
}

/** Flags of every build. */
const always = ["LOGGER", "ROUTES"]

test("a hello-world project includes only the parts that mount its routes", async () => {
  const { parts, text, stderr } = await built(hello)
  assert.equal(parts, always)
  assert.is(text, "hello")
  assert.not.match(stderr, /FW_|cookie/, "and nobody has to know")
})

test("importing everything from fw includes no more parts by itself", async () => {
  const main =
    'import * as fw from "fw"\nexport const names = Object.keys(fw)\nexport default new fw.App({ logger: false })\n'
  // Modules of these are also used by middleware, and by the actions of the proxy.
  const shared = ["COOKIES", "LOGGER_OPTIONS", "MESSAGES", "PROXY", "STATUS_NAMES", "STREAM"]
  assert.equal((await built({ ...hello, "main.ts": main })).parts, [...always, ...shared].sort())
})

test("the name of a flag in a comment includes its part", async () => {
  const main = mainOf("// FW_MESSAGES, FW_STREAM")
  assert.equal((await built({ ...hello, ...main })).parts, ["LOGGER", "MESSAGES", "ROUTES", "STREAM"])
})

const uses: ReadonlyArray<readonly [flag: Flag, how: string, files: Files]> = [
  [
    "COOKIES",
    "c.cookie() in a package",
    {
      ...mainOf('import { session } from "sessions"\napp.get("/s", session)'),
      "node_modules/sessions/package.json": '{ "name": "sessions", "type": "module", "main": "index.js" }',
      "node_modules/sessions/index.js": 'export const session=e=>e.string(200,e.cookie("a"))',
    },
  ],
  ["COOKIES", "c.setCookie() in a template", { ...hello, "app/x/page.tpl": setter }],
  [
    "SIGNED_COOKIES",
    "a signed cookie",
    {
      "app/attributes.ts":
        'export const attributes = {\n  name: "a",\n  // Nobody changes it.\n  signed: true,\n}\n',
      "app/route.ts": `import { attributes } from "./attributes.ts"
${route("hello")}export const Post = async (c) => (await c.setCookie({ ...attributes, value: "b" }), c.noContent())
`,
    },
  ],
  [
    "SIGNED_COOKIES",
    "c.cookie() with its option",
    {
      ...hello,
      "app/a/route.ts":
        'export const Get = async (c) => c.string(200, await c.cookie("a", { signed: true }))\n',
    },
  ],
  ["FILE", "c.file()", { "app/a/route.ts": 'export const Get = (c) => c.file("data", "a.txt")\n', ...hello }],
  [
    "SSE",
    "a constant of a module that is gone from the bundle",
    {
      "app/names.ts": 'export const enum Names {\n  Stream = "sse",\n}\n',
      "app/route.ts":
        'import { Names } from "./names.ts"\nexport const Get = (given) => given[Names.Stream].call(given, () => {})\n',
    },
  ],
  ["FORWARDING", "trustedProxies", mainOf('export const other = new App({ trustedProxies: ["::1"] })')],
  ["SOCKETS", "a route file's Socket", { "app/ws/route.ts": "export const Socket = () => ({})\n", ...hello }],
  [
    "BODY",
    "c.bind()",
    {
      "app/route.ts": `${route("hello")}export const Post = async (c: Context) => c.json(200, await c.bind())\n`,
    },
  ],
  [
    "STREAM",
    "c.stream()",
    {
      "app/route.ts": `${route("hello")}export const Post = (c: Context) => c.stream(200, (async function* () {})(), "a/b")\n`,
    },
  ],
  [
    "PROXY",
    "a proxy file",
    {
      ...hello,
      "app/proxy.ts": 'import { proxy } from "fw"\nexport const Proxy = () => proxy.continue()\n',
    },
  ],
  ["LOGGER_OPTIONS", "an option of the logger", mainOf('app.setLogger({ level: "warn" })')],
  ["OPENAPI", "app.openapi()", mainOf("app.openapi()")],
  ["HEALTH", "app.health()", mainOf("app.health()")],
  ["STATIC", "app.static()", { ...mainOf('app.static("/files", "public")'), "public/a.txt": "a" }],
  ["STATIC", "the directory static", { ...hello, "static/a.txt": "a" }],
  [
    "STATUS_NAMES",
    "an HttpError",
    {
      ...hello,
      "app/a/route.ts": 'import { HttpError } from "fw"\nexport const Get = () => new HttpError(428, "x")\n',
    },
  ],
  ["STORE", "the code of a store's error", mainOf('export const code = "store_unavailable"')],
  ["FORMS", "c.bindQuery()", { ...hello, "app/a/route.ts": bindsQuery }],
  ["ON_ERROR", "app.onError()", mainOf('app.onError((c) => c.string(500, "own"))')],
  ["DEFER", "a {defer} block", { ...hello, "app/x/page.tpl": deferring }],
  ["PAGES", "a page for errors", { ...hello, "app/error.tpl": failure }],
]
for (const [flag, how, files] of uses) {
  test(`${how} includes ${flag}, and nothing else`, async () => {
    const hasTemplate = Object.keys(files).some((name) => name.endsWith(".tpl"))
    const more: Flag[] = [
      ...(hasTemplate ? (["PAGES"] as const) : []),
      ...(flag === "SIGNED_COOKIES" ? (["COOKIES"] as const) : []),
      // The readers of forms are those of bodies.
      ...(flag === "FORMS" ? (["BODY"] as const) : []),
      ...("app/error.tpl" in files ? (["ON_ERROR"] as const) : []),
    ]
    assert.equal((await built(files)).parts, [...new Set([...always, flag, ...more])].sort())
  })
}

test("a mounted handler includes MOUNT, and BODY for its Request", async () => {
  const { parts } = await built(mainOf('app.router.mount("/api", (request) => new Response(request.url))'))
  assert.equal(parts, ["BODY", ...always, "MOUNT"].sort())
})

test("a call of a method with a computed name includes every part", async () => {
  const route = 'const name: string = "noContent"\nexport const Get = (c: any) => c[name]()\n'
  const { parts, text } = await built({ ...hello, "app/a/route.ts": route })
  assert.equal(
    parts,
    flags.filter((flag) => flag !== "MESSAGES"),
  )
  assert.is(text, "hello")
})

test("functions and classes of the project keep their names", async () => {
  const code = "export class PaymentError extends Error {}\nexport const charge = () => new PaymentError()\n"
  const use = `import { charge, PaymentError } from "../charge.ts"
export const Get = (c) => c.string(200, [charge, charge().constructor].map(({ name }) => name).join(" ") + (charge() instanceof PaymentError))
`
  const { text } = await built({ "charge.ts": code, "app/route.ts": use })
  assert.is(text, "charge PaymentErrortrue")
})

test("a CommonJS package that requires fw gets the same fw as the project", async () => {
  const { text } = await built({
    "app/route.ts": `import refuse from "refuse"
import { HttpError } from "fw"
export const Get = (c) => c.string(200, String(refuse() instanceof HttpError))
`,
    "node_modules/refuse/package.json": '{ "name": "refuse", "main": "index.js" }',
    "node_modules/refuse/index.js": 'module.exports = () => require("fw").badRequest("no")',
  })
  assert.is(text, "true")
})

test("every flag has a case in these tests", () => {
  const seen = new Set<string>([...uses.map(([flag]) => flag), ...always])
  assert.equal(
    flags.filter((flag) => !seen.has(flag)),
    ["MESSAGES", "MOUNT"],
    "which have tests of their own",
  )
})

test.run()
