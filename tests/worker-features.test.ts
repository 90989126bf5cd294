/** A worker that lacks a feature says which import brings it; with that import it has the feature. Bundled as for workers, run here. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { featureUse, type WorkerFeature } from "../lib/feature-use.ts"
import { App } from "../lib/index.ts"
import { root } from "./support/tsc.ts"

/** A use of a feature. */
interface Use {
  readonly feature: WorkerFeature
  /** What a worker writes that has an `app`. */
  readonly code: string
  /** Other features that it takes. */
  readonly beside?: readonly WorkerFeature[]
  /** When it is told that the feature is missing. */
  readonly fails: "while it loads" | "when it is asked"
  readonly status: number
  /** What `GET /` gives, with its headers before its body. */
  readonly answer: RegExp
}

const page = "{ pattern: '/', file: 'page.ts', title: '', middleware: [] }"
const tree = "appDir: 'app', routes: [], middleware: [], pages: [], layouts: []"
const uses: readonly Use[] = [
  ...["text()", "bytes()", "bind()", "form()", 'formValue("a")', 'formFile("a")', "request"].map(
    (read): Use => ({
      feature: "body",
      code: `app.get("/", async (c) => c.string(200, typeof (await c.${read})))`,
      fails: "when it is asked",
      status: read === "bind()" ? 415 : 200,
      answer: /./,
    }),
  ),
  {
    feature: "body",
    code: 'app.router.mount("/", (request) => new Response(request.url))',
    beside: ["mount"],
    fails: "when it is asked",
    status: 200,
    answer: /http:\/\/localhost\/$/,
  },
  {
    feature: "cookies",
    code: 'app.get("/", (c) => c.string(200, c.cookie("a")))',
    fails: "when it is asked",
    status: 200,
    answer: /\n\nb$/,
  },
  {
    feature: "cookies",
    code: 'app.get("/", (c) => (c.setCookie({ name: "a", value: "b" }), c.string(200, "")))',
    fails: "when it is asked",
    status: 200,
    answer: /set-cookie: a=b/,
  },
  {
    feature: "sse",
    code: 'app.get("/", (c) => c.sse((events) => events.send({ data: "x" })))',
    fails: "when it is asked",
    status: 200,
    answer: /text\/event-stream[\s\S]*data: x\n\n/,
  },
  {
    feature: "mount",
    code: 'app.router.mount("/", () => new Response("mounted"))',
    beside: ["body"],
    fails: "while it loads",
    status: 200,
    answer: /mounted$/,
  },
  {
    feature: "stream",
    code: 'app.get("/", (c) => c.stream(200, (async function* () { yield "x" })(), "text/plain"))',
    fails: "when it is asked",
    status: 200,
    answer: /x$/,
  },
  {
    feature: "logger",
    code: "app.setLogger({ write: () => {} })",
    fails: "while it loads",
    status: 404,
    answer: /no route/,
  },
  {
    feature: "sockets",
    code: 'app.socket("/", () => ({}))',
    fails: "while it loads",
    status: 426,
    answer: /upgrade: websocket/,
  },
  {
    feature: "static",
    code: 'app.static("/", "public")',
    fails: "while it loads",
    status: 200,
    answer: /an asset$/,
  },
  {
    feature: "proxy",
    code: 'import { proxy } from "fw"\napp.setProxy(() => proxy.responseJSON(200, "by the proxy"))',
    fails: "while it loads",
    status: 200,
    answer: /"by the proxy"$/,
  },
  {
    feature: "openapi",
    code: 'app.openapi("/")',
    fails: "while it loads",
    status: 503,
    answer: /fw build/,
  },
  {
    feature: "mount",
    code: `await app.mount({ tree: { ${tree} }, modules: {} })`,
    fails: "while it loads",
    status: 404,
    answer: /no route/,
  },
  {
    feature: "pages",
    code: `import { raw } from "fw/html"
await app.mount({ tree: { ${tree}, pages: [${page}] }, modules: { "page.ts": { Page: () => raw("<p>") } } })`,
    beside: ["mount"],
    fails: "while it loads",
    status: 200,
    answer: /<p>$/,
  },
  {
    feature: "pages",
    code: `import { raw } from "fw/html"
await app.mount({ tree: { ${tree}, error: { file: "error.ts" } }, modules: { "error.ts": { Failure: () => raw("<b>") } } })`,
    beside: ["mount"],
    fails: "while it loads",
    status: 404,
    answer: /<b>$/,
  },
]
test("every feature has a case", () => {
  const seen = new Set(uses.map(({ feature }) => feature))
  assert.equal(
    Object.keys(featureUse).filter((name) => !seen.has(name as WorkerFeature)),
    ["messages"],
    "which has one of its own",
  )
})

/** A mistake of registration. */
const mistake = 'app.get("/a//b", () => {})'
const optional = 'export const other = serve(new App({ staticDir: "public", logger: false }))'

const misspelt = 'new App({ databaseURL: "postgres://user:hunter2@db" })'

