/**
 * Tests of `combine`, which requires one of several guards, all of them, or a guard for some paths only, and of
 * `ipRestriction()`, which is often used with it.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import {
  App,
  basicAuth,
  bearerAuth,
  bodyLimit,
  type Condition,
  combine,
  FwError,
  forbidden,
  HttpError,
  type IPRestrictionOptions,
  ipRestriction,
  jwt,
  type MiddlewareFunc,
  unauthorized,
} from "../../../lib/index.ts"

process.env.FW_LOG_LEVEL = "off"

/**
 * Returns a guard that adds its name to the answer, and lets a request pass if the header `pass` contains its name.
 */
const guard =
  (name: string, refuse: "throw" | "return" | "answer" = "throw"): MiddlewareFunc =>
  (next) =>
  async (c) => {
    c.appendHeader("x-asked", name)
    if (c.header("pass").split(" ").includes(name)) {
      const response = await next(c)
      c.appendHeader("x-after", `${name} ${response.status}`)
      return response
    }
    if (refuse === "throw") throw unauthorized(name)
    return refuse === "return" ? forbidden(name) : c.json(402, { error: name })
  }
const forbid: MiddlewareFunc = () => () => forbidden("no")
const bug: MiddlewareFunc = () => () => {
  throw new TypeError("a bug, on purpose")
}

function answering(middleware: MiddlewareFunc): App {
  const app = new App({ logger: false })
  app.use(middleware)
  app.get("/bug", () => {
    throw new TypeError("a bug, on purpose")
  })
  app.get("/gone", () => {
    throw forbidden("behind")
  })
  app.get("/*", (c) => c.string(200, `${c.error ?? "no error"}`))
  return app
}

