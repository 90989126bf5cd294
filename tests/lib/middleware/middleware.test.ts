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

const refused: ReadonlyArray<readonly [row: string, make: (options: never) => unknown, options: unknown]> = [
  ["Middleware CORS()", cors, { credentials: true }],
  ["Middleware CORS()", cors, { origin: "https://shop.example" }],
  ["Middleware CORS()", cors, { origins: "https://shop.example" }],
  ["Middleware CORS()", cors, { origins: ["https://shop.example/"] }],
  ["Middleware CORS()", cors, { origins: ["*"] }],
  ["Middleware CORS()", cors, { origins: ["null"] }],
  ["Middleware CORS()", cors, { origins: ["shop.example"] }],
  ["Middleware CORS()", cors, { methods: ["GET, PUT"] }],
  ["Middleware CORS()", cors, { allowHeaders: ["x\r\ny"] }],
  ["Middleware CORS()", cors, { maxAge: 1.5 }],
  ["Middleware CORS()", cors, { maxAge: -1 }],
  ["Middleware basicAuth()", basicAuth, {}],
  ["Middleware basicAuth()", basicAuth, { users: { ada: "x" }, verify: () => true }],
  ["Middleware basicAuth()", basicAuth, { users: { ada: undefined } }],
  ["Middleware basicAuth()", basicAuth, { users: { ada: "" } }],
  ["Middleware basicAuth()", basicAuth, { users: { "a:b": "x" } }],
  ["Middleware basicAuth()", basicAuth, { verify: true }],
  ["Middleware basicAuth()", basicAuth, { users: { ada: "x" }, realm: "a\r\nb" }],
  ["Middleware basicAuth()", basicAuth, { users: { ada: "x" }, realm: "Zoë" }],
  ["Middleware bearerAuth()", bearerAuth, {}],
  ["Middleware bearerAuth()", bearerAuth, { token: "x" }],
  ["Middleware bearerAuth()", bearerAuth, { tokens: [] }],
  ["Middleware bearerAuth()", bearerAuth, { tokens: [undefined] }],
  ["Middleware bearerAuth()", bearerAuth, { tokens: ["a b"] }],
  ["Middleware bearerAuth()", bearerAuth, { tokens: "abc" }],
  ["Middleware compress()", compress, { treshold: 1 }],
  ["Middleware compress()", compress, { threshold: -1 }],
  ["Middleware etag()", etag, { strong: true }],
  ["Middleware secureHeaders()", secureHeaders, { hsts: false }],
  ["Middleware secureHeaders()", secureHeaders, { referrerPolicy: true }],
  ["Middleware secureHeaders()", secureHeaders, { referrerPolicy: "" }],
  ["Middleware secureHeaders()", secureHeaders, { contentSecurityPolicy: "a\nb" }],
  ["Middleware serverTiming()", serverTiming, { total: true }],
  ["Middleware csrf()", csrf, { origin: "https://admin.example" }],
  ["Middleware csrf()", csrf, { origins: "https://admin.example" }],
  ["Middleware csrf()", csrf, { origins: ["https://admin.example/"] }],
  ["Middleware csrf()", csrf, { origins: ["null"] }],
  ["Middleware csrf()", csrf, { origins: ["https://Admin.example"] }],
  ["Middleware rateLimit()", rateLimit, { max: 5 }],
  ["Middleware rateLimit()", rateLimit, { limit: 0 }],
  ["Middleware rateLimit()", rateLimit, { limit: 1.5 }],
  ["Middleware rateLimit()", rateLimit, { window: "60" }],
  ["Middleware rateLimit()", rateLimit, { window: Number.POSITIVE_INFINITY }],
  ["Middleware rateLimit()", rateLimit, { maxKeys: -1 }],
  ["Middleware rateLimit()", rateLimit, { maxKeys: 5, store: { hit: () => ({ count: 1, reset: 1 }) } }],
  ["Middleware rateLimit()", rateLimit, { store: {} }],
  ["Middleware rateLimit()", rateLimit, { key: "ip" }],
  ["Middleware rateLimit()", rateLimit, { name: 'a"b' }],
  ["Middleware RequestID()", requestID, { name: "x" }],
  ["Middleware RequestID()", requestID, { header: "x y" }],
  ["Middleware Recover()", recover, { onError: () => {} }],
]

for (const [row, make, options] of refused) {
  test(`${row}: refuses ${JSON.stringify(options)} at once`, () => {
    assert.throws(
      () => make(options as never),
      (error: unknown) => error instanceof FwError || error instanceof TypeError,
    )
  })
}

test("Middleware RequestID(): a name of its own for each request", async () => {
  const app = new App({ logger: false })
  app.use(requestID())
  const ids = await Promise.all([1, 2].map(async () => (await app.request("/")).headers.get("x-request-id")))
  assert.is(new Set(ids).size, 2)
  assert.match(ids[0] ?? "", /^[\da-f-]{36}$/)
})

for (const seconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_484, "5"]) {
  test(`Middleware timeout(): refuses ${seconds} s at once`, () =>
    assert.throws(
      () => timeout(seconds as number),
      (error: unknown) => error instanceof FwError,
    ))
}
test("Middleware timeout(): refuses another status", () =>
  assert.throws(
    () => timeout(1, { status: 500 as 503 }),
    (error: unknown) => error instanceof FwError,
  ))

test("what is refused is not quoted where it may be a secret", () => {
  for (const make of [
    () => basicAuth({ users: { "a:b": "tops3cret" } }),
    () => bearerAuth({ tokens: ["tops3cret token"] }),
    () => secureHeaders({ contentSecurityPolicy: "tops3cret\n" }),
  ]) {
    assert.throws(make, (error: FwError) => !error.toString().includes("tops3cret"))
  }
})

test("Middleware basicAuth(), bearerAuth(): say in their types and at run time what they enforce", () => {
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

test("Middleware secureHeaders(): a new nonce each time, in the policy and in the context", async () => {
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
  test(`Middleware secureHeaders(): Strict-Transport-Security for ${origin}: ${value}`, async () => {
    const app = new App({ logger: false })
    app.use(secureHeaders())
    assert.is((await app.request(`${origin}/`)).headers.get("strict-transport-security"), value)
  })
}

test("Middleware serverTiming(): the total, and what was measured, in milliseconds", async () => {
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

test("Middleware serverTiming(): a name is a token, and what fails is thrown", async () => {
  const app = new App({ logger: false })
  app.get("/name", async (c) => c.json(200, await timed(c, "a b", () => 1).catch(String)))
  app.get("/fails", async (c) => c.json(200, await timed(c, "db", () => Promise.reject(7)).catch((e) => e)))
  assert.match(await (await app.request("/name")).text(), /TypeError: .*a b.*is not a name/)
  assert.is(await (await app.request("/fails")).json(), 7)
})

test.run()
