/** A bundle without flags does all that fw does; one whose flag is off says so where the part is used. Bundled as for workers, run here. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Flag, flags } from "../../bin/build/flag-use.ts"
import { defines } from "../../bin/build/flags.ts"
import { root } from "../support/tsc.ts"

/** A use of what a flag leaves out. */
interface Use {
  readonly flag: Flag
  /** The code of a worker that has an `app`. */
  readonly code: string
  /** Other flags that it takes. */
  readonly beside?: readonly Flag[]
  /** When the error is thrown. */
  readonly fails: "while it loads" | "when it is asked"
  readonly status: number
  /** The response to `GET /`, with its headers before its body. */
  readonly answer: RegExp
}

const page = "{ pattern: '/', file: 'page.ts', title: '', middleware: [] }"
const tree = "appDir: 'app', routes: [], middleware: [], pages: [], layouts: []"
const uses: readonly Use[] = [
  ...["text()", "bytes()", "bind()", "form()", 'formValue("a")', 'formFile("a")', "request"].map(
    (read): Use => ({
      flag: "BODY",
      code: `app.get("/", async (c) => c.string(200, typeof (await c.${read})))`,
      fails: "when it is asked",
      status: read === "bind()" ? 415 : 200,
      answer: read === "bind()" ? /"unsupported_media_type"/ : /\n\n(?:string|object)$/,
    }),
  ),
  {
    flag: "BODY",
    code: 'app.router.mount("/", (request) => new Response(request.url))',
    beside: ["MOUNT"],
    fails: "when it is asked",
    status: 200,
    answer: /http:\/\/localhost\/$/,
  },
  {
    flag: "COOKIES",
    code: 'app.get("/", (c) => c.string(200, c.cookie("a")))',
    fails: "when it is asked",
    status: 200,
    answer: /\n\nb$/,
  },
  {
    flag: "COOKIES",
    code: 'app.get("/", (c) => (c.setCookie({ name: "a", value: "b" }), c.string(200, "")))',
    fails: "when it is asked",
    status: 200,
    answer: /set-cookie: a=b/,
  },
  {
    flag: "COOKIES",
    code: 'app.get("/", (c) => (c.flash("hi"), c.string(200, c.flashed().join())))',
    fails: "when it is asked",
    status: 200,
    answer: /hi$/,
  },
  {
    flag: "SIGNED_COOKIES",
    code: 'app.get("/", async (c) => c.json(200, await c.cookie("a", { signed: true })))',
    beside: ["COOKIES"],
    fails: "when it is asked",
    status: 200,
    answer: /\n\n""$/,
  },
  {
    flag: "SIGNED_COOKIES",
    code: 'app.get("/", (c) => (c.setCookie({ name: "a", value: "b", signed: true }), c.string(200, "")))',
    beside: ["COOKIES"],
    fails: "when it is asked",
    status: 200,
    answer: /set-cookie: a=b\.[\w-]{43};/,
  },
  ...["c.bindQuery(schema)", "c.bindForm(schema)", "c.readForm(schema)", "c.parts().next()"].map(
    (read): Use => ({
      flag: "FORMS",
      code: `const schema = { "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }
app.get("/", async (c) => c.string(200, typeof (await ${read})))`,
      beside: ["BODY"],
      fails: "when it is asked",
      status: 200,
      answer: /object$/,
    }),
  ),
  {
    flag: "PAGES",
    code: `import { html } from "fw/html"
app.get("/", (c) => c.page(200, "a", html\`<p>page</p>\`))`,
    fails: "when it is asked",
    status: 200,
    answer: /<p>page<\/p>$/,
  },
  {
    flag: "DEFER",
    code: `import { $fwDefer, $fwRaw } from "fw/html"
const late = () => $fwDefer(async () => $fwRaw("<p>late</p>"), $fwRaw(""), undefined)
app.get("/", (c) => c.page(200, "a", $fwRaw(late())))`,
    beside: ["PAGES"],
    fails: "when it is asked",
    status: 200,
    answer: /<p>late<\/p>$/,
  },
  {
    flag: "ON_ERROR",
    code: 'app.onError((c) => c.string(418, "own"))',
    fails: "while it loads",
    status: 418,
    answer: /own$/,
  },
  {
    flag: "SSE",
    code: 'app.get("/", (c) => c.sse((events) => events.send({ data: "x" })))',
    fails: "when it is asked",
    status: 200,
    answer: /text\/event-stream[\s\S]*data: x\n\n/,
  },
  {
    flag: "MOUNT",
    code: 'app.router.mount("/", () => new Response("mounted"))',
    beside: ["BODY"],
    fails: "while it loads",
    status: 200,
    answer: /mounted$/,
  },
  {
    flag: "HEALTH",
    code: 'app.health({ live: "/live", ready: "/", checks: { database: async () => {} } })',
    fails: "while it loads",
    status: 200,
    answer: /cache-control: no-store[\s\S]*"database":"ok"/,
  },
  {
    flag: "STREAM",
    code: 'app.get("/", (c) => c.stream(200, (async function* () { yield "x" })(), "text/plain"))',
    fails: "when it is asked",
    status: 200,
    answer: /x$/,
  },
  {
    flag: "FILE",
    code: `app.get("/", (c) => c.file("data", "a.txt").catch((error) => {
  if (error.code !== "platform") throw error
  return c.string(200, "no disk")
}))`,
    fails: "when it is asked",
    status: 200,
    answer: /no disk$/,
  },
  {
    flag: "FORWARDING",
    code: `const behind = new App({ trustedProxies: ["192.0.2.0/24"], logger: false })
behind.get("/", (c) => c.string(200, c.clientIP + " " + c.origin))
export const other = { fetch: (request) => behind.fetch(request, { clientIP: "192.0.2.1" }) }`,
    fails: "while it loads",
    status: 200,
    answer: /\n203\.0\.113\.7 https:\/\/localhost$/,
  },
  {
    flag: "SOCKETS",
    code: `const routes = [{ method: "SOCKET", pattern: "/", file: "a.ts", export: "Socket", middleware: [] }]
await app.mount({ tree: { ${tree}, routes }, modules: { "a.ts": { Socket: () => ({}) } } })`,
    beside: ["ROUTES"],
    fails: "while it loads",
    status: 426,
    answer: /upgrade: websocket/,
  },
  {
    flag: "STATIC",
    code: 'export const other = serve(new App({ staticDir: "public", logger: false }))',
    fails: "when it is asked",
    status: 404,
    answer: /no route/,
  },
  {
    flag: "LOGGER_OPTIONS",
    code: 'app.setLogger({ level: "error", write: () => {} })',
    beside: ["LOGGER"],
    fails: "while it loads",
    status: 404,
    answer: /no route/,
  },
  {
    flag: "LOGGER_OPTIONS",
    code: 'import { logger } from "fw"\napp.use(logger({ write: () => {} }))',
    fails: "while it loads",
    status: 404,
    answer: /no route/,
  },
  {
    flag: "LOGGER",
    code: "new App({ logger: { write: () => {} } })",
    beside: ["LOGGER_OPTIONS"],
    fails: "while it loads",
    status: 404,
    answer: /no route/,
  },
  {
    flag: "LOGGER",
    code: "app.setLogger({ write: () => {} })",
    beside: ["LOGGER_OPTIONS"],
    fails: "while it loads",
    status: 404,
    answer: /no route/,
  },
  {
    flag: "SOCKETS",
    code: 'app.socket("/", () => ({}))',
    fails: "while it loads",
    status: 426,
    answer: /upgrade: websocket/,
  },
  {
    flag: "STATIC",
    code: 'app.static("/", "public")',
    fails: "while it loads",
    status: 200,
    answer: /an asset$/,
  },
  {
    flag: "PROXY",
    code: 'import { proxy } from "fw"\napp.setProxy(() => proxy.responseJSON(200, "by the proxy"))',
    fails: "while it loads",
    status: 200,
    answer: /"by the proxy"$/,
  },
  {
    flag: "OPENAPI",
    code: 'app.openapi("/")',
    fails: "while it loads",
    status: 503,
    answer: /fw build/,
  },
  {
    flag: "ROUTES",
    code: `await app.mount({ tree: { ${tree} }, modules: {} })`,
    fails: "while it loads",
    status: 404,
    answer: /no route/,
  },
  {
    flag: "PAGES",
    code: `import { raw } from "fw/html"
await app.mount({ tree: { ${tree}, pages: [${page}] }, modules: { "page.ts": { Page: () => raw("<p>") } } })`,
    beside: ["ROUTES"],
    fails: "while it loads",
    status: 200,
    answer: /<p>$/,
  },
  {
    flag: "PAGES",
    code: `import { raw } from "fw/html"
await app.mount({ tree: { ${tree}, error: { file: "error.ts" } }, modules: { "error.ts": { Failure: () => raw("<b>") } } })`,
    beside: ["ROUTES", "ON_ERROR"],
    fails: "while it loads",
    status: 404,
    answer: /<b>$/,
  },
]
test("every flag has a test case", () => {
  const seen = new Set<string>(uses.map(({ flag }) => flag))
  assert.equal(
    flags.filter((flag) => !seen.has(flag)),
    ["MESSAGES", "STATUS_NAMES", "STORE"],
    "which have tests of their own",
  )
})