type Row = readonly [
  what: string,
  middleware: MiddlewareFunc,
  pass: string,
  expect: { status: number; asked: string | null; after?: string; body?: RegExp },
  path?: string,
]
const a = guard("a")
const b = guard("b", "return")
const d = guard("d", "answer")
const rows: readonly Row[] = [
  [
    "some: guards after the first one that accepts are not asked",
    combine.some(a, b),
    "a b",
    { status: 200, asked: "a", after: "a 200", body: /^no error$/ },
  ],
  [
    "some: if the second guard accepts, nothing is left of the first one's refusal",
    combine.some(a, b),
    "b",
    { status: 200, asked: "a, b", after: "b 200", body: /^no error$/ },
  ],
  [
    "some: the next guard is asked after a refusal that is returned",
    combine.some(b, a),
    "a",
    { status: 200, asked: "b, a", body: /^no error$/ },
  ],
  [
    "some: the next guard is asked after a refusal that is an answer",
    combine.some(d, a),
    "a",
    { status: 200, asked: "d, a" },
  ],
  ["some: the last refusal is sent", combine.some(a, b), "", { status: 403, asked: "a, b", body: /"message":"b"/ }],
  [
    "some: the last refusal is sent, also if it is thrown",
    combine.some(b, a),
    "",
    { status: 401, asked: "b, a", body: /"message":"a"/ },
  ],
  [
    "some: the last refusal is sent, also if it is an answer",
    combine.some(a, d),
    "",
    { status: 402, asked: "a, d", body: /"error":"d"/ },
  ],
  [
    "some: a bug in a guard is a 500, and no other guard is asked",
    combine.some(bug, a),
    "a",
    { status: 500, asked: null },
  ],
  [
    "some: a bug in the handler is a 500, and no other guard is asked",
    combine.some(a, b),
    "a b",
    { status: 500, asked: "a", after: "a 500" },
    "/bug",
  ],
  [
    "some: an error of the handler is sent, and no other guard is asked",
    combine.some(a, b),
    "a b",
    { status: 403, asked: "a", after: "a 403", body: /"behind"/ },
    "/gone",
  ],
  [
    "every: a request that all guards accept is answered",
    combine.every(a, b),
    "a b",
    { status: 200, asked: "a, b", after: "b 200, a 200" },
  ],
  [
    "every: the outer guard sees the inner one's refusal",
    combine.every(a, b),
    "a",
    { status: 403, asked: "a, b", after: "a 403" },
  ],
  [
    "every: if the outer guard refuses, the inner one is not asked",
    combine.every(a, b),
    "b",
    { status: 401, asked: "a" },
  ],
  [
    "some of every: if one of the first group refuses, the second alternative decides",
    combine.some(combine.every(a, b), d),
    "a d",
    { status: 200, asked: "a, b, d", after: "a 403, d 200", body: /^no error$/ },
  ],
  [
    "some of every: if the first group accepts, the second alternative is not asked",
    combine.some(combine.every(a, b), d),
    "a b",
    { status: 200, asked: "a, b" },
  ],
  [
    "some of every: a bug in a group is a 500",
    combine.some(combine.every(a, bug), d),
    "a d",
    { status: 500, asked: "a", after: "a 500" },
  ],
  ["except: another path is guarded", combine.except("/free", a), "", { status: 401, asked: "a" }, "/closed"],
  ["except: the given path is not guarded", combine.except("/free", a), "", { status: 200, asked: null }, "/free"],
  [
    "except: paths below a wildcard are not guarded",
    combine.except(["/public/*", "/x"], a),
    "",
    { status: 200, asked: null },
    "/public/a/b",
  ],
  [
    "except: paths that match a parameter are not guarded",
    combine.except("/u/{id}/free", a),
    "",
    { status: 200, asked: null },
    "/u/7/free",
  ],
  [
    "except: all of several guards are asked",
    combine.except("/free", a, b),
    "a",
    { status: 403, asked: "a, b", after: "a 403" },
    "/closed",
  ],
  [
    "except: a request for which a function returns true is not guarded",
    combine.except((c) => c.query("free") === "1", a),
    "",
    { status: 200, asked: null },
    "/x?free=1",
  ],
  [
    "except: a request for which a promise gives false is guarded",
    combine.except(async () => false, a),
    "",
    { status: 401, asked: "a" },
  ],
  [
    "except: a request for which a function returns a text is guarded",
    combine.except((() => "yes") as never, a),
    "",
    { status: 401, asked: "a" },
  ],
  [
    "except: a condition that throws is a 500",
    combine.except(() => {
      throw new TypeError("a bug, on purpose")
    }, a),
    "a",
    { status: 500, asked: null },
  ],
  ["only: another path is not guarded", combine.only("/admin/*", a), "", { status: 200, asked: null }, "/x"],
  ...["/admin", "/admin/", "/admin/a/b", "/x/../admin", "/%61dmin/x"].map(
    (path): Row => [`only: ${path} is guarded`, combine.only("/admin/*", a), "", { status: 401, asked: "a" }, path],
  ),
  [
    "only: all of several guards are asked",
    combine.only(["/y", "/x"], a, b),
    "a",
    { status: 403, asked: "a, b", after: "a 403" },
  ],
  [
    "only: a request for which a promise gives false is not guarded",
    combine.only(async () => false, a),
    "",
    { status: 200, asked: null },
  ],
  [
    "only: a request for which a function returns nothing is guarded",
    combine.only((() => undefined) as never, a),
    "",
    { status: 401, asked: "a" },
  ],
  ...["/free/../closed", "/%66ree/%2e%2e/closed", "/freer", "/fre%65%2F", "//free", "/Free"].map(
    (path): Row => [
      `except: ${path} is guarded, because it is not the path /free`,
      combine.except("/free", a),
      "",
      { status: 401, asked: "a" },
      path,
    ],
  ),
]
for (const [what, middleware, pass, expect, path = "/x"] of rows) {
  test(what, async () => {
    const answer = await answering(middleware).request(path, { headers: { pass } })
    const { status, asked, after, body } = expect
    assert.equal([answer.status, answer.headers.get("x-asked")], [status, asked])
    if (after !== undefined) assert.is(answer.headers.get("x-after"), after)
    if (body) assert.match(await answer.text(), body)
  })
}

const asks =
  (challenge: string | null, how: "throw" | "return" = "throw", status = 401): MiddlewareFunc =>
  () =>
  (c) => {
    const headers = challenge === null ? {} : { "www-authenticate": challenge }
    if (how === "throw") throw new HttpError(status, "no", { headers })
    return new Response(c.path, { status, headers })
  }
const challenges: readonly (readonly [what: string, guards: MiddlewareFunc[], sent: string | null])[] = [
  ["a 401 has the challenge of the only guard", [asks("Bearer")], "Bearer"],
  ["a 401 has the challenge of an earlier guard if the last one has none", [asks("Bearer"), asks(null)], "Bearer"],
  [
    "a 401 has the challenge of a guard that returns its refusal",
    [asks("Bearer", "return"), asks(null, "return")],
    "Bearer",
  ],
  [
    "a 401 has the challenges of all guards, each once",
    [asks("Basic"), asks("APIKey", "return"), asks("Basic"), asks("Bearer")],
    "Basic, APIKey, Bearer",
  ],
  [
    "a 401 has no challenge of a guard that answers with another status",
    [asks("Basic", "throw", 403), asks("Bearer")],
    "Bearer",
  ],
  ["a refusal with another status than 401 has no challenge", [asks("Basic"), forbid], null],
  ["the answer to a request that a guard accepts has no challenge", [asks("Basic"), (next) => next], null],
]
for (const [what, guards, sent] of challenges)
  test(`some: ${what}`, async () => {
    const answer = await answering(combine.some(...guards)).request("/x")
    assert.is(answer.headers.get("www-authenticate"), sent)
  })

