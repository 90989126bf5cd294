/**
 * Tests of an app as a Lambda handler: the events of function URLs, API Gateway and load balancers, and the answers
 * to them.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type LambdaEvent, type LambdaOptions, lambdaHandler, lambdaStreamHandler } from "../../adapters/lambda.ts"
import { App, type Context } from "../../lib/index.ts"

process.env.FW_LOG_LEVEL ??= "off"

/** Returns an event of an HTTP API or a function URL as AWS documents it (payload 2.0). */
function v2(request: string, more: LambdaEvent = {}, stage = "$default", domain = "abc.lambda-url.eu-west-1.on.aws") {
  const [method = "", target = ""] = request.split(" ")
  const [rawPath = "", rawQueryString = ""] = target.split("?")
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath,
    rawQueryString,
    headers: { host: domain, "x-forwarded-proto": "https", "x-forwarded-port": "443", ...more.headers },
    requestContext: {
      accountId: "anonymous",
      apiId: "abc",
      domainName: domain,
      http: { method, path: rawPath, protocol: "HTTP/1.1", sourceIp: "203.0.113.7", userAgent: "curl" },
      requestId: "id",
      routeKey: "$default",
      stage,
      time: "12/Mar/2020:19:03:58 +0000",
      timeEpoch: 1583348638390,
    },
    isBase64Encoded: false,
    ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "headers")),
  }
}

/** Returns an event of a REST API as AWS documents it (payload 1.0). */
function v1(request: string, more: LambdaEvent = {}) {
  const [httpMethod = "", path = ""] = request.split(" ")
  return {
    version: "1.0",
    resource: "/{proxy+}",
    path,
    httpMethod,
    headers: { Host: "api.example" },
    multiValueHeaders: { Host: ["api.example"], "X-Forwarded-Proto": ["https"], Cookie: ["a=1", "b=2"] },
    queryStringParameters: { q: "2" },
    multiValueQueryStringParameters: { q: ["1 +", "2"], "n&": ["ü"] },
    requestContext: {
      accountId: "1",
      identity: { sourceIp: "203.0.113.7", userAgent: "curl" },
      path: `/prod${path}`,
      stage: "prod",
      domainName: "api.example",
    },
    body: null,
    isBase64Encoded: false,
    ...more,
  }
}

/** Returns an event of a load balancer as AWS documents it, without multi-value headers. */
function alb(request: string, more: LambdaEvent = {}) {
  const [httpMethod = "", path = ""] = request.split(" ")
  return {
    requestContext: { elb: { targetGroupArn: "arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/a/b" } },
    httpMethod,
    path,
    queryStringParameters: { q: "1%20%2B", r: "x" },
    headers: {
      host: "alb.example",
      "x-forwarded-for": "198.51.100.1, 203.0.113.7",
      "x-forwarded-proto": "http",
      cookie: "a=1; b=2",
    },
    body: "",
    isBase64Encoded: false,
    ...more,
  }
}

function makeApp(): App {
  const app = new App({ logger: false, bodyLimit: 1000 })
  app.get("/seen/*", (c) =>
    c.json(200, [c.method, c.request.url, c.clientIP, c.header("cookie"), c.param("*"), c.queryAll("q")]),
  )
  app.post("/echo", async (c) => c.blob(200, c.header("content-type") || "none/none", await c.bytes()))
  app.get("/cookies", (c) => {
    for (const name of ["a", "b", "c"]) c.setCookie({ name, value: "1" })
    return c.string(200, "ok")
  })
  app.get("/bytes", (c) => c.blob(200, c.query("type"), new Uint8Array([0xff, 0xfe])))
  app.get("/text", (c) => c.blob(200, c.query("type"), new TextEncoder().encode("té")))
  app.get("/packed", (c) => {
    c.setHeader("Content-Encoding", "gzip")
    return c.blob(200, "text/plain", new Uint8Array([0x1f, 0x8b]))
  })
  app.get("/none", (c) => c.noContent())
  app.get("/to", (c) => c.redirect(302, "/login"))
  app.get("/slash", (c) => c.string(200, "x"))
  app.get("/stream", (c) =>
    c.stream(
      200,
      (async function* () {
        yield "one "
        yield "two"
      })(),
      "text/plain",
    ),
  )
  return app
}

