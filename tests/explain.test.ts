/** `fw routes --explain`: what it says of a request, and, for many random trees, that the running app does just that. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Explanation, explain } from "../bin/project/explain.ts"
import { raw } from "../lib/html.ts"
import { App, type Context, type MiddlewareFunc, type Next, proxy } from "../lib/index.ts"
import { type DirectorySource, ScanError, scan } from "../lib/scan.ts"
import { type RouteTree, treeFiles } from "../lib/tree.ts"
import { fw, project } from "./support/command.ts"
import { random } from "./support/random.ts"

const route = "export function Get() {}\n"
const files = {
  "app/api/users/[id]/route.ts": "export function Get() {}\n\nexport function Put() {}\n",
  "app/api/users/me/route.ts": route,
  "app/api/[...rest]/route.ts": "export function Post() {}\nexport function Get() {}\n",
  "app/api/middleware.ts": "export function Middleware() {}\n",
  "app/(site)/middleware.ts": "export function Middleware() {}\n",
  "app/(site)/about/page.tpl": "",
  "app/(site)/layout.tpl": "",
  "app/not-found.tpl": "",
  "app/proxy.ts": `import { proxy } from "fw"
export const ProxyConfig = { matcher: ["/api/:path*", "/(de|en)/x"], excludes: ["/api/users/me"] }
export function Proxy(c) {
  if (c.path === "/api/old") return proxy.rewrite("/api/users/7")
  if (c.path === "/api/bad") return proxy.rewrite("api")
  if (c.path === "/api/it") return proxy.rewrite(\`/api/\${c.path}\`)
  return c.path === "/api/x" ? proxy.redirect("/about", 301) : proxy.responseJSON(401, {})
}
`,
  "app/talk/route.ts": "export function Socket() {}\n",
  "static/css/a.css": "a",
}

const said = suite("fw routes --explain")

said(
  "a route: who answers, in which middleware, with which parameters, and why the others lost",
  async () => {
    const { code, stdout } = await fw(["routes", "--explain", "GET", "/api/users/a%20b"], {
      cwd: project(files),
    })
    assert.is(code, 0)
    assert.is(
      stdout,
      `GET /api/users/a%20b
  Answer      Get of app/api/users/[id]/route.ts:1
  Pattern     /api/users/{id}
  Parameters  id = "a b"
  Middleware  app/api/middleware.ts

Proxy
  app/proxy.ts sees it first: its matcher /api/:path* covers the path.
  It is not run here. If it continues, the answer is as above. Its text shows:
  line 4  rewrite("/api/users/7")  Get of app/api/users/[id]/route.ts:1
  line 5  rewrite("api")           500: it is no path
  line 6  rewrite(…)
  line 7  redirect("/about")
  line 7  responseJSON(401)

Candidates
  answers  /api/users/{id}  app/api/users/[id]/route.ts
  beaten   /api/*           app/api/[...rest]/route.ts
           at segment 2 (users), a static segment beats *
`,
    )
  },
)

const answers: ReadonlyArray<readonly [request: string, answer: string, why?: string]> = [
  ["PUT /api/users/7", "Put of app/api/users/[id]/route.ts:3"],
  ["HEAD /api/users/7", "Get of app/api/users/[id]/route.ts:1 (GET answers HEAD, without its body)"],
  ["POST /api/users/me", "Post of app/api/[...rest]/route.ts:1", "answers GET, not POST"],
  [
    "GET /api/users/me",
    "Get of app/api/users/me/route.ts:1",
    "at segment 3 (me), a static segment beats {id}",
  ],
  ["DELETE /api/users/7", "405: it does not answer DELETE, but GET, HEAD, OPTIONS, POST, PUT"],
  ["OPTIONS /api/users/7", "204, with Allow: GET, HEAD, OPTIONS, POST, PUT"],
  ["GET /api/users/7/?a=b", "308, a redirect to /api/users/7?a=b"],
  ["/about", "the page app/(site)/about/page.tpl"],
  ["http://localhost:3000/about?x", "the page app/(site)/about/page.tpl"],
  ["GET /abut", "404: no route and no file; browsers get app/not-found.tpl"],
  [
    "GET /about/us",
    "404: no route and no file; browsers get app/not-found.tpl",
    'the path goes on after its end, with "us"',
  ],
  [
    "GET /api",
    "404: no route and no file; browsers get app/not-found.tpl",
    'the path ends before segment 2, "users"',
  ],
  ["GET /api//users", "404: no route and no file; browsers get app/not-found.tpl"],
  ["GET /static/css/a.css", "the file static/css/a.css"],
  ["POST /static/css/a.css", "404: no route and no file; browsers get app/not-found.tpl"],
  ["SOCKET /talk", "Socket of app/talk/route.ts:1"],
  ["GET /talk", "426: it speaks WebSocket, which SOCKET instead of GET explains", "answers SOCKET, not GET"],
  ["GET /a%zz", "400: the path is not valid percent-encoded UTF-8"],
  ["GET /%5C", "400: the path holds a backslash"],
  ["PROPFIND /about", "405: it does not answer PROPFIND, but GET, HEAD, OPTIONS"],
]
for (const [request, answer, why] of answers) {
  said(`${request}: ${answer}`, async () => {
    const { stdout, stderr } = await fw(["routes", "--explain", request], { cwd: project(files) })
    assert.is(stderr, "")
    assert.is(/^ {2}Answer +(.*)$/m.exec(stdout)?.[1], answer, stdout)
    if (why)
      assert.ok(
        stdout.split("\n").some((line) => line.trim() === why),
        stdout,
      )
  })
}

const proxied: ReadonlyArray<readonly [request: string, line: string]> = [
  ["/api/users/me/", "app/proxy.ts does not see it: its exclude /api/users/me covers the path."],
  ["/about", "app/proxy.ts does not see it: none of its matchers covers the path (/api/:path*, /(de|en)/x)."],
  ["/de/x", "app/proxy.ts sees it first: its matcher /(de|en)/x covers the path."],
  ["/%61pi", "app/proxy.ts sees it first: its matcher /api/:path* covers the path."],
]
for (const [request, line] of proxied) {
  said(`${request}: ${line}`, async () => {
    const { stdout } = await fw(["routes", "--explain", request], { cwd: project(files) })
    assert.ok(stdout.includes(`\nProxy\n  ${line}\n`), stdout)
  })
}

said("as data: the same, with every field", async () => {
  const cwd = project({ ...files, "main.ts": "" })
  const { stdout } = await fw(["routes", "--explain", "--json", "GET /about/"], { cwd })
  const { success, data } = JSON.parse(stdout)
  assert.ok(success)
  assert.equal(data, {
    method: "GET",
    target: "/about/",
    path: "/about/",
    proxy: {
      file: "app/proxy.ts",
      runs: false,
      matchers: [
        { pattern: "/api/:path*", covers: false },
        { pattern: "/(de|en)/x", covers: false },
      ],
      excludes: [{ pattern: "/api/users/me", covers: false }],
      actions: [],
    },
    answer: {
      kind: "redirect",
      status: 308,
      file: null,
      line: null,
      export: null,
      pattern: "/about",
      params: {},
      middleware: ["app/(site)/middleware.ts"],
      layout: null,
      location: "/about",
      allow: [],
      note: null,
    },
    candidates: [
      {
        pattern: "/about",
        methods: ["GET"],
        files: ["app/(site)/about/page.tpl"],
        outcome: "answers",
        why: "answers GET",
      },
    ],
    main: "main.ts",
  })
})

const refused: ReadonlyArray<readonly [argv: string[], message: RegExp]> = [
  [["--explain"], /needs a method and a path/],
  [["--explain", "GET"], /needs a method and a path/],
  [["--explain", "GET", "users"], /needs a method and a path/],
  [["--explain", "GET /a /b"], /needs a method and a path/],
  [["--explain", "G@T", "/a"], /"G@T" is no method/],
  [["GET", "/a"], /takes "GET" only with --explain/],
]
for (const [argv, message] of refused) {
  said(`${argv.join(" ")}: exit code 2, and how to write it`, async () => {
    const { code, stderr } = await fw(["routes", ...argv], { cwd: project(files) })
    assert.is(code, 2)
    assert.match(stderr, message)
    assert.match(stderr, "Write: fw routes --explain GET /users/7")
  })
}

said.run()

const property = suite("what it says is what the app does")

const seeds = 80
const directories = ["a", "b", "é", "[x]", "[y]", "(g)", "[...r]", "[[...o]]", "static"]
const handlerNames = ["Get", "Post", "Put", "Delete", "Head", "Options", "Socket"]
const matchers = ["/a/*", "/:p/b", "/a/:rest+", "/{x}", "/static/:path*", "/:l(a|b)/:more*"]

/** Files of a random project, by their paths. */
function randomFiles({ below, pick, next }: ReturnType<typeof random>): Map<string, string> {
  const found = new Map<string, string>()
  for (let i = 0; i < 2 + below(6); i++) {
    const names = Array.from({ length: below(4) }, () => pick(directories))
    const place = ["app", ...names].join("/")
    const kind = below(6)
    const exported = handlerNames.filter(() => next() < 0.35)
    if (kind < 4)
      found.set(
        `${place}/route.ts`,
        (exported.length > 0 ? exported : ["Get"]).map((name) => `export function ${name}() {}\n`).join(""),
      )
    else if (kind === 4) found.set(`${place}/middleware.ts`, "export function Middleware() {}\n")
    else {
      found.set(`${place}/page.ts`, "export function Page() {}\n")
      if (next() < 0.5) found.set(`${place}/layout.ts`, "export function Layout() {}\n")
    }
  }
  if (next() < 0.5) {
    const config = {
      matcher: [pick(matchers), pick(matchers)].slice(below(3)),
      excludes: [pick(matchers)].slice(below(2)),
    }
    found.set(
      "app/proxy.ts",
      `export const ProxyConfig = ${JSON.stringify(config)}\nexport function Proxy() {}\n`,
    )
  }
  return found
}

