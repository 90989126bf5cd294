/** Contract cases: the middleware that comes with fw. */
import {
  type CORSOptions,
  cors,
  HttpError,
  notFound,
  proxy,
  type RecoverOptions,
  type RequestIDOptions,
  recover,
  requestID,
} from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected, error } from "./case.ts"

const shop = "https://shop.example"
const from = (origin: string, more: Record<string, string> = {}, method = "GET", path = "/"): Ask => ({
  method,
  path,
  headers: { origin, ...more },
})
const preflight = (origin: string, headers = ""): Ask =>
  from(
    origin,
    {
      "access-control-request-method": "PUT",
      ...(headers ? { "access-control-request-headers": headers } : {}),
    },
    "OPTIONS",
  )
const acao = "access-control-allow-origin"

const corsRows: ReadonlyArray<
  readonly [name: string, options: CORSOptions, request: Ask | string, expect: Expected]
> = [
  [
    "any origin by default, without credentials",
    {},
    from(shop),
    { body: "ok", headers: { [acao]: "*", "access-control-allow-credentials": null, vary: null } },
  ],
  [
    "any origin without Origin too: a cache keeps one answer for all",
    { exposeHeaders: ["X-A"] },
    "/",
    {
      body: "ok",
      headers: { [acao]: "*", "access-control-expose-headers": "X-A", vary: null },
    },
  ],
  ["a named origin", { origins: [shop] }, from(shop), { headers: { [acao]: shop, vary: "Origin" } }],
  [
    "another one",
    { origins: [shop] },
    from("https://evil.example"),
    { body: "ok", headers: { [acao]: null, vary: "Origin" } },
  ],
  [
    "one that begins alike",
    { origins: [shop] },
    from("https://shop.example.evil.example"),
    { headers: { [acao]: null } },
  ],
  ["another scheme or port", { origins: [shop] }, from("http://shop.example"), { headers: { [acao]: null } }],
  [
    "no Origin, but caches must know",
    { origins: [shop] },
    "/",
    { headers: { [acao]: null, vary: "Origin" } },
  ],
  [
    "a function decides",
    { origins: async (origin, c) => origin.endsWith(".example") && c.path === "/" },
    from(shop),
    { headers: { [acao]: shop } },
  ],
  [
    "credentials",
    { origins: [shop], credentials: true },
    from(shop),
    { headers: { "access-control-allow-credentials": "true" } },
  ],
  [
    "credentials are for no sandboxed frame, whatever a function says",
    { origins: () => true, credentials: true },
    from("null"),
    { headers: { [acao]: null, "access-control-allow-credentials": null } },
  ],
  [
    "exposed headers",
    { exposeHeaders: ["X-A", "X-B"] },
    from(shop),
    { headers: { "access-control-expose-headers": "X-A, X-B" } },
  ],
  [
    "a preflight",
    {},
    preflight(shop, "x-a, X-B"),
    {
      status: 204,
      body: "",
      headers: {
        [acao]: "*",
        "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": "x-a, X-B",
        "access-control-max-age": "600",
        vary: "Access-Control-Request-Method, Access-Control-Request-Headers",
      },
    },
  ],
  [
    "a preflight's headers are sent back as names only",
    {},
    preflight(shop, "x-a, b c, <d>, \u00e9"),
    { status: 204, headers: { "access-control-allow-headers": "x-a" } },
  ],
  [
    "a preflight by the options",
    { methods: ["PUT"], allowHeaders: ["X-A"], maxAge: 0 },
    preflight(shop, "x-b"),
    {
      status: 204,
      headers: {
        "access-control-allow-methods": "PUT",
        "access-control-allow-headers": "X-A",
        "access-control-max-age": "0",
      },
    },
  ],
  [
    "a preflight from elsewhere",
    { origins: [shop] },
    preflight("https://evil.example"),
    {
      status: 204,
      headers: { [acao]: null, "access-control-allow-methods": null, allow: "GET, HEAD, OPTIONS" },
    },
  ],
  [
    "OPTIONS that is not a preflight",
    {},
    from(shop, {}, "OPTIONS"),
    { status: 204, headers: { [acao]: "*", allow: "GET, HEAD, OPTIONS" } },
  ],
  ["a 404", { origins: [shop] }, from(shop, {}, "GET", "/none"), { status: 404, headers: { [acao]: shop } }],
  ["a 405", { origins: [shop] }, from(shop, {}, "PUT"), { status: 405, headers: { [acao]: shop } }],
  [
    "a bug's 500",
    { origins: [shop] },
    from(shop, {}, "GET", "/bug"),
    { status: 500, headers: { [acao]: shop } },
  ],
  [
    "a proxy's 401",
    { origins: [shop] },
    from(shop, {}, "GET", "/guarded"),
    { status: 401, headers: { [acao]: shop } },
  ],
  [
    "an error that varies",
    { origins: [shop] },
    from(shop, {}, "GET", "/varies"),
    { status: 406, headers: { vary: /Origin/ } },
  ],
]