const handler = (options?: LambdaOptions) => lambdaHandler(makeApp(), options)

const reads: ReadonlyArray<readonly [what: string, event: LambdaEvent, seen: unknown, options?: LambdaOptions]> = [
  [
    "a function URL",
    v2("GET /seen/a%2Fb?q=1%20&q=2", { cookies: ["a=1", "b=2"] }),
    [
      "GET",
      "https://abc.lambda-url.eu-west-1.on.aws/seen/a%2Fb?q=1%20&q=2",
      "203.0.113.7",
      "a=1; b=2",
      "a%2Fb",
      ["1 ", "2"],
    ],
  ],
  [
    "a stage of an HTTP API",
    v2("GET /prod/seen/x", {}, "prod", "abc.execute-api.eu-west-1.amazonaws.com"),
    ["GET", "https://abc.execute-api.eu-west-1.amazonaws.com/seen/x", "203.0.113.7", "", "x", []],
  ],
  [
    "your own domain: the name of the deployment is not a part of the path",
    v2("GET /seen/prod", {}, "seen", "api.example"),
    ["GET", "https://api.example/seen/prod", "203.0.113.7", "", "prod", []],
  ],
  [
    "your own domain with a mapping",
    v2("GET /shop/seen/x", {}, "prod", "api.example"),
    ["GET", "https://api.example/seen/x", "203.0.113.7", "", "x", []],
    { basePath: "/shop" },
  ],
  [
    "a REST API",
    v1("GET /seen/x"),
    ["GET", "https://api.example/seen/x?q=1%20%2B&q=2&n%26=%C3%BC", "203.0.113.7", "a=1; b=2", "x", ["1 +", "2"]],
  ],
  [
    "a REST API without lists",
    v1("GET /seen/x", { multiValueHeaders: null, multiValueQueryStringParameters: null }),
    ["GET", "https://api.example/seen/x?q=2", "203.0.113.7", "", "x", ["2"]],
  ],
  [
    "a load balancer",
    alb("GET /seen/x"),
    ["GET", "http://alb.example/seen/x?q=1%20%2B&r=x", "203.0.113.7", "a=1; b=2", "x", ["1 +"]],
  ],
  [
    "a load balancer with lists",
    alb("GET /seen/x", {
      headers: null,
      queryStringParameters: null,
      multiValueHeaders: {
        host: ["alb.example"],
        "x-forwarded-for": ["203.0.113.7"],
        cookie: ["a=1", "b=2"],
      },
      multiValueQueryStringParameters: { q: ["1", "2"] },
    }),
    ["GET", "https://alb.example/seen/x?q=1&q=2", "203.0.113.7", "a=1; b=2", "x", ["1", "2"]],
  ],
]
for (const [what, event, seen, options] of reads) {
  test(`the event of ${what} is read`, async () => {
    const { statusCode, body } = await handler(options)(event)
    assert.equal([statusCode, JSON.parse(body)], [200, seen])
  })
}

