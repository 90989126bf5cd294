/** The middleware that comes with fw, on every way in, and the options that it refuses. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, cors, csrf, FwError, rateLimit, recover, requestID } from "../lib/index.ts"
import { csrfCases } from "./support/contract/csrf.ts"
import { middlewareCases } from "./support/contract/middleware.ts"
import { contract } from "./support/contract/runner.ts"

contract([...middlewareCases, ...csrfCases])

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

test.run()
