/** Tests of the pages: forms work without a script, and input never becomes markup. */
import { testClient } from "fw/testing"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { app, check, makeUser } from "./support/app.ts"
import { signIn } from "./support/sessions.ts"

const test = suite("pages")

test("signing up leads to the dashboard, and signing out and in works", async () => {
  const client = testClient(app)
  const form = { email: "ada@example.com", password: "a few good words" }
  const follow = async (path: string, to: string) => {
    const answer = await client.request(path, { form })
    assert.equal([answer.status, answer.headers.get("location")], [303, to])
    return (await client.request(to)).text()
  }
  assert.match(await follow("/signup", "/dashboard"), "ada@example.com")
  assert.match(await follow("/logout", "/login"), /role="status"[^>]*>You are signed out/)
  assert.is((await client.request("/dashboard")).status, 303)
  await follow("/login", "/dashboard")
})

test("errors are announced to screen readers, and input is kept", async () => {
  const { email } = await makeUser()
  const wrong = await check({ path: "/login", form: { email, password: "wrong" }, status: 422 })
  const text = await wrong.text()
  assert.match(text, /<title>Not signed in/)
  assert.match(text, /id="problem"\s+role="alert"[^>]*>The email address or the password is not right/)
  assert.match(text, `value="${email}"`)
  assert.match(text, /id="password"[^>]*\sautofocus\s+aria-invalid="true"\s+aria-describedby="problem"/)
  for (const [form, problem] of [
    [{ email, password: "long enough" }, /There is an account/],
    [{ email: "nobody", password: "long enough" }, /This is not an email address/],
    [{ email: "new@example.com", password: "short" }, /A password has 8 to 256 characters/],
  ] as const)
    await check({ path: "/signup", form, status: 422, text: problem })
})

test("input is never printed as markup", async () => {
  const bad = `"><script>alert(1)</script>`
  for (const path of ["/login", "/signup"]) {
    const text = await (await check({ path, form: { email: bad, password: "x" }, status: 422 })).text()
    assert.not.match(text, "<script>")
    assert.match(text, "&lt;script&gt;")
  }
  const { headers } = await signIn(undefined, { "user-agent": bad })
  const pages = ["/sessions", "/keys", "/passkeys", "/second-factor"]
  for (const path of pages) {
    const cookie = `${headers.cookie}; fw_flash=${encodeURIComponent(JSON.stringify([bad]))}`
    const text = await (await check({ path, headers: { cookie }, status: 200 })).text()
    assert.not.match(text, "<script>alert")
  }
})

test("caches do not store private pages", async () => {
  const { headers } = await signIn()
  for (const path of ["/dashboard", "/sessions", "/keys"])
    await check({ path, headers, status: 200, responseHeaders: { "cache-control": /no-store/ } })
})

test.run()
