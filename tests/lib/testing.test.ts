/**
 * Tests of the client of `fw/testing`, which calls an app without sockets, and of its cookies, which behave as in
 * browsers.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../lib/index.ts"
import { type TestClientOptions, testClient } from "../../lib/testing.ts"

/** Returns an app that sets the requested cookies, and a client of it. */
function cookies(options?: TestClientOptions) {
  const app = new App({ logger: false })
  const echo = (c: import("../../lib/index.ts").Context) => {
    for (const line of c.queryAll("set")) c.appendHeader("Set-Cookie", line)
    return c.string(200, c.header("cookie"))
  }
  app.get("/", echo)
  app.get("/*", echo)
  const client = testClient(app, options)
  const set = (path: string, ...lines: string[]) =>
    client.request(`${path}?${new URLSearchParams(lines.map((line): [string, string] => ["set", line]))}`)
  const sent = async (path: string | URL) => (await client.request(path)).text()
  return { client, set, sent }
}

const rows: ReadonlyArray<
  readonly [name: string, origin: string, from: string, line: string, to: string, sent: string]
> = [
  ["is kept", "http://localhost", "/", "a=1", "/", "a=1"],
  ["keeps its encoding", "http://localhost", "/", "a=x%20y=z", "/", "a=x%20y=z"],
  ["without a name is not a cookie", "http://localhost", "/", "=1", "/", ""],
  ["without = is not a cookie", "http://localhost", "/", "a", "/", ""],
  ["with a path is for what is below it", "http://localhost", "/", "a=1; Path=/api", "/api/x", "a=1"],
  ["with a path is for the path itself", "http://localhost", "/", "a=1; Path=/api", "/api", "a=1"],
  ["with a path is not for a path that only begins the same", "http://localhost", "/", "a=1; Path=/api", "/apis", ""],
  ["without a path is for the directory of the request", "http://localhost", "/api/login", "a=1", "/api/me", "a=1"],
  ["without a path is not for paths above", "http://localhost", "/api/login", "a=1", "/", ""],
  [
    "with an invalid path is for the directory of the request",
    "http://localhost",
    "/api/login",
    "a=1; Path=x",
    "/",
    "",
  ],
  ["without a domain is for its host only", "http://a.example", "/", "a=1", "http://b.a.example/", ""],
  [
    "with a domain is for hosts below it",
    "http://a.example",
    "/",
    "a=1; Domain=.A.example",
    "http://b.a.example/",
    "a=1",
  ],
  [
    "with a domain is not for hosts that only end the same",
    "http://a.example",
    "/",
    "a=1; Domain=a.example",
    "http://ba.example/",
    "",
  ],
  ["for a foreign domain is refused", "http://a.example", "/", "a=1; Domain=b.example", "http://b.example/", ""],
  ["for part of an address is refused", "http://10.0.0.1", "/", "a=1; Domain=0.0.1", "/", ""],
  ["that is secure needs TLS", "http://a.example", "/", "a=1; Secure", "/", ""],
  ["that is secure is sent over TLS", "https://a.example", "/", "a=1; Secure", "/", "a=1"],
  ["that is secure is not sent without TLS", "https://a.example", "/", "a=1; Secure", "http://a.example/", ""],
  ["that is secure is sent to localhost", "http://localhost", "/", "a=1; Secure", "/", "a=1"],
  ["__Host- without secure is refused", "https://a.example", "/", "__Host-a=1; Path=/", "/", ""],
  [
    "__Host- with a domain is refused",
    "https://a.example",
    "/",
    "__Host-a=1; Path=/; Secure; Domain=a.example",
    "/",
    "",
  ],
  [
    "__Host- with secure and without a domain is kept",
    "https://a.example",
    "/",
    "__Host-a=1; Path=/; Secure",
    "/",
    "__Host-a=1",
  ],
  ["__Secure- without secure is refused", "https://a.example", "/", "__Secure-a=1", "/", ""],
  ["with Max-Age=0 is not kept", "http://localhost", "/", "a=1; Max-Age=0", "/", ""],
  [
    "with Max-Age and Expires follows Max-Age",
    "http://localhost",
    "/",
    "a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "/",
    "a=1",
  ],
  [
    "with Expires in the past is not kept",
    "http://localhost",
    "/",
    "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "/",
    "",
  ],
  [
    "with Expires in the past, written with hyphens, is not kept",
    "http://localhost",
    "/",
    "a=1; Expires=Thu, 01-Jan-70 00:00:00 GMT",
    "/",
    "",
  ],
  ["with Expires=0, which is no date, is kept", "http://localhost", "/", "a=1; Expires=0", "/", "a=1"],
  ["with Expires in another format is kept", "http://localhost", "/", "a=1; Expires=2020-01-01T00:00:00Z", "/", "a=1"],
  ["of 4,096 bytes is kept", "http://localhost", "/", `a=${"x".repeat(4095)}`, "/", `a=${"x".repeat(4095)}`],
  ["of more than 4,096 bytes is refused", "http://localhost", "/", `a=${"x".repeat(4096)}`, "/", ""],
  [
    "ignores an attribute of more than 1,024 bytes",
    "http://localhost",
    "/",
    `a=1; Path=/${"x".repeat(1024)}`,
    "/",
    "a=1",
  ],
  ["with SameSite=None without secure is refused", "https://a.example", "/", "a=1; SameSite=None", "/", ""],
  ["with SameSite=None and secure is kept", "https://a.example", "/", "a=1; SameSite=none; Secure", "/", "a=1"],
  ["__Host- without a path is refused", "https://a.example", "/", "__Host-a=1; Secure", "/", ""],
  ["__Http- without HttpOnly is refused", "https://a.example", "/", "__Http-a=1; Secure", "/", ""],
  ["__Http- without secure is refused", "https://a.example", "/", "__Http-a=1; HttpOnly", "/", ""],
  ["__Http- with both is kept", "https://a.example", "/", "__Http-a=1; HttpOnly; Secure", "/", "__Http-a=1"],
  ["__Host-Http- without HttpOnly is refused", "https://a.example", "/", "__host-http-a=1; Secure; Path=/", "/", ""],
  ["with two Max-Age follows the last valid one", "http://localhost", "/", "a=1; Max-Age=0; Max-Age=x", "/", ""],
  ["with an Expires that is not a date is kept", "http://localhost", "/", "a=1; Expires=soon", "/", "a=1"],
]
for (const [name, origin, from, line, to, expected] of rows) {
  test(`a cookie ${name}`, async () => {
    const { set, sent } = cookies({ origin })
    await set(from, line)
    assert.is(await sent(to), expected)
  })
}

