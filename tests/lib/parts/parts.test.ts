/**
 * Tests of the parts of fw that a bundle can leave out: the module that replaces a part has the same exports, and a
 * worker without a part runs and reports where the part is used. The bundles are made for workers from the sources,
 * and run on Node.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type FrameworkPart, frameworkParts } from "../../../bin/system/framework-files.ts"
import { root } from "../../support/tsc.ts"

const { imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  imports: Readonly<Record<string, unknown>>
}

test("package.json has an entry for each part, with the module that replaces it", () => {
  for (const part of frameworkParts) {
    const without = `fw-without-${part}`
    assert.equal(imports[`#parts/${part}`], {
      "fw-source": { [without]: `./lib/parts/without-${part}.ts`, default: `./lib/parts/${part}.ts` },
      types: `./dist/lib/parts/${part}.d.ts`,
      [without]: `./dist/lib/parts/without-${part}.js`,
      default: `./dist/lib/parts/${part}.js`,
    })
  }
  const named = Object.keys(imports).flatMap((name) => /^#parts\/(.+)/.exec(name)?.[1] ?? [])
  assert.equal(named, [...frameworkParts])
  const files = [...frameworkParts.flatMap((part) => [`${part}.ts`, `without-${part}.ts`]), "left-out.ts", "README.md"]
  assert.equal(readdirSync(join(root, "lib/parts")).sort(), files.sort())
})

for (const part of frameworkParts) {
  test(`the replacement of the part ${part} has its exports, and every function throws`, async () => {
    const kinds = (module: object) => Object.entries(module).map(([name, value]) => [name, typeof value])
    const stub = await import(`../../../lib/parts/without-${part}.ts`)
    assert.equal(kinds(stub), kinds(await import(`../../../lib/parts/${part}.ts`)))
    for (const [name, value] of Object.entries(stub)) {
      if (typeof value === "function") assert.throws(value, (error: unknown) => isLeftOut(error, part), name)
    }
  })
}

test("the replacement of the messages returns every message with its name and facts", async () => {
  const { coreMessages, misuses } = await import("../../../lib/parts/without-messages.ts")
  assert.equal(coreMessages.conflict("GET /a", "one", "two")[0], "conflict: GET /a one two")
  assert.match(coreMessages.conflict("GET /a", "one", "two")[1] ?? "", "fw-without-messages")
  assert.is(misuses.status({ secret: "hunter2" } as never)[0], "status: ", "an object may hold a secret")
})

/** Returns true for the error about a missing part, which says how to keep it. */
function isLeftOut(error: unknown, part: FrameworkPart): boolean {
  const { code, message, fix } = error as { code?: string; message: string; fix?: string }
  return (
    code === "left_out" &&
    message.includes(`without the part ${part},`) &&
    (fix?.includes(`fw-without-${part}`) ?? false)
  )
}

/** Code that uses a part. */
interface Use {
  readonly part: FrameworkPart
  /** The code of a worker that has an `app`. */
  readonly code: string
  /** When the error is thrown if the part is missing. */
  readonly fails: "while it loads" | "when it is asked"
  readonly status: number
  /** The response to `GET /` with all parts, with its headers before its body. */
  readonly answer: RegExp
}

