/** Contract cases for WebSockets: an app, a request for an upgrade, what is said, and how it ends. Run by `socket-runner.ts` against a server's port, whatever runtime it is on. */
import { basicAuth, cors, HttpError, proxy, requestID, type SocketHandler } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

/** What happens on a connection, in order. Bytes are a Uint8Array. */
export type SocketStep =
  | { readonly send: string | Uint8Array }
  | { readonly expect: string | Uint8Array }
  /** Sends so many messages, `0` to `n - 1`, in one go. */
  | { readonly flood: number }
  /** Closes from the client's side. */
  | { readonly close: readonly [code: number, reason: string] }
  /** The server has closed, or answered the client's close. */
  | { readonly closed: readonly [code: number, reason: string] }

/** One claim. */
export interface SocketCase {
  readonly name: string
  readonly app: Case["app"]
  /** Default: `/`. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  /** The answer that refuses the upgrade. Without it, the upgrade is accepted. */
  readonly refused?: Expected
  /** What is expected of the 101. */
  readonly accepted?: { readonly protocol?: string; readonly headers?: Readonly<Record<string, string>> }
  readonly steps?: readonly SocketStep[]
}

const echo: SocketHandler = { message: (socket, data) => socket.send(data) }
const echoing = (more: SocketHandler = {}) => app((a) => a.socket("/", () => ({ ...echo, ...more })))
const own = "http://127.0.0.1"
const evil = "https://evil.example"
const foreign = {
  status: 403,
  ...error("forbidden", "the connection is asked for by a page of another origin"),
}
const bytes = (...list: number[]) => Uint8Array.from(list)

/** Connections that are accepted, and what is said on them. */
const talks: readonly SocketCase[] = [
  {
    name: "text comes back as text",
    app: echoing(),
    steps: [{ send: "hällo" }, { expect: "hällo" }, { send: "" }, { expect: "" }],
  },
  {
    name: "bytes come back as bytes",
    app: echoing(),
    steps: [{ send: bytes(0, 255) }, { expect: bytes(0, 255) }, { send: bytes() }, { expect: bytes() }],
  },
  {
    name: "bytes are a plain Uint8Array",
    app: echoing({
      message: (socket, data) =>
        socket.send(
          typeof data === "string" ? "text" : String(Object.getPrototypeOf(data) === Uint8Array.prototype),
        ),
    }),
    steps: [{ send: bytes(1) }, { expect: "true" }],
  },
  {
    name: "an ArrayBuffer is sent as bytes",
    app: echoing({ open: (socket) => socket.send(bytes(7, 8).buffer) }),
    steps: [{ expect: bytes(7, 8) }],
  },
  {
    name: "messages keep their order",
    app: echoing(),
    steps: [{ flood: 100 }, ...Array.from({ length: 100 }, (_, i) => ({ expect: String(i) }))],
  },
  {
    name: "the server may speak first",
    app: echoing({ open: (socket) => socket.send("welcome") }),
    steps: [{ expect: "welcome" }, { send: "x" }, { expect: "x" }],
  },
  {
    name: "a parameter, the query and what middleware kept are there",
    app: app((a) => {
      a.use((next) => (c) => {
        c.set("user", "ada")
        return next(c)
      })
      a.socket("/rooms/{room}", (c) => ({
        open: (socket) => socket.send(`${c.param("room")} ${c.query("q")} ${c.getString("user")}`),
      }))
    }),
    path: "/rooms/blue%20one?q=1",
    steps: [{ expect: "blue one 1 ada" }],
  },
  {
    name: "headers and cookies of middleware go with the 101",
    app: app((a) => {
      a.use(requestID({ generate: () => "id-1" }))
      a.socket("/", (c) => {
        c.setCookie({ name: "seen", value: "1" })
        return echo
      })
    }),
    accepted: { headers: { "x-request-id": "id-1", "set-cookie": "seen=1; Path=/" } },
  },
  {
    name: "a GET handler of the same path answers those who ask for no upgrade, and only those",
    app: app((a) => {
      a.get("/", (c) => c.string(200, "page"))
      a.socket("/", () => echo)
    }),
    steps: [{ send: "x" }, { expect: "x" }],
  },
  {
    name: "a trailing slash changes nothing",
    app: app((a) => a.socket("/chat", () => echo)),
    path: "/chat/",
  },
  { name: "without Origin, as from no browser", app: echoing() },
  { name: "the site's own origin", app: echoing(), headers: { origin: own, host: "127.0.0.1" } },
  { name: "another origin that may", app: echoing({ origins: [evil] }), headers: { origin: evil } },
  {
    name: "the server's best subprotocol",
    app: echoing({ protocols: ["v2", "v1"], open: (socket) => socket.send(socket.protocol) }),
    protocols: ["v1", "v2"],
    accepted: { protocol: "v2" },
    steps: [{ expect: "v2" }],
  },
  {
    name: "a client that has no wish",
    app: echoing({ protocols: ["v1"] }),
    accepted: { protocol: "" },
  },
]

