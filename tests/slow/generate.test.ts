/** Every template of `fw generate`, in one project: type-checked, formatted, started, and shown by requests to do what it says. */
import { type ChildProcess, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { type IncomingHttpHeaders, request } from "node:http"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, project, runNode } from "../support/command.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const secret = "a secret of thirty-two bytes or more"
const templates = {
  middleware: ["blank", "auth", "logging", "timing", "cors"],
  proxy: ["blank", "auth-check", "rate-limit", "maintenance", "redirect-www"],
}

const main = `import { App } from "fw"\n\nexport default new App({ trustedProxies: ["127.0.0.1"], logger: false, bodyLimit: 1000 })\n`
const ok =
  'import type { Context } from "fw"\n\nexport function Get(c: Context) {\n  return c.json(200, { path: c.path, user: c.getString("user_id") })\n}\n'
const login = `import type { Context } from "fw"
import { createSession, removeSession, sessionLifetime } from "../_lib/sessions.ts"

export function Post(c: Context) {
  const { id } = createSession({ userID: "7", email: "ada@shop.example", role: "user" })
  c.setCookie({ name: "session_id", value: id, path: "/", maxAge: sessionLifetime, httpOnly: true, secure: true, sameSite: "Lax" })
  return c.noContent()
}

export function Delete(c: Context) {
  removeSession(c.cookie("session_id"))
  return c.noContent()
}
`

/** A project as \`fw new\` makes it, with every template in a directory of its own. */
function makeProject(): string {
  const scaffold = (file: string) => readFileSync(join(root, "scaffold/shared", file), "utf8")
  const cwd = project({
    "package.json": '{ "type": "module", "dependencies": { "fw": "*" } }\n',
    "tsconfig.json": scaffold("tsconfig.json"),
    "main.ts": main,
    ...Object.fromEntries(templates.middleware.map((name) => [`app/${name}/thing/route.ts`, ok])),
    ...Object.fromEntries(
      templates.proxy.flatMap((name) => [
        [`proxies/${name}/api/thing/route.ts`, ok],
        [`proxies/${name}/api/health/route.ts`, ok],
        [`proxies/${name}/page/route.ts`, ok],
      ]),
    ),
    "proxies/auth-check/login/route.ts": login,
  })
  mkdirSync(join(cwd, "node_modules"))
  symlinkSync(root, join(cwd, "node_modules/fw"))
  for (const name of ["typescript", "@typescript", "@types", "jose", "esbuild", "@esbuild", "undici-types"])
    symlinkSync(join(root, "node_modules", name), join(cwd, "node_modules", name))
  return cwd
}

const cwd = makeProject()

async function generate(...args: string[]): Promise<void> {
  const { code, stderr } = await fw(["generate", ...args], { cwd })
  assert.is(code, 0, stderr)
}

const made = suite("generated files")

made("every template and method is written", async () => {
  for (const name of templates.middleware) await generate("middleware", name, "-p", name, "-t", name)
  for (const name of templates.proxy) await generate("proxy", "-t", name, "-d", `proxies/${name}`)
  await generate("route", "users/[id]")
  await generate("route", "users", "-m", "GET,POST,PATCH,HEAD,OPTIONS,DELETE")
  await generate("route", "files/{a}/{b-c}/[...rest]", "-m", "GET,PUT,PATCH")
})

made("the project's own type check finds nothing, and neither does its formatter", async () => {
  await generate("templates")
  const tsc = await runNode([join(root, "node_modules/typescript/bin/tsc"), "--noEmit"], { cwd })
  assert.equal([tsc.code, tsc.stdout], [0, ""])
  const config = { root: true, ...JSON.parse(readFileSync(join(root, "biome.json"), "utf8")) }
  // The name is what fw finds the function by.
  config.linter.rules.suspicious = { noShadowRestrictedNames: "off" }
  delete config.vcs
  writeFileSync(join(cwd, "biome.json"), JSON.stringify(config))
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
  const args = [
    "check",
    "--colors=off",
    "--formatter-enabled=true",
    "app/api",
    "app/auth/middleware.ts",
    "proxies",
  ]
  const checked = await runNode([biome, ...args], { cwd })
  // What this test wrote itself is not the templates' doing.
  const own = checked.stderr
    .split("\n")
    .filter((line) => /^(?:app|proxies)\//.test(line) && !/(?:thing|health|page|login)\/route/.test(line))
  assert.equal(own, [])
})

made("validate has no word against them", async () => {
  const { stdout } = await fw(["validate", "--json"], { cwd })
  assert.equal(JSON.parse(stdout).data.problems, [])
})

made.run()

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** A running application, and what it printed. */
interface Running {
  readonly port: number
  readonly lines: string[]
  /** Resolves with the next line. */
  next(): Promise<unknown>
  stop(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Bundles a route directory as \`fw build\` would, and starts it. */
async function bundle(appDir: string): Promise<string> {
  await generate("templates", "-d", appDir)
  const outfile = join(cwd, ".fw", `${appDir.replaceAll("/", "-")}.mjs`)
  await build({
    entryPoints: [join(cwd, ".fw/entry.node.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "error",
  })
  return outfile
}

async function start(file: string, env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [file], {
    cwd,
    env: { PATH: process.env.PATH, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  running.add(child)
  const lines: string[] = []
  const reader = createInterface(child.stdout)
  const port = await new Promise<number>((resolve, reject) => {
    reader.on("line", (line) => {
      lines.push(line)
      const found = /^Listening on .*:(\d+)$/.exec(line)
      if (found) resolve(Number(found[1]))
    })
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${lines.join("\n")}`)))
  })
  const stop = async () => {
    running.delete(child)
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }
  return { port, lines, next: () => once(reader, "line"), stop }
}

