/** Tests of every way to spell a protected path, over a real socket: each is protected or not found. */
import "./support/env.ts"
import { once } from "node:events"
import { connect } from "node:net"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { spellings } from "../../../tests/support/lib/spellings.ts"
import { createKey } from "../lib/auth/api-keys.ts"
import { app, makeUser } from "./support/app.ts"
import { signIn } from "./support/sessions.ts"
import { bearer, claims, forge, header } from "./support/tokens.ts"

const test = suite("spellings")

test.before(() => app.listen("127.0.0.1:0"))
test.after(() => app.shutdown(AbortSignal.timeout(5000)))

type Headers = Readonly<Record<string, string>>

/** Sends a raw request target, and returns the status and body of the response. */
async function ask(method: string, target: string, headers: Headers = {}) {
  const [host, port] = app.addr.split(":")
  const socket = connect(Number(port), host)
  let text = ""
  socket.setEncoding("latin1").on("data", (data: string) => {
    text += data
  })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write(
    [`${method} ${target} HTTP/1.1`, "Host: x", ...lines, "Connection: close", "", ""].join("\r\n"),
    "latin1",
  )
  await once(socket, "close")
  const [, status = "0"] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  return { status: Number(status), body: text.slice(text.indexOf("\r\n\r\n") + 4) }
}

/** Runs many tasks, several at a time. */
async function each<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let item = queue.pop(); item !== undefined; item = queue.pop()) await run(item)
    }),
  )
}

/** Protected paths, a text that shows that the handler ran, and the credentials. */
const guarded: ReadonlyArray<readonly [path: string, mark: RegExp, key: () => Promise<Headers>]> = [
  ["/api/protected/profile", /"user_id"/, async () => bearer(forge(header, claims()))],
  ["/api/protected/admin/users", /"users"/, async () => bearer(forge(header, claims({ role: "admin" })))],
  [
    "/api/service/whoami",
    /"service_name"/,
    async () => ({ "x-api-key": await createKey("x", (await makeUser()).id) }),
  ],
  ["/api/me", /"user_id"/, async () => bearer(forge(header, claims()))],
  ["/dashboard", /Signed in as/, async () => (await signIn()).headers],
  ["/sessions", /\(this one\)/, async () => (await signIn()).headers],
  ["/keys", /Make a key/, async () => (await signIn()).headers],
]

for (const [path, mark, key] of guarded) {
  test(`${path}: every spelling needs the right credentials`, async () => {
    const open = await ask("GET", path, await key())
    assert.is(open.status, 200)
    assert.match(open.body, mark)
    const all = spellings(path)
    assert.ok(all.length > 60, String(all.length))
    await each(all, async (target) => {
      const { status, body } = await ask("GET", target)
      assert.not.match(body, mark, target)
      // Open pages answer 200: the start page and health.
      if (status === 200) assert.match(body, /<h1|"ok"/, target)
      assert.ok(status >= 200 && status < 500, `${target}: ${status}`)
    })
  })

  test(`${path}: no method, header or form bypasses its protection`, async () => {
    const headers: Headers[] = [
      { "x-original-url": path },
      { "x-rewrite-url": path },
      { "x-forwarded-for": "127.0.0.1" },
      { "x-forwarded-host": "localhost", "x-forwarded-proto": "https", "x-forwarded-prefix": path },
      { forwarded: "for=127.0.0.1;host=localhost" },
      { "x-real-ip": "127.0.0.1", "client-ip": "127.0.0.1", "x-client-ip": "127.0.0.1" },
      { "x-http-method-override": "GET", "x-http-method": "GET", "x-method-override": "GET" },
      { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
      { "x-fw-internal": "1", "x-middleware-rewrite": path, "x-middleware-next": "1" },
      {
        "x-user-id": "1",
        "x-user-role": "super",
        user_id: "1",
        user_role: "super",
        "x-authenticated-user": "root",
      },
      { "hx-request": "true", "hx-boosted": "true" },
      { authorization: "Basic cm9vdDpyb290" },
      { authorization: "Bearer null" },
      { cookie: "session=; session=undefined; user_role=super" },
      { "x-api-key": "undefined" },
      { upgrade: "websocket", connection: "upgrade" },
      { range: "bytes=0-" },
    ]
    const open = ["/", "/api/health", "/login"]
    const requests = [
      ...["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "get", "Get", "PROPFIND", "FOO"].map(
        (method) => [method, path, {}] as const,
      ),
      ...headers.flatMap((more) => [
        ["GET", path, more] as const,
        ["POST", `${path}?_method=GET`, more] as const,
      ]),
      ...open.flatMap((other) => headers.slice(0, 10).map((more) => ["GET", other, more] as const)),
      ["GET", `/api/health/..${path}`, {}] as const,
      ["GET", `/api/auth/../..${path}`, {}] as const,
      ["GET", `/api/auth/%2e%2e/%2E%2e${path}`, {}] as const,
      ["GET", `/static/..${path}`, {}] as const,
      ["GET", `http://localhost${path}`, {}] as const,
    ]
    assert.ok(requests.length > 75, String(requests.length))
    await each(requests, async ([method, target, more]) => {
      const { status, body } = await ask(method, target, more)
      const name = `${method} ${target} ${JSON.stringify(more)}: ${status}`
      assert.not.match(body, mark, name)
      if (open.includes(target)) return
      assert.not.ok(status === 200 || status === 204, name)
      assert.ok(status < 500 || status === 501, name)
    })
  })
}

test.run()
