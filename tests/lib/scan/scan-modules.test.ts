/** What a scan refuses in the text of one file: near misses of names, forms that cannot be read, a ProxyConfig that is no literal. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { test } from "uvu"
import * as assert from "uvu/assert"
import { handlers, page, problemsOf } from "../../support/lib/scan/scan-project.ts"

const get = handlers("Get")
const proxy = "export function Proxy(c) {}\n"
const rename = (name: string) => `Rename it to ${name}; a helper takes a name of its own.`

/** A file alone in the route directory, and the first lines of what is wrong with it. */
const single: ReadonlyArray<[file: string, text: string, ...problems: Array<[what: string, fix: string]>]> = [
  // Names of handlers.
  [
    "x/route.ts",
    handlers("GET"),
    ["app/x/route.ts:1:1: GET is no name that fw reads, but close to Get", rename("Get")],
  ],
  [
    "x/route.ts",
    get + handlers("post"),
    ["app/x/route.ts:2:1: post is no name that fw reads, but close to Post", rename("Post")],
  ],
  [
    "x/route.ts",
    handlers("Del"),
    ["app/x/route.ts:1:1: Del is no name that fw reads, but close to Delete", rename("Delete")],
  ],
  [
    "x/route.ts",
    handlers("del"),
    ["app/x/route.ts:1:1: del is no name that fw reads, but close to Delete", rename("Delete")],
  ],
  [
    "x/route.ts",
    handlers("GETT"),
    ["app/x/route.ts:1:1: GETT is no name that fw reads, but close to Get", rename("Get")],
  ],
  [
    "x/route.ts",
    handlers("Ptach"),
    ["app/x/route.ts:1:1: Ptach is no name that fw reads, but close to Patch", rename("Patch")],
  ],
  ...["SOCKET", "socket", "Sockets", "WebSocket", "Websocket", "WS"].map((name): (typeof single)[number] => [
    "x/route.ts",
    handlers(name),
    [`app/x/route.ts:1:1: ${name} is no name that fw reads, but close to Socket`, rename("Socket")],
  ]),
  [
    "x/route.ts",
    "export const Socket = { message() {} }",
    ["app/x/route.ts:1:1: Socket is not a function", "Write export function Socket(…) { … }."],
  ],
  [
    "x/route.ts",
    "const a = b\nexport { a as DELETE }",
    ["app/x/route.ts:2:10: DELETE is no name that fw reads, but close to Delete", rename("Delete")],
  ],
  [
    "x/route.ts",
    get + handlers("ALL"),
    [
      "app/x/route.ts:2:1: ALL is no handler that a route file can export",
      "Export a function for each method: Get, Post, Put, Patch, Delete, Head, Options, Socket.",
    ],
  ],
  [
    "x/route.ts",
    "export const Get = {}",
    ["app/x/route.ts:1:1: Get is not a function", "Write export function Get(…) { … }."],
  ],
  [
    "x/route.ts",
    "",
    [
      "app/x/route.ts: the route file exports no handler",
      "Write export function Get(c) { … }; the names are Get, Post, Put, Patch, Delete, Head, Options, Socket.",
    ],
  ],
  [
    "x/route.ts",
    "export const handler = x",
    [
      "app/x/route.ts: the route file exports no handler",
      "Write export function Get(c) { … }; the names are Get, Post, Put, Patch, Delete, Head, Options, Socket.",
    ],
  ],
  [
    "x/route.js",
    "module.exports = { Get() {} }",
    [
      "app/x/route.js: the route file exports no handler",
      "Write export function Get(c) { … }; the names are Get, Post, Put, Patch, Delete, Head, Options, Socket.",
    ],
  ],
  // Forms.
  [
    "x/route.ts",
    "export default function Get() {}",
    [
      "app/x/route.ts:1:1: a default export is not read in a route file",
      "Write export function Get(c) { … }.",
    ],
  ],
  [
    "x/route.ts",
    `${get}export * from "./y.ts"`,
    [
      'app/x/route.ts:2:1: the names behind "export *" cannot be seen without running the file',
      'Name what it exports: export { Get } from "…".',
    ],
  ],
  [
    "x/route.ts",
    "export function* Get(c) {}",
    [
      "app/x/route.ts:1:1: Get is a generator, which answers nothing",
      "Write function Get(…) without the *. c.stream() and c.sse() send what a generator yields.",
    ],
  ],
  [
    "x/route.ts",
    "export async function *Get(c) {}",
    [
      "app/x/route.ts:1:1: Get is a generator, which answers nothing",
      "Write function Get(…) without the *. c.stream() and c.sse() send what a generator yields.",
    ],
  ],
  [
    "x/route.ts",
    "export const Get = function* (c) {}",
    [
      "app/x/route.ts:1:1: Get is a generator, which answers nothing",
      "Write function Get(…) without the *. c.stream() and c.sse() send what a generator yields.",
    ],
  ],
  [
    "x/route.ts",
    "export const Get = async function* (c) {}",
    [
      "app/x/route.ts:1:1: Get is a generator, which answers nothing",
      "Write function Get(…) without the *. c.stream() and c.sse() send what a generator yields.",
    ],
  ],
  [
    "middleware.ts",
    "export function* Middleware() {}",
    [
      "app/middleware.ts:1:1: Middleware is a generator, which answers nothing",
      "Write function Middleware(…) without the *.",
    ],
  ],
  [
    "x/route.ts",
    "function* gen(c) {}\nexport { gen as Get }",
    [
      "app/x/route.ts:2:10: Get is a generator, which answers nothing",
      "Write function Get(…) without the *.",
    ],
  ],
  ["x/route.ts", `${get}export function* helper() {}`],
  [
    "x/route.ts",
    "export const { Get } = make()",
    [
      "app/x/route.ts:1:1: the names of a destructured export are not read",
      "Export each by its name: export const Get = …",
    ],
  ],
  [
    "middleware.ts",
    "export default () => {}",
    [
      "app/middleware.ts:1:1: a default export is not read in a middleware file",
      "Write export function Middleware() { return (next) => (c) => next(c) }.",
    ],
  ],
  [
    "page.tsx",
    "export default function Page() { return <p/> }",
    ["app/page.tsx:1:1: a default export is not read in a page file", "Write export function Page(c) { … }."],
  ],
  [
    "x/route.ts",
    "export const Get = '\n",
    ["app/x/route.ts:1:20: the string never ends", "Fix the syntax. npx tsc --noEmit shows all of it."],
  ],
  // Names of the others.
  [
    "middleware.ts",
    "export function middleware() {}",
    [
      "app/middleware.ts:1:1: middleware is no name that fw reads, but close to Middleware",
      rename("Middleware"),
    ],
  ],
  [
    "middleware.ts",
    "export const Middlewares = x",
    [
      "app/middleware.ts:1:1: Middlewares is no name that fw reads, but close to Middleware",
      rename("Middleware"),
    ],
  ],
  [
    "middleware.ts",
    "export const onRequest = x",
    [
      "app/middleware.ts:1:1: onRequest is no name that fw reads, but close to Middleware",
      rename("Middleware"),
    ],
  ],
  [
    "middleware.ts",
    "export const auth = x",
    [
      "app/middleware.ts: the file exports no Middleware",
      "Write export function Middleware() { return (next) => (c) => next(c) }.",
    ],
  ],
  [
    "proxy.ts",
    "export function proxy() {}",
    ["app/proxy.ts:1:1: proxy is no name that fw reads, but close to Proxy", rename("Proxy")],
  ],
  [
    "proxy.ts",
    "export function middleware() {}",
    ["app/proxy.ts:1:1: middleware is no name that fw reads, but close to Proxy", rename("Proxy")],
  ],
  [
    "proxy.ts",
    `${proxy}export const config = { matcher: [] }`,
    ["app/proxy.ts:2:1: config is no name that fw reads, but close to ProxyConfig", rename("ProxyConfig")],
  ],
  [
    "page.ts",
    "export const page = x",
    ["app/page.ts:1:1: page is no name that fw reads, but close to Page", rename("Page")],
  ],
  [
    "layout.ts",
    "export const title = 1",
    ["app/layout.ts: the file exports no Layout", "Write export function Layout(title, c, children) { … }."],
  ],
  // ProxyConfig.
  [
    "proxy.ts",
    `${proxy}export const ProxyConfig = { match: [] }`,
    [
      'app/proxy.ts:2:30: ProxyConfig has an unknown key, "match"',
      "It takes matcher (or matchers) and excludes.",
    ],
  ],
  [
    "proxy.ts",
    `${proxy}export const ProxyConfig = { matcher: "/x" }`,
    ["app/proxy.ts:2:39: ProxyConfig's matcher is a string", 'It is a list: write matcher: ["/x"].'],
  ],
  [
    "proxy.ts",
    `${proxy}export const ProxyConfig = { matcher: [], matcher: [] }`,
    ["app/proxy.ts:2:43: ProxyConfig has matcher twice", "Put both lists into one."],
  ],
  ...[
    "paths",
    "{ matcher: paths }",
    "{ matcher: [...paths] }",
    "{ ...x }",
    "{ matcher: ['/a' + b] }",
    "{ matcher }",
    "Object.freeze({})",
    "{}.x",
    "{ matcher: [`/${a}`] }",
    "{ matcher: [1] }",
    "{ [a]: [] }",
  ].map((value): [string, string, [string, string]] => [
    "proxy.ts",
    `${proxy}export const ProxyConfig = ${value}`,
    [
      "ProxyConfig is not a literal: it is read without running the file",
      'Write the paths themselves, export const ProxyConfig = { matcher: ["/api/:path*"], excludes: ["/api/health"] }.',
    ],
  ]),
  [
    "proxy.ts",
    `${proxy}export { ProxyConfig } from "./x.ts"`,
    [
      "app/proxy.ts:2:10: ProxyConfig is not declared as a literal",
      'Write export const ProxyConfig = { matcher: ["/api/:path*"], excludes: ["/api/health"] }.',
    ],
  ],
  // Places.
  [
    "api/proxy.ts",
    proxy,
    ["app/api/proxy.ts: the proxy file is read at the top only", "Move it to app/proxy.ts."],
  ],
  [
    "(site)/proxy.js",
    proxy,
    ["app/(site)/proxy.js: the proxy file is read at the top only", "Move it to app/proxy.js."],
  ],
  [
    "x/not-found.tpl",
    page,
    ["app/x/not-found.tpl: the not-found file is read at the top only", "Move it to app/not-found.tpl."],
  ],
  [
    "x/error.tpl",
    page,
    ["app/x/error.tpl: the error file is read at the top only", "Move it to app/error.tpl."],
  ],
  // Files of templates.
  [
    "page.tpl",
    "",
    ["app/page.tpl: the file holds no template Page", "Write template Page(c: Context) { … }."],
  ],
  [
    "page.tpl",
    'import x from "y"\ntemplate Pag() {x}\n',
    [
      "app/page.tpl:2:10: Pag is no name that fw reads, but close to Page",
      "Rename it to Page; a helper takes a name of its own.",
    ],
  ],
  [
    "x/layout.tpl",
    "template Layot() {{children}}\n",
    [
      "app/x/layout.tpl:1:10: Layot is no name that fw reads, but close to Layout",
      "Rename it to Layout; a helper takes a name of its own.",
    ],
  ],
  [
    "layout.tpl",
    "template Frame() {{children}}\n",
    ["app/layout.tpl: the file holds no template Layout", "Write template Layout(title: string) { … }."],
  ],
  [
    "not-found.tpl",
    "template page() {x}\n",
    [
      "app/not-found.tpl:1:10: page is no name that fw reads, but close to NotFound",
      "Rename it to NotFound; a helper takes a name of its own.",
    ],
  ],
  [
    "error.tpl",
    "template Error<T>(c: T) {x}\n",
    [
      "app/error.tpl:1:10: Error is no name that fw reads, but close to Failure",
      "Rename it to Failure; a helper takes a name of its own.",
    ],
  ],
  // Names of directories.
  [
    "[[lang]]/route.ts",
    get,
    [
      'app/[[lang]]: the pattern "/[[lang]]" has an optional parameter, [[lang]]',
      "Write two directories: the parent itself, and [lang].",
    ],
  ],
  [
    "[...a]/b/route.ts",
    get,
    [
      'app/[...a]/b: the pattern "/[...a]/b" has a catch-all before its end\n  /[...a]/b\n   ^^^^^^',
      "A * or [...name] must be the last segment.",
    ],
  ],
]

for (const [file, text, ...problems] of single) {
  test(`${file}: ${text.trim()}`, async () => {
    const found = await problemsOf({ [`app/${file}`]: text })
    assert.is(found.length, problems.length, String(found))
    for (const [index, [what, fix]] of problems.entries()) {
      assert.ok(`${found[index]}`.includes(`${what}\n  ${fix}`), `${found[index]}\n${what}\n  ${fix}`)
    }
  })
}

test("a file of templates may export its template in another way, and the compiler sees to broken ones", async () => {
  const sources = [
    "\ufefftemplate Page() {x}",
    "template Page<T>() {x}",
    'export { Home as Page } from "../lib/home.tpl.ts"',
    'import { Home } from "../lib/home.tpl.ts"\nexport const Page = Home',
    "export async function Page() {}",
    "export template Page() {x}",
    "const a = 1; template Page() {x}",
  ]
  for (const source of sources) assert.equal(await problemsOf({ "app/page.tpl": source }), [], source)
})

test.run()
