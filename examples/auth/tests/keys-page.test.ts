/** Tests of the API keys page, and of routes that take a session or a key. */
import "./support/env.ts"
import { App, combine } from "fw"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { requireKey } from "../lib/auth/api-keys.ts"
import { requireSession } from "../lib/auth/session-cookie.ts"
import { check } from "./support/app.ts"
import { fixedKey } from "./support/env.ts"
import { cookieOf, signIn } from "./support/sessions.ts"

const test = suite("keys page")

test("a key can be created, is shown once, works, and can be revoked only by its owner", async () => {
  const [owner, stranger] = [await signIn(), await signIn()]
  const made = await check({ path: "/keys", form: { name: "Reports" }, headers: owner.headers, status: 303 })
  const flash = cookieOf(made, "flash")
  assert.equal(flash?.attributes, ["Path=/keys", "Max-Age=60", "HttpOnly", "Secure", "SameSite=Lax"])
  const cookie = `${owner.headers.cookie}; flash=${flash?.value}`
  const first = await check({ path: "/keys", headers: { cookie }, status: 200 })
  assert.is(cookieOf(first, "flash")?.value, "")
  const key = /ak_[0-9a-f]{16}_[0-9a-f]{64}/.exec(await first.text())?.[0] ?? ""
  const second = await (await check({ path: "/keys", headers: owner.headers, status: 200 })).text()
  assert.match(second, "Reports")
  assert.not.ok(second.includes(key))
  const headers = { "x-api-key": key }
  await check({ path: "/api/service/whoami", headers, status: 200, data: { service_name: "Reports" } })
  const revoke = /name="revoke" value="([0-9a-f]{16})"/.exec(second)?.[1] ?? ""
  await check({ path: "/keys", form: { revoke }, headers: stranger.headers, status: 303 })
  await check({ path: "/api/service/whoami", headers, status: 200 })
  await check({ path: "/keys", form: { revoke }, headers: owner.headers, status: 303 })
  await check({ path: "/api/service/whoami", headers, status: 401 })
  await check({ path: "/keys", form: { name: "x" }, status: 302, gives: { location: "/login" } })
})

test("an invalid name of a key is refused", async () => {
  const { headers } = await signIn()
  for (const name of ["", "  ", "x".repeat(61), "a\nb"]) {
    const answer = await check({ path: "/keys", form: { name }, headers, status: 303 })
    assert.match(decodeURIComponent(cookieOf(answer, "flash")?.value ?? ""), '"problem":"name"')
  }
})

test("a session or a key gives access, and nothing of the first guard's refusal is in the answer", async () => {
  const probe = new App({ logger: false })
  probe.get("/", combine.some(requireSession(), requireKey()), (c) =>
    c.string(200, c.getString("service_name")),
  )
  const htmx = { "hx-request": "true" }
  const passed = await probe.request("/", { headers: { ...htmx, "x-api-key": fixedKey } })
  assert.equal([passed.status, await passed.text()], [200, "billing"])
  for (const name of ["www-authenticate", "hx-redirect"]) assert.is(passed.headers.get(name), null)
  const refusal = await probe.request("/", { headers: htmx })
  assert.equal([refusal.status, refusal.headers.get("www-authenticate")], [401, "Cookie, APIKey"])
})

test.run()
