/**
 * Tests of sessions: the cookie, access to pages, the list, and signing out. The tests of fw/session are in the
 * repository of fw.
 */
import "./support/env.ts"
import { App } from "fw"
import { testClient } from "fw/testing"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { currentSignIn, requireSession, requireVerified } from "../lib/auth/sessions.ts"
import { app, check, makeUser, send } from "./support/app.ts"
import { readCookie, readSession, signIn } from "./support/sessions.ts"

const test = suite("session")
const toLogin = { status: 303, responseHeaders: { location: "/login", "cache-control": "no-store" } }

test("the login form sets a cookie, which gives access to the page", async () => {
  const { email, password } = await makeUser()
  const form = { email: ` ${email.toUpperCase()} `, password }
  const answer = await check({
    path: "/login",
    form,
    status: 303,
    responseHeaders: { location: "/dashboard" },
  })
  assert.equal(readCookie(answer, "session")?.attributes, [
    "Path=/",
    "Max-Age=1209600",
    "HttpOnly",
    "SameSite=Lax",
  ])
  const page = await check({ path: "/sessions", headers: readSession(answer), status: 200 })
  assert.is(readCookie(page, "session"), null)
})

test("htmx gets a header with the page to go to", async () => {
  const { email, password } = await makeUser()
  const htmx = { "hx-request": "true" }
  const to = (path: string) => ({ status: 204, responseHeaders: { "hx-redirect": path, location: null } })
  const answer = await check({
    path: "/login",
    form: { email, password },
    headers: htmx,
    ...to("/dashboard"),
  })
  const headers = { ...htmx, ...readSession(answer) }
  await check({ path: "/logout", method: "POST", headers, ...to("/login") })
})

test("wrong credentials and an unknown account get the same answer, without a session", async () => {
  const { email } = await makeUser()
  for (const form of [
    { email, password: "wrong" },
    { email: "x@y.z", password: "wrong" },
    { email },
    {},
  ] as Record<string, string>[]) {
    const answer = await check({ path: "/login", form, status: 422, text: /is not right/ })
    assert.equal(answer.headers.getSetCookie(), [])
  }
})

test("after signing in, the requested page is shown, unless it belongs to another site", async () => {
  const { email, password } = await makeUser()
  const visitor = testClient(app)
  const html = { accept: "text/html" }
  const refused = await visitor.request("/sessions?page=2", { headers: html })
  assert.equal([refused.status, refused.headers.get("location")], [303, "/login"])
  await visitor.request("/login", { form: { email, password: "wrong" } })
  const answer = await visitor.request("/login", { form: { email, password } })
  assert.is(answer.headers.get("location"), "/sessions?page=2")
  await visitor.request("/logout", { method: "POST" })
  const again = await visitor.request("/login?next=https://evil.example", { form: { email, password } })
  assert.is(again.headers.get("location"), "/dashboard")
})

test("a visitor without a session is redirected to the login page, and a program gets no session", async () => {
  for (const path of ["/sessions", "/dashboard"]) {
    const answer = await check({ path, status: 303, responseHeaders: { location: "/login" } })
    assert.is(readCookie(answer, "session"), null)
  }
  await check({ path: "/sessions", ...toLogin })
})

test("an unknown or changed session does not count", async () => {
  const { headers } = await signIn()
  const [id = "", signature = ""] = headers.cookie.slice("session=".length).split(".")
  for (const wrong of [
    "x",
    id,
    `${id}.`,
    `${id}0.${signature}`,
    `${"A".repeat(43)}.${signature}`,
    "%00",
    "' OR 1",
  ])
    await check({ path: "/sessions", headers: { cookie: `session=${wrong}` }, ...toLogin })
})

test("signing out ends the session for good", async () => {
  const { headers } = await signIn()
  await check({ path: "/sessions", headers, status: 200 })
  await check({
    path: "/logout",
    method: "POST",
    headers,
    status: 303,
    responseHeaders: { location: "/login" },
  })
  await check({ path: "/sessions", headers, ...toLogin })
  await check({ path: "/logout", method: "POST", status: 303 })
})

