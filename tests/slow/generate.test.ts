/**
 * Tests of every template of `fw generate`: all are type-checked and formatted in one project. Middleware and
 * routes are started, and requests test that they do what they say.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, runNode } from "../support/bin/cli/command.ts"
import {
  ask,
  bearer,
  bundle,
  claims,
  cwd,
  fails,
  generate,
  now,
  type Running,
  root,
  secret,
  start,
  templates,
  token,
} from "../support/bin/generate/generated.ts"

const made = suite("generated files")

made("every template and method is written", async () => {
  for (const name of templates.middleware) await generate("middleware", name, "-p", name, "-t", name)
  for (const name of templates.proxy) await generate("proxy", "-t", name, "-d", `proxies/${name}`)
  await generate("route", "users/[id]")
  await generate("route", "users", "-m", "GET,POST,PATCH,HEAD,OPTIONS,DELETE")
  await generate("route", "files/{a}/{b-c}/[...rest]", "-m", "GET,PUT,PATCH")
})

made("the type check and the formatter of the project find nothing", async () => {
  await generate("templates")
  const tsc = await runNode([join(root, "node_modules/typescript/bin/tsc"), "--noEmit"], { cwd })
  assert.equal([tsc.code, tsc.stdout], [0, ""])
  const config = { root: true, ...JSON.parse(readFileSync(join(root, "biome.json"), "utf8")) }
  // fw finds the function by this name.
  config.linter.rules.suspicious = { noShadowRestrictedNames: "off" }
  delete config.vcs
  // The files of a project are written for the line width of fw format.
  config.formatter.lineWidth = 110
  writeFileSync(join(cwd, "biome.json"), JSON.stringify(config))
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
  const args = ["check", "--colors=off", "--formatter-enabled=true", "app/api", "app/auth/middleware.ts", "proxies"]
  const checked = await runNode([biome, ...args], { cwd })
  // Findings in files that this test wrote itself do not count.
  const own = checked.stderr
    .split("\n")
    .filter((line) => /^(?:app|proxies)\//.test(line) && !/(?:thing|health|page|login)\/route/.test(line))
  assert.equal(own, [])
})

made("fw validate finds no problem in the generated files", async () => {
  const { stdout } = await fw(["validate", "--json"], { cwd })
  assert.equal(JSON.parse(stdout).data.problems, [])
})

made.run()

const app = suite("middleware and routes")
let file: string
let server: Running

app.before(async () => {
  file = await bundle("app")
  server = await start(file, {
    AUTH_JWT_SECRET: secret,
    CORS_ORIGINS: "https://shop.example, https://b.example",
  })
})
app.after(() => server.stop())

app("the middleware blank lets requests through", async () => {
  assert.is((await ask(server, "/blank/thing")).status, 200)
})

const tokens: ReadonlyArray<readonly [what: string, headers: Record<string, string>, error: string | null]> = [
  ["no header", {}, "missing authorization header"],
  ["another scheme", { authorization: "Basic abc" }, "invalid authorization format"],
  ["no token", { authorization: "Bearer" }, "invalid authorization format"],
  ["a header of three parts", { authorization: "Bearer a b" }, "invalid authorization format"],
  ["a text that is not a token", bearer("abc"), "invalid token"],
  ["an expired token", bearer(token({ ...claims, exp: now - 10 })), "invalid token"],
  ["a token that never expires", bearer(token({ ...claims, exp: undefined })), "invalid token"],
  [
    "a token whose end is Infinity",
    bearer(token(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400'))),
    "invalid token",
  ],
  ["a token that is signed with another secret", bearer(token(claims, { key: `${secret}!` })), "invalid token"],
  ["a token without a signature", bearer(token(claims, { alg: "none" })), "invalid token"],
  ["a token of another algorithm", bearer(token(claims, { alg: "HS512", hash: "sha512" })), "invalid token"],
  ["a token with an unknown role", bearer(token({ ...claims, role: "root" })), "invalid token"],
  ["a valid token", bearer(token(claims)), null],
]
for (const [what, headers, error] of tokens) {
  app(`auth: ${what} ${error ? `is refused: ${error}` : "passes, and its claims are on the context"}`, async () => {
    const answer = await ask(server, "/auth/thing", headers)
    assert.equal(
      [answer.status, JSON.parse(answer.body)],
      error ? [401, { error }] : [200, { path: "/auth/thing", user: "7" }],
    )
    assert.is(answer.headers["www-authenticate"], error ? "Bearer" : undefined)
  })
}

app("auth: without a secret or with a short one the program does not start", async () => {
  assert.match(await fails(file, {}), /AUTH_JWT_SECRET is not set\n {2}Set it to a random value/)
  const short = await fails(file, { AUTH_JWT_SECRET: "too short" })
  assert.match(short, "AUTH_JWT_SECRET has 9 bytes: it needs at least 32")
  assert.not.match(short, "too short")
})

app("the middleware logging writes a line of JSON for each request, without the query", async () => {
  await ask(server, "/logging/thing?password=1", { "x-forwarded-for": "203.0.113.7" })
  await ask(server, "POST /logging/thing")
  const written = () => server.lines.filter((line) => line.startsWith("{"))
  while (written().length < 2) await server.next()
  const lines = written().map((line) => JSON.parse(line))
  const known = lines.map(({ method, path, status, ip }) => ({ method, path, status, ip }))
  assert.equal(known, [
    { method: "GET", path: "/logging/thing", status: 200, ip: "203.0.113.7" },
    { method: "POST", path: "/logging/thing", status: 405, ip: "127.0.0.1" },
  ])
  for (const { time, ms } of lines) {
    assert.match(time, /^\d{4}-\d\d-\d\dT/)
    assert.ok(Number.isInteger(ms))
  }
})

app("the middleware timing adds Server-Timing to every answer", async () => {
  assert.match(String((await ask(server, "/timing/thing")).headers["server-timing"]), /^total;dur=[\d.]+$/)
})

app("the middleware cors lets pages of listed origins read answers, without cookies, and no other pages", async () => {
  for (const origin of ["https://shop.example", "https://b.example"]) {
    const { headers } = await ask(server, "/cors/thing", { origin })
    assert.equal([headers["access-control-allow-origin"], headers.vary], [origin, "Origin"])
    assert.is(headers["access-control-allow-credentials"], undefined)
  }
  const preflight = { origin: "https://b.example", "access-control-request-method": "GET" }
  assert.is((await ask(server, "OPTIONS /cors/thing", preflight)).status, 204)
  const { status, headers } = await ask(server, "/cors/thing", { origin: "https://evil.example" })
  assert.equal([status, headers["access-control-allow-origin"]], [200, undefined])
  const none = await start(file, { AUTH_JWT_SECRET: secret })
  const closed = await ask(none, "/cors/thing", { origin: "https://shop.example" })
  assert.is(closed.headers["access-control-allow-origin"], undefined)
  await none.stop()
})

const json = { "content-type": "application/json" }
const routes: ReadonlyArray<
  readonly [target: string, headers: Record<string, string>, body: string, status: number, answer: object | null]
> = [
  ["GET /api/users/a%20b", {}, "", 200, { id: "a b" }],
  ["PUT /api/users/7", json, '{"name":"Ada","id":"8","isAdmin":true}', 200, { name: "Ada", id: "7" }],
  [
    "PUT /api/users/7",
    json,
    "{",
    400,
    { error: "bad_request", message: "the body is not valid JSON: it ends too early" },
  ],
  ["PUT /api/users/7", json, "[]", 400, null],
  ["PUT /api/users/7", json, "null", 400, null],
  ["PUT /api/users/7", json, "", 400, null],
  ["PUT /api/users/7", { "content-type": "text/plain" }, "x", 415, null],
  ["PUT /api/users/7", json, JSON.stringify({ name: "x".repeat(2000) }), 413, null],
  ["DELETE /api/users/7", {}, "", 204, null],
  ["POST /api/users/7", {}, "", 405, null],
  ["GET /api/users", {}, "", 200, { items: [] }],
  ["POST /api/users", json, '{"name":"Ada"}', 201, { name: "Ada" }],
  ["PATCH /api/users", json, '{"name":1}', 400, null],
  ["HEAD /api/users", {}, "", 204, null],
  ["DELETE /api/users", {}, "", 204, null],
  ["GET /api/files/x/y/z/w", {}, "", 200, { a: "x", "b-c": "y", rest: "z/w" }],
]
for (const [target, headers, body, status, expected] of routes) {
  app(`${target} ${body.slice(0, 20)} is answered with ${status}`, async () => {
    const answer = await ask(server, target, headers, body)
    assert.is(answer.status, status, answer.body)
    if (expected) assert.equal(JSON.parse(answer.body), expected)
  })
}

app("OPTIONS lists the methods of a route", async () => {
  const { status, headers } = await ask(server, "OPTIONS /api/users")
  assert.equal([status, headers.allow], [204, "DELETE, GET, HEAD, OPTIONS, PATCH, POST"])
})

app.run()