/** How connections end. */
const ends: readonly SocketCase[] = [
  {
    name: "the client closes: the code and the reason are told",
    app: app((a) => {
      const last: string[] = []
      a.socket("/", () => ({
        open: (socket) => void (last.length > 0 && socket.send(last.join())),
        close: (_, code, reason) => void last.push(`${code} ${reason}`),
      }))
    }),
    steps: [{ close: [3001, "bye"] }, { closed: [3001, "bye"] }],
  },
  {
    name: "the server closes, with 1000 by default",
    app: echoing({ message: (socket) => socket.close() }),
    steps: [{ send: "x" }, { closed: [1000, ""] }],
  },
  {
    name: "the server closes with a code and a reason, once",
    app: echoing({
      open(socket) {
        socket.close(4000, "no röom")
        socket.close(4001, "again")
      },
    }),
    steps: [{ closed: [4000, "no röom"] }],
  },
  {
    name: "what was sent before it arrives",
    app: echoing({
      open(socket) {
        socket.send("last words")
        socket.close(4000)
      },
    }),
    steps: [{ expect: "last words" }, { closed: [4000, ""] }],
  },
  {
    name: "what is sent afterwards says that it is closed",
    app: echoing({
      async message(socket) {
        socket.close(4000, await socket.send("x").then(() => "sent"))
        await socket.send("y").catch((thrown: Error) => assertName(thrown, "AbortError"))
      },
    }),
    steps: [{ send: "x" }, { expect: "x" }, { closed: [4000, "sent"] }],
  },
  {
    name: "a message that is too large: 1009",
    app: echoing({ maxPayload: 10 }),
    steps: [
      { send: "0123456789" },
      { expect: "0123456789" },
      { send: "0123456789x" },
      { closed: [1009, ""] },
    ],
  },
  {
    name: "a bug: 1011",
    app: echoing({
      message() {
        throw new Error("a bug on purpose")
      },
    }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  {
    name: "a bug that takes its time: 1011",
    app: echoing({ message: () => Promise.reject(new Error("a bug on purpose")) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  {
    name: "data that is none is a bug",
    app: echoing({ message: (socket) => socket.send({} as never) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  ...[999, 1004, 1005, 1006, 1015, 2000, 5000, 1000.5].map(
    (code): SocketCase => ({
      name: `the code ${code} is a bug`,
      app: echoing({ message: (socket) => socket.close(code) }),
      steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
    }),
  ),
  {
    name: "a reason of more than 123 bytes is a bug",
    app: echoing({ message: (socket) => socket.close(4000, "é".repeat(62)) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
]

function assertName(thrown: Error, name: string): void {
  if (thrown.name !== name) throw new Error(`${thrown.name} was thrown, not ${name}`)
}

/** What refuses an upgrade. */
const refusals: readonly SocketCase[] = [
  { name: "another origin", app: echoing(), headers: { origin: evil }, refused: foreign },
  {
    name: "another origin, by Sec-Fetch-Site",
    app: echoing(),
    headers: { origin: own, "sec-fetch-site": "cross-site" },
    refused: foreign,
  },
  { name: "a sandboxed frame", app: echoing(), headers: { origin: "null" }, refused: foreign },
  {
    name: "another origin, though cors() lets it read",
    app: app((a) => {
      a.use(cors({ origins: [evil], credentials: true }))
      a.socket("/", () => echo)
    }),
    headers: { origin: evil },
    refused: { ...foreign, headers: { "access-control-allow-origin": evil } },
  },
  {
    name: "a middleware that answers",
    app: app((a) => {
      a.group("/", (g) => {
        g.use(basicAuth({ users: { ada: "x" } }))
        g.socket("/", () => echo)
      })
    }),
    refused: {
      status: 401,
      headers: { "www-authenticate": /^Basic/ },
      ...error("unauthorized", "missing authorization header"),
    },
  },
  {
    name: "a middleware that answers afterwards",
    app: app((a) => {
      a.use((next) => async (c) => {
        await next(c)
        return c.json(503, { error: "full" })
      })
      a.socket("/", () => echo)
    }),
    refused: { status: 503, json: { error: "full" } },
  },
  {
    name: "the proxy",
    app: app((a) => {
      a.setProxy(() => proxy.responseJSON(401, { error: "unauthorized" }))
      a.socket("/", () => echo)
    }),
    refused: { status: 401, json: { error: "unauthorized" } },
  },
  {
    name: "the handler, by an answer",
    app: app((a) => a.socket("/", (c) => c.json(409, { error: "room is full" }))),
    refused: { status: 409, json: { error: "room is full" } },
  },
  {
    name: "the handler, by an error",
    app: app((a) =>
      a.socket("/", () => {
        throw new HttpError(404, "no such room")
      }),
    ),
    refused: { status: 404, ...error("not_found", "no such room") },
  },
  {
    name: "a handler with a bug",
    app: app((a) =>
      a.socket("/", () => {
        throw new Error("secret")
      }),
    ),
    refused: { status: 500, ...error("internal_server_error", "internal server error") },
  },
  ...[
    { mesage: () => {} },
    null,
    "x",
    { protocols: "v1" },
    { maxPayload: 0 },
    { heartbeat: -1 },
    { origins: ["x"] },
  ].map(
    (handler): SocketCase => ({
      name: `a handler that is none: ${JSON.stringify(handler)}`,
      app: app((a) => a.socket("/", () => handler as never)),
      refused: { status: 500, ...error("internal_server_error", "internal server error") },
    }),
  ),
  {
    name: "no common subprotocol",
    app: echoing({ protocols: ["v2", "v1"] }),
    protocols: ["v3"],
    refused: {
      status: 400,
      ...error("bad_request", "none of the offered subprotocols is spoken here, which are v2, v1"),
    },
  },
  {
    name: "a path without a socket answers as ever",
    app: app((a) => {
      a.get("/", (c) => c.string(200, "page"))
      a.socket("/chat", () => echo)
    }),
    refused: { body: "page" },
  },
  {
    name: "no path at all",
    app: echoing(),
    path: "/none",
    refused: { status: 404, ...error("not_found", "no route matches GET /none") },
  },
]

/** Every case. */
export const socketCases: readonly SocketCase[] = [...talks, ...ends, ...refusals]

const chat = app((a) => a.socket("/chat", () => echo))
const needsUpgrade: Expected = {
  status: 426,
  headers: { upgrade: "websocket" },
  ...error("upgrade_required", "/chat speaks WebSocket: ask for an upgrade"),
}

/** Requests without an upgrade to where there are sockets alone: cases like any other. */
export const socketRequestCases: readonly Case[] = [
  {
    row: "App Socket(pattern, handler)",
    name: "GET is told to upgrade",
    app: chat,
    request: "/chat",
    expect: needsUpgrade,
  },
  {
    row: "App Socket(pattern, handler)",
    name: "HEAD too",
    app: chat,
    request: "HEAD /chat",
    expect: { status: 426, body: "" },
  },
  {
    row: "App Socket(pattern, handler)",
    name: "an upgrade to something else is none",
    app: chat,
    request: { path: "/chat", headers: { upgrade: "h2c", connection: "upgrade" } },
    expect: needsUpgrade,
  },
  {
    row: "App Socket(pattern, handler)",
    name: "POST is not answered",
    app: chat,
    request: "POST /chat",
    expect: { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } },
  },
  {
    row: "App Socket(pattern, handler)",
    name: "OPTIONS says so",
    app: chat,
    request: "OPTIONS /chat",
    expect: { status: 204, headers: { allow: "GET, HEAD, OPTIONS" } },
  },
  {
    row: "App Socket(pattern, handler)",
    name: "its middleware sees them",
    app: app((a) =>
      a.group("/", (g) => {
        g.use(() => (c) => c.string(401, "no"))
        g.socket("/chat", () => echo)
      }),
    ),
    request: "/chat",
    expect: { status: 401, body: "no" },
  },
]