/** Addresses that a service may report, and the address that the app gets. */
const clients: ReadonlyArray<readonly [reported: string, address: string]> = [
  ["203.0.113.7:41234", "203.0.113.7"],
  ["[2001:DB8::1]:41234", "2001:db8::1"],
  ["2001:0db8:0:0:0:0:0:1", "2001:db8::1"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["test-invoke-source-ip", ""],
  ["unknown", ""],
  ["unix", ""],
]
for (const [reported, address] of clients) {
  test(`c.clientIP is ${JSON.stringify(address)} if a service reports the client ${reported}`, async () => {
    const http = { method: "GET", sourceIp: reported }
    const forwarded = `198.51.100.1, ${reported}`
    for (const event of [
      v2("GET /seen/x", { requestContext: { http } }),
      v1("GET /seen/x", { requestContext: { identity: { sourceIp: reported } } }),
      alb("GET /seen/x", { headers: { host: "a", "x-forwarded-for": forwarded } }),
      alb("GET /seen/x", { headers: { host: "a", "X-Forwarded-For": `${forwarded} , ,` } }),
      alb("GET /seen/x", {
        headers: null,
        multiValueHeaders: { host: ["a"], "x-forwarded-for": ["198.51.100.1", reported] },
      }),
    ])
      assert.is(JSON.parse((await handler()(event)).body)[2], address)
  })
}

test("c.clientIP is empty if a service reports no address, and skips trusted proxies in front of a load balancer", async () => {
  assert.is(JSON.parse((await handler()(alb("GET /seen/x", { headers: { host: "a" } }))).body)[2], "")
  const identity = { sourceIp: null }
  assert.is(JSON.parse((await handler()(v1("GET /seen/x", { requestContext: { identity } }))).body)[2], "")
  const app = new App({ logger: false, trustedProxies: ["130.176.0.0/16"] })
  app.get("/", (c) => c.string(200, c.clientIP))
  const headers = { host: "a", "x-forwarded-for": "6.6.6.6, 203.0.113.7:5, 130.176.1.1:6" }
  assert.is((await lambdaHandler(app)(alb("GET /", { headers }))).body, "203.0.113.7")
})

/** Header values of events, and how the app reads them: as over a socket, where UTF-8 bytes are read as Latin-1. */
const values: ReadonlyArray<readonly [given: unknown, read: string]> = [
  ["Łódź", "Å\u0081Ã³dÅº"],
  ["Córdoba", "CÃ³rdoba"],
  ["東京", "æ\u009d±äº¬"],
  ["\u{1f600}", "ð\u009f\u0098\u0080"],
  ["a\ud800", "aï¿½"],
  ["a\tb", "a\tb"],
  [" a ", "a"],
  ["", ""],
  [5, "5"],
  [true, "true"],
  [0, "0"],
  [null, ""],
  [undefined, ""],
]
for (const [given, read] of values) {
  test(`the header value ${JSON.stringify(given)} of an event is read as ${JSON.stringify(read)}`, async () => {
    const app = new App({ logger: false })
    app.get("/", (c) => c.json(200, [c.header("cf-ipcity"), c.request.headers.get("cf-ipcity") ?? ""]))
    const value = given as string
    for (const event of [
      v2("GET /", { headers: { "cf-ipcity": value } }),
      alb("GET /", { headers: { host: "a", "cf-ipcity": value } }),
      alb("GET /", { headers: null, multiValueHeaders: { host: ["a"], "cf-ipcity": [value] } }),
      v1("GET /", { multiValueHeaders: { host: ["a"], "Cf-IPCity": [value] } }),
      v1("GET /", { multiValueHeaders: null, headers: { host: "a", "Cf-IPCity": value } }),
    ])
      assert.equal(JSON.parse((await lambdaHandler(app)(event)).body), [read, read])
  })
}

test("a cookie beyond ASCII is read as over a socket", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.string(200, c.cookie("a")))
  for (const event of [
    v2("GET /", { cookies: ["a=Łódź", "b=1"] }),
    alb("GET /", { headers: { host: "a", cookie: "a=Łódź; b=1" } }),
    v1("GET /", { multiValueHeaders: { Cookie: ["a=Łódź", "b=1"] } }),
  ])
    assert.is((await lambdaHandler(app)(event)).body, "Å\u0081Ã³dÅº")
})

test("a list of values of one header is joined, and missing values are left out", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.string(200, c.header("x-a")))
  const lists = { host: ["a"], "X-A": ["1", null, 2, "ł"] as string[] }
  assert.is((await lambdaHandler(app)(v1("GET /", { multiValueHeaders: lists }))).body, "1, 2, Å\u0082")
})

test("a header whose name has two spellings is read as one header, and a second Host is refused", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.json(200, [c.header("x-a"), c.header("cookie")]))
  const headers = { host: "a", "X-A": "1", "x-a": "2", Cookie: "a=1", cookie: "b=2" }
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  for (const event of [
    v1("GET /", { headers, multiValueHeaders: null }),
    v1("GET /", { multiValueHeaders: lists }),
    v2("GET /", { headers }),
    alb("GET /", { headers }),
  ])
    assert.is((await lambdaHandler(app)(event)).body, '["1, 2","a=1; b=2"]')
  const { statusCode } = await lambdaHandler(app)(v2("GET /", { headers: { Host: "a", host: "b" } }))
  assert.is(statusCode, 400)
})