function ask(
  { port }: Running,
  target: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const [method = "GET", path = target] = target.includes(" ") ? target.split(" ") : ["GET", target]
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part) => {
        text += part
      })
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
    })
    asked.on("error", reject)
    asked.end(body)
  })
}

/** What a started program says before it fails. */
async function fails(file: string, env: Record<string, string>): Promise<string> {
  const { code, stderr } = await runNode([file], {
    cwd,
    env: { PORT: "0", AUTH_JWT_SECRET: undefined, ...env },
  })
  assert.is(code, 1)
  return stderr
}

function token(claims: object, { key = secret, alg = "HS256", hash = "sha256" } = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const text = `${part({ alg, typ: "JWT" })}.${part(claims)}`
  return `${text}.${alg === "none" ? "" : createHmac(hash, key).update(text).digest("base64url")}`
}

const now = Math.floor(Date.now() / 1000)
const claims = { user_id: "7", email: "ada@shop.example", role: "admin", iat: now, exp: now + 3600 }
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

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

app("blank lets requests through", async () => {
  assert.is((await ask(server, "/blank/thing")).status, 200)
})

const tokens: ReadonlyArray<readonly [what: string, headers: Record<string, string>, error: string | null]> =
  [
    ["no header", {}, "missing authorization header"],
    ["another scheme", { authorization: "Basic abc" }, "invalid authorization format"],
    ["no token", { authorization: "Bearer" }, "invalid authorization format"],
    ["three parts", { authorization: "Bearer a b" }, "invalid authorization format"],
    ["nonsense", bearer("abc"), "invalid token"],
    ["an expired one", bearer(token({ ...claims, exp: now - 10 })), "invalid token"],
    ["one that never expires", bearer(token({ ...claims, exp: undefined })), "invalid token"],
    ["another secret", bearer(token(claims, { key: `${secret}!` })), "invalid token"],
    ["no signature", bearer(token(claims, { alg: "none" })), "invalid token"],
    ["another algorithm", bearer(token(claims, { alg: "HS512", hash: "sha512" })), "invalid token"],
    ["an unknown role", bearer(token({ ...claims, role: "root" })), "invalid token"],
    ["a valid one", bearer(token(claims)), null],
  ]
for (const [what, headers, error] of tokens) {
  app(
    `auth: ${what} ${error ? `is refused: ${error}` : "passes, and its claims are on the context"}`,
    async () => {
      const answer = await ask(server, "/auth/thing", headers)
      assert.equal(
        [answer.status, JSON.parse(answer.body)],
        error ? [401, { error }] : [200, { path: "/auth/thing", user: "7" }],
      )
      assert.is(answer.headers["www-authenticate"], error ? "Bearer" : undefined)
    },
  )
}

app("auth: without a secret, or with a short one, nothing starts", async () => {
  assert.match(await fails(file, {}), /AUTH_JWT_SECRET is not set\n {2}Set it to something random/)
  const short = await fails(file, { AUTH_JWT_SECRET: "too short" })
  assert.match(short, "AUTH_JWT_SECRET has 9 bytes, not 32")
  assert.not.match(short, "too short")
})

