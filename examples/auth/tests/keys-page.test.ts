/** Tests of the API keys page, and of routes that take a session or a key. */
import "./support/env.ts"
import { App, combine } from "fw"
import { testClient } from "fw/testing"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { requireKey } from "../lib/auth/api-keys.ts"
import { requireSession } from "../lib/auth/sessions.ts"
import { app, check, makeUser } from "./support/app.ts"
import { fixedKey } from "./support/env.ts"
import { signIn } from "./support/sessions.ts"

const test = suite("keys page")

test("a key can be created, is shown once, works, and can be revoked only by its owner", async () => {
  const [user, stranger] = [await makeUser(), await signIn()]
  const owner = testClient(app)
  const { email, password } = user
  await owner.request("/login", { form: { email, password } })
  assert.is((await owner.request("/keys", { form: { name: "Reports" } })).status, 303)
  const key = /ak_[0-9a-f]{16}_[0-9a-f]{64}/.exec(await (await owner.request("/keys")).text())?.[0] ?? ""
  const second = await (await owner.request("/keys")).text()
  assert.match(second, "Reports")
  assert.not.ok(second.includes(key))
  const headers = { "x-api-key": key }
  const data = { service_name: "Reports", owner: email }
  await check({ path: "/api/service/whoami", headers, status: 200, data })
  const revoke = /name="revoke" value="([0-9a-f]{16})"/.exec(second)?.[1] ?? ""
  await check({ path: "/keys", form: { revoke }, headers: stranger.headers, status: 303 })
  await check({ path: "/api/service/whoami", headers, status: 200 })
  assert.is((await owner.request("/keys", { form: { revoke } })).status, 303)
  await check({ path: "/api/service/whoami", headers, status: 401 })
  await check({ path: "/keys", form: { name: "x" }, status: 303, responseHeaders: { location: "/login" } })
})

test("an invalid name of a key is refused", async () => {
  const { headers } = await signIn()
  for (const name of ["", "  ", "x".repeat(61), "a\nb"])
    await check({
      path: "/keys",
      form: { name },
      headers,
      status: 422,
      text: /A name has 1 to 60 characters/,
    })
})

test("a session or a key gives access, and the answer contains nothing from the refusal of the other guard", async () => {
  const probe = new App({ logger: false })
  probe.get("/", combine.some(requireSession(), requireKey()), (c) =>
    c.string(200, c.getString("service_name")),
  )
  const htmx = { "hx-request": "true" }
  for (const headers of [htmx, {}] as Record<string, string>[]) {
    const passed = await probe.request("/", { headers: { ...headers, "x-api-key": fixedKey } })
    assert.equal([passed.status, await passed.text()], [200, "billing"])
    for (const name of ["www-authenticate", "hx-redirect", "location", "set-cookie"])
      assert.is(passed.headers.get(name), null)
  }
  const refusal = await probe.request("/", { headers: htmx })
  assert.equal([refusal.status, refusal.headers.get("www-authenticate")], [401, "Cookie, APIKey"])
})

test.run()
