/** Contract cases: static files from the disk, from inside an executable, and from the asset binding on Workers. */
import { proxy } from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected } from "./case.ts"

/**
 * The directory of the files, relative to the working directory of every runtime. An executable contains the files,
 * and on Workers the binding has them.
 */
export const staticDirectory = "tests/fixtures/contract/static"
const css = "a { color: red }\n"
const options = { staticDir: staticDirectory }
const none = { status: 404 } as const
const allow = "GET, HEAD, OPTIONS"

const files = app((a) => a.get("/static/route", (c) => c.string(200, "a route")), options)
const guarded = app((a) => a.setProxy(() => proxy.responseJSON(401, {}), { matchers: ["/static/*"] }), options)
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
  ["a file to HEAD has no body", "HEAD /static/a.css", { body: "", headers: { "content-type": /^text\/css/ } }],
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
  ...["POST", "PUT", "PATCH", "DELETE", "QUERY"].map(
    (method): Row => [`${method} to a file is a 405`, `${method} /static/a.css`, { status: 405, headers: { allow } }],
  ),
  ["OPTIONS of a file has its methods", "OPTIONS /static/a.css", { status: 204, headers: { allow } }],
  ["POST to a directory with an index is a 405", "POST /static/sub/", { status: 405, headers: { allow } }],
  [
    "POST to a directory with an index, without the slash at the end, is a 405",
    "POST /static/sub",
    { status: 405, headers: { allow } },
  ],
  ["POST to a directory without an index is a 404", "POST /static/", { ...none, headers: { allow: null } }],
  ["POST to a missing file is a 404", "POST /static/none.css", { ...none, headers: { allow: null } }],
  ["OPTIONS of a missing file is a 404", "OPTIONS /static/none.css", none],
  ["POST to a dotfile is a 404", "POST /static/.hidden", none],
  [
    "a condition of a POST does not matter",
    { method: "POST", path: "/static/a.css", headers: { "if-none-match": "*" } },
    { status: 405 },
  ],
  ["a route wins over a file", "/static/route", { body: "a route" }],
  ["another spelling of a path gives the same file", "/static/%61.css", { body: css }],
  ["a query changes nothing", "/static/a.css?v=1", { body: css }],
  ["a double slash is a 404", "/static//a.css", none],
  ["a name in another case is a 404", "/static/A.CSS", none],
  ["a path below a file is a 404", "/static/a.css/x", none],
  ["a path that is not validly encoded is a 400", "/static/%zz", { status: 400 }],
]

const date = "Sat, 01 Jan 2000 00:00:00 GMT"
/** Files that are sent with an ETag and a Last-Modified that the program sets. */
const versioned = app((a) => {
  a.use((next) => (c) => {
    c.setHeader("ETag", '"v1"')
    c.setHeader("Last-Modified", date)
    return next(c)
  })
}, options)
const conditions: ReadonlyArray<readonly [name: string, headers: Record<string, string>, expect: Expected]> = [
  ["is sent with this tag", {}, { headers: { etag: '"v1"', "last-modified": date }, body: css }],
  ["is a 304 if If-None-Match names this tag", { "if-none-match": '"v1"' }, { status: 304, headers: { etag: '"v1"' } }],
  ["is a 304 if If-None-Match names this tag as a weak one", { "if-none-match": 'W/"v1"' }, { status: 304 }],
  ["is a 304 if If-Modified-Since names its time", { "if-modified-since": date }, { status: 304 }],
  ["is sent if If-Match names this tag", { "if-match": '"v1"' }, { body: css }],
  ["is a 412 if If-Match names another tag", { "if-match": '"v2"' }, { status: 412, headers: { etag: null } }],
  ["is sent if If-Unmodified-Since names its time", { "if-unmodified-since": date }, { body: css }],
  [
    "is a 412 if If-Unmodified-Since names an earlier time",
    { "if-unmodified-since": "Fri, 31 Dec 1999 00:00:00 GMT" },
    { status: 412 },
  ],
  [
    "allows a range if If-Range names this tag",
    { range: "bytes=0-1", "if-range": '"v1"' },
    { status: 206, body: "a " },
  ],
  ["is sent whole if If-Range names another tag", { range: "bytes=0-1", "if-range": '"v2"' }, { body: css }],
  ["allows a range if If-Range names its time", { range: "bytes=0-1", "if-range": date }, { status: 206, body: "a " }],
]

/** A single-page application. */
const single = app((a) => {
  a.static("/static", staticDirectory, { fallback: "sub/index.html" })
  a.get("/static/api/{id}", (c) => c.json(200, c.param("id")))
})
const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
const shell: Expected = {
  body: /<title>sub/,
  headers: {
    "content-type": /^text\/html/,
    "cache-control": "no-cache",
    vary: /\bAccept\b(?!-)/,
    location: null,
  },
}
const pages: ReadonlyArray<readonly [name: string, request: string | Ask, expect: Expected]> = [
  ["answers for an address without a file", { path: "/static/users/7", headers: page }, shell],
  ["answers for an address with a dot", { path: "/static/users/ada.lovelace", headers: page }, shell],
  ["answers for an address with a slash at its end", { path: "/static/users/", headers: page }, shell],
  ["answers at the prefix", { path: "/static/", headers: page }, { body: /<title>sub/ }],
  ["answers HEAD", { method: "HEAD", path: "/static/users/7", headers: page }, { ...shell, body: "" }],
  ["has a tag", { path: "/static/users/7", headers: { ...page, "if-none-match": "*" } }, { status: 304 }],
  ["leaves files as they are", { path: "/static/sub/index.html", headers: page }, { body: /<title>sub/ }],
  ["leaves routes as they are", { path: "/static/api/7", headers: page }, { json: "7" }],
  [
    "is not for a script that is missing",
    { path: "/static/a.js", headers: { accept: "*/*" } },
    { ...none, headers: { vary: /\bAccept\b(?!-)/ } },
  ],
  ["is not for a client that names no type", "/static/a.js", none],
  ["is not for a client that wants JSON", { path: "/static/x", headers: { accept: "application/json" } }, none],
  [
    "is not for a client that prefers JSON",
    { path: "/static/x", headers: { accept: "application/json, text/html;q=0.9" } },
    none,
  ],
  ["is not for a client that refuses HTML", { path: "/static/x", headers: { accept: "text/html;q=0, */*" } }, none],
  ["reads Accept by its grammar", { path: "/static/x", headers: { accept: "Text/HTML ; level=1 , x" } }, shell],
  ["is not for dotfiles", { path: "/static/.env", headers: page }, none],
  ["is not for well-known addresses", { path: "/static/.well-known/x", headers: page }, none],
  ["is not for POST", { method: "POST", path: "/static/users/7", headers: page }, none],
  ["is only below its prefix", { path: "/other", headers: page }, { ...none, headers: { vary: null } }],
]

export const fileCases: readonly Case[] = [
  ...rows.map(([name, request, expect]): Case => ({ subject: "app.static()", name, app: files, request, expect })),
  ...conditions.map(
    ([name, headers, expect]): Case => ({
      subject: "app.static()",
      name: `with a tag of the program, a file ${name}`,
      app: versioned,
      request: { path: "/static/a.css", headers },
      expect,
    }),
  ),
  ...pages.map(
    ([name, request, expect]): Case => ({
      subject: "app.static()",
      name: `the fallback ${name}`,
      app: single,
      request,
      expect,
    }),
  ),
  {
    subject: "app.static()",
    name: "the proxy guards a file from other methods",
    app: guarded,
    request: "POST /static/a.css",
    expect: { status: 401 },
  },
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
