/**
 * Tests of the middleware that comes with fw, in every way to send a request, and of the options that it refuses.
 */
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
  type SecureHeadersOptions,
  secureHeaders,
  serverTiming,
  timeout,
} from "../../../lib/index.ts"
import { authCases } from "../../support/contract/auth.ts"
import { csrfCases } from "../../support/contract/csrf.ts"
import { etagCases } from "../../support/contract/etag.ts"
import { middlewareCases } from "../../support/contract/middleware.ts"
import { contract } from "../../support/contract/runner.ts"
import { secureHeadersCases } from "../../support/contract/secure-headers.ts"

contract([...middlewareCases, ...csrfCases, ...etagCases, ...authCases, ...secureHeadersCases])

const refused: ReadonlyArray<readonly [subject: string, make: (options: never) => unknown, options: unknown]> = [
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

test("a refused option is not quoted if it may be a secret", () => {
  for (const make of [
    () => basicAuth({ users: { "a:b": "tops3cret" } }),
    () => bearerAuth({ tokens: ["tops3cret token"] }),
    () => secureHeaders({ contentSecurityPolicy: "tops3cret\n" }),
  ]) {
    assert.throws(make, (error: FwError) => !error.toString().includes("tops3cret"))
  }
})

test("basicAuth() and bearerAuth(): the property security names the security scheme, in its value and its type", () => {
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
  // @ts-expect-error This option does not exist.
  assert.throws(() => bearerAuth({ tokens: ["a"], prefx: "Token" }), /prefx/)
})

/** Values that browsers would ignore completely or in part, and a part of the message about each. */
const wrongValues: Readonly<Record<string, ReadonlyArray<readonly [value: unknown, says: RegExp]>>> = {
  contentSecurityPolicy: [
    ["default-src self", /"self" for default-src without single quotes\n.*Write "default-src 'self'"/],
    ["script-src 'self' unsafe-inline", /"unsafe-inline" for script-src without/],
    ["script-src nonce-abc", /"nonce-abc" for script-src without/],
    ["script-src nonce", /"nonce" for script-src without/],
    ["script-src sha256-abc=", /"sha256-abc=" for script-src without/],
    ["object-src none", /"none" for object-src without/],
    ["object-src NONE", /"NONE" for object-src without/],
    ['default-src "self"', /for default-src without single quotes/],
    ["default-src 'self", /"'self" for default-src without single quotes/],
    ["default-src 'sefl'", /"'sefl'" for default-src, which browsers do not know/],
    ["img-src 'https://x.example'", /"'https:\/\/x.example'" for img-src/],
    ["default-src 'self'; default-src 'none'", /default-src twice/],
    ["default-src 'self'; Default-Src 'none'", /default-src twice/],
    ["default-src 'self', script-src 'none'", /a comma/],
    ["script-src 'self', https://x.example", /a comma/],
    ["defualt-src 'self'", /directive "defualt-src"/],
    ["default-src: 'self'", /directive "default-src:"/],
    ["script-src 'self'; https://x.example", /directive "https:\/\/x.example"/],
    ["'self'", /directive "'self'"/],
    ["*", /directive "\*"/],
    ["Content-Security-Policy: default-src 'self'", /directive "Content-Security-Policy:"/],
    ["connect-src", /no sources for connect-src\n.*'none'/],
    ["connect-src ; img-src 'self'", /no sources for connect-src/],
    ["default-src 'none' 'self'", /'none' for default-src next to/],
    ["img-src data", /"data" for img-src, which is a host without a colon\n.*"data:"/],
    ["img-src https", /"https" for img-src/],
    [";", /no directive/],
    [" ", /no directive/],
    ["sandbox allow_forms", /a sandbox/],
    ["report-uri", /a report-uri/],
    ["require-trusted-types-for script", /require-trusted-types-for/],
    ["upgrade-insecure-requests 1", /upgrade-insecure-requests/],
    ["default-src 'self' b\u00fccher.example", /beyond ASCII/],
  ],
  crossOriginEmbedderPolicy: [
    ["same-origin", /Write "unsafe-none", "require-corp" or "credentialless", or false/],
    ["Require-Corp", /not one that browsers know/],
    ["require-corp; x=1", /not one that browsers know/],
    ["require-corp; report-to", /not one that browsers know/],
    ["require-corp; report-to=main", /not one that browsers know/],
    ['require-corp ; report-to="main"', /not one that browsers know/],
    ['require-corp; Report-To="main"', /not one that browsers know/],
    ['require-corp; x; report-to="main"', /not one that browsers know/],
    ['require-corp; report-to="a"; report-to="b', /not one that browsers know/],
    ["require-corp;", /not one that browsers know/],
  ],
  crossOriginOpenerPolicy: [
    ["cross-origin", /not one/],
    ["same-origin, unsafe-none", /not one/],
  ],
  crossOriginResourcePolicy: [
    ["same-orign", /not one/],
    ["*", /not one/],
  ],
  originAgentCluster: [
    ["1", /Write "\?1" or "\?0"/],
    ["true", /not one/],
  ],
  permissionsPolicy: [
    ["camera 'none'", /"camera 'none'", which browsers/],
    ["camera 'none'; geolocation 'self'", /do not understand/],
    ["camera=(); geolocation=()", /do not understand/],
    ["camera=none", /do not understand/],
    ["camera=('self')", /do not understand/],
    ["camera=(https://x.example)", /do not understand/],
    ["camera=(self", /do not understand/],
    ["Camera=()", /do not understand/],
    ["camera", /do not understand/],
    ["camera=(), camera=*", /camera twice/],
    [" , ", /empty/],
    ["camera=(),", /empty/],
    ["camera=(), , usb=()", /empty/],
    [", camera=()", /empty/],
    ["camera=(\t)", /do not understand/],
    ["camera=() ;report-to=main", /do not understand/],
    ["camera=();Report-To=main", /do not understand/],
    ["camera=();report-to=main;report-to", /do not understand/],
    ["camera = ()", /do not understand/],
  ],
  referrerPolicy: [
    ["garbage", /"garbage", which browsers do not know/],
    ["no-referer", /"no-referer"/],
    ["no-referrer; origin", /do not know/],
    ["no-referrer origin", /do not know/],
    ["no-referrer, no-referrer", /twice/],
    [",", /none/],
  ],
  strictTransportSecurity: [
    ["max-age=abc", /"max-age=abc"/],
    ["max-age=-1", /do not understand/],
    ["max-age=1.5", /do not understand/],
    ["max-age", /do not understand/],
    ["max-age=", /do not understand/],
    ["maxage=1", /"maxage=1"/],
    ["includeSubDomains", /no max-age/],
    ["max-age=1; includeSubdomain", /"includeSubdomain"/],
    ["max-age=1; includeSubDomains=true", /do not understand/],
    ["max-age=1, includeSubDomains", /a comma/],
    ["max-age=1 includeSubDomains", /do not understand/],
    ["max-age=1; max-age=2", /max-age twice/],
    ["max-age=1; preload; PRELOAD", /preload twice/],
    ["max-age=1=2", /do not understand/],
    ["max-age=1; preload=", /do not understand/],
    ["31536000", /do not understand/],
  ],
  xContentTypeOptions: [["sniff", /Write "nosniff", or false/]],
  xFrameOptions: [
    ["foo", /Write "DENY" or "SAMEORIGIN", or false/],
    ["ALLOW-FROM https://x.example", /not one/],
    ["DENY, SAMEORIGIN", /not one/],
    ["DENY;", /not one/],
    ["ALLOWALL", /not one/],
  ],
  xPermittedCrossDomainPolicies: [["some", /not one/]],
}
const ofNoKind = [
  ["", /cannot contain/],
  [true, /cannot contain/],
  [1, /cannot contain/],
  [null, /cannot contain/],
  ["a\nb", /cannot contain/],
  ["a\u0142", /cannot contain/],
] as const
for (const [option, values] of Object.entries(wrongValues)) {
  for (const [value, says] of [...values, ...ofNoKind]) {
    test(`secureHeaders(): ${option} refuses ${JSON.stringify(value)}`, () => {
      assert.throws(
        () => secureHeaders({ [option]: value } as SecureHeadersOptions),
        (error: FwError) =>
          error.code === "secure_headers" && error.message.includes(option) && says.test(String(error)),
      )
    })
  }
}

const rightValues: Readonly<Record<string, readonly string[]>> = {
  contentSecurityPolicy: [
    "default-src 'self'",
    "default-src 'SELF'",
    " default-src\t'self' ; ;",
    "DEFAULT-SRC *; img-src data: https: *.x.example x.example:8080 https://x.example/a/",
    "script-src 'nonce' 'strict-dynamic' 'unsafe-inline' 'nonce-YWJj' 'sha256-YWJj+/_-=' 'report-sample'",
    "script-src 'url-sha256-YWJj' 'eval-sha384-YWJj' 'report-sha256'",
    "sandbox; upgrade-insecure-requests; block-all-mixed-content",
    "sandbox allow-forms allow-scripts",
    "report-uri https://x.example/r /r; report-to main; require-trusted-types-for 'script'; trusted-types",
    "frame-ancestors 'none'; connect-src wss://x.example ws://localhost:3000 'self'; trusted-types a 'allow-duplicates'",
    "default-src 'none'; form-action 'self'; base-uri 'none'; worker-src blob:; fenced-frame-src https:",
  ],
  crossOriginEmbedderPolicy: ["unsafe-none", "credentialless", 'require-corp; report-to="main"'],
  crossOriginOpenerPolicy: ["noopener-allow-popups", 'same-origin; report-to="main"'],
  crossOriginResourcePolicy: ["same-site", "cross-origin"],
  originAgentCluster: ["?0"],
  permissionsPolicy: [
    "camera=()",
    "camera=(),geolocation=(self)",
    'camera=*, fullscreen=(self "https://x.example" "https://*.x.example"), usb=( ), midi=self',
    'camera=();report-to=main, ch-ua-platform=(self "https://x.example,y")',
  ],
  referrerPolicy: ["no-referrer", "no-referrer, strict-origin-when-cross-origin", "unsafe-url"],
  strictTransportSecurity: ["max-age=0", 'max-age="1"; preload', "includeSubDomains;max-age=63072000 ; PRELOAD"],
  xContentTypeOptions: ["nosniff"],
  xFrameOptions: ["DENY", "SAMEORIGIN", "deny"],
  xPermittedCrossDomainPolicies: ["all", "master-only"],
}
for (const [option, values] of Object.entries(rightValues)) {
  for (const value of values) {
    test(`secureHeaders(): ${option} sends ${JSON.stringify(value)}`, async () => {
      const app = new App({ logger: false })
      app.use(secureHeaders({ [option]: value } as SecureHeadersOptions))
      app.get("/", (c) => c.noContent())
      const name = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const sent = (await app.request("https://shop.example/")).headers.get(name)
      assert.is(sent?.replace(/nonce-[\w+/]{22}==/, "nonce"), new Headers({ a: value }).get("a"))
    })
  }
}

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
  ["https://localhost.example", "max-age=31536000; includeSubDomains"],
  ["https://127.example", "max-age=31536000; includeSubDomains"],
  ["https://localhost:3000", null],
  ["https://shop.localhost:3000", null],
  ["https://[::1]:3000", null],
  ["https://127.0.0.1", null],
  ["http://shop.example", null],
] as const) {
  test(`secureHeaders(): Strict-Transport-Security for ${origin}: ${value}`, async () => {
    const app = new App({ logger: false })
    app.use(secureHeaders())
    assert.is((await app.request(`${origin}/`)).headers.get("strict-transport-security"), value)
  })
}

test("serverTiming(): the header has the total and the time of each span, in milliseconds", async () => {
  const app = new App({ logger: false })
  app.use(serverTiming({ when: (c) => c.query("times") !== "no" }))
  app.get("/", async (c) => {
    const rows = await c.span("db", async () => [1, 2])
    c.span("db", () => 3)
    await c.span("cache", () => Promise.reject(new Error("gone"))).catch(() => {})
    c.span('the "last" é', () => 4)
    return c.json(200, rows)
  })
  const answer = await app.request("/")
  assert.match(
    answer.headers.get("server-timing") ?? "",
    /^total;dur=\d+\.\d, db;dur=\d+\.\d, cache;dur=\d+\.\d, the__last___;desc="the \\"last\\" \?";dur=\d+\.\d$/,
  )
  const silent = await app.request("/?times=no")
  assert.is(silent.headers.get("server-timing"), null)
  assert.equal(await silent.json(), [1, 2])
})

test.run()