for (const [what, more] of [
  ["an object in the headers", { headers: { host: "a", "x-a": {} as string } }],
  ["a list in the list of a header", { headers: null, multiValueHeaders: { "x-a": [["1"]] as unknown as string[] } }],
  ["an object in the query", { queryStringParameters: { a: {} as string } }],
] as const) {
  test(`an event with ${what} in place of a text is refused`, async () => {
    try {
      await handler()(alb("GET /", more))
      assert.unreachable()
    } catch (error) {
      assert.is((error as { code?: string }).code, "lambda")
      assert.match(String(error), /the event has an (?:object|array) for "(?:x-a|a)"\n.*texts/)
    }
  })
}

/** Query strings of events. A REST API decodes them, and a load balancer passes them on as they were sent. */
const queries: ReadonlyArray<readonly [pairs: Readonly<Record<string, unknown>>, rest: string, balancer: string]> = [
  [{ foo: [""] }, "?foo", "?foo"],
  [{ foo: [null] }, "?foo", "?foo"],
  [{ foo: ["", "1", ""] }, "?foo&foo=1&foo", "?foo&foo=1&foo"],
  [{ "": [""] }, "?=", "?="],
  [{ "": ["1"] }, "?=1", "?=1"],
  [{ "a b": ["c d"] }, "?a%20b=c%20d", "?a%20b=c%20d"],
  [{ "a%20b": ["c+d"] }, "?a%2520b=c%2Bd", "?a%20b=c+d"],
  [{ "a&b": ["c=d"] }, "?a%26b=c%3Dd", "?a&b=c=d"],
  [{ "a#": ["#"] }, "?a%23=%23", "?a%23=%23"],
  [{ ü: ["é"] }, "?%C3%BC=%C3%A9", "?%C3%BC=%C3%A9"],
  [{ __proto__x: ["1"] }, "?__proto__x=1", "?__proto__x=1"],
  [{ n: [1], t: [true] }, "?n=1&t=true", "?n=1&t=true"],
  [{ a: [] }, "", ""],
  [{}, "", ""],
]
for (const [pairs, rest, balancer] of queries) {
  test(`the query ${JSON.stringify(pairs)} is read as "${rest}" from a REST API and as "${balancer}" from a load balancer`, async () => {
    const app = new App({ logger: false })
    app.get("/", (c) => c.string(200, c.search))
    const ask = async (event: LambdaEvent) => (await lambdaHandler(app)(event)).body
    const lists = { multiValueQueryStringParameters: pairs as Record<string, string[]> }
    assert.is(await ask(v1("GET /", { ...lists, queryStringParameters: null })), rest)
    assert.is(await ask(alb("GET /", { ...lists, queryStringParameters: null })), balancer)
    const entries = Object.entries(pairs as Record<string, string[]>)
    if (entries.some(([, values]) => values.length !== 1)) return
    const queryStringParameters = Object.fromEntries(entries.map(([name, [value]]) => [name, value]))
    const single = { multiValueQueryStringParameters: null, queryStringParameters }
    assert.is(await ask(v1("GET /", single)), rest)
    assert.is(await ask(alb("GET /", single)), balancer)
  })
}

test("a query without values, and a query of payload 2.0, stay as they were sent", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.string(200, c.search))
  const none = { multiValueQueryStringParameters: null, queryStringParameters: null }
  for (const event of [v1("GET /", none), alb("GET /", none)]) assert.is((await lambdaHandler(app)(event)).body, "")
  for (const query of ["", "foo", "foo=", "a=%20+", "a&&b", "=", "a#b"]) {
    const event = { ...v2("GET /"), rawQueryString: query }
    assert.is((await lambdaHandler(app)(event)).body, query && `?${query.replace("#", "%23")}`)
  }
  const half = { multiValueQueryStringParameters: { a: ["\ud800"] } }
  assert.is((await lambdaHandler(app)(v1("GET /", half))).statusCode, 400)
})

/**
 * Paths that arrive decoded. What is still encoded stays, and characters that a path may not contain are encoded.
 */
const paths: ReadonlyArray<readonly [rawPath: string, status: number, rest?: string]> = [
  ["/seen/é x", 200, "é x"],
  ["/seen/100%", 200, "100%"],
  ["/seen/a?b#c", 200, "a?b#c"],
  ["/seen/%C3%A9", 200, "é"],
  ["/seen/\\", 400],
  ["/seen/\ud800", 400],
  ["seen/x", 200, "x"],
]
for (const [rawPath, status, rest] of paths) {
  test(`the path ${JSON.stringify(rawPath)} is answered with ${status}`, async () => {
    const event = { ...v2("GET /"), rawPath }
    const { statusCode, body } = await handler()(event)
    assert.is(statusCode, status)
    if (rest !== undefined) assert.is(JSON.parse(body)[4], rest)
  })
}