/** What workers write, and what they import of the features. */
type Made = readonly [features: readonly string[], code: string]
const workers: readonly Made[] = [
  ...uses.flatMap(({ feature, code, beside = [] }): Made[] => [
    [beside, code],
    [[...beside, feature], code],
    [["all"], code],
  ]),
  [[], mistake],
  [["messages"], mistake],
  [[], optional],
  [[], misspelt],
  [["messages"], misspelt],
]
const nameOf = ([features, code]: Made) =>
  workers.findIndex(([f, c]) => c === code && `${f}` === `${features}`)

// Inside the package, where "fw" is the package itself.
mkdirSync(join(root, "dist"), { recursive: true })
const directory = mkdtempSync(join(root, "dist", "workers-"))
test.after(() => rmSync(directory, { recursive: true, force: true }))

/** All at once: they are made of the same modules. */
const bundled = build({
  entryPoints: workers.map(([features, code], index) => {
    const file = join(directory, `${index}.js`)
    const imports = features.map((name) => `import "fw/workers/${name}"\n`)
    const head = 'import { App } from "fw"\nimport { serve } from "fw/workers"\n'
    const app = "const app = new App({ logger: false })\n"
    writeFileSync(file, `${imports.join("")}${head}${app}${code}\nexport default serve(app)\n`)
    return file
  }),
  outdir: directory,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  target: "es2022",
  conditions: ["workerd"],
  logLevel: "silent",
})

/** Imports a worker; `other` is what the code calls so. @throws what its module throws. */
async function worker(...made: Made) {
  await bundled
  const { other, default: main } = await import(pathToFileURL(join(directory, `${nameOf(made)}.mjs`)).href)
  return other ?? main
}

const assets = { ASSETS: { fetch: async () => new Response("an asset") } }

/** What `GET /` gives: status, headers and body; and what went to the console. */
async function ask(module: { fetch(...given: unknown[]): Promise<Response> }) {
  const { error } = console
  const reported: unknown[] = []
  console.error = (told: unknown) => void reported.push(told)
  try {
    const request = new Request("http://localhost/", { headers: { cookie: "a=b", accept: "text/html" } })
    const response = await module.fetch(request, assets, { waitUntil() {} })
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join("")
    return { status: response.status, text: `${headers}\n${await response.text()}`, reported }
  } finally {
    console.error = error
  }
}

/** The error as the platform's console shows it. */
function named(error: unknown, feature: string): void {
  assert.ok(error instanceof Error, String(error))
  const { code, stack } = error as { code?: string; stack?: string }
  assert.is(code, "feature")
  assert.match(stack ?? "", `import "fw/workers/${feature}"`)
}

for (const { feature, code, beside = [], fails, status, answer } of uses) {
  const call = `${feature}: ${code.split("\n").at(-1)?.slice(0, 60)}`
  test(`${call} fails ${fails} without the import, and names it`, async () => {
    const made = worker(beside, code)
    if (fails === "while it loads") {
      return made.then(
        () => assert.unreachable("it loads"),
        (error) => named(error, feature),
      )
    }
    const { status, text, reported } = await ask(await made)
    assert.is(status, 500)
    assert.not.match(text, "import", "a client is not told")
    assert.is(reported.length, 1)
    named(reported[0], feature)
  })
  test(`${call} works with the import`, async () => {
    const found = await ask(await worker([...beside, feature], code))
    assert.is(found.status, status, found.text)
    assert.match(found.text, answer)
    assert.equal(found.reported, [])
  })
}

test("fw/workers/all is every one", async () => {
  for (const { code, status } of uses)
    assert.is((await ask(await worker(["all"], code))).status, status, code)
})

test("an error of registration is told in a sentence with fw/workers/messages, and names that without", async () => {
  const error = (features: readonly string[]): Promise<Error & { code: string; fix: string }> =>
    worker(features, mistake).then(
      () => assert.unreachable("it loads") as never,
      (error) => error,
    )
  const [short, long] = [await error([]), await error(["messages"])]
  assert.equal([short.code, long.code], ["pattern", "pattern"])
  assert.match(short.message, /^pattern: \/a\/\/b/)
  assert.match(short.fix, 'import "fw/workers/messages"')
  assert.match(long.message, /^the pattern "\/a\/\/b" .{10}/)
})

test("what an option holds that there is none of stands in no message", async () => {
  for (const features of [[], ["messages"]]) {
    const error = await worker(features, misspelt).then(
      () => assert.unreachable("it loads") as never,
      (error: Error) => error,
    )
    assert.match(error.message, "databaseURL")
    assert.not.match(String(error), "hunter2")
  }
})

test("on a server the imports change nothing", async () => {
  await import("../adapters/workers/all.ts")
  const app = new App({ logger: false })
  app.static("/texts", join(root, "docs"))
  const found = await app.request("/texts/app.md")
  assert.is(found.status, 200, "from the disk, not from a binding")
})

test("an option that asks for static files is refused without them", async () => {
  const { status, reported } = await ask(await worker([], optional))
  assert.is(status, 500)
  named(reported[0], "static")
})

test.run()
