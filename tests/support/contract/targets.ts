/**
 * Contract cases: raw request lines and hosts, and the path or the clear answer of each. They run only over
 * sockets, because a Request cannot be written like this.
 */
import { type App, type Context, proxy } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const told = (c: Context) => c.json(200, [c.path, c.search])
const open = app((a) => {
  a.get("/*", told)
  a.get("/", told)
  a.options("/*", told)
})

/** Returns the text of a request. */
const text = (line: string, ...headers: string[]) => `${[line, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`
const get = (target: string) => text(`GET ${target} HTTP/1.1`, "Host: localhost")
const bad = (message: RegExp): Expected => ({ status: 400, body: message })

/** A raw target, and the canonical path that the program sees or the reason of the 400. */
const paths: ReadonlyArray<readonly [target: string, path: string | RegExp, search?: string]> = [
  ["/", "/"],
  ["/?", "/", "?"],
  ["/a?b=c?d", "/a", "?b=c?d"],
  ["/a/../b/./c", "/b/c"],
  ["/a/%2e%2E/b", "/b"],
  ["/a/%2e/b", "/a/b"],
  ["/../../etc", "/etc"],
  ["/a/..", "/"],
  ["/.", "/"],
  ["/%252e%252e/x", "/%252e%252e/x"],
  ["/%61%62c", "/abc"],
  ["/a%2fb/c", "/a%2Fb/c"],
  ["/a%2f..%2fb", "/a%2F..%2Fb"],
  ["/caf%c3%a9", "/caf%C3%A9"],
  ["/%7Euser/%21%27%28%29%2A", "/~user/!'()*"],
  ["/%3A%40%24%26%2B%2C%3B%3D", "/:@$&+,;="],
  ["/%3F%23%25%22%3C", "/%3F%23%25%22%3C"],
  ["/;a=b/c,d", "/;a=b/c,d"],
  ["/%20", "/%20"],
  ["/a#b", "/a"],
  ["/a#b?c", "/a"],
  ["/a.b/..c", "/a.b/..c"],
  ["/%zz", /percent-encoded/],
  ["/%", /percent-encoded/],
  ["/%e9", /percent-encoded/],
  ["/%c0%ae%c0%ae/", /percent-encoded/],
  ["/a%00b", /%00/],
  ["/a%5Cb", /backslash/],
  ["/..%5c..%5cetc", /backslash/],
]

/** Requests that are refused, or changed to another target, before the program gets them. */
const lines: ReadonlyArray<readonly [name: string, raw: string, expect: Expected]> = [
  ["dots at the end of a path are a redirect", get("/a/b/.."), { status: 308, headers: { location: "../a" } }],
  ["a raw backslash is a 400", get("/a\\b"), bad(/percent-encoded|backslash/)],
  ["an absolute target has its path and query", get("http://localhost/abs?q"), { json: ["/abs", "?q"] }],
  ["an absolute target without a path is /", get("http://localhost"), { json: ["/", ""] }],
  ["an absolute target with dots is resolved", get("http://localhost/x/../y"), { json: ["/y", ""] }],
  ["OPTIONS of a path has that path", text("OPTIONS /o HTTP/1.1", "Host: x"), { json: ["/o", ""] }],
  ["TRACE is a 501", text("TRACE /t HTTP/1.1", "Host: x"), { status: 501, body: /TRACE is not implemented/ }],
  ["an empty query is kept and a fragment is dropped", get("/a?#b"), { json: ["/a", "?"] }],
]

const hosts: ReadonlyArray<readonly [host: string, expect: number]> = [
  ["localhost", 200],
  ["localhost:80", 200],
  ["LOCALHOST", 200],
  ["[::1]:80", 200],
  ["a-b.example", 200],
  ["a b", 400],
  ["a/b", 400],
  ["a/../c?d#e", 400],
  ["x/admin?", 400],
  ["user@a", 400],
  ["a\\b", 400],
  ["a:65536", 400],
  ["[::1", 400],
]

/** Returns a request with a chunked body. */
const chunks = (path: string, body: string) =>
  `${text(`POST ${path} HTTP/1.1`, "Host: localhost", "Transfer-Encoding: chunked")}${body}`
const readers = app((a) => {
  a.get("/", told)
  a.get("/header", (c) => c.string(200, c.header("x")))
  a.post("/text", async (c) => c.string(200, await c.text()))
  a.post("/request", async (c) => c.string(200, await c.request.text()))
  a.router.mount("/mounted", async (request) => new Response(await request.text()))
})