app("logging: a line of JSON for each request, without the query", async () => {
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

app("timing: Server-Timing on every answer", async () => {
  assert.match(String((await ask(server, "/timing/thing")).headers["server-timing"]), /^total;dur=[\d.]+$/)
})

app("cors: listed origins may read, others and cookies not", async () => {
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
  readonly [
    target: string,
    headers: Record<string, string>,
    body: string,
    status: number,
    answer: object | null,
  ]
> = [
  ["GET /api/users/a%20b", {}, "", 200, { id: "a b" }],
  ["PUT /api/users/7", json, '{"name":"Ada","id":"8"}', 200, { name: "Ada", id: "7" }],
  ["PUT /api/users/7", json, "{", 400, { error: "invalid body" }],
  ["PUT /api/users/7", json, "[]", 400, { error: "invalid body" }],
  ["PUT /api/users/7", json, "null", 400, { error: "invalid body" }],
  ["PUT /api/users/7", json, "", 400, { error: "invalid body" }],
  ["PUT /api/users/7", { "content-type": "text/plain" }, "x", 400, { error: "invalid body" }],
  ["PUT /api/users/7", json, JSON.stringify({ long: "x".repeat(2000) }), 413, null],
  ["DELETE /api/users/7", {}, "", 204, null],
  ["POST /api/users/7", {}, "", 405, null],
  ["GET /api/users", {}, "", 200, { items: [] }],
  ["POST /api/users", json, '{"name":"Ada"}', 201, { name: "Ada" }],
  ["PATCH /api/users", json, "1", 400, { error: "invalid body" }],
  ["HEAD /api/users", {}, "", 204, null],
  ["DELETE /api/users", {}, "", 204, null],
  ["GET /api/files/x/y/z/w", {}, "", 200, { a: "x", "b-c": "y", rest: "z/w" }],
]
for (const [target, headers, body, status, expected] of routes) {
  app(`${target} ${body.slice(0, 20)}: ${status}`, async () => {
    const answer = await ask(server, target, headers, body)
    assert.is(answer.status, status, answer.body)
    if (expected) assert.equal(JSON.parse(answer.body), expected)
  })
}

app("OPTIONS tells what is answered", async () => {
  const { status, headers } = await ask(server, "OPTIONS /api/users")
  assert.equal([status, headers.allow], [204, "DELETE, GET, HEAD, OPTIONS, PATCH, POST"])
})

app.run()

const proxies = suite("proxies")

/** Starts the project with a proxy for the time of a test. */
async function withProxy(
  name: string,
  env: Record<string, string>,
  run: (server: Running) => Promise<void>,
): Promise<void> {
  const started = await start(await bundle(`proxies/${name}`), env)
  try {
    await run(started)
  } finally {
    await started.stop()
  }
}

proxies("blank lets requests through", async () => {
  await withProxy("blank", {}, async (started) => {
    assert.is((await ask(started, "/page")).status, 200)
  })
})

proxies("auth-check: public paths, sessions and tokens pass; APIs get 401, others the login", async () => {
  await withProxy("auth-check", { AUTH_JWT_SECRET: secret }, async (started) => {
    const statusOf = async (target: string, headers = {}) => (await ask(started, target, headers)).status
    assert.is(await statusOf("/api/health"), 200)
    const api = await ask(started, "/api/thing")
    assert.equal([api.status, JSON.parse(api.body)], [401, { error: "unauthorized" }])
    const page = await ask(started, "/page")
    assert.equal([page.status, page.headers.location], [302, "/login"])
    assert.is(await statusOf("/api/thing", bearer(token(claims))), 200)
    assert.is(await statusOf("/api/thing", bearer(token(claims, { alg: "none" }))), 401)
    assert.is(await statusOf("/api/thing", bearer(token({ ...claims, exp: now - 10 }))), 401)
    assert.is(await statusOf("/apiary"), 302)
    assert.is(await statusOf("/loginx"), 302)
    const signedIn = await ask(started, "POST /login")
    const cookie = signedIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? ""
    assert.match(cookie, /^session_id=[0-9a-f]{64}$/)
    const known = await ask(started, "/api/thing", { cookie })
    assert.equal(JSON.parse(known.body), { path: "/api/thing", user: "7" })
    assert.is(
      await statusOf("/page", { cookie: cookie.replace(/.$/, (last) => (last === "0" ? "1" : "0")) }),
      302,
    )
    assert.is(await statusOf("DELETE /login", { cookie }), 204)
    assert.is(await statusOf("/page", { cookie }), 302)
  })
  assert.match(
    await fails(await bundle("proxies/auth-check"), { AUTH_JWT_SECRET: "short" }),
    "AUTH_JWT_SECRET has 5 bytes, not 32",
  )
})

proxies("rate-limit: each address has its own count, and memory is bounded", async () => {
  const path = join(cwd, "proxies/rate-limit/proxy.ts")
  const text = readFileSync(path, "utf8")
  const small = text.replace("limit = 100", "limit = 3").replace("most = 10_000", "most = 4")
  assert.is(text.length - small.length, 7)
  writeFileSync(path, small)
  await withProxy("rate-limit", {}, async (started) => {
    const from = (address: string, target = "/api/thing") =>
      ask(started, target, { "x-forwarded-for": address })
    const statuses = async (address: string, times: number) => {
      const found: number[] = []
      for (let i = 0; i < times; i++) found.push((await from(address)).status)
      return found
    }
    assert.equal(await statuses("203.0.113.1", 5), [200, 200, 200, 429, 429])
    const refused = await from("203.0.113.1")
    assert.match(refused.headers["retry-after"] ?? "", /^(?:[1-9]|[1-5]\d|60)$/)
    assert.is(JSON.parse(refused.body).error, "too_many_requests")
    assert.is((await from("203.0.113.1", "/page")).status, 200, "other paths are not counted")
    // One IPv6 network is one client, however its addresses are written; the next one is another.
    const one = ["2001:db8::1", "2001:db8:0:0:9::1", "2001:db8:0:0::2", "2001:db8::5:0:0:1"]
    const answers = await Promise.all(one.map((address) => from(address)))
    assert.equal(answers.map(({ status }) => status).sort(), [200, 200, 200, 429])
    assert.is((await from("2001:db8:0:1::1")).status, 200)
    assert.is((await from("203.0.113.1")).status, 429)
    // Four are remembered: two more clients push the first out.
    await from("203.0.113.2")
    await from("203.0.113.3")
    assert.is((await from("203.0.113.1")).status, 200)
  })
})

proxies("maintenance: 503 but to allowed addresses and the health check, while it is asked for", async () => {
  const env = { MAINTENANCE: "true", MAINTENANCE_ALLOW: "203.0.113.7, 10.0.0.0/8,2001:db8::/32" }
  await withProxy("maintenance", env, async (started) => {
    const statusOf = async (address: string, path = "/page") =>
      (await ask(started, path, { "x-forwarded-for": address })).status
    const allowed = ["203.0.113.7", "10.255.0.1", "2001:db8:5::1"]
    const others = ["203.0.113.8", "11.0.0.1", "2001:db9::1", "127.0.0.1"]
    for (const address of allowed) assert.is(await statusOf(address), 200, address)
    for (const address of others) assert.is(await statusOf(address), 503, address)
    assert.is(await statusOf("203.0.113.8", "/api/health"), 200)
    const down = await ask(started, "/nowhere")
    assert.equal([down.status, down.headers["retry-after"]], [503, "600"])
    assert.equal(JSON.parse(down.body), { error: "service_unavailable", message: "down for maintenance" })
  })
  await withProxy("maintenance", {}, async (started) => {
    assert.is((await ask(started, "/page")).status, 200)
  })
  const wrong = await bundle("proxies/maintenance")
  for (const range of ["10.0.0.0/33", "10.0.0/8", "::1/129", "1.2.3.4/8/8", "1.2.3.4/"])
    assert.match(
      await fails(wrong, { MAINTENANCE_ALLOW: range }),
      `MAINTENANCE_ALLOW holds "${range}", which is neither`,
    )
})

proxies(
  "redirect-www: the other spelling of the host is redirected with path and query, and nothing else is",
  async () => {
    await withProxy("redirect-www", { SITE_URL: "https://shop.example" }, async (started) => {
      const from = (host: string, target: string) => ask(started, target, { host })
      for (const target of [
        "/page?a=b&c=%20",
        "POST /a/%2F/b?next=https://evil.example",
        "/nowhere",
        "//evil.example/x",
      ]) {
        const { status, headers } = await from("WWW.shop.example", target)
        assert.equal([status, headers.location], [308, `https://shop.example${target.replace("POST ", "")}`])
      }
      for (const host of ["shop.example", "www.evil.example", "www.shop.example.evil.example", "localhost"]) {
        const { status, headers } = await from(host, "/page")
        assert.equal([status, headers.location], [200, undefined], host)
      }
    })
    await withProxy("redirect-www", { SITE_URL: "http://www.shop.example:8080/" }, async (started) => {
      const { status, headers } = await ask(started, "/page", { host: "shop.example:8080" })
      assert.equal([status, headers.location], [308, "http://www.shop.example:8080/page"])
    })
    await withProxy("redirect-www", {}, async (started) => {
      assert.is((await ask(started, "/page", { host: "www.shop.example" })).status, 200)
    })
    const wrong = await bundle("proxies/redirect-www")
    for (const url of ["shop.example", "https://shop.example/path", "ftp://shop.example"])
      assert.match(await fails(wrong, { SITE_URL: url }), "which is no address of a site")
  },
)

proxies.run()
