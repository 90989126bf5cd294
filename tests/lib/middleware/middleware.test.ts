/** The middleware that comes with fw, on every way in, and the options that it refuses. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import {
  App,
  basicAuth,
  bearerAuth,
  compress,
  cors,
  csrf,
  etag,
  FwError,
  rateLimit,
  recover,
  requestID,
  secureHeaders,
  serverTiming,
  timed,
  timeout,
} from "../../../lib/index.ts"
import { authCases } from "../../support/contract/auth.ts"
import { csrfCases } from "../../support/contract/csrf.ts"
import { etagCases } from "../../support/contract/etag.ts"
import { middlewareCases } from "../../support/contract/middleware.ts"
import { contract } from "../../support/contract/runner.ts"
import { secureHeadersCases } from "../../support/contract/secure-headers.ts"

contract([...middlewareCases, ...csrfCases, ...etagCases, ...authCases, ...secureHeadersCases])

const refused: ReadonlyArray<
  readonly [subject: string, make: (options: never) => unknown, options: unknown]
> = [
  ["cors()", cors, { credentials: true }],
  ["cors()", cors, { origin: "https://shop.example" }],
  ["cors()", cors, { origins: "https://shop.example" }],
  ["cors()", cors, { origins: ["https://shop.example/"] }],
  ["cors()", cors, { origins: ["*"] }],
  ["cors()", cors, { origins: ["null"] }],
  ["cors()", cors, { origins: ["shop.example"] }],
  ["cors()", cors, { methods: ["GET, PUT"] }],
  ["cors()", cors, { allowHeaders: ["x\r\ny"] }],
  ["cors()", cors, { maxAge: 1.5 }],
  ["cors()", cors, { maxAge: -1 }],
  ["basicAuth()", basicAuth, {}],
  ["basicAuth()", basicAuth, { users: { ada: "x" }, verify: () => true }],
  ["basicAuth()", basicAuth, { users: { ada: undefined } }],
  ["basicAuth()", basicAuth, { users: { ada: "" } }],
  ["basicAuth()", basicAuth, { users: { "a:b": "x" } }],
  ["basicAuth()", basicAuth, { verify: true }],
  ["basicAuth()", basicAuth, { users: { ada: "x" }, realm: "a\r\nb" }],
  ["basicAuth()", basicAuth, { users: { ada: "x" }, realm: "Zoë" }],
  ["bearerAuth()", bearerAuth, {}],
  ["bearerAuth()", bearerAuth, { token: "x" }],
  ["bearerAuth()", bearerAuth, { tokens: [] }],
  ["bearerAuth()", bearerAuth, { tokens: [undefined] }],
  ["bearerAuth()", bearerAuth, { tokens: ["a b"] }],
  ["bearerAuth()", bearerAuth, { tokens: "abc" }],
  ["compress()", compress, { treshold: 1 }],
  ["compress()", compress, { threshold: -1 }],
  ["etag()", etag, { strong: true }],
  ["secureHeaders()", secureHeaders, { hsts: false }],
  ["secureHeaders()", secureHeaders, { referrerPolicy: true }],
  ["secureHeaders()", secureHeaders, { referrerPolicy: "" }],
  ["secureHeaders()", secureHeaders, { contentSecurityPolicy: "a\nb" }],
  ["serverTiming()", serverTiming, { total: true }],
  ["csrf()", csrf, { origin: "https://admin.example" }],
  ["csrf()", csrf, { origins: "https://admin.example" }],
  ["csrf()", csrf, { origins: ["https://admin.example/"] }],
  ["csrf()", csrf, { origins: ["null"] }],
  ["csrf()", csrf, { origins: ["https://Admin.example"] }],
  ["rateLimit()", rateLimit, { max: 5 }],
  ["rateLimit()", rateLimit, { limit: 0 }],
  ["rateLimit()", rateLimit, { limit: 1.5 }],
  ["rateLimit()", rateLimit, { window: "60" }],
  ["rateLimit()", rateLimit, { window: Number.POSITIVE_INFINITY }],
  ["rateLimit()", rateLimit, { maxKeys: -1 }],
  ["rateLimit()", rateLimit, { maxKeys: 5, store: { hit: () => ({ count: 1, reset: 1 }) } }],
  ["rateLimit()", rateLimit, { store: {} }],
  ["rateLimit()", rateLimit, { key: "ip" }],
  ["rateLimit()", rateLimit, { name: 'a"b' }],
  ["requestID()", requestID, { name: "x" }],
  ["requestID()", requestID, { header: "x y" }],
  ["recover()", recover, { onError: () => {} }],
]

for (const [subject, make, options] of refused) {
  test(`${subject}: ${JSON.stringify(options)} is refused at once`, () => {
    assert.throws(
      () => make(options as never),
      (error: unknown) => error instanceof FwError || error instanceof TypeError,
    )
  })
}

test("requestID(): each request gets its own identifier", async () => {
  const app = new App({ logger: false })
  app.use(requestID())
  const ids = await Promise.all([1, 2].map(async () => (await app.request("/")).headers.get("x-request-id")))
  assert.is(new Set(ids).size, 2)
  assert.match(ids[0] ?? "", /^[\da-f-]{36}$/)
})

for (const seconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_484, "5"]) {
  test(`timeout(): ${seconds} s is refused at once`, () =>
    assert.throws(
      () => timeout(seconds as number),
      (error: unknown) => error instanceof FwError,
    ))
}
test("timeout(): a status other than 503 and 504 is refused", () =>
  assert.throws(
    () => timeout(1, { status: 500 as 503 }),
    (error: unknown) => error instanceof FwError,
  ))

test("an option that is refused is not quoted if it may be a secret", () => {
  for (const make of [
    () => basicAuth({ users: { "a:b": "tops3cret" } }),
    () => bearerAuth({ tokens: ["tops3cret token"] }),
    () => secureHeaders({ contentSecurityPolicy: "tops3cret\n" }),
  ]) {
    assert.throws(make, (error: FwError) => !error.toString().includes("tops3cret"))
  }
})

test("basicAuth() and bearerAuth(): types and values name the security scheme that they enforce", () => {
  const basic: "basic" = basicAuth({ users: { a: "b" } }).security
  const bearer: "bearer" = bearerAuth({ tokens: ["a"] }).security
  const token: "header Authorization The word Token, a space and the token." = bearerAuth({
    tokens: ["a"],
    prefix: "Token",
  }).security
  const small: "bearer" = bearerAuth({ tokens: ["a"], prefix: "bearer" }).security
  const open: "header Authorization" = bearerAuth({ tokens: ["a"], prefix: "Token" as string }).security
  assert.equal([basic, bearer, small], ["basic", "bearer", "bearer"])
  assert.match(token, "The word Token")
  assert.match(open, "header Authorization")
  // @ts-expect-error An option that is not known.
  assert.throws(() => bearerAuth({ tokens: ["a"], prefx: "Token" }), /prefx/)
})

test("secureHeaders(): each request gets a new nonce, in the policy and in the context", async () => {
  const app = new App({ logger: false })
  app.use(secureHeaders({ contentSecurityPolicy: "script-src 'nonce'; style-src 'nonce'" }))
  app.get("/", (c) => c.string(200, c.getString("csp_nonce")))
  const nonces = new Set<string>()
  for (const _ of [1, 2]) {
    const answer = await app.request("/")
    const nonce = await answer.text()
    assert.match(nonce, /^[\w+/]{22}==$/)
    const policy = answer.headers.get("content-security-policy")
    assert.is(policy, `script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`)
    nonces.add(nonce)
  }
  assert.is(nonces.size, 2)
})

for (const [origin, value] of [
  ["https://shop.example", "max-age=31536000; includeSubDomains"],
  ["https://localhost:3000", null],
  ["https://127.0.0.1", null],
  ["http://shop.example", null],
] as const) {
  test(`secureHeaders(): Strict-Transport-Security for ${origin}: ${value}`, async () => {
    const app = new App({ logger: false })
    app.use(secureHeaders())
    assert.is((await app.request(`${origin}/`)).headers.get("strict-transport-security"), value)
  })
}

test("serverTiming(): the header has the total and each measured time, in milliseconds", async () => {
  const app = new App({ logger: false })
  app.use(serverTiming({ when: (c) => c.query("times") !== "no" }))
  app.get("/", async (c) => {
    const rows = await timed(c, "db", async () => [1, 2])
    await timed(c, "db", () => 3)
    await timed(c, "cache", () => Promise.reject(new Error("gone"))).catch(() => {})
    return c.json(200, rows)
  })
  const answer = await app.request("/")
  assert.match(
    answer.headers.get("server-timing") ?? "",
    /^total;dur=\d+\.\d, db;dur=\d+\.\d, cache;dur=\d+\.\d$/,
  )
  const silent = await app.request("/?times=no")
  assert.is(silent.headers.get("server-timing"), null)
  assert.equal(await silent.json(), [1, 2])
})

test("timed(): an invalid name is a TypeError, and an error of the measured function is thrown", async () => {
  const app = new App({ logger: false })
  app.get("/name", async (c) => c.json(200, await timed(c, "a b", () => 1).catch(String)))
  app.get("/fails", async (c) => c.json(200, await timed(c, "db", () => Promise.reject(7)).catch((e) => e)))
  assert.match(await (await app.request("/name")).text(), /TypeError: .*a b.*is not a name/)
  assert.is(await (await app.request("/fails")).json(), 7)
})

test.run()
