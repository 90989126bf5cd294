/** Tests of the pages: forms work without a script, and input never becomes markup. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { check, makeUser, send } from "./support/app.ts"
import { cookieOf, signIn } from "./support/sessions.ts"

const test = suite("pages")

/** Sends a form and returns the page that it leads to, with the cookies of both responses. */
async function follow(path: string, form: Record<string, string>, cookie = "") {
  const answer = await check({ path, form, headers: { cookie }, status: 303 })
  const to = answer.headers.get("location") as string
  const flash = cookieOf(answer, "flash")
  const session = cookieOf(answer, "session_id")
  const cookies = [cookie, flash && `flash=${flash.value}`, session && `session_id=${session.value}`]
  const page = await check({ path: to, headers: { cookie: cookies.filter(Boolean).join("; ") }, status: 200 })
  return { to, flash, session, page, text: await page.text() }
}

test("signing up leads to the dashboard, and signing out and in works", async () => {
  const form = { email: "ada@example.com", password: "a few good words" }
  const up = await follow("/signup", form)
  assert.is(up.to, "/dashboard")
  assert.match(up.text, "ada@example.com")
  const out = await follow("/logout", {}, `session_id=${up.session?.value}`)
  assert.is(out.to, "/login")
  assert.match(out.text, /role="status"[^>]*>You are signed out/)
  await check({ path: "/dashboard", headers: { cookie: `session_id=${up.session?.value}` }, status: 302 })
  assert.is((await follow("/login", form)).to, "/dashboard")
})

test("errors are announced once to screen readers, and input is kept", async () => {
  const { email } = await makeUser()
  const wrong = await follow("/login", { email, password: "wrong" })
  assert.match(wrong.text, /<title>Not signed in/)
  assert.match(wrong.text, /id="problem" role="alert"[^>]*>The email address or the password is not right/)
  assert.match(wrong.text, `value="${email}"`)
  assert.match(wrong.text, /id="password"[^>]* autofocus aria-invalid="true" aria-describedby="problem"/)
  assert.equal(wrong.flash?.attributes, ["Path=/login", "Max-Age=60", "HttpOnly", "Secure", "SameSite=Lax"])
  assert.equal(cookieOf(wrong.page, "flash")?.attributes.slice(0, 2), ["Path=/login", "Max-Age=-1"])
  assert.not.match(await (await send({ path: "/login" })).text(), "problem")
  for (const [form, text] of [
    [{ email, password: "long enough" }, "There is an account"],
    [{ email: "nobody", password: "long enough" }, "This is not an email address"],
    [{ email: "new@example.com", password: "short" }, "A password has 8 to 256 characters"],
  ] as const)
    assert.match((await follow("/signup", form)).text, text)
})

test("input is never printed as markup", async () => {
  const bad = `"><script>alert(1)</script>`
  for (const path of ["/login", "/signup"]) {
    const { text } = await follow(path, { email: bad, password: "x" })
    assert.not.match(text, "<script>")
    assert.match(text, "&lt;script&gt;")
  }
  const { headers, id } = await signIn()
  for (const value of [
    "{",
    "null",
    "[]",
    '"x"',
    '{"problem":{"a":1}}',
    `{"problem":"<b>","done":"__proto__","key":"<i>"}`,
  ]) {
    const cookie = `session_id=${id}; flash=${encodeURIComponent(value)}`
    for (const path of ["/login", "/signup", "/sessions", "/keys"]) {
      assert.not.match(await (await check({ path, headers: { cookie }, status: 200 })).text(), /<b>|<i>/)
    }
  }
  const agent = { ...headers, "user-agent": bad }
  const again = await signIn()
  const form = { email: again.email, password: again.password }
  await check({ path: "/api/auth/login", form, headers: { "user-agent": bad }, status: 200 })
  assert.not.match(
    await (await check({ path: "/sessions", headers: { ...agent, ...again.headers }, status: 200 })).text(),
    "<script>",
  )
})

test("caches do not store private pages", async () => {
  const { headers } = await signIn()
  for (const path of ["/dashboard", "/sessions", "/keys"])
    await check({ path, headers, status: 200, gives: { "cache-control": "no-store" } })
})

test.run()