test("every() keeps the body limit of its members", async () => {
  const app = new App({ logger: false })
  app.use(combine.every(a, bodyLimit(1)))
  app.post("/", (c) => c.noContent())
  const answer = await app.request("/", {
    method: "POST",
    body: "ab",
    headers: { "content-length": "2", pass: "a" },
  })
  assert.is(answer.status, 413)
})

test("the type of some() names the security schemes of its members", () => {
  const both = combine.some(basicAuth({ users: { ada: "secret" } }), bearerAuth({ tokens: ["t"] }))
  const kind: "basic" | "bearer" | undefined = both.security
  assert.is(kind, undefined)
})

test("the type of every() joins the security schemes of its members, and keeps all of their errors", () => {
  const inside = combine.every(ipRestriction({ allow: ["10.0.0.0/8"] }), basicAuth({ users: { ada: "secret" } }))
  const twice = combine.every(
    combine.some(inside, bearerAuth({ tokens: ["t"] })),
    jwt({ secret: "s".repeat(32), cookie: "sid" }),
  )
  const kinds: ["basic" | undefined, "basic & cookie sid" | "bearer & cookie sid" | undefined] = [
    inside.security,
    twice.security,
  ]
  const refusal: 403 | undefined = inside.answers
  const optional: "bearer" | "none" | undefined = combine.except("/x", bearerAuth({ tokens: ["t"] })).security
  assert.equal([...kinds, refusal, optional], [undefined, undefined, undefined, undefined])
  // @ts-expect-error Without a member that declares its security, the result declares none.
  assert.is(combine.every(a).security, undefined)
})

test("every() that is called as a function wraps a handler, and passes errors on", async () => {
  const app = new App({ logger: false })
  app.get(
    "/",
    combine.every(a)((c) => c.string(200, "by hand")),
  )
  assert.is((await app.request("/", { headers: { pass: "a" } })).status, 200)
  assert.is((await app.request("/")).status, 401)
})

const refused: ReadonlyArray<readonly [what: string, run: () => unknown, code: string]> = [
  ["some() without a guard", () => combine.some(), "combine"],
  ["every() without a middleware", () => combine.every(), "combine"],
  ["except() without a middleware", () => combine.except("/a"), "combine"],
  ["only() without a middleware", () => combine.only("/a"), "combine"],
  ["only() with an empty list of patterns", () => combine.only([], a), "combine"],
  ["a value that is not a middleware", () => combine.some(a, 5 as never), "middleware"],
  ["a middleware that gives no handler", () => answering(combine.every((() => 5) as never)).request("/x"), ""],
  ["a condition of another kind", () => combine.except(5 as unknown as Condition, a), "combine"],
  ["a regular expression", () => combine.except(/x/ as unknown as Condition, a), "combine"],
  ["an empty list of patterns", () => combine.except([], a), "combine"],
  ["a pattern without a slash", () => combine.except("free", a), "proxy_config"],
  ["a pattern that takes URLPattern", () => combine.except("/a/:b(\\d+)", a), "combine"],
]
for (const [what, run, code] of refused) {
  test(`combine refuses ${what}`, async () => {
    try {
      const answer = (await run()) as Response
      assert.equal([code, answer.status], ["", 500])
    } catch (error) {
      assert.instance(error, FwError, `${error}`)
      assert.is((error as FwError).code, code)
    }
  })
}

const advice: ReadonlyArray<readonly [run: () => unknown, fix: string]> = [
  [() => combine.some(), "Write combine.some(one, two)."],
  [() => combine.every(), "Write combine.every(one, two)."],
  [() => combine.except(["/x"]), 'Write combine.except("/health", one, two).'],
  [() => combine.only(["/x"]), 'Write combine.only("/health", one, two).'],
]
for (const [run, fix] of advice) {
  test(`combine without middleware says what to write: ${fix}`, () => {
    assert.throws(run, (error: FwError) => error.fix === fix)
  })
}