const refused: ReadonlyArray<readonly [what: string, event: LambdaEvent, status: number]> = [
  ["TRACE", v2("TRACE /"), 501],
  ["an invalid Host", v2("GET /", { headers: { host: "a b" } }), 400],
  ["a header that is not valid", v2("GET /", { headers: { "x-a": "a\nb" } }), 400],
  ["a header with a control character", v2("GET /", { headers: { "x-a": "a\u0001b" } }), 400],
  ["a cookie with a control character", v2("GET /", { cookies: ["a=\u007f"] }), 400],
  ["a header name that is not valid", v2("GET /", { headers: { "x a": "b" } }), 400],
  ["a method that is not a token", v2("G(T /"), 400],
  ["a body over the limit", v2("POST /echo", { body: "x".repeat(1001) }), 413],
]
for (const [what, event, status] of refused) {
  test(`${what} is answered with ${status}`, async () => {
    const result = await handler()(event)
    assert.is(result.statusCode, status)
    assert.type(JSON.parse(result.body).message, "string")
  })
}

for (const event of [{}, { Records: [{ eventSource: "aws:sqs" }] }, null, { version: "2.0" }, { httpMethod: "GET" }]) {
  test(`${JSON.stringify(event)} is not an HTTP request`, async () => {
    try {
      await handler()(event as LambdaEvent)
      assert.unreachable()
    } catch (error) {
      assert.is((error as { code?: string }).code, "lambda")
      assert.match(String(error), /not an HTTP request\n.*function URL/)
    }
  })
}

const bodies: ReadonlyArray<
  readonly [what: string, body: string, isBase64Encoded: boolean, type: string, answer: unknown]
> = [
  ["a text", "té", false, "text/plain", ["té", false]],
  ["bytes in base64", "//4=", true, "application/octet-stream", ["//4=", true]],
  ["a text in base64", "dMOp", true, "text/plain", ["té", false]],
  ["an empty body", "", false, "text/plain", ["", false]],
]
for (const [what, body, isBase64Encoded, type, answer] of bodies) {
  for (const [from, make] of Object.entries({ v2, v1, alb })) {
    test(`${what} is received and sent back with the event ${from}`, async () => {
      const event = make("POST /echo", { body, isBase64Encoded })
      const headers = { ...event.headers, "content-type": type }
      const multiValueHeaders = from === "v1" ? { "content-type": [type] } : null
      const result = await handler()({ ...event, headers, multiValueHeaders })
      assert.is(result.statusCode, 200)
      assert.equal([result.body, result.isBase64Encoded], answer)
    })
  }
}

test("an event with an empty or missing body is a request without a body, whose form is empty", async () => {
  const app = new App({ logger: false })
  app.post("/", async (c) => c.json(200, [...(await c.form()).keys(), c.request.body === null]))
  for (const body of ["", null]) {
    const result = await lambdaHandler(app)(alb("POST /", { body } as LambdaEvent))
    assert.is(result.body, "[true]")
  }
})

const texts: ReadonlyArray<readonly [path: string, isBase64Encoded: boolean]> = [
  ["/text?type=text/html", false],
  ["/text?type=text/html;%20charset=utf-8", false],
  ["/text?type=text/plain;%20charset=latin1", true],
  ["/text?type=text/plain;%20charset=utf-8x", true],
  ["/text?type=text/plain;%20charset%20=%20latin1", true],
  ["/text?type=text/plain;%20charset=%22UTF-8%22", false],
  ["/text?type=text/plain;%20a=%22charset=latin1%22", false],
  ["/text?type=application/json", false],
  ["/text?type=application/problem%2Bjson", false],
  ["/text?type=image/svg%2Bxml", false],
  ["/text?type=application/javascript", false],
  ["/text?type=application/atom%2Bxml", false],
  ["/text?type=image/png", true],
  ["/text?type=application/octet-stream", true],
  ["/bytes?type=text/plain", true],
  ["/bytes?type=image/png", true],
  ["/packed", true],
  ["/stream", false],
  ["/none", false],
]
for (const [path, isBase64Encoded] of texts) {
  test(`the answer of ${path} is sent ${isBase64Encoded ? "in base64" : "as text"}`, async () => {
    assert.is((await handler()(v2(`GET ${path}`))).isBase64Encoded, isBase64Encoded)
  })
}

