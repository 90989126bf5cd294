/** Contract cases: the answers to errors, and answers that replace them. */
import {
  badRequest,
  type Context,
  forbidden,
  type HandlerFunc,
  HttpError,
  internalServerError,
  type MiddlewareFunc,
  notFound,
  proxy,
  type StandardSchema,
  unauthorized,
} from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const bare: Expected = { status: 500, ...error("internal_server_error", "internal server error") }
const teapot = () => new HttpError(418, "short and stout", { code: "teapot", headers: { "X-Tea": "green" } })
const tea: Expected = { status: 418, headers: { "x-tea": "green" }, ...error("teapot", "short and stout") }

const helpers = [
  ["badRequest()", badRequest, 400, "bad_request"],
  ["unauthorized()", unauthorized, 401, "unauthorized"],
  ["forbidden()", forbidden, 403, "forbidden"],
  ["notFound()", notFound, 404, "not_found"],
  ["internalServerError()", internalServerError, 500, "internal_server_error"],
] as const

/** A schema that reports the first key as the problem. */
const refusingKeys: StandardSchema = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => ({ issues: [{ message: "no", path: Object.keys(value as object).slice(0, 1) }] }),
  },
}

const ok: HandlerFunc = (c) => c.string(200, "ok")

const shown: MiddlewareFunc = (next) => async (c) => {
  const response = await next(c)
  c.setHeader("x-error", c.error instanceof Error ? c.error.message : String(c.error))
  c.setHeader("x-status", String(response.status))
  return response
}