function sourceOf(all: ReadonlyMap<string, string>): DirectorySource {
  return {
    async list(directory) {
      const below = [...all.keys()].filter((file) => file.startsWith(`${directory}/`))
      const names = new Map<string, "file" | "directory">()
      for (const file of below) {
        const [name = "", ...rest] = file.slice(directory.length + 1).split("/")
        names.set(name, rest.length > 0 ? "directory" : "file")
      }
      return [...names].map(([name, kind]) => ({ name, kind }))
    },
    read: async (file) => all.get(file) ?? "",
  }
}

/** The running application of a tree, whose answers tell in headers what ran. */
async function running(tree: RouteTree): Promise<App> {
  const tell = (c: Context, file: string, name: string) => {
    c.setHeader("X-Ran", encodeURIComponent(`${file} ${name}`))
    const params = tree.routes
      .filter((item) => item.file === file)
      .flatMap(({ pattern, rest }) => [
        ...[...pattern.matchAll(/\{(\w+)\}/g)].map(([, one]) => one as string),
        ...(rest ? [rest] : []),
      ])
    c.setHeader("X-Params", encodeURIComponent(JSON.stringify(params.map((one) => c.param(one)))))
  }
  const modules = Object.fromEntries(
    treeFiles(tree).map((file) => {
      const handlers = Object.fromEntries(
        handlerNames.map((name) => [
          name,
          (c: Context) => {
            tell(c, file, name)
            return c.noContent()
          },
        ]),
      )
      const Middleware = (): MiddlewareFunc => (next: Next) => (c: Context) => {
        c.appendHeader("X-Chain", encodeURIComponent(file))
        return next(c)
      }
      const proxied = (c: Context) => {
        c.setHeader("X-Proxy", "1")
        return proxy.continue()
      }
      const Page = (c: Context) => {
        tell(c, file, "Page")
        return raw("")
      }
      const Layout = (_: string, c: Context) => {
        c.setHeader("X-Layout", encodeURIComponent(file))
        return raw("")
      }
      return [file, { ...handlers, Middleware, Proxy: proxied, Page, Layout }]
    }),
  )
  const app = new App({ logger: false })
  await app.mount({ tree, modules })
  return app
}