test("cookies are sent in the form that the event needs", async () => {
  const cookies = ["a=1; Path=/", "b=1; Path=/", "c=1; Path=/"]
  assert.equal((await handler()(v2("GET /cookies"))).cookies, cookies)
  assert.equal((await handler()(v1("GET /cookies"))).multiValueHeaders?.["set-cookie"], cookies)
  const lists = await handler()(alb("GET /cookies", { multiValueHeaders: { host: ["alb.example"] } }))
  assert.equal(lists.multiValueHeaders?.["set-cookie"], cookies)
  const single = await handler()(alb("GET /cookies"))
  const sent = Object.entries(single.headers ?? {}).filter(([name]) => name.toLowerCase() === "set-cookie")
  assert.equal(
    sent.map(([, value]) => value),
    cookies,
  )
  assert.is(single.statusDescription, "200 OK")
})

test("a load balancer gets each of many cookies in its own header", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => {
    for (let i = 0; i < 40; i++) c.setCookie({ name: `n${i}`, value: "1" })
    return c.noContent()
  })
  const { headers } = await lambdaHandler(app)(alb("GET /"))
  assert.is(Object.keys(headers ?? {}).filter((name) => name.toLowerCase() === "set-cookie").length, 40)
})

test("HEAD has no body, redirects have their location, and headers of the connection are not sent", async () => {
  const head = await handler()(v2("HEAD /text?type=text/plain"))
  assert.equal([head.statusCode, head.body], [200, ""])
  assert.is((await handler()(v2("GET /to"))).headers?.location, "/login")
  assert.is((await handler()(v2("GET /slash/?a=1"))).headers?.location, "../slash?a=1")
  assert.is((await handler()(v2("GET /text?type=text/plain"))).headers?.["content-length"], undefined)
})

test("the answer waits for background work, also for work that this work starts", async () => {
  const done: string[] = []
  const app = new App({ logger: false })
  app.get("/", (c: Context) => {
    c.waitUntil(
      new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        done.push("first")
        c.waitUntil(new Promise<void>((resolve) => setImmediate(resolve)).then(() => void done.push("second")))
      }),
    )
    c.waitUntil(Promise.reject(new Error("on purpose")))
    return c.noContent()
  })
  assert.is((await lambdaHandler(app)(v2("GET /"))).statusCode, 204)
  assert.equal(done, ["first", "second"])
})

test("the option env gives the bindings of an invocation", async () => {
  const app = new App({ logger: false })
  app.get("/", (c) => c.json(200, [c.env.stage, c.env.id]))
  const bound = lambdaHandler(app, {
    env: (event, context) => ({ stage: event.requestContext?.stage, id: (context as { id: string }).id }),
  })
  assert.is((await bound(v2("GET /"), { id: "1" })).body, '["$default","1"]')
  const plain = new App({ logger: false })
  plain.get("/", (c) => c.json(200, c.env.FW_LOG_LEVEL))
  assert.is((await lambdaHandler(plain)(v2("GET /"))).body, '"off"')
})

const wrong: ReadonlyArray<readonly [options: object, message: RegExp]> = [
  [{ basepath: "/a" }, /has no option "basepath"/],
  [{ basePath: "a" }, /the basePath "a"/],
  [{ basePath: "/a/" }, /the basePath "\/a\/"/],
  [{ env: {} }, /an env of type object/],
]
for (const [options, message] of wrong) {
  test(`the options ${JSON.stringify(options)} are refused`, () => {
    assert.throws(() => handler(options as LambdaOptions), message)
  })
}

test("a value that is not an app is refused, and so is streaming outside of Lambda", () => {
  assert.throws(() => lambdaHandler({} as App), /takes an App, not an object/)
  assert.throws(() => lambdaStreamHandler(makeApp()), /only the Node runtime of AWS Lambda/)
})

test.run()