/** A mistake of registration. */
const mistake = 'app.get("/a//b", () => {})'
const misspelt = 'new App({ databaseURL: "postgres://user:hunter2@db" })'

/** A call of a store that was not done. */
const outage = `import { FwError } from "fw"
app.get("/", () => { throw new FwError("store_unavailable", "Redis is away", "") })`

/** A status that fw itself does not answer with. */
const rare = `import { HttpError } from "fw"
app.get("/", () => new HttpError(428, "send If-Match"))`

/** The code of workers, and the flags that are on; `"none set"` is a bundle without flags. */
type Made = readonly [on: readonly Flag[] | "none set", code: string]
const workers: readonly Made[] = [
  ...uses.flatMap(({ flag, code, beside = [] }): Made[] => [
    [beside, code],
    [[...beside, flag], code],
    ["none set", code],
  ]),
  [[], outage],
  [["STORE"], outage],
  ["none set", outage],
  [[], rare],
  [["STATUS_NAMES"], rare],
  ["none set", rare],
  ...[mistake, misspelt].flatMap((code): Made[] => [
    [[], code],
    [["MESSAGES"], code],
    ["none set", code],
  ]),
]
const nameOf = ([on, code]: Made) => workers.findIndex(([o, c]) => c === code && `${o}` === `${on}`)

