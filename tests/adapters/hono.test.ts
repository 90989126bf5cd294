/** Tests of Hono's middleware inside an fw app: headers, answers and errors are the same as in Hono. */
import { Hono, type MiddlewareHandler } from "hono"
import { bearerAuth } from "hono/bearer-auth"
import { setCookie } from "hono/cookie"
import { cors } from "hono/cors"
import { etag } from "hono/etag"
import { createMiddleware } from "hono/factory"
import { HTTPException } from "hono/http-exception"
import { ipRestriction } from "hono/ip-restriction"
import { jwt, sign } from "hono/jwt"
import { languageDetector } from "hono/language"
import { poweredBy } from "hono/powered-by"
import { prettyJSON } from "hono/pretty-json"
import { requestId } from "hono/request-id"
import { timing } from "hono/timing"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fromHono, getConnInfo } from "../../adapters/hono.ts"
import { App, type Context, notFound } from "../../lib/index.ts"

process.env.FW_LOG_LEVEL = "off"

const hono = suite("fw/hono")
const secret = "a secret for tests, of 32 bytes!"

/** Creates an app whose routes are behind middleware of Hono. */
function behind(...middleware: MiddlewareHandler[]): App {
  const app = new App({ logger: false })
  app.use(fromHono(...middleware))
  app.get("/", (c) => {
    c.setHeader("x-own", "1")
    return c.json(200, {
      id: c.getString("requestId"),
      language: c.getString("language"),
      jwt: c.get("jwtPayload"),
    })
  })
  app.post("/", async (c) => c.json(201, await c.bind()))
  app.get("/bug", () => {
    throw new Error("a bug")
  })
  app.get("/none", () => {
    throw notFound("no such thing")
  })
  return app
}

const early = createMiddleware(async (c, next) => {
  c.header("x-early", "1")
  setCookie(c, "a", "1")
  setCookie(c, "b", "2")
  await next()
})
const late = createMiddleware(async (c, next) => {
  await next()
  c.header("x-status", String(c.res.status))
})

hono("headers and cookies that are set before and after the handler are sent", async () => {
  const answer = await behind(early, late).request("/")
  assert.is(answer.headers.get("x-early"), "1")
  assert.is(answer.headers.get("x-status"), "200")
  assert.is(answer.headers.get("x-own"), "1")
  assert.equal(answer.headers.getSetCookie(), ["a=1; Path=/", "b=2; Path=/"])
  assert.is(answer.headers.get("content-type"), "application/json")
})

hono("values that Hono middleware sets reach the handlers of fw", async () => {
  const app = behind(
    requestId({ generator: () => "r1" }),
    languageDetector({ supportedLanguages: ["en", "nl"], fallbackLanguage: "en" }),
  )
  const answer = await app.request("/", { headers: { "accept-language": "nl" } })
  assert.is(answer.headers.get("x-request-id"), "r1")
  assert.equal(await answer.json(), { id: "r1", language: "nl" })
})

hono("middleware that answers stops the request", async () => {
  const app = behind(cors({ origin: "https://shop.example" }), bearerAuth({ token: "t0ken" }))
  const preflight = await app.request("/", {
    method: "OPTIONS",
    headers: { origin: "https://shop.example", "access-control-request-method": "POST" },
  })
  assert.is(preflight.status, 204)
  const refused = await app.request("/", { headers: { origin: "https://shop.example" } })
  assert.is(refused.status, 401)
  assert.match(refused.headers.get("www-authenticate") ?? "", /Bearer/)
  const passed = await app.request("/", {
    headers: { origin: "https://shop.example", authorization: "Bearer t0ken" },
  })
  assert.is(passed.status, 200)
  assert.is(passed.headers.get("access-control-allow-origin"), "https://shop.example")
})

hono("jwt() of Hono accepts a valid token and refuses an invalid token", async () => {
  const app = behind(jwt({ secret, alg: "HS256" }))
  const token = await sign({ sub: "ada" }, secret)
  const passed = await app.request("/", { headers: { authorization: `Bearer ${token}` } })
  assert.equal(((await passed.json()) as { jwt: unknown }).jwt, { sub: "ada" })
  assert.is((await app.request("/", { headers: { authorization: `Bearer ${token}x` } })).status, 401)
})

hono("middleware can change responses, with app.request() and on a server", async () => {
  const app = behind(poweredBy(), timing(), prettyJSON({ force: true }), etag())
  await app.listen("127.0.0.1:0")
  try {
    for (const ask of [
      (init: RequestInit) => app.request("/", init),
      (init: RequestInit) => fetch(`http://${app.addr}/`, init),
    ]) {
      const answer = await ask({})
      assert.is(answer.headers.get("x-powered-by"), "Hono")
      assert.match(answer.headers.get("server-timing") ?? "", /total;dur=/)
      assert.is(await answer.text(), '{\n  "id": "",\n  "language": ""\n}')
      const tag = answer.headers.get("etag") ?? ""
      assert.is((await ask({ headers: { "if-none-match": tag } })).status, 304)
    }
    const posted = await fetch(`http://${app.addr}/`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"a":[1]}',
    })
    assert.equal([posted.status, await posted.json()], [201, { a: [1] }])
  } finally {
    await app.shutdown()
  }
})

