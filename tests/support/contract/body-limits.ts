/** Contract cases: how much of a body is read, and where the limit comes from. */
import { bodyLimit, type HandlerFunc } from "../../../lib/index.ts"
import { app, type Case, error, post } from "./case.ts"

/** An app with another limit in each group. */
const limited = app(
  (a) => {
    const read: HandlerFunc = async (c) => c.json(200, (await c.text()).length)
    a.post("/default", read)
    a.group("/small", (g) => {
      g.use(bodyLimit(4))
      g.post("/", read)
      g.group("/large", (h) => {
        h.use(bodyLimit(100))
        h.post("/", read)
      })
    })
  },
  { bodyLimit: 10 },
)

/** The cases. */
export const bodyLimitCases: readonly Case[] = [
  ...(
    [
      ["/default", 10],
      ["/small", 4],
      ["/small/large", 100],
    ] as const
  ).flatMap(([path, most]) =>
    [0, 1].flatMap((over) =>
      [false, true].map(
        (chunked): Case => ({
          row: "design 3.9",
          name: `the nearest limit counts: ${path} with ${most + over} bytes${chunked ? ", chunked" : ""}`,
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
  {
    row: "design 3.9",
    name: "a limit for the whole app by app.use()",
    app: app((a) => {
      a.use(bodyLimit(3))
      a.post("/", async (c) => c.json(200, await c.text()))
    }),
    request: post("four"),
    expect: { status: 413 },
  },
  {
    row: "design 3.9",
    name: "a mounted handler's body is counted too",
    app: app((a) => a.router.mount("/", async (r) => new Response(await r.text())), { bodyLimit: 3 }),
    request: post("four", "", true),
    expect: { status: 413 },
  },
  {
    row: "design 3.9",
    name: "GET with a body: c.request is there all the same",
    app: app((a) => a.get("/", (c) => c.string(200, c.request.method))),
    request: { method: "GET", path: "/", body: "hi", headers: { "content-type": "a/b" } },
    expect: { body: "GET" },
    via: "socket",
  },
  {
    row: "design 3.9",
    name: "a body over the limit where no route is",
    app: app(() => {}, { bodyLimit: 3 }),
    request: post("four"),
    expect: { status: 404 },
  },
]