/** Requests that are not valid HTTP, or ask for something that no server has. */
const framing: ReadonlyArray<readonly [name: string, raw: string, expect: Expected]> = [
  ["an unknown expectation is a 417", text("GET / HTTP/1.1", "Host: localhost", "Expect: x"), { status: 417 }],
  [
    "a header line that ends with LF is a 400",
    "GET / HTTP/1.1\r\nHost: localhost\nConnection: close\r\n\r\n",
    { status: 400 },
  ],
  ["BEL in the value of a header is a 400", text("GET / HTTP/1.1", "Host: localhost", "X: a\x07b"), { status: 400 }],
  ...["", "a"].map(
    (second) =>
      [
        `a second Host "${second}" is a 400 for a program that reads a header`,
        text("GET /header HTTP/1.1", "Host: localhost", `Host: ${second}`),
        { status: 400 },
      ] as const,
  ),
  ["a method in lower case is a 400", text("get / HTTP/1.1", "Host: localhost"), { status: 400 }],
  ["a chunk size after a blank is a 400", chunks("/text", " 3\r\nabc\r\n0\r\n\r\n"), { status: 400 }],
  ...["/text", "/request", "/mounted"].map(
    (path) =>
      [
        `a malformed chunk size read by ${path} is a 400`,
        chunks(path, "zz\r\nabc\r\n0\r\n\r\n"),
        { status: 400 },
      ] as const,
  ),
  [
    "the transfer codings gzip, chunked are a 501",
    `${text("POST /text HTTP/1.1", "Host: localhost", "Transfer-Encoding: gzip, chunked")}0\r\n\r\n`,
    { status: 501 },
  ],
  [
    "an empty Transfer-Encoding is a 400",
    `${text("POST /text HTTP/1.1", "Host: localhost", "Transfer-Encoding:", "Content-Length: 1")}a`,
    { status: 400 },
  ],
]

/** Adds a guard that no spelling of a path must bypass. */
const guarded = (a: App) => {
  a.setProxy(() => proxy.responseJSON(401, {}), { matchers: ["/admin/*"] })
  a.get("/admin/secret", (c) => c.string(200, "secret"))
  a.get("/open/{x}", (c) => c.string(200, "open"))
}
const spellings = [
  "/admin/secret",
  "/%61dmin/secret",
  "/open/../admin/secret",
  "/open/%2e%2e/admin/secret",
  "/./admin/secret",
  "/admin/./secret",
  "/admin/x/../secret",
  "/admin/secret/",
  "/admin/secret?x",
  "/admin/secret#x",
]

export const targetCases: readonly Case[] = [
  ...paths.map(
    ([target, path, search = ""]): Case => ({
      subject: "path",
      name: `the target ${target} is ${typeof path === "string" ? `the path ${path}` : "a 400"}`,
      app: open,
      request: { path: target, raw: get(target) },
      expect: typeof path === "string" ? { json: [path, search] } : { status: 400, body: path },
      via: "socket",
    }),
  ),
  ...lines.map(
    ([name, raw, expect]): Case => ({
      subject: "path",
      name,
      app: open,
      request: { path: "/", raw },
      expect,
      via: "socket",
    }),
  ),
  ...framing.map(
    ([name, raw, expect]): Case => ({
      subject: "path",
      name,
      app: readers,
      request: { path: "/", raw },
      expect,
      via: "socket",
    }),
  ),
  ...hosts.map(
    ([host, status]): Case => ({
      subject: "path",
      name: `the Host ${host} is ${status === 200 ? "accepted" : "a 400"}`,
      app: open,
      request: { path: "/", raw: text("GET /h HTTP/1.1", `Host: ${host}`) },
      expect:
        status === 200
          ? { json: ["/h", ""] }
          : {
              status,
              ...error("bad_request", "the Host header is repeated or not a valid host"),
            },
      via: "socket",
    }),
  ),
  ...spellings.map(
    (target): Case => ({
      subject: "path",
      name: `the guard of /admin/* sees ${target}`,
      app: app(guarded),
      request: { path: target, raw: get(target) },
      expect: { status: 401 },
      via: "socket",
    }),
  ),
  {
    subject: "c.request",
    name: "c.request.url has no dots in its path",
    app: app((a) => a.get("/*", (c) => c.string(200, c.request.url))),
    request: { path: "/", raw: get("/a/../b?c") },
    expect: { body: "http://localhost/b?c" },
    via: "socket",
  },
  {
    subject: "c.request",
    name: "the authority of an absolute target wins over the Host header",
    app: app((a) => a.get("/*", (c) => c.string(200, c.request.url))),
    request: { path: "/", raw: get("http://other.example/x") },
    expect: { body: "http://other.example/x" },
    via: "socket",
  },
  {
    subject: "path",
    name: "OPTIONS * asks for the server, and is a 204 without Allow",
    app: open,
    request: { path: "/", raw: text("OPTIONS * HTTP/1.1", "Host: localhost") },
    expect: { status: 204, body: "", headers: { allow: null } },
    via: "socket",
  },
  {
    subject: "path",
    name: "HTTP/1.0 may go without a Host header",
    app: open,
    request: { path: "/", raw: text("GET /ten HTTP/1.0") },
    expect: { json: ["/ten", ""] },
    via: "socket",
  },
  {
    subject: "path",
    name: "HTTP/1.1 without a Host header is a 400",
    app: open,
    request: { path: "/", raw: text("GET /eleven HTTP/1.1") },
    expect: { status: 400 },
    via: "socket",
  },
]