test("signing in again creates a new session and ends the earlier one", async () => {
  const first = await signIn()
  const second = await signIn(first, first.headers)
  assert.is.not(second.headers.cookie, first.headers.cookie)
  await check({ path: "/sessions", headers: first.headers, ...toLogin })
  const page = await check({ path: "/sessions", headers: second.headers, status: 200 })
  assert.not.match(await page.text(), 'name="end"')
})

test("users can list their sessions and end one or all others, but not those of other users", async () => {
  const here = await signIn()
  const [there, startSignIn, stranger] = [await signIn(here), await signIn(here), await signIn()]
  const page = await (await check({ path: "/sessions", headers: here.headers, status: 200 })).text()
  assert.match(page, "(this one)")
  const ids = [...page.matchAll(/name="end"\s+value="([0-9a-f]{16})"/g)].map(([, id]) => id as string)
  assert.is(ids.length, 2)
  const end = (value: string, { headers }: { headers: { cookie: string } }) =>
    check({
      path: "/sessions",
      form: { end: value },
      headers,
      status: 303,
      responseHeaders: { location: "/sessions" },
    })
  for (const id of ids) await end(id, stranger)
  for (const one of [there, startSignIn])
    await check({ path: "/sessions", headers: one.headers, status: 200 })
  await end(ids[0] as string, here)
  const ended = await Promise.all(
    [there, startSignIn].map(({ headers }) => send({ path: "/sessions", headers })),
  )
  assert.equal(ended.map(({ status }) => status).sort(), [200, 303])
  await end("others", here)
  for (const one of [there, startSignIn]) await check({ path: "/sessions", headers: one.headers, ...toLogin })
  for (const one of [here, stranger]) await check({ path: "/sessions", headers: one.headers, status: 200 })
})

test("the middleware sets the values that handlers read, with the user's current role", async () => {
  const user = await makeUser()
  const { headers } = await signIn(user)
  const probe = new App({ logger: false })
  const keys = ["user_id", "user_email", "user_role", "claims", "service_name"]
  probe.get("/", requireSession(), (c) => {
    const values = Object.fromEntries(keys.map((key) => [key, c.get(key)]))
    return c.json(200, {
      ...values,
      subject: c.session.subject,
      verified: currentSignIn.get(c).user.isVerified,
    })
  })
  const read = async () => (await probe.request("/", { headers })).json() as Promise<Record<string, unknown>>
  const facts = { user_id: user.id, user_email: user.email, subject: user.id, verified: false }
  assert.equal(await read(), { ...facts, user_role: "user" })
  await db.sql`UPDATE users SET role = 'admin', email_verified = 1 WHERE id = ${user.id}`
  assert.equal(await read(), { ...facts, user_role: "admin", verified: true })
  await db.sql`DELETE FROM users WHERE id = ${user.id}`
  assert.is((await probe.request("/", { headers })).status, 303)
})

test("a guard refuses users whose address is not verified", async () => {
  const user = await makeUser()
  const { headers } = await signIn(user)
  const probe = new App({ logger: false })
  probe.get("/", requireSession(), requireVerified(), (c) => c.noContent())
  assert.is((await probe.request("/", { headers })).status, 403)
  await db.sql`UPDATE users SET email_verified = 1 WHERE id = ${user.id}`
  assert.is((await probe.request("/", { headers })).status, 204)
})

test("the next login deletes old sign-ins, and nothing in the database can be used to sign in", async () => {
  await signIn()
  await db.sql`UPDATE sign_ins SET created_at = 1`
  const { headers } = await signIn()
  assert.is((await db.sql`SELECT * FROM sign_ins`).length, 1)
  const [, id = ""] = /=([\w-]{43})\./.exec(headers.cookie) ?? []
  assert.not.ok(JSON.stringify(await db.sql`SELECT * FROM fw_value`).includes(id))
})

test("htmx gets the path of the login page in a header", async () => {
  for (const headers of [{}, { "hx-boosted": "true" }, { cookie: "session=x" }]) {
    await check({
      path: "/sessions",
      headers: { ...headers, "hx-request": "true" },
      status: 401,
      responseHeaders: {
        "hx-redirect": "/login",
        "www-authenticate": "Cookie",
        location: null,
        "cache-control": "no-store",
      },
    })
  }
})

test.run()
