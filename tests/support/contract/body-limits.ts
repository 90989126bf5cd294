/** Contract cases: how much of a body is read, and which limit applies. */
import {
  bodyLimit,
  type Context,
  combine,
  type HandlerFunc,
  type MiddlewareFunc,
  type StandardSchema,
} from "../../../lib/index.ts"
import { app, type Case, error, post } from "./case.ts"

const passes: MiddlewareFunc = (next) => (c) => next(c)

/** An app with another limit in each group, and around single handlers. */
const limited = app(
  (a) => {
    const read = async (c: Context) => c.json(200, (await c.text()).length)
    a.post("/default", read)
    a.group("/small", (g) => {
      g.use(bodyLimit(4))
      g.post("/", read)
      g.group("/large", (h) => {
        h.use(bodyLimit(100))
        h.post("/", read)
      })
      g.post("/handler", bodyLimit(100)(read))
    })
    a.post("/smaller", bodyLimit(4)(read))
    a.post("/larger", bodyLimit(100)(read))
    a.post("/combined-larger", combine.every(passes, bodyLimit(100))(read))
    a.post("/combined-smaller", combine.every(passes, bodyLimit(4))(read))
  },
  { bodyLimit: 10 },
)

/** Handlers that read a form in each way, and answer with the number of its parts. */
const formReaders: Readonly<Record<string, HandlerFunc>> = {
  form: async (c) => c.json(200, [...(await c.form())].length),
  formValue: async (c) => c.json(200, (await c.formValue("a")) && 3),
  formFile: async (c) => c.json(200, (await c.formFile("none")) ?? 3),
  request: async (c) => c.json(200, [...(await c.request.formData())].length),
  clone: async (c) => c.json(200, [...(await c.request.clone().formData())].length),
  after: async (c) => {
    await c.bytes()
    return c.json(200, [...(await c.request.formData())].length)
  },
}
const formApp = app(
  (a) => {
    for (const [name, read] of Object.entries(formReaders)) a.post(`/${name}`, read)
  },
  { formPartLimit: 3 },
)
const boundary = "----FormBoundary7MA4YWxk"
const part = (name: string, rest = "") =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n1\r\n`
const parts = (text: string) => `${text}--${boundary}--\r\n`
const file = '; filename="f"\r\nContent-Type: text/plain'

/** Forms with three and with four parts. */
const forms: ReadonlyArray<readonly [name: string, type: string, body: string, count: number]> = [
  ["fields", "application/x-www-form-urlencoded", "a=1&b=2&c", 3],
  ["fields", "application/x-www-form-urlencoded", "a=1&b=2&c&d", 4],
  ["empty fields", "application/x-www-form-urlencoded", "a=1&&&", 4],
  ["parts", `multipart/form-data; boundary=${boundary}`, parts(part("a") + part("b") + part("c", file)), 3],
  ["parts", `multipart/form-data; boundary="${boundary}"`, parts(part("a").repeat(4)), 4],
  ["files", `Multipart/Form-Data; x=y; Boundary=${boundary}`, parts(part("a", file).repeat(4)), 4],
  [
    "parts with two boundaries named",
    `multipart/form-data; boundary=${boundary}; boundary=other`,
    parts(part("a").repeat(4)),
    4,
  ],
]

const anything: StandardSchema<object> = {
  "~standard": { version: 1, vendor: "test", validate: () => ({ value: {} }) },
}

export const bodyLimitCases: readonly Case[] = [
  ...(
    [
      ["/default", 10],
      ["/small", 4],
      ["/small/large", 100],
      ["/small/handler", 100],
      ["/smaller", 4],
      ["/larger", 100],
      ["/combined-larger", 100],
      ["/combined-smaller", 4],
    ] as const
  ).flatMap(([path, most]) =>
    [0, 1].flatMap((over) =>
      [false, true].map(
        (chunked): Case => ({
          subject: "body",
          name: `the nearest limit counts: ${path} ${over ? "refuses" : "accepts"} ${most + over} bytes${chunked ? ", in chunks" : ""}`,
          app: limited,
          request: {
            method: "POST",
            path,
            body: "x".repeat(most + over),
            chunked,
            headers: { "content-type": "a/b" },
          },
          expect: over
            ? { status: 413, ...error("payload_too_large", `the body is larger than ${most} bytes`) }
            : { json: most },
        }),
      ),
    ),
  ),
  ...forms.flatMap(([name, type, body, count]) =>
    Object.keys(formReaders).map(
      (path): Case => ({
        subject: "body",
        name: `a form of ${count} ${name} is ${count > 3 ? "refused" : "accepted"} by ${path}, where three parts are the limit`,
        app: formApp,
        request: { method: "POST", path: `/${path}`, body, headers: { "content-type": type } },
        expect:
          count > 3 ? { status: 413, ...error("payload_too_large", "the form has more than 3 parts") } : { json: 3 },
      }),
    ),
  ),
  {
    subject: "body",
    name: "bodyLimit() in app.use() limits the whole app",
    app: app((a) => {
      a.use(bodyLimit(3))
      a.post("/", async (c) => c.json(200, await c.text()))
    }),
    request: post("four"),
    expect: { status: 413 },
  },
  {
    subject: "body",
    name: "the limit applies to a mounted handler",
    app: app((a) => a.router.mount("/", async (r) => new Response(await r.text())), { bodyLimit: 3 }),
    request: post("four", "", true),
    expect: { status: 413 },
  },
  {
    subject: "body",
    name: "GET with a body has a c.request",
    app: app((a) => a.get("/", (c) => c.string(200, c.request.method))),
    request: { method: "GET", path: "/", body: "hi", headers: { "content-type": "a/b" } },
    expect: { body: "GET" },
    via: "socket",
  },
  {
    subject: "body",
    name: "GET with a form over the limit has no body for the readers of forms either",
    app: app(
      (a) =>
        a.get("/", async (c) => {
          const { ok, issues } = await c.readForm(anything)
          const names: string[] = []
          for await (const part of c.parts()) names.push(part.name)
          return c.json(200, [ok, issues, names, [...(await c.form())]])
        }),
      { bodyLimit: 3 },
    ),
    request: {
      method: "GET",
      path: "/",
      body: "a=1&b=2",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    },
    expect: { json: [true, {}, [], []] },
    via: "socket",
  },
  {
    subject: "body",
    name: "a body over the limit without a route is a 404",
    app: app(() => {}, { bodyLimit: 3 }),
    request: post("four"),
    expect: { status: 404 },
  },
]