hono("errors of Hono middleware are answered by the app of fw", async () => {
  const seen: unknown[] = []
  const teapot = createMiddleware(async (c, next) => {
    if (c.req.query("tea")) throw new HTTPException(418, { message: "no coffee" })
    if (c.req.query("own")) throw new HTTPException(403, { res: new Response("own", { status: 403 }) })
    if (c.req.query("bug")) throw new Error("a bug of the middleware")
    await next()
  })
  const app = behind(late, teapot)
  app.onError((c: Context, error) => {
    seen.push(error)
    return c.string("status" in Object(error) ? (error as { status: number }).status : 500, "shown")
  })
  const text = async (path: string) => {
    const answer = await app.request(path)
    return [answer.status, await answer.text(), answer.headers.get("x-status")]
  }
  assert.equal(await text("/?tea=1"), [418, "shown", null])
  assert.equal(await text("/?own=1"), [403, "own", "403"])
  assert.equal(await text("/?bug=1"), [500, "shown", null])
  assert.equal(await text("/bug"), [500, "shown", "500"])
  assert.equal(await text("/none"), [404, "shown", "404"])
  assert.equal(
    seen.map((error) => (error as Error).message),
    ["no coffee", "a bug of the middleware", "a bug", "no such thing"],
  )
})

hono("Hono middleware gets the bindings and waitUntil() of the app", async () => {
  const waiting: unknown[] = []
  const app = behind(
    createMiddleware(async (c, next) => {
      c.executionCtx.waitUntil(Promise.resolve(c.env.STAGE))
      await next()
    }),
  )
  await app.request("/", {}, { env: { STAGE: "test" }, waitUntil: (promise) => waiting.push(promise) })
  assert.equal(await Promise.all(waiting), ["test"])
})

/** Ways in which `ipRestriction()` of Hono can get the address of the client. */
const askers: Readonly<Record<string, Parameters<typeof ipRestriction>[0]>> = {
  getConnInfo,
  "executionCtx.clientIP": (c) => (c.executionCtx as { clientIP?: string }).clientIP ?? "",
}
const clients: ReadonlyArray<readonly [clientIP: string, status: number]> = [
  ["127.0.0.1", 200],
  ["::ffff:127.0.0.1", 200],
  ["2001:db8::7", 200],
  ["2001:db9::7", 403],
  ["203.0.113.7", 403],
  ["", 403],
]
for (const [name, asker] of Object.entries(askers)) {
  for (const [clientIP, status] of clients) {
    hono(`ipRestriction() of Hono with ${name} answers ${status} to ${clientIP || "an unknown client"}`, async () => {
      const app = behind(ipRestriction(asker, { allowList: ["127.0.0.1", "2001:db8::/32"] }))
      assert.is((await app.request("/", {}, { clientIP })).status, status)
    })
  }
}

hono("getConnInfo() gives the address that the app trusts, and its type", async () => {
  const seen: unknown[] = []
  const look = createMiddleware(async (c, next) => {
    seen.push(getConnInfo(c))
    await next()
  })
  const app = new App({ logger: false, trustedProxies: ["10.0.0.0/8"] })
  app.use(fromHono(look))
  app.get("/", (c) => c.noContent())
  const headers = { "x-forwarded-for": "2001:db8::7" }
  await app.request("/", { headers }, { clientIP: "10.0.0.1" })
  await app.request("/", { headers }, { clientIP: "203.0.113.7" })
  await app.request("/", {}, { clientIP: "" })
  assert.equal(seen, [
    { remote: { address: "2001:db8::7", addressType: "IPv6" } },
    { remote: { address: "203.0.113.7", addressType: "IPv4" } },
    { remote: {} },
  ])
})

hono("getConnInfo() outside of fromHono() is an error that says where getConnInfo() works", () => {
  const app = new Hono()
  app.get("/", (c) => c.json(getConnInfo(c)))
  app.onError((error) => new Response(error.message))
  return Promise.all([app.request("/"), app.request("/", {}, {})]).then(async (answers) => {
    for (const answer of answers) assert.match(await answer.text(), /^getConnInfo\(\) of fw\/hono .*fromHono\(\)/)
  })
})

hono("Hono middleware can guard one route or one handler", async () => {
  const guard = fromHono(bearerAuth({ token: "t0ken" }))
  const app = new App({ logger: false })
  app.get("/open", (c) => c.noContent())
  app.get("/closed", guard, (c) => c.noContent())
  app.get(
    "/by-hand",
    guard((c) => c.noContent()),
  )
  const statuses = ["/open", "/closed", "/by-hand"].map(async (path) => (await app.request(path)).status)
  assert.equal(await Promise.all(statuses), [204, 401, 401])
})

hono.run()