const idRows: ReadonlyArray<
  readonly [name: string, options: RequestIDOptions, request: Ask | string, expect: Expected]
> = [
  [
    "the same in the context and in the header",
    { generate: () => "id-1" },
    "/",
    { body: "id-1", headers: { "x-request-id": "id-1" } },
  ],
  [
    "the client's is not believed",
    { generate: () => "mine" },
    { path: "/", headers: { "x-request-id": "his" } },
    { body: "mine" },
  ],
  [
    "unless it is trusted",
    { trust: true },
    { path: "/", headers: { "x-request-id": "his" } },
    { body: "his", headers: { "x-request-id": "his" } },
  ],
  ...["a b", "<x>", "é", "x".repeat(129), "a,b"].map(
    (id) =>
      [
        `${JSON.stringify(id.slice(0, 9))} is never taken over`,
        { trust: true, generate: () => "mine" },
        { path: "/", headers: { "x-request-id": id } },
        { body: "mine" },
      ] as const,
  ),
  [
    "under another name",
    { header: "Trace-Id", generate: () => "t" },
    "/",
    { headers: { "trace-id": "t", "x-request-id": null } },
  ],
  [
    "a line break in what generate() makes is a bug",
    { generate: () => "a\r\nb: c" },
    "/",
    { status: 500, headers: { b: null } },
  ],
]

const recoverRows: ReadonlyArray<
  readonly [name: string, options: RecoverOptions, request: string, expect: Expected]
> = [
  [
    "a bare 500 by default",
    {},
    "/bug",
    { status: 500, ...error("internal_server_error", "internal server error") },
  ],
  [
    "an answer of the program",
    { answer: (c, e) => c.json(503, { oops: (e as Error).message }) },
    "/bug",
    { status: 503, json: { oops: "secret" } },
  ],
  [
    "by an HttpError",
    { answer: () => new HttpError(503, "later") },
    "/bug",
    { status: 503, ...error("service_unavailable", "later") },
  ],
  [
    "which may itself be a bug",
    {
      answer: () => {
        throw new Error("again")
      },
    },
    "/bug",
    { status: 500, ...error("internal_server_error", "internal server error") },
  ],
  [
    "an HttpError is not changed",
    { answer: (c) => c.noContent() },
    "/missing",
    { status: 404, ...error("not_found", "no such thing") },
  ],
  ["nor is what went well", { answer: (c) => c.noContent() }, "/", { body: "ok" }],
]

const routes = (use: Parameters<import("../../../lib/index.ts").App["use"]>[0], id = false) =>
  app((a) => {
    a.use(use)
    a.setProxy(() => proxy.responseJSON(401, {}), { matchers: ["/guarded"] })
    a.get("/", (c) => c.string(200, id ? c.getString("request_id") : "ok"))
    a.get("/bug", () => {
      throw new Error("secret")
    })
    a.get("/missing", () => notFound("no such thing"))
    a.get("/varies", () => new HttpError(406, "no", { headers: { Vary: "Accept" } }))
  })

/** The cases. */
export const middlewareCases: readonly Case[] = [
  ...corsRows.map(
    ([name, options, request, expect]): Case => ({
      subject: "cors()",
      name,
      app: () => routes(cors(options))(),
      request,
      expect,
    }),
  ),
  ...idRows.map(
    ([name, options, request, expect]): Case => ({
      subject: "requestID()",
      name,
      app: () => routes(requestID(options), true)(),
      request,
      expect,
    }),
  ),
  ...recoverRows.map(
    ([name, options, request, expect]): Case => ({
      subject: "recover()",
      name,
      app: () => routes(recover(options))(),
      request,
      expect,
    }),
  ),
]