// Inside the package, where "fw" is the package itself.
mkdirSync(join(root, "dist"), { recursive: true })
const directory = mkdtempSync(join(root, "dist", "workers-"))
test.after(() => rmSync(directory, { recursive: true, force: true }))

/** Those with the same flags all at once: they are made of the same modules. */
async function bundle(on: Made[0]): Promise<void> {
  const entryPoints = workers.flatMap(([o, code], index) => {
    if (`${o}` !== `${on}`) return []
    const file = join(directory, `${index}.js`)
    const head = 'import { App } from "fw"\nimport { serve } from "fw/workers"\n'
    const app = "const app = new App({ logger: false })\n"
    writeFileSync(file, `${head}${app}${code}\nexport default serve(app)\n`)
    return [file]
  })
  await build({
    entryPoints,
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd"],
    define: on === "none set" ? {} : defines(flags.filter((flag) => !on.includes(flag))),
    logLevel: "silent",
  })
}
const bundles = new Map<string, Promise<void>>()

/** Imports a worker; `other` is what the code calls so. @throws what its module throws. */
async function worker(...made: Made) {
  const [on] = made
  const bundled = bundles.get(`${on}`) ?? bundle(on)
  bundles.set(`${on}`, bundled)
  await bundled
  const { other, default: main } = await import(pathToFileURL(join(directory, `${nameOf(made)}.mjs`)).href)
  return other ?? main
}

