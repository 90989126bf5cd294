/** Contract cases: static files, from the disk where there is one, from inside of an executable, from the asset binding on workers. */
import { proxy } from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected } from "./case.ts"

/** The files, relative to where every runtime is started; an executable has them inside, on workers the binding has them. */
export const staticDirectory = "tests/fixtures/contract/static"
const css = "a { color: red }\n"
const options = { staticDir: staticDirectory }
const none = { status: 404 } as const

const files = app((a) => a.get("/static/route", (c) => c.string(200, "a route")), options)
const guarded = app(
  (a) => a.setProxy(() => proxy.responseJSON(401, {}), { matchers: ["/static/*"] }),
  options,
)
const seen = app((a) => {
  a.use((next) => async (c) => {
    const response = await next(c)
    c.setHeader("x-status", String(response.status))
    return response
  })
  a.notFound((c) => c.string(404, "my own"))
}, options)

type Row = readonly [name: string, request: string | Ask, expect: Expected]
const rows: readonly Row[] = [
  ["a file", "/static/a.css", { body: css, headers: { "content-type": /^text\/css/, etag: /^"/ } }],
  ["a file to HEAD", "HEAD /static/a.css", { body: "", headers: { "content-type": /^text\/css/ } }],
  ["an index", "/static/sub/", { body: /<title>sub/, headers: { "content-type": /^text\/html/ } }],
  ["no file", "/static/none.css", none],
  ["no directory without its index", "/static/", none],
  ["no dotfile", "/static/.hidden", none],
  ["nothing above", "/static/../package.json", none],
  ["nothing above, encoded", "/static/%2e%2e/package.json", none],
  ["nothing above, with a slash encoded", "/static/..%2f..%2fpackage.json", none],
  ["no other method", "POST /static/a.css", none],
  ["a route before a file", "/static/route", { body: "a route" }],
  ["another spelling", "/static/%61.css", { body: css }],
  ["a query changes nothing", "/static/a.css?v=1", { body: css }],
  ["no double slash", "/static//a.css", none],
  ["no case that differs", "/static/A.CSS", none],
  ["nothing below a file", "/static/a.css/x", none],
  ["a bad spelling", "/static/%zz", { status: 400 }],
]

/** The cases. */
export const fileCases: readonly Case[] = [
  ...rows.map(
    ([name, request, expect]): Case => ({ subject: "app.static()", name, app: files, request, expect }),
  ),
  {
    subject: "app.static()",
    name: "a directory's address ends with a slash",
    app: files,
    request: "/static/sub?q=1",
    expect: { status: 308, headers: { location: "sub/?q=1" } },
  },
  {
    subject: "app.static()",
    name: "a part of a file",
    app: files,
    request: { path: "/static/a.css", headers: { range: "bytes=0-2" } },
    expect: { status: 206, body: "a {", headers: { "content-range": "bytes 0-2/17" } },
  },
  {
    subject: "app.static()",
    name: "a tag that does not match sends the file",
    app: files,
    request: { path: "/static/a.css", headers: { "if-none-match": '"other"' } },
    expect: { body: css },
  },
  {
    subject: "app.static()",
    name: "any tag will do for 304",
    app: files,
    request: { path: "/static/a.css", headers: { "if-none-match": "*" } },
    expect: { status: 304, body: "" },
  },
  ...["/static/a.css", "/static/none.css", "/static/%61.css", "/static/../static/a.css"].map(
    (path): Case => ({
      subject: "app.static()",
      name: `the proxy guards ${path}`,
      app: guarded,
      request: path,
      expect: { status: 401 },
    }),
  ),
  {
    subject: "app.static()",
    name: "global middleware wraps files",
    app: seen,
    request: "/static/a.css",
    expect: { body: css, headers: { "x-status": "200" } },
  },
  {
    subject: "app.static()",
    name: "and a path without a file",
    app: seen,
    request: "/static/none",
    expect: { status: 404, body: "my own", headers: { "x-status": "404" } },
  },
]