const addresses: ReadonlyArray<readonly [options: IPRestrictionOptions, client: string, status: 200 | 403]> = [
  [{ allow: ["10.0.0.0/8"] }, "10.1.2.3", 200],
  [{ allow: ["10.0.0.0/8"] }, "11.0.0.1", 403],
  [{ allow: ["10.0.0.0/8"] }, "::ffff:10.1.2.3", 200],
  [{ allow: ["10.0.0.0/8"] }, "::ffff:a01:203", 200],
  [{ allow: ["10.0.0.0/8"] }, "0:0:0:0:0:FFFF:0a01:0203", 200],
  [{ allow: ["::ffff:10.0.0.0/104"] }, "10.1.2.3", 200],
  [{ allow: ["::ffff:10.0.0.0/104"] }, "11.1.2.3", 403],
  [{ allow: ["::ffff:10.0.0.1"] }, "10.0.0.1", 200],
  [{ allow: ["::/0"] }, "10.1.2.3", 403],
  [{ allow: ["0.0.0.0/0"] }, "2001:db8::1", 403],
  [{ allow: ["2001:db8::/32"] }, "2001:db8:1::1", 200],
  [{ allow: ["2001:db8::/32"] }, "2001:DB8::1%eth0", 200],
  [{ allow: ["2001:db8::/32"] }, "2001:db9::1", 403],
  [{ allow: ["10.0.0.0/8"], deny: ["10.6.0.0/16"] }, "10.6.1.1", 403],
  [{ allow: ["10.0.0.0/8"], deny: ["10.6.0.0/16"] }, "10.7.1.1", 200],
  [{ deny: ["10.6.0.0/16"] }, "10.6.1.1", 403],
  [{ deny: ["10.6.0.0/16"] }, "::ffff:10.6.1.1", 403],
  [{ deny: ["10.6.0.0/16"] }, "8.8.8.8", 200],
  [{ deny: ["10.6.0.0/16"] }, "", 403],
  [{ deny: ["10.6.0.0/16"] }, "unknown", 403],
  [{ deny: ["10.6.0.0/16"] }, "010.6.1.1", 403],
  [{ deny: ["10.6.0.0/16"] }, "10.6.1", 403],
  [{ allow: ["0.0.0.0/0", "::/0"] }, "", 403],
  [{ allow: [] }, "10.0.0.1", 403],
  [{ allow: ["10.0.0.1"], address: (c) => c.header("x-real") }, "8.8.8.8", 200],
]
for (const [options, client, status] of addresses) {
  test(`ipRestriction(${JSON.stringify(options)}): ${client || "an unknown client"} is answered ${status}`, async () => {
    const app = answering(ipRestriction(options))
    const answer = await app.request("/x", { headers: { "x-real": "10.0.0.1" } }, { clientIP: client })
    assert.is(answer.status, status)
  })
}

const wrongRanges: ReadonlyArray<readonly [what: string, options: object, message: RegExp]> = [
  ["empty options", {}, /no ranges/],
  ["an empty list to deny", { deny: [] }, /no ranges/],
  ["a text", { allow: "10.0.0.0/8" }, /a string as allow/],
  ["null", { allow: null }, /null as allow/],
  ["a value that is not a range", { allow: ["10.0.0.0/33"] }, /"10\.0\.0\.0\/33", which is not an address range/],
  ["a name", { deny: ["localhost"] }, /"localhost", which is not an address range/],
  ["a value that is not a string", { deny: [undefined] }, /undefined, which is not an address range/],
  ["two slashes", { deny: ["10.0.0.0/8/8"] }, /not an address range/],
  ["a mapped range that is too long", { deny: ["::ffff:10.0.0.0/129"] }, /not an address range/],
]
for (const [what, options, message] of wrongRanges) {
  test(`ipRestriction() refuses ${what}`, () => {
    assert.throws(
      () => ipRestriction(options as IPRestrictionOptions),
      (error: unknown) => error instanceof FwError && error.code === "ip_restriction" && message.test(error.message),
    )
  })
}

for (const [prefix, header, status] of [
  ["Token", "Token t0ken", 200],
  ["Token", "token t0ken", 200],
  ["Token", "Bearer t0ken", 401],
  ["Token", "Token", 401],
] as const) {
  test(`bearerAuth({ prefix: "${prefix}" }): "${header}" is answered ${status}`, async () => {
    const app = answering(bearerAuth({ tokens: ["t0ken"], prefix }))
    const answer = await app.request("/x", { headers: { authorization: header } })
    assert.is(answer.status, status)
    if (status === 401) assert.match(answer.headers.get("www-authenticate") ?? "", /^Token error="invalid_request"$/)
  })
}
for (const prefix of ["", "To ken", "a\r\nb", 5, null]) {
  test(`bearerAuth() refuses the prefix ${JSON.stringify(prefix)}`, () => {
    assert.throws(
      () => bearerAuth({ tokens: ["t"], prefix: prefix as string }),
      (error: unknown) => error instanceof FwError && error.code === "bearer_auth",
    )
  })
}

test("only() also guards paths outside of a group and paths without a route", async () => {
  const app = new App({ logger: false })
  app.use(combine.only("/admin/*", a))
  app.group("/admin", (admin) => admin.get("/in", (c) => c.string(200, "in")))
  app.get("/admin/other", (c) => c.string(200, "other"))
  for (const path of ["/admin/in", "/admin/other", "/admin/none"])
    assert.is((await app.request(path)).status, 401, path)
})

test.run()
