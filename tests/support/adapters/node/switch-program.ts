/**
 * Serves an app that uses all ways to read requests and create answers, and sends its address to the parent
 * process.
 */
import { App, badRequest, etag } from "../../../../lib/index.ts"

let made = 0
globalThis.Response = new Proxy(Response, {
  construct(target, args) {
    made += 1
    return Reflect.construct(target, args) as object
  },
})

const app = new App({ logger: false, bodyLimit: 100 })
app.use((next) => async (c) => {
  const response = await next(c)
  c.setHeader("x-status", String(response.status))
  if (c.query("see") === "headers") c.setHeader("x-type", response.headers.get("content-type") ?? "none")
  if (c.query("see") === "body") c.setHeader("x-body", String(response.body === null))
  return response
})
app.get("/made", (c) => c.string(200, String(made)))
app.get("/json", (c) => {
  c.setCookie({ name: "a", value: "1" })
  c.appendHeader("vary", "accept")
  c.appendHeader("vary", "cookie")
  return c.json(200, { text: "é 😀" })
})
app.get("/length", (c) => {
  c.setHeader("content-length", "3")
  return c.string(200, "another length")
})
app.get("/empty", (c) => c.noContent())
app.get("/away", (c) => c.redirect(302, "/json"))
app.get("/bytes", (c) => c.blob(200, "image/png", new Uint8Array([0, 255, 10])))
app.get("/stream", (c) =>
  c.stream(
    200,
    (async function* () {
      yield "one"
      yield "two"
    })(),
  ),
)
app.get("/own", () => new Response("own", { status: 203, statusText: "Mine", headers: { "x-own": "1" } }))
app.get("/clone", async (c) => c.string(200, await c.html(200, "<p>").clone().text()))
app.get("/url", (c) => c.string(200, c.request.url))
app.get("/bug", () => {
  throw new Error("a bug")
})
app.get("/refused", () => {
  throw badRequest("no", { headers: { "x-why": "so" } })
})
app.group("/tagged", (group) => {
  group.use(etag())
  group.get("/", (c) => c.string(200, "tagged"))
})
app.get("/headers", (c) =>
  c.json(
    200,
    ["accept", "x-list", "cookie", "constructor", "bad name", "content-length"].map((name) => c.header(name)),
  ),
)
app.post("/text", async (c) => c.string(200, await c.text()))
app.post("/bind", async (c) =>
  c.json(200, await c.bind({ "~standard": { version: 1, vendor: "t", validate: (value) => ({ value }) } })),
)
app.post("/form", async (c) => c.json(200, [...(await c.form()).keys()]))
app.post("/request", async (c) => c.string(200, await c.request.text()))
app.post("/unread", (c) => c.string(200, "unread"))

await app.listen("127.0.0.1:0")
process.send?.(app.addr)
process.on("disconnect", () => process.exit())