/** What an explanation predicts, in the words of {@link observed}. */
function predicted({ proxy: seen, answer }: Explanation): Record<string, unknown> {
  const { kind, status, file, export: name, location, allow, middleware, layout } = answer
  const ran = kind === "route" || kind === "page"
  return {
    status: kind === "route" ? 204 : kind === "page" ? 200 : status,
    ran: ran ? `${file} ${name}` : null,
    chain: middleware,
    layout: kind === "page" ? layout : null,
    location,
    allow: allow.join(", ") || null,
    proxied: seen?.runs ?? false,
    file: kind === "file",
  }
}

function observed(response: Response): Record<string, unknown> {
  const header = (name: string) => response.headers.get(name)
  const decoded = (name: string) =>
    header(name) === null ? null : decodeURIComponent(header(name) as string)
  return {
    status: response.status,
    ran: decoded("x-ran"),
    chain: header("x-chain")?.split(", ").map(decodeURIComponent) ?? [],
    layout: decoded("x-layout"),
    location: header("location"),
    allow: header("allow"),
    proxied: header("x-proxy") !== null,
    file: header("etag") !== null && header("x-ran") === null,
  }
}

property(`${seeds} random projects`, async () => {
  const root = project({ "static/a": "a", "static/b/index.html": "b", "static/b/c": "c" })
  const before = process.cwd()
  // The default static directory is the working directory's.
  process.chdir(root)
  const kinds = new Map<string, number>()
  try {
    for (let seed = 0; seed < seeds; seed++) {
      const chance = random(seed)
      const all = randomFiles(chance)
      let tree: RouteTree
      try {
        tree = await scan(sourceOf(all), "app")
      } catch (error) {
        if (error instanceof ScanError) continue
        throw error
      }
      const app = await running(tree)
      for (let i = 0; i < 12; i++) {
        const { below, pick, next } = chance
        const parts = Array.from({ length: below(5) }, () =>
          pick(["a", "b", "c", "é", "%C3%A9", "%61", "static", "q", ".", "%2F"]),
        )
        const odd = next() < 0.05 ? pick(["//", "/%zz", "/%5C"]) : ""
        const file =
          next() < 0.1 ? pick(["/static/a", "/static/b", "/static/b/", "/static/b/c", "/static/n"]) : null
        const path = file ?? `/${parts.join("/")}${next() < 0.2 ? "/" : ""}${odd}`
        const target = `${path}${next() < 0.2 ? "?x=1" : ""}`
        const method = pick(["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
        const explanation = await explain(root, tree, { method, target })
        const response = await app.request(`http://localhost${target}`, { method })
        const what = `seed ${seed}: ${method} ${target} of ${[...all.keys()].join(" ")}`
        assert.equal(predicted(explanation), observed(response), what)
        const { kind, params } = explanation.answer
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        if (kind === "file" && method === "GET")
          assert.is(
            await response.text(),
            { a: "a", c: "c", "index.html": "b" }[explanation.answer.file?.split("/").at(-1) ?? ""],
            what,
          )
        if (kind === "route") {
          const told = JSON.parse(decodeURIComponent(response.headers.get("x-params") ?? ""))
          for (const value of Object.values(params)) assert.ok(told.includes(value), what)
        }
        const answering = explanation.candidates.filter(({ outcome }) => outcome === "answers").length
        assert.is(
          answering,
          ["route", "page"].includes(kind) || (kind === "redirect" && answering > 0) ? 1 : 0,
          what,
        )
      }
    }
  } finally {
    process.chdir(before)
  }
  assert.equal([...kinds.keys()].sort(), [
    "file",
    "not_allowed",
    "not_found",
    "options",
    "page",
    "redirect",
    "refused",
    "route",
    "upgrade",
  ])
})

property.run()
