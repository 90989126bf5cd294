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
  [
    "a file is sent with its type and ETag",
    "/static/a.css",
    { body: css, headers: { "content-type": /^text\/css/, etag: /^"/ } },
  ],
  [
    "a file to HEAD has no body",
    "HEAD /static/a.css",
    { body: "", headers: { "content-type": /^text\/css/ } },
  ],
  [
    "an index is sent for its directory",
    "/static/sub/",
    { body: /<title>sub/, headers: { "content-type": /^text\/html/ } },
  ],
  ["a missing file is a 404", "/static/none.css", none],
  ["a directory without an index is a 404", "/static/", none],
  ["a dotfile is a 404", "/static/.hidden", none],
  ["a path above the directory is a 404", "/static/../package.json", none],
  ["an encoded path above the directory is a 404", "/static/%2e%2e/package.json", none],
  ["a path above the directory with encoded slashes is a 404", "/static/..%2f..%2fpackage.json", none],
  ["POST is a 404", "POST /static/a.css", none],
  ["a route wins over a file", "/static/route", { body: "a route" }],
  ["another spelling of a path gives the same file", "/static/%61.css", { body: css }],
  ["a query changes nothing", "/static/a.css?v=1", { body: css }],
  ["a double slash is a 404", "/static//a.css", none],
  ["a name in another case is a 404", "/static/A.CSS", none],
  ["a path below a file is a 404", "/static/a.css/x", none],
  ["a path that is not validly encoded is a 400", "/static/%zz", { status: 400 }],
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
    name: "a part of a file is sent for a Range",
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
    name: "any tag matches If-None-Match: *",
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
    name: "a 404 is wrapped by global middleware",
    app: seen,
    request: "/static/none",
    expect: { status: 404, body: "my own", headers: { "x-status": "404" } },
  },
]