test("cookies expire by the given clock", async () => {
  let now = 0
  const { set, sent } = cookies({ now: () => now })
  await set("/", "a=1; Max-Age=60", "b=2")
  now = 59_999
  assert.is(await sent("/"), "a=1; b=2")
  now = 60_000
  assert.is(await sent("/"), "b=2")
})

test("a page without TLS cannot change a secure cookie", async () => {
  const { set, sent } = cookies()
  await set("https://a.example/", "a=1; Secure; Domain=a.example", "b=1")
  await set("http://a.example/", "a=2", "b=2")
  await set("http://b.a.example/", "a=3; Domain=a.example; Path=/x")
  assert.is(await sent("https://a.example/x"), "a=1; b=2")
})

test("cookies are sent with the longest path first, then the oldest, and a new value keeps its place", async () => {
  const { set, sent } = cookies()
  await set("/x/y", "a=1; Path=/", "b=2; Path=/x", "c=3; Path=/", "a=4; Path=/")
  assert.is(await sent("/x/z"), "b=2; a=4; c=3")
})

test("a cookie in the headers of a request is sent before those of the client", async () => {
  const { client, set } = cookies()
  await set("/", "a=1")
  assert.is(await (await client.request("/", { headers: { cookie: "b=2" } })).text(), "b=2; a=1")
})

test("cookies of a client can be read, set and cleared", async () => {
  const { client, sent } = cookies()
  client.setCookie("session_id=abc; Path=/api")
  assert.is(client.cookie("session_id"), "")
  assert.is(client.cookie("session_id", "/api/me"), "abc")
  assert.is(await sent("/api"), "session_id=abc")
  client.clearCookies()
  assert.is(await sent("/api"), "")
})

test("two clients have separate cookies", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => {
    c.setCookie({ name: "n", value: String(Number(c.cookie("n")) + 1) })
    return c.string(200, c.cookie("n"))
  })
  const [one, two] = [testClient(app), testClient(app)]
  await one.request("/")
  await one.request("/")
  assert.is(one.cookie("n"), "2")
  assert.is(two.cookie("n"), "")
})

const app = new App({ logger: false })
app.registerRoute("*", "/", async (c) =>
  c.json(200, {
    method: c.method,
    type: c.header("content-type"),
    key: c.header("x-key"),
    body: await c.text(),
    origin: c.origin,
  }),
)
const asked = async (init: Parameters<ReturnType<typeof testClient>["request"]>[1], options?: TestClientOptions) =>
  (await testClient(app, options).request("/", init)).json()

test("a body can be JSON, a form, or anything that fetch() takes", async () => {
  const none = { method: "GET", type: "", key: "", body: "", origin: "http://localhost" }
  assert.equal(await asked({}), none)
  assert.equal(await asked({ json: { a: 1 } }), {
    ...none,
    method: "POST",
    type: "application/json",
    body: '{"a":1}',
  })
  assert.equal(await asked({ method: "PUT", json: null }), {
    ...none,
    method: "PUT",
    type: "application/json",
    body: "null",
  })
  const form = {
    ...none,
    method: "POST",
    type: "application/x-www-form-urlencoded;charset=UTF-8",
    body: "a=b+c",
  }
  assert.equal(await asked({ form: { a: "b c" } }), form)
  assert.equal(await asked({ method: "POST", body: "x", headers: { "content-type": "a/b" } }), {
    ...none,
    method: "POST",
    type: "a/b",
    body: "x",
  })
})

test("headers of the client are sent with every request, and a request can replace them", async () => {
  const options = { headers: { "x-key": "k" }, origin: "https://shop.example" }
  const getKey = async (init: object) => (await asked(init, options)) as { key: string; origin: string }
  assert.is((await getKey({})).key, "k")
  assert.is((await getKey({ headers: { "X-Key": "other" } })).key, "other")
  assert.is((await getKey({})).origin, "https://shop.example")
})

test("a request with more than one body is refused", async () => {
  for (const init of [
    { json: 1, form: {} },
    { json: 1, body: "x" },
    { form: {}, body: "x" },
  ]) {
    const error = await asked(init).catch((thrown) => thrown)
    assert.instance(error, TypeError)
  }
})

test.run()