export const errorCases: readonly Case[] = [
  ...helpers.flatMap(([name, make, status, code]): Case[] => [
    {
      subject: name,
      name: "is answered when it is thrown",
      app: app((a) =>
        a.get("/", () => {
          throw make("why")
        }),
      ),
      request: "/",
      expect: { status, ...error(code, "why") },
    },
    {
      subject: name,
      name: "is answered with its options when it is returned",
      app: app((a) =>
        a.get("/", () =>
          make("why", {
            code: "own",
            headers: { "x-a": "1" },
            issues: [{ message: "m", path: ["a", 0] }],
            cause: "secret",
          }),
        ),
      ),
      request: "/",
      expect: {
        status,
        headers: { "x-a": "1" },
        ...error("own", "why", { issues: [{ message: "m", path: ["a", 0] }] }),
      },
    },
  ]),
  // The names of the IANA HTTP Status Code Registry. 431 has the shorter name that fw uses in its own answer.
  ...Object.entries({
    402: "payment_required",
    406: "not_acceptable",
    407: "proxy_authentication_required",
    414: "uri_too_long",
    417: "expectation_failed",
    423: "locked",
    424: "failed_dependency",
    425: "too_early",
    426: "upgrade_required",
    428: "precondition_required",
    431: "headers_too_large",
    451: "unavailable_for_legal_reasons",
    505: "http_version_not_supported",
    506: "variant_also_negotiates",
    507: "insufficient_storage",
    508: "loop_detected",
    511: "network_authentication_required",
  }).map(([status, code]) => ({
    subject: "error body error",
    name: `is ${code} for ${status}`,
    app: app((a) => a.get("/", () => new HttpError(Number(status), "why"))),
    request: "/",
    expect: { status: Number(status), json: { error: code, message: "why" } },
  })),
  {
    subject: "error body error",
    name: "is http_499 for a status without a code",
    app: app((a) => a.get("/", () => new HttpError(499, "gone"))),
    request: "/",
    expect: { status: 499, json: { error: "http_499", message: "gone" } },
  },
  {
    subject: "error body message",
    name: "can have any characters",
    app: app((a) => a.get("/", () => badRequest('"\r\n<é\u2028'))),
    request: "/",
    expect: { status: 400, ...error("bad_request", '"\r\n<é\u2028') },
  },
  {
    subject: "error helpers",
    name: "send JSON without the cause",
    app: app((a) => a.get("/", () => notFound("no such user", { cause: new Error("secret") }))),
    request: "/",
    expect: { status: 404, body: '{"error":"not_found","message":"no such user"}' },
  },
  {
    subject: "errors",
    name: "next() resolves and c.error is the error that a handler throws",
    app: app((a) => {
      a.use(shown)
      a.get("/", () => {
        throw new Error("inner")
      })
    }),
    request: "/",
    expect: { ...bare, headers: { "x-error": "inner", "x-status": "500" } },
  },
  ...(
    [
      ["GET /none", 404, "no route matches GET /none"],
      ["POST /", 405, "/ does not answer POST"],
      ["GET /%zz", 400, "the path is not valid percent-encoded UTF-8"],
      ["GET /a%00", 400, "the path holds %00"],
      ["GET /a%5Cb", 400, "the path holds a backslash"],
    ] as const
  ).map(
    ([request, status, message]): Case => ({
      subject: "errors",
      name: `c.error has the error of ${request} too`,
      app: app((a) => {
        a.use(shown)
        a.get("/", ok)
      }),
      request,
      expect: { status, headers: { "x-error": message, "x-status": String(status) } },
    }),
  ),
  {
    subject: "errors",
    name: "a middleware can answer in place of the error",
    app: app((a) => {
      a.use((next) => async (c) => {
        await next(c)
        return c.error instanceof HttpError ? c.string(200, `replaced ${c.error.code}`) : c.noContent()
      })
      a.get("/", () => {
        throw teapot()
      })
    }),
    request: "/",
    expect: { body: "replaced teapot", headers: { "x-tea": null } },
  },
  {
    subject: "errors",
    name: "a middleware can call next() again after an error",
    app: app((a) => {
      let tries = 0
      a.use((next) => async (c) => {
        await next(c)
        return next(c)
      })
      a.get("/", (c) => {
        if (tries++ === 0) throw new Error("once")
        return ok(c)
      })
    }),
    request: "/",
    expect: { body: "ok" },
  },
  {
    subject: "errors",
    name: "onError() replaces the answer to bugs and HttpErrors",
    app: app((a) => {
      a.onError((c, e) => c.string(599, (e as Error).message))
      a.get("/", () => {
        throw new Error("seen")
      })
    }),
    request: "/",
    expect: { status: 599, body: "seen" },
  },
  {
    subject: "errors",
    name: "onError() can turn an error into an HttpError",
    app: app((a) => {
      a.onError(async () => teapot())
      a.get("/", () => {
        throw new Error("x")
      })
    }),
    request: "/",
    expect: tea,
  },
  {
    subject: "errors",
    name: "onError() gets the errors of 404 and 405",
    app: app((a) => {
      a.onError((c, e) => c.json(200, (e as HttpError).status))
      a.get("/", ok)
    }),
    request: "POST /",
    expect: { json: 405 },
  },
  ...(
    [
      // RFC 9110 §15.5.6 and §15.5.2 require these two headers.
      ["POST /", (c, e) => c.json(e.status, {}), { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } }],
      ["/guarded", (c, e) => c.json(e.status, {}), { status: 401, headers: { "www-authenticate": "Bearer" } }],
      // Headers that the program sets itself stay.
      [
        "/guarded",
        (c, e) => {
          c.setHeader("WWW-Authenticate", "Basic")
          return c.json(e.status, {})
        },
        { status: 401, headers: { "www-authenticate": "Basic" } },
      ],
      ["/guarded", (c) => c.json(403, {}), { status: 403, headers: { "www-authenticate": "Bearer" } }],
    ] as [string, (c: Context, e: HttpError) => Response, object][]
  ).map(([request, answer, expect]) => ({
    subject: "errors",
    name: `the answer of onError() gets the headers of the error that it does not set: ${request}, ${answer}`,
    app: app((a) => {
      a.onError((c, e) => answer(c, e as HttpError))
      a.get("/", ok)
      a.get("/guarded", () => {
        throw unauthorized("no", { headers: { "WWW-Authenticate": "Bearer" } })
      })
    }),
    request,
    expect,
  })),
  // A client chooses these texts, and an answer that repeated a whole one would be as long as the request.
  ...(
    [
      ["a path without a route", { path: `/${"a".repeat(3000)}` }, 404, `no route matches GET /${"a".repeat(199)}…`],
      [
        "a path that has other methods",
        { method: "DELETE", path: `/long/${"a".repeat(3000)}` },
        405,
        `/long/${"a".repeat(194)}… does not answer DELETE`,
      ],
      [
        "a media type",
        { method: "POST", path: "/json", headers: { "content-type": `a/${"b".repeat(3000)}` }, body: "{}" },
        415,
        `got a body of a/${"b".repeat(198)}…`,
      ],
      [
        "a key of the body",
        {
          method: "POST",
          path: "/keys",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ["k".repeat(3000)]: 1 }),
        },
        400,
        `"path":["${"k".repeat(200)}…`,
      ],
      [
        "a content coding",
        {
          method: "POST",
          path: "/json",
          headers: { "content-encoding": "b".repeat(3000), "content-type": "application/json" },
          body: "{}",
        },
        415,
        `the body has the Content-Encoding ${"b".repeat(200)}…, which is not decoded: send it without one`,
      ],
    ] as const
  ).map(
    ([name, request, status, message]): Case => ({
      subject: "errors",
      name: `the message repeats only the beginning of ${name}`,
      app: app((a) => {
        a.get("/long/{id}", ok)
        a.post("/json", async (c) => c.json(200, await c.bind()))
        a.post("/keys", async (c) => c.json(200, await c.bind(refusingKeys)))
      }),
      request,
      expect: { status, body: new RegExp(`${message.replace(/[/?:.[]/g, "\\$&")}"`) },
    }),
  ),
  {
    subject: "app.socket()",
    name: "GET with a long path gets only its beginning back",
    app: app((a) => a.socket("/socket/{id}", () => ({ message() {} }))),
    request: `/socket/${"a".repeat(3000)}`,
    expect: {
      status: 426,
      ...error("upgrade_required", `/socket/${"a".repeat(192)}… is for WebSocket connections: ask for an upgrade`),
    },
  },
  {
    subject: "errors",
    name: "notFound() replaces the answer",
    app: app((a) => a.notFound((c) => c.html(404, `<h1>${c.path}`))),
    request: "/x/y",
    expect: { status: 404, body: "<h1>/x/y" },
  },
  {
    subject: "errors",
    name: "notFound() does not answer what a handler throws",
    app: app((a) => {
      a.notFound((c) => c.string(200, "mine"))
      a.get("/", () => {
        throw notFound("his")
      })
    }),
    request: "/",
    expect: { status: 404, ...error("not_found", "his") },
  },
  {
    subject: "proxy rejection",
    name: "sends the given status and body",
    app: app((a) => {
      a.setProxy(() => proxy.responseJSON(451, { why: [1] }))
      a.get("/", ok)
    }),
    request: "/",
    expect: { status: 451, json: { why: [1] } },
  },
]
