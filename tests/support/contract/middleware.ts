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

const corsRows: ReadonlyArray<readonly [name: string, options: CORSOptions, request: Ask | string, expect: Expected]> =
  [
    [
      "any origin is allowed by default, without credentials",
      {},
      from(shop),
      { body: "ok", headers: { [acao]: "*", "access-control-allow-credentials": null, vary: null } },
    ],
    [
      "a request without Origin gets the same headers, so that a cache needs one answer",
      { exposeHeaders: ["X-A"] },
      "/",
      {
        body: "ok",
        headers: { [acao]: "*", "access-control-expose-headers": "X-A", vary: null },
      },
    ],
    [
      "an origin in the list is allowed",
      { origins: [shop] },
      from(shop),
      { headers: { [acao]: shop, vary: "Origin" } },
    ],
    [
      "an origin that is not in the list is not allowed",
      { origins: [shop] },
      from("https://evil.example"),
      { body: "ok", headers: { [acao]: null, vary: "Origin" } },
    ],
    [
      "an origin that only begins the same is not allowed",
      { origins: [shop] },
      from("https://shop.example.evil.example"),
      { headers: { [acao]: null } },
    ],
    [
      "an origin with another scheme is not allowed",
      { origins: [shop] },
      from("http://shop.example"),
      { headers: { [acao]: null } },
    ],
    [
      "a request without Origin gets Vary, for caches",
      { origins: [shop] },
      "/",
      { headers: { [acao]: null, vary: "Origin" } },
    ],
    [
      "an origin that a function accepts is allowed",
      { origins: async (origin, c) => origin.endsWith(".example") && c.path === "/" },
      from(shop),
      { headers: { [acao]: shop } },
    ],
    [
      "credentials are allowed by the option",
      { origins: [shop], credentials: true },
      from(shop),
      { headers: { "access-control-allow-credentials": "true" } },
    ],
    [
      "a sandboxed frame never gets credentials, even if a function accepts it",
      { origins: () => true, credentials: true },
      from("null"),
      { headers: { [acao]: null, "access-control-allow-credentials": null } },
    ],
    [
      "exposed headers are listed",
      { exposeHeaders: ["X-A", "X-B"] },
      from(shop),
      { headers: { "access-control-expose-headers": "X-A, X-B" } },
    ],
    [
      "a preflight is answered with the methods, the headers and Access-Control-Max-Age",
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
      "a preflight allows only requested headers with valid names",
      {},
      preflight(shop, "x-a, b c, <d>, \u00e9"),
      { status: 204, headers: { "access-control-allow-headers": "x-a" } },
    ],
    [
      "a preflight is answered with the values of the options",
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
      "a preflight of another origin gets no permission",
      { origins: [shop] },
      preflight("https://evil.example"),
      {
        status: 204,
        headers: { [acao]: null, "access-control-allow-methods": null, allow: "GET, HEAD, OPTIONS" },
      },
    ],
    [
      "OPTIONS that is not a preflight gets Allow",
      {},
      from(shop, {}, "OPTIONS"),
      { status: 204, headers: { [acao]: "*", allow: "GET, HEAD, OPTIONS" } },
    ],
    [
      "a 404 has the headers",
      { origins: [shop] },
      from(shop, {}, "GET", "/none"),
      { status: 404, headers: { [acao]: shop } },
    ],
    ["a 405 has the headers", { origins: [shop] }, from(shop, {}, "PUT"), { status: 405, headers: { [acao]: shop } }],
    [
      "the 500 of a bug has the headers",
      { origins: [shop] },
      from(shop, {}, "GET", "/bug"),
      { status: 500, headers: { [acao]: shop } },
    ],
    [
      "the 401 of a proxy has the headers",
      { origins: [shop] },
      from(shop, {}, "GET", "/guarded"),
      { status: 401, headers: { [acao]: shop } },
    ],
    [
      "an error with Vary also varies by Origin",
      { origins: [shop] },
      from(shop, {}, "GET", "/varies"),
      { status: 406, headers: { vary: /Origin/ } },
    ],
  ]

const idRows: ReadonlyArray<
  readonly [name: string, options: RequestIDOptions, request: Ask | string, expect: Expected]
> = [
  [
    "the identifier is the same in the context and in the header",
    { generate: () => "id-1" },
    "/",
    { body: "id-1", headers: { "x-request-id": "id-1" } },
  ],
  [
    "the identifier of the client is not used",
    { generate: () => "mine" },
    { path: "/", headers: { "x-request-id": "his" } },
    { body: "mine" },
  ],
  [
    "the identifier of a client is used with the option trust",
    { trust: true },
    { path: "/", headers: { "x-request-id": "his" } },
    { body: "his", headers: { "x-request-id": "his" } },
  ],
  [
    "the identifier of a client has up to 255 characters",
    { trust: true },
    { path: "/", headers: { "x-request-id": "x".repeat(255) } },
    { body: "x".repeat(255), headers: { "x-request-id": "x".repeat(255) } },
  ],
  ...["a b", "<x>", "é", "x".repeat(256), "a,b", "a;b", '"a"'].map(
    (id) =>
      [
        `the identifier ${JSON.stringify(id.slice(0, 9))} of a client is never used`,
        { trust: true, generate: () => "mine" },
        { path: "/", headers: { "x-request-id": id } },
        { body: "mine" },
      ] as const,
  ),
  [
    "the option header changes the name of the header",
    { header: "Trace-Id", generate: () => "t" },
    "/",
    { headers: { "trace-id": "t", "x-request-id": null } },
  ],
  [
    "an identifier with a line break is a bug of generate()",
    { generate: () => "a\r\nb: c" },
    "/",
    { status: 500, headers: { b: null } },
  ],
]

const recoverRows: ReadonlyArray<readonly [name: string, options: RecoverOptions, request: string, expect: Expected]> =
  [
    [
      "a bug is answered with a plain 500 by default",
      {},
      "/bug",
      { status: 500, ...error("internal_server_error", "internal server error") },
    ],
    [
      "the option answer answers a bug",
      { answer: (c, e) => c.json(503, { oops: (e as Error).message }) },
      "/bug",
      { status: 503, json: { oops: "secret" } },
    ],
    [
      "the option answer can return an HttpError",
      { answer: () => new HttpError(503, "later") },
      "/bug",
      { status: 503, ...error("service_unavailable", "later") },
    ],
    [
      "a bug in the option answer is a plain 500",
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
    ["an answer without an error is not changed", { answer: (c) => c.noContent() }, "/", { body: "ok" }],
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