const page = "{ pattern: '/', file: 'page.ts', title: '', middleware: [] }"
const tree = "appDir: 'app', routes: [], middleware: [], pages: [], layouts: []"
const schema = 'const schema = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }'
const asked = { fails: "when it is asked", status: 200 } as const
const loads = { fails: "while it loads", status: 200 } as const
const uses: readonly Use[] = [
  ...["c.bindQuery(schema)", "c.bindForm(schema)", "c.readForm(schema)", "c.parts().next()"].map(
    (read): Use => ({
      part: "forms",
      code: `${schema}\napp.get("/", async (c) => c.string(200, typeof (await ${read})))`,
      ...asked,
      answer: /object$/,
    }),
  ),
  {
    part: "forms",
    code: `app.post("/form", async (c) => c.string(200, await c.formValue("a")))
app.get("/", () => app.request("/form", { method: "POST", body: new URLSearchParams({ a: "b" }) }))`,
    ...asked,
    answer: /\n\nb$/,
  },
  {
    part: "cookies",
    code: 'app.get("/", (c) => c.string(200, c.cookie("a")))',
    ...asked,
    answer: /\n\nb$/,
  },
  {
    part: "cookies",
    code: 'app.get("/", (c) => (c.setCookie({ name: "a", value: "b" }), c.string(200, "")))',
    ...asked,
    answer: /set-cookie: a=b/,
  },
  {
    part: "cookies",
    code: 'app.get("/", (c) => (c.flash("hi"), c.string(200, c.flashed().join())))',
    ...asked,
    answer: /hi$/,
  },
  {
    part: "cookies",
    code: 'app.get("/", async (c) => c.json(200, await c.cookie("a", { signed: true })))',
    ...asked,
    answer: /\n\n""$/,
  },
  {
    part: "cookies",
    code: 'app.get("/", (c) => (c.setCookie({ name: "a", value: "b", signed: true }), c.string(200, "")))',
    ...asked,
    answer: /set-cookie: a=b\.[\w-]{43};/,
  },
  {
    part: "pages",
    code: `import { html } from "fw/html"
app.get("/", (c) => c.page(200, "a", html\`<p>page</p>\`))`,
    ...asked,
    answer: /<p>page<\/p>$/,
  },
  {
    part: "pages",
    code: `import { $fwDefer, $fwRaw } from "fw/html"
const late = () => $fwDefer(async () => $fwRaw("<p>late</p>"), $fwRaw(""), undefined)
app.get("/", (c) => c.page(200, "a", $fwRaw(late())))`,
    ...asked,
    answer: /<p>late<\/p>$/,
  },
  {
    part: "pages",
    code: `import { raw } from "fw/html"
await app.mount({ tree: { ${tree}, pages: [${page}] }, modules: { "page.ts": { Page: () => raw("<p>") } } })`,
    ...loads,
    answer: /<p>$/,
  },
  {
    part: "pages",
    code: `import { raw } from "fw/html"
await app.mount({ tree: { ${tree}, error: { file: "error.ts" } }, modules: { "error.ts": { Failure: () => raw("<b>") } } })`,
    ...loads,
    status: 404,
    answer: /<b>$/,
  },
  {
    part: "live",
    code: 'app.get("/", (c) => c.sse((events) => events.send({ data: "x" })))',
    ...asked,
    answer: /text\/event-stream[\s\S]*data: x\n\n/,
  },
  {
    part: "live",
    code: 'app.socket("/", () => ({}))',
    ...loads,
    status: 426,
    answer: /upgrade: websocket/,
  },
  {
    part: "live",
    code: `const routes = [{ method: "SOCKET", pattern: "/", file: "a.ts", export: "Socket", middleware: [] }]
await app.mount({ tree: { ${tree}, routes }, modules: { "a.ts": { Socket: () => ({}) } } })`,
    ...loads,
    status: 426,
    answer: /upgrade: websocket/,
  },
  {
    part: "logger",
    code: "export const other = serve(new App())",
    ...loads,
    status: 404,
    answer: /no route/,
  },
  {
    part: "logger",
    code: "app.setLogger({ write: () => {} })",
    ...loads,
    status: 404,
    answer: /no route/,
  },
]

/** A worker that uses no part. */
const hello = `app.get("/", (c) => c.string(200, "hello"))
app.post("/", async (c) => c.json(200, await c.bind()))
await app.mount({ tree: { ${tree} }, modules: {} })`

/** The largest module of each part. */
const largest: Readonly<Record<FrameworkPart, string>> = {
  cookies: "lib/request/cookies.ts",
  forms: "lib/request/multipart.ts",
  live: "lib/answer/sse.ts",
  logger: "lib/log/request-logger.ts",
  messages: "lib/messages/application.ts",
  pages: "lib/mount/answer-deferred.ts",
}

const directory = mkdtempSync(join(tmpdir(), "fw-parts-"))
test.after(() => rmSync(directory, { recursive: true, force: true }))
let count = 0

/** Returns a module with an `app` that a worker serves. */
const wrap = (code: string) => `import { App } from "fw"
import { serve } from "fw/workers"
const app = new App({ logger: false })
${code}
export default serve(app)
`

/** Bundles a module. Returns the bundle, and the sources that are in it. */
async function bundle(contents: string, without: readonly FrameworkPart[]) {
  const outfile = join(directory, `${++count}.mjs`)
  const { metafile } = await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    outfile,
    bundle: true,
    format: "esm",
    target: "es2022",
    alias: {
      fw: join(root, "lib/index.ts"),
      "fw/html": join(root, "lib/html.ts"),
      "fw/workers": join(root, "adapters/workers.ts"),
      "#platform": join(root, "adapters/platform/workerd.ts"),
    },
    conditions: ["fw-source", "workerd", ...without.map((part) => `fw-without-${part}`)],
    external: ["node:*"],
    metafile: true,
    logLevel: "silent",
  })
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  const files = inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : []))
  return { outfile, files }
}

const frameworks = new Map<string, ReturnType<typeof bundle>>()