const env = { ASSETS: { fetch: async () => new Response("an asset") }, FW_SECRETS: "s".repeat(32) }

/** The response to `GET /`: status, headers and body; and the output on the console. */
async function ask(module: { fetch(...given: unknown[]): Promise<Response> }) {
  const { error } = console
  const reported: unknown[] = []
  console.error = (told: unknown) => void reported.push(told)
  try {
    const headers = {
      cookie: "a=b",
      accept: "text/html",
      "x-forwarded-for": "203.0.113.7",
      "x-forwarded-proto": "https",
    }
    const request = new Request("http://localhost/", { headers })
    const response = await module.fetch(request, env, { waitUntil() {} })
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\n`).join("")
    return { status: response.status, text: `${lines}\n${await response.text()}`, reported }
  } finally {
    console.error = error
  }
}

/** The error as the platform's console shows it. */
function named(error: unknown, flag: Flag): void {
  assert.ok(error instanceof Error, String(error))
  const { code, stack, fix } = error as { code?: string; stack?: string; fix?: string }
  assert.is(code, "left_out")
  assert.match(stack ?? "", `FW_${flag}=false`)
  assert.match(fix ?? "", `// FW_${flag} in main.ts`)
}

for (const { flag, code, beside = [], fails, status, answer } of uses) {
  const call = `${flag}: ${code.split("\n").at(-1)?.slice(0, 60)}`
  test(`${call} fails ${fails} if its flag is off, and the error names the flag`, async () => {
    const made = worker(beside, code)
    if (fails === "while it loads") {
      return made.then(
        () => assert.unreachable("it loads"),
        (error) => named(error, flag),
      )
    }
    const { status, text, reported } = await ask(await made)
    assert.is(status, 500)
    assert.not.match(text, "FW_", "a client does not see it")
    assert.is(reported.length, 1)
    named(reported[0], flag)
  })
  for (const on of [[...beside, flag], "none set"] as const) {
    test(`${call} works with ${on === "none set" ? "no flag set" : on.join(" and ")}`, async () => {
      const found = await ask(await worker(on, code))
      assert.is(found.status, status, found.text)
      assert.match(found.text, answer)
      assert.equal(found.reported, [])
    })
  }
}

test("an error of a store is answered with 503, or as a bug if STORE is off", async () => {
  for (const [on, status] of [
    [[], 500],
    [["STORE"], 503],
    ["none set", 503],
  ] as const) {
    const answer = await ask(await worker(on, outage))
    assert.is(answer.status, status)
    assert.is(answer.text.includes("retry-after: 1"), status === 503)
    assert.is(answer.reported.length, 1)
  }
})

test("a rare status has its name, or its number if STATUS_NAMES is off", async () => {
  for (const [on, code] of [
    [[], "http_428"],
    [["STATUS_NAMES"], "precondition_required"],
    ["none set", "precondition_required"],
  ] as const) {
    assert.match((await ask(await worker(on, rare))).text, `"error":"${code}"`)
  }
})

test("an error of registration has its whole message, or only its name and facts if MESSAGES is off", async () => {
  const error = (on: Made[0]): Promise<Error & { code: string; fix: string }> =>
    worker(on, mistake).then(
      () => assert.unreachable("it loads") as never,
      (error) => error,
    )
  const [short, long, whole] = [await error([]), await error(["MESSAGES"]), await error("none set")]
  assert.equal([short.code, long.code], ["pattern", "pattern"])
  assert.match(short.message, /^pattern\.empty: \/a\/\/b/)
  assert.match(short.fix, "FW_MESSAGES")
  assert.match(long.message, /^the pattern "\/a\/\/b" .{10}/)
  assert.is(whole.message, long.message)
})

test("no error message shows the value of an unknown option", async () => {
  for (const on of [[], ["MESSAGES"], "none set"] as const) {
    const error = await worker(on, misspelt).then(
      () => assert.unreachable("it loads") as never,
      (error: Error) => error,
    )
    assert.match(error.message, "databaseURL")
    assert.not.match(String(error), "hunter2")
  }
})

test.run()
