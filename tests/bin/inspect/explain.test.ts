/**
 * Tests of what `fw routes --explain` prints about a request, as text and as data. explain-property.test.ts checks
 * that it is true.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../../support/bin/cli/command.ts"
import { installed } from "../../support/bin/inspect/validated.ts"

const route = "export function Get() {}\n"
const files = {
  "app/api/users/[id]/route.ts": "export function Get() {}\n\nexport function Put() {}\n",
  "app/api/users/me/route.ts": route,
  "app/api/[...rest]/route.ts": "export function Post() {}\nexport function Get() {}\n",
  "app/api/middleware.ts": "export function Middleware() {}\n",
  "app/(site)/middleware.ts": "export function Middleware() {}\n",
  "app/(site)/about/page.tpl": "template Page() {}",
  "app/(site)/layout.tpl": "template Layout() {{children}}",
  "app/not-found.tpl": "template NotFound() {}",
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
  "app/every/one/route.ts": "export function Get() {}\n",
  "app/every/[...rest]/route.ts": "export function All() {}\n",
  "static/css/a.css": "a",
}

const said = suite("fw routes --explain")

said(
  "a route is explained by its handler, middleware and parameters, and by the reasons why other routes do not answer",
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
  line 5  rewrite("api")           500: it is not a path
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
  ["GET /api/users/me", "Get of app/api/users/me/route.ts:1", "at segment 3 (me), a static segment beats {id}"],
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
  ["GET /api", "404: no route and no file; browsers get app/not-found.tpl", 'the path ends before segment 2, "users"'],
  ["GET /api//users", "404: no route and no file; browsers get app/not-found.tpl"],
  ["GET /static/css/a.css", "the file static/css/a.css"],
  ["POST /static/css/a.css", "405: it does not answer POST, but GET, HEAD, OPTIONS"],
  ["SOCKET /talk", "Socket of app/talk/route.ts:1"],
  // A request for a WebSocket upgrade is a GET if no socket route matches.
  ["SOCKET /every/one", "Get of app/every/one/route.ts:1"],
  ["SOCKET /every/other", "All of app/every/[...rest]/route.ts:1"],
  [
    "GET /talk",
    "426: it is for WebSocket connections, which SOCKET instead of GET explains",
    "answers SOCKET, not GET",
  ],
  ["GET /a%zz", "400: the path is not valid percent-encoded UTF-8"],
  ["GET /%5C", "400: the path holds a backslash"],
  ["PROPFIND /about", "405: it does not answer PROPFIND, but GET, HEAD, OPTIONS"],
]
for (const [request, answer, why] of answers) {
  said(`fw routes --explain ${request} gives the answer: ${answer}`, async () => {
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
  said(`the proxy is explained for ${request}: ${line}`, async () => {
    const { stdout } = await fw(["routes", "--explain", request], { cwd: project(files) })
    assert.ok(stdout.includes(`\nProxy\n  ${line}\n`), stdout)
  })
}

said("fw routes --explain --json gives the explanation as data, with every field", async () => {
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

const withMain = {
  ...files,
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "main.ts": `import { App, type RouteGroup } from "fw"
import { legacy } from "./legacy.ts"
const app = new App({ staticDir: "public" })
app.get("/ping/{id}", (c) => c.string(200, c.param("id")))
app.group("/admin", (admin: RouteGroup) => {
  admin.post("/users", (c) => c.noContent())
})
app.static("/assets/files", "files")
app.mountHandler("/legacy", legacy)
export default app
`,
  "legacy.ts": "export const legacy = () => new Response()\n",
  "files/a.txt": "a",
  "public/b.txt": "b",
}

const ofMain: ReadonlyArray<readonly [request: string, answer: string]> = [
  ["GET /ping/7", "the handler at main.ts:4"],
  ["POST /admin/users", "the handler at main.ts:6"],
  ["GET /admin/users", "405: it does not answer GET, but OPTIONS, POST"],
  ["GET /assets/files/a.txt", "the file files/a.txt"],
  ["GET /static/b.txt", "the file public/b.txt"],
  ["GET /static/css/a.css", "404: no route and no file; browsers get app/not-found.tpl"],
  [
    "GET /legacy/page",
    "404: no route and no file, unless main.ts answers it at /legacy; browsers get app/not-found.tpl",
  ],
  ["GET /nothing", "404: no route and no file; browsers get app/not-found.tpl"],
]
for (const [request, answer] of ofMain) {
  said(`fw routes --explain ${request} includes what main.ts registers`, async () => {
    const cwd = installed(withMain)
    const { stdout } = await fw(["routes", "--explain", request], { cwd })
    assert.match(stdout.replaceAll(/\s+/g, " "), ` Answer ${answer} `)
    assert.match(stdout, "\nMiddleware that main.ts adds is not seen here.\n")
  })
}

said("without TypeScript, the explanation says that routes of main.ts are not seen", async () => {
  const { stdout } = await fw(["routes", "--explain", "GET /ping/7"], { cwd: project(withMain) })
  assert.match(stdout, /routes that the main file registers are not seen/)
})

const refused: ReadonlyArray<readonly [argv: string[], message: RegExp]> = [
  [["--explain"], /a request is a method and a path that begins with a slash/],
  [["--explain", "GET"], /a request is a method and a path that begins with a slash/],
  [["--explain", "GET", "users"], /a request is a method and a path that begins with a slash/],
  [["--explain", "GET /a /b"], /a request is a method and a path that begins with a slash/],
  [["--explain", "G@T", "/a"], /"G@T" is not an HTTP method/],
  [["GET", "/a"], /takes "GET" only with --explain/],
]
for (const [argv, message] of refused) {
  said(`fw routes ${argv.join(" ")} exits with 2 and says what to write`, async () => {
    const { code, stderr } = await fw(["routes", ...argv], { cwd: project(files) })
    assert.is(code, 2)
    assert.match(stderr, message)
    assert.match(stderr, "Write: fw routes --explain GET /users/7")
  })
}

said.run()