/** Returns the framework without some parts. It is bundled once for all workers. */
function framework(without: readonly FrameworkPart[]): ReturnType<typeof bundle> {
  const names =
    '{ App } from "fw"\nexport { serve } from "fw/workers"\nexport { $fwDefer, $fwRaw, html, raw } from "fw/html"'
  const known = frameworks.get(without.join()) ?? bundle(`export ${names}`, without)
  frameworks.set(without.join(), known)
  return known
}

/** Imports a worker whose framework lacks some parts. */
async function worker(code: string, without: readonly FrameworkPart[] = []) {
  const { outfile } = await framework(without)
  const file = join(directory, `${++count}.mjs`)
  writeFileSync(file, wrap(code).replace(/"fw(?:\/\w+)?"/g, JSON.stringify(pathToFileURL(outfile).href)))
  return load(file)
}

/** Imports a worker. */
async function load(file: string) {
  const { other, default: main } = await import(pathToFileURL(file).href)
  return other ?? main
}

const env = {
  ASSETS: { fetch: async () => new Response("an asset") },
  FW_SECRETS: "a secret for tests of 32 bytes or more",
}

/** Returns the response to `GET /` with status, headers and body, and the output on the console. */
async function ask(module: { fetch(...given: unknown[]): Promise<Response> }) {
  const { error, log } = console
  const reported: unknown[] = []
  console.error = (told: unknown) => void reported.push(told)
  console.log = () => {}
  try {
    const request = new Request("http://localhost/", { headers: { cookie: "a=b", accept: "text/html" } })
    const response = await module.fetch(request, env, { waitUntil() {} })
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join("")
    return { status: response.status, text: `${lines}\n${await response.text()}`, reported }
  } finally {
    Object.assign(console, { error, log })
  }
}

for (const { part, code, fails, status, answer } of uses) {
  const call = `${part}: ${code.split("\n").at(-1)?.slice(0, 60)}`
  test(`${call} works with every part`, async () => {
    const found = await ask(await worker(code))
    assert.is(found.status, status, found.text)
    assert.match(found.text, answer)
    assert.equal(found.reported, [])
  })
  test(`without the part that ${call} needs, the worker fails ${fails}, and the error names the part`, async () => {
    const made = worker(code, [part])
    if (fails === "while it loads") {
      return made.then(
        () => assert.unreachable("the worker loads"),
        (error) => assert.ok(isLeftOut(error, part), String(error)),
      )
    }
    const { status, text, reported } = await ask(await made)
    assert.is(status, 500)
    assert.not.match(text, "without", "the client sees the message")
    assert.is(reported.length, 1)
    assert.ok(isLeftOut(reported[0], part), String(reported[0]))
  })
}

test("a worker with every part contains the code of each", async () => {
  const { files } = await bundle(wrap(hello), [])
  for (const part of frameworkParts) assert.ok(files.includes(largest[part]), part)
})

for (const part of frameworkParts) {
  test(`a worker without the part ${part} runs, and contains no code of it`, async () => {
    const { outfile, files } = await bundle(wrap(hello), [part])
    assert.not(files.includes(largest[part]))
    const { status, text } = await ask(await load(outfile))
    assert.is(status, 200)
    assert.match(text, /hello$/)
  })
}

test("a worker without any part runs", async () => {
  const module = await worker(hello, frameworkParts)
  assert.match((await ask(module)).text, /hello$/)
  const init = { method: "POST", body: '{"a":1}', headers: { "content-type": "application/json" } }
  const answer = await module.fetch(new Request("http://localhost/", init), env, { waitUntil() {} })
  assert.equal(await answer.json(), { a: 1 })
  const missing = await module.fetch(new Request("http://localhost/none"), env, { waitUntil() {} })
  assert.is(((await missing.json()) as { error: string }).error, "not_found")
})

test("an error of registration has its whole message, or its name and facts if the part messages is left out", async () => {
  const error = (without: readonly FrameworkPart[]): Promise<Error & { code: string; fix: string }> =>
    worker('app.get("/a//b", () => {})', without).then(
      () => assert.unreachable("the worker loads") as never,
      (error) => error,
    )
  const [short, long] = [await error(["messages"]), await error([])]
  assert.equal([short.code, long.code], ["pattern", "pattern"])
  assert.match(short.message, /^pattern\.empty: \/a\/\/b/)
  assert.match(short.fix, "fw-without-messages")
  assert.match(long.message, /^the pattern "\/a\/\/b" .{10}/)
})

test("no error message shows the value of an unknown option", async () => {
  for (const without of [[], ["messages"]] as const) {
    const error = await worker('new App({ databaseURL: "postgres://user:hunter2@db" })', without).then(
      () => assert.unreachable("the worker loads") as never,
      (error: Error) => error,
    )
    assert.match(error.message, "databaseURL")
    assert.not.match(String(error), "hunter2")
  }
})

test.run()
