/**
 * Tests of scan errors in the text of one file: misspelled names, syntax that cannot be read, and a ProxyConfig
 * that is not a literal.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { test } from "uvu"
import * as assert from "uvu/assert"
import { findProblems, handlers, page } from "../../support/lib/scan/scan-project.ts"

const get = handlers("Get")
const proxy = "export function Proxy(c) {}\n"
const rename = (name: string) => `Rename it to ${name}. A helper can have any other name.`

/** The only file in the route directory, and the first lines of its error. */
const single: ReadonlyArray<[file: string, text: string, ...problems: Array<[what: string, fix: string]>]> = [
  // Names of handlers.
  [
    "x/route.ts",
    handlers("GET"),
    ["app/x/route.ts:1:1: GET is not an export that fw recognises. Did you mean Get?", rename("Get")],
  ],
  [
    "x/route.ts",
    get + handlers("post"),
    ["app/x/route.ts:2:1: post is not an export that fw recognises. Did you mean Post?", rename("Post")],
  ],
  [
    "x/route.ts",
    handlers("Del"),
    ["app/x/route.ts:1:1: Del is not an export that fw recognises. Did you mean Delete?", rename("Delete")],
  ],
  [
    "x/route.ts",
    handlers("del"),
    ["app/x/route.ts:1:1: del is not an export that fw recognises. Did you mean Delete?", rename("Delete")],
  ],
  [
    "x/route.ts",
    handlers("GETT"),
    ["app/x/route.ts:1:1: GETT is not an export that fw recognises. Did you mean Get?", rename("Get")],
  ],
  [
    "x/route.ts",
    handlers("Ptach"),
    ["app/x/route.ts:1:1: Ptach is not an export that fw recognises. Did you mean Patch?", rename("Patch")],
  ],
  ...["SOCKET", "socket", "Sockets", "WebSocket", "Websocket", "WS"].map((name): (typeof single)[number] => [
    "x/route.ts",
    handlers(name),
    [`app/x/route.ts:1:1: ${name} is not an export that fw recognises. Did you mean Socket?`, rename("Socket")],
  ]),
  ...["ALL", "all", "Any", "ANY", "Al"].map((name): (typeof single)[number] => [
    "x/route.ts",
    handlers(name),
    [`app/x/route.ts:1:1: ${name} is not an export that fw recognises. Did you mean All?`, rename("All")],
  ]),
  [
    "x/route.ts",
    "export const Socket = { message() {} }",
    ["app/x/route.ts:1:1: Socket is not a function", "Write export function Socket(…) { … }."],
  ],
  [
    "x/route.ts",
    "const a = b\nexport { a as DELETE }",
    ["app/x/route.ts:2:10: DELETE is not an export that fw recognises. Did you mean Delete?", rename("Delete")],
  ],
  [
    "x/route.ts",
    get + handlers("Trace"),
    [
      "app/x/route.ts:2:1: Trace is not a handler that a route file can export",
      "Export a function for each method: Get, Post, Put, Patch, Delete, Head, Options, All, Socket.",
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
      "Write export function Get(c) { … }; the names are Get, Post, Put, Patch, Delete, Head, Options, All, Socket.",
    ],
  ],
  [
    "x/route.ts",
    "export const handler = x",
    [
      "app/x/route.ts: the route file exports no handler",
      "Write export function Get(c) { … }; the names are Get, Post, Put, Patch, Delete, Head, Options, All, Socket.",
    ],
  ],
  [
    "x/route.js",
    "module.exports = { Get() {} }",
    [
      "app/x/route.js: the route file exports no handler",
      "Write export function Get(c) { … }; the names are Get, Post, Put, Patch, Delete, Head, Options, All, Socket.",
    ],
  ],
  // Syntax of exports.
  [
    "x/route.ts",
    "export default function Get() {}",
    ["app/x/route.ts:1:1: fw does not read the default export of a route file", "Write export function Get(c) { … }."],
  ],
  [
    "x/route.ts",
    `${get}export * from "./y.ts"`,
    [
      'app/x/route.ts:2:1: fw cannot see the names behind "export *" without running the file',
      'Name what it exports: export { Get } from "…".',
    ],
  ],
  [
    "x/route.ts",
    "export function* Get(c) {}",
    [
      "app/x/route.ts:1:1: Get is a generator, which cannot answer a request",
      "Write function Get(…) without the *. c.stream() and c.sse() send the values of a generator.",
    ],
  ],
  [
    "x/route.ts",
    "export async function *Get(c) {}",
    [
      "app/x/route.ts:1:1: Get is a generator, which cannot answer a request",
      "Write function Get(…) without the *. c.stream() and c.sse() send the values of a generator.",
    ],
  ],
  [
    "x/route.ts",
    "export const Get = function* (c) {}",
    [
      "app/x/route.ts:1:1: Get is a generator, which cannot answer a request",
      "Write function Get(…) without the *. c.stream() and c.sse() send the values of a generator.",
    ],
  ],
  [
    "x/route.ts",
    "export const Get = async function* (c) {}",
    [
      "app/x/route.ts:1:1: Get is a generator, which cannot answer a request",
      "Write function Get(…) without the *. c.stream() and c.sse() send the values of a generator.",
    ],
  ],
  [
    "middleware.ts",
    "export function* Middleware() {}",
    [
      "app/middleware.ts:1:1: Middleware is a generator, which cannot answer a request",
      "Write function Middleware(…) without the *.",
    ],
  ],
  [
    "x/route.ts",
    "function* gen(c) {}\nexport { gen as Get }",
    ["app/x/route.ts:2:10: Get is a generator, which cannot answer a request", "Write function Get(…) without the *."],
  ],
  ["x/route.ts", `${get}export function* helper() {}`],
  [
    "x/route.ts",
    "export const { Get } = make()",
    [
      "app/x/route.ts:1:1: fw cannot read the names of a destructured export",
      "Export each by its name: export const Get = …",
    ],
  ],
  [
    "middleware.ts",
    "export default () => {}",
    [
      "app/middleware.ts:1:1: fw does not read the default export of a middleware file",
      "Write export function Middleware() { return (next) => (c) => next(c) }.",
    ],
  ],
  [
    "page.tsx",
    "export default function Page() { return <p/> }",
    ["app/page.tsx:1:1: fw does not read the default export of a page file", "Write export function Page(c) { … }."],
  ],
  [
    "x/route.ts",
    "export const Get = '\n",
    ["app/x/route.ts:1:20: the string never ends", "Fix the syntax. npx tsc --noEmit shows all errors."],
  ],
  // Names in other files.
  [
    "middleware.ts",
    "export function middleware() {}",
    [
      "app/middleware.ts:1:1: middleware is not an export that fw recognises. Did you mean Middleware?",
      rename("Middleware"),
    ],
  ],
  [
    "middleware.ts",
    "export const Middlewares = x",
    [
      "app/middleware.ts:1:1: Middlewares is not an export that fw recognises. Did you mean Middleware?",
      rename("Middleware"),
    ],
  ],
  [
    "middleware.ts",
    "export const onRequest = x",
    [
      "app/middleware.ts:1:1: onRequest is not an export that fw recognises. Did you mean Middleware?",
      rename("Middleware"),
    ],
  ],
  [
    "middleware.ts",
    "export const auth = x",
    [
      "app/middleware.ts: the file does not export Middleware",
      "Write export function Middleware() { return (next) => (c) => next(c) }.",
    ],
  ],
  [
    "proxy.ts",
    "export function proxy() {}",
    ["app/proxy.ts:1:1: proxy is not an export that fw recognises. Did you mean Proxy?", rename("Proxy")],
  ],
  [
    "proxy.ts",
    "export function middleware() {}",
    ["app/proxy.ts:1:1: middleware is not an export that fw recognises. Did you mean Proxy?", rename("Proxy")],
  ],
  [
    "proxy.ts",
    `${proxy}export const config = { matcher: [] }`,
    ["app/proxy.ts:2:1: config is not an export that fw recognises. Did you mean ProxyConfig?", rename("ProxyConfig")],
  ],
  [
    "page.ts",
    "export const page = x",
    ["app/page.ts:1:1: page is not an export that fw recognises. Did you mean Page?", rename("Page")],
  ],
  [
    "layout.ts",
    "export const title = 1",
    ["app/layout.ts: the file does not export Layout", "Write export function Layout(title, c, children) { … }."],
  ],
  // ProxyConfig.
  [
    "proxy.ts",
    `${proxy}export const ProxyConfig = { match: [] }`,
    ['app/proxy.ts:2:30: ProxyConfig has an unknown key "match"', "It takes matcher (or matchers) and excludes."],
  ],
  [
    "proxy.ts",
    `${proxy}export const ProxyConfig = { matcher: "/x" }`,
    ["app/proxy.ts:2:39: ProxyConfig's matcher is a string, not a list", 'Write matcher: ["/x"].'],
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
      "ProxyConfig is not a literal, and fw reads it without running the file",
      'Write the paths themselves, export const ProxyConfig = { matcher: ["/api/:path*"], excludes: ["/api/health"] }.',
    ],
  ]),
  [
    "proxy.ts",
    `${proxy}export { ProxyConfig } from "./x.ts"`,
    [
      "app/proxy.ts:2:10: ProxyConfig is not a literal, and fw reads it without running the file",
      'Write the paths themselves, export const ProxyConfig = { matcher: ["/api/:path*"], excludes: ["/api/health"] }.',
    ],
  ],
  // Files in the wrong directory.
  [
    "api/proxy.ts",
    proxy,
    ["app/api/proxy.ts: fw reads the proxy file only at the top of the route directory", "Move it to app/proxy.ts."],
  ],
  [
    "(site)/proxy.js",
    proxy,
    ["app/(site)/proxy.js: fw reads the proxy file only at the top of the route directory", "Move it to app/proxy.js."],
  ],
  [
    "x/not-found.tpl",
    page,
    [
      "app/x/not-found.tpl: fw reads the not-found file only at the top of the route directory",
      "Move it to app/not-found.tpl.",
    ],
  ],
  [
    "x/error.tpl",
    page,
    ["app/x/error.tpl: fw reads the error file only at the top of the route directory", "Move it to app/error.tpl."],
  ],
  // Files of templates.
  ["page.tpl", "", ["app/page.tpl: the file has no template Page", "Write template Page(c: Context) { … }."]],
  ...["5", '"page"', "{ a: 1 }", "[1]\n", "true", "null;", "5 as never"].map(
    (value): [string, string, [string, string]] => [
      "page.tpl",
      `export const Page = ${value}\ntemplate Other() {it's}\n`,
      ["app/page.tpl: the file has no template Page", "Write template Page(c: Context) { … }."],
    ],
  ),
  [
    "layout.tpl",
    "template Other() {x}\nexport let Layout: number = 5\n",
    ["app/layout.tpl: the file has no template Layout", "Write template Layout(title: string) { … }."],
  ],
  ["page.tpl", "export const Page = 5\ntemplate Page() {x}\n"],
  ...["true", "undefined", "null as never"].map((value): [string, string, [string, string]] => [
    "page.ts",
    `export const Page = ${value}\n`,
    ["app/page.ts:1:1: Page is not a function", "Write export function Page(…) { … }."],
  ]),
  [
    "page.tpl",
    'import x from "y"\ntemplate Pag() {x}\n',
    [
      "app/page.tpl:2:10: Pag is not an export that fw recognises. Did you mean Page?",
      "Rename it to Page. A helper can have any other name.",
    ],
  ],
  [
    "x/layout.tpl",
    "template Layot() {{children}}\n",
    [
      "app/x/layout.tpl:1:10: Layot is not an export that fw recognises. Did you mean Layout?",
      "Rename it to Layout. A helper can have any other name.",
    ],
  ],
  [
    "layout.tpl",
    "template Frame() {{children}}\n",
    ["app/layout.tpl: the file has no template Layout", "Write template Layout(title: string) { … }."],
  ],
  [
    "not-found.tpl",
    "template page() {x}\n",
    [
      "app/not-found.tpl:1:10: page is not an export that fw recognises. Did you mean NotFound?",
      "Rename it to NotFound. A helper can have any other name.",
    ],
  ],
  [
    "error.tpl",
    "template Error<T>(c: T) {x}\n",
    [
      "app/error.tpl:1:10: Error is not an export that fw recognises. Did you mean Failure?",
      "Rename it to Failure. A helper can have any other name.",
    ],
  ],
  // Names of directories.
  [
    "[[lang]]/route.ts",
    get,
    [
      'app/[[lang]]: the pattern "/[[lang]]" has an optional parameter, [[lang]]\n  /[[lang]]\n   ^^^^^^^^',
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
  test(`${file} ${problems.length > 0 ? "is refused" : "is accepted"}: ${text.trim()}`, async () => {
    const found = await findProblems({ [`app/${file}`]: text })
    assert.is(found.length, problems.length, String(found))
    for (const [index, [what, fix]] of problems.entries()) {
      assert.ok(`${found[index]}`.includes(`${what}\n  ${fix}`), `${found[index]}\n${what}\n  ${fix}`)
    }
  })
}

test("the scan accepts every way to export a template, and leaves syntax errors to the compiler", async () => {
  const sources = [
    "\ufefftemplate Page() {x}",
    "template Page<T>() {x}",
    'export { Home as Page } from "../lib/home.tpl.ts"',
    'import { Home } from "../lib/home.tpl.ts"\nexport const Page = Home',
    'import { Home } from "../lib/home.tpl.ts"\nexport const Page = true && Home\ntemplate Other() {it\'s}\n',
    "export const Page = [Home][0]",
    "export async function Page() {}",
    "export template Page() {x}",
    "const a = 1; template Page() {x}",
  ]
  for (const source of sources) assert.equal(await findProblems({ "app/page.tpl": source }), [], source)
})

test.run()
