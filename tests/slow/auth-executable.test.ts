/**
 * Tests the executable of examples/auth alone in an empty directory, because its database and password hashes are
 * native code.
 */
import { execFileSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, copyExample, type Served, serve } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"

const builder = fileURLToPath(new URL("../../tests/support/bin/css/css-standalone.mjs", import.meta.url))
const compiler = execFileSync(process.execPath, [builder], { encoding: "utf8" }).trim().split("\n").at(-1) as string
const example = copyExample("auth")
const binary = join(example, "bin/auth")
const place = project({})
const env = {
  PATH: "/nonexistent",
  HOME: project({}),
  NODE_ENV: "production",
  FW_LOG_LEVEL: "off",
  FW_MIGRATE: "start",
}
const secret = {
  AUTH_JWT_SECRET: "a secret for tests, of 32 bytes or more",
  AUTH_ORIGIN: "https://auth.example",
  AUTH_MAIL_URL: "smtp://localhost:1",
  AUTH_MAIL_FROM: "Auth <hello@auth.example>",
  FW_SECRETS: "a secret of 32 bytes or more for cookies",
}
const login = { email: "root@example.com", password: "a few good words" }
const administrator = { AUTH_ADMIN_EMAIL: login.email, AUTH_ADMIN_PASSWORD: login.password }

test("the executable of the example is built", async () => {
  const { code, stdout, stderr } = await build(example, [], { FW_CSS_BINARY: compiler })
  assert.is(code, 0, stdout + stderr)
})

const wrong: ReadonlyArray<readonly [environment: Record<string, string>, message: RegExp]> = [
  [{ ...secret, AUTH_JWT_SECRET: "" }, /AUTH_JWT_SECRET is not set\n {2}Set it to something random/],
  [{ ...secret, AUTH_MAIL_URL: "" }, /the mailer has no transport/],
  ...["hunter2", "https://a:hunter2@x.example", "smtp:///hunter2"].map(
    (AUTH_MAIL_URL) => [{ ...secret, AUTH_MAIL_URL }, /AUTH_MAIL_URL is not the address of an SMTP server/] as const,
  ),
  [{ ...secret, AUTH_MAIL_URL: "smtp://a:hunter2@x.example", AUTH_MAIL_FROM: "" }, /AUTH_MAIL_FROM is not set/],
  [{ ...secret, AUTH_MAIL_FROM: "Shop" }, /from of a mail is not an email address/],
  [{ ...secret, AUTH_ORIGIN: "" }, /AUTH_ORIGIN is "", and .* need it/],
  ...["http://auth.example", "https://a@auth.example"].map(
    (origin) =>
      [{ ...secret, AUTH_ORIGIN: origin }, /AUTH_ORIGIN is ".*", .*\n {2}Write the scheme and the host/] as const,
  ),
  [{ ...secret, AUTH_TOKEN_SECONDS: "1d" }, /AUTH_TOKEN_SECONDS is "1d"\n {2}Write a number from 60 to 86400/],
  [{ ...secret, AUTH_ADMIN_EMAIL: "x@example.com" }, /AUTH_ADMIN_EMAIL and AUTH_ADMIN_PASSWORD/],
  [{ ...secret, AUTH_API_KEYS: "billing=hunter2" }, /AUTH_API_KEYS, entry 1: the key of billing has 7 characters/],
  [{ ...secret, GOOGLE_CLIENT_ID: "x" }, /only one of GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET is set/],
  [
    {
      ...secret,
      GOOGLE_CLIENT_ID: "x",
      GOOGLE_CLIENT_SECRET: "hunter2",
      GOOGLE_ISSUER: "http://example.com/x",
    },
    /GOOGLE_ISSUER is http:\/\/example\.com\/x\n {2}Write an address with https/,
  ],
  [{ ...secret, FW_SECRETS: "" }, /FW_SECRETS/],
]
for (const [environment, message] of wrong) {
  test(`the executable does not start with ${JSON.stringify(environment)}`, async () => {
    const error = await serve([binary], project({}), { ...env, ...environment }).then(
      () => assert.unreachable(),
      (error: Error) => error,
    )
    const text = String((error as Error).message)
    assert.match(text, /ended with 1 before it listened/)
    assert.match(text, message)
    assert.not.match(text, "hunter2")
    assert.not.match(text, /^ +at /m)
  })
}

const form = (served: Served, path: string, fields: Record<string, string>, cookie = "") =>
  fetch(served.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { cookie },
    body: new URLSearchParams(fields),
  })

/** Bodies that do not fit the type in the route. */
const bodies: ReadonlyArray<readonly [path: string, body: unknown]> = [
  ["/api/auth", null],
  ["/api/auth", { email: login.email }],
  ["/api/auth", { ...login, password: 1 }],
  ["/api/auth", { ...login, email: [login.email] }],
  ["/api/auth", { ...login, refresh: "yes" }],
  ["/api/auth/signup", { email: login.email }],
  ["/api/auth/refresh", []],
  ["/api/auth/revoke", { refresh_token: ["x"] }],
  ["/api/auth/passkey", {}],
  ["/api/auth/passkey", { id: "x", rawId: "x", type: "public-key", response: null }],
]

test("the executable serves, its database is private, and sessions survive a restart", async () => {
  const first = await serve([binary], place, { ...env, ...secret, ...administrator })
  const answer = await form(first, "/login", login)
  assert.is(answer.headers.get("location"), "/dashboard")
  const cookie = /__Host-session=[\w.-]+/.exec(answer.headers.getSetCookie().join())?.[0] ?? ""
  assert.is((await fetch(`${first.url}/static/css/output.css`)).status, 200)
  assert.is(statSync(join(place, "data")).mode & 0o777, 0o700)
  for (const [path, body] of bodies) {
    const headers = { "content-type": "application/json" }
    const refusal = await fetch(first.url + path, { method: "POST", headers, body: JSON.stringify(body) })
    assert.is(refusal.status, 400, `${path} ${JSON.stringify(body)}`)
  }
  assert.is(await first.stop(), 0)

  const second = await serve([binary], place, { ...env, ...secret })
  const dashboard = () => fetch(`${second.url}/dashboard`, { headers: { cookie }, redirect: "manual" })
  assert.match(await (await dashboard()).text(), login.email)
  assert.is((await form(second, "/logout", {}, cookie)).status, 303)
  assert.is((await dashboard()).status, 303)
  assert.is(await second.stop(), 0)
  assert.ok(existsSync(join(place, "data/app.db")))
})

test.run()
