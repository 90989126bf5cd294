/** Tests of cookie sessions: the cookie, access to pages, the list, and signing out. */
import "./support/env.ts"
import { App } from "fw"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../lib/auth/database.ts"
import { requireSession } from "../lib/auth/session-cookie.ts"
import { findSession, removeSession } from "../lib/auth/sessions.ts"
import { app, check, makeUser, send } from "./support/app.ts"
import { cookieOf, signIn } from "./support/sessions.ts"

const test = suite("session")
const attributes = ["Path=/", "Max-Age=86400", "HttpOnly", "Secure", "SameSite=Lax"]
const cleared = { value: "", attributes: ["Path=/", "Max-Age=-1", "HttpOnly", "Secure", "SameSite=Lax"] }
const toLogin = { status: 302, gives: { location: "/login", "cache-control": "no-store" } }

test("the login form sets the cookie with its attributes, which gives access to the page", async () => {
  const form = await makeUser()
  const answer = await check({ path: "/api/auth/login", form, status: 200, data: { message: "signed in" } })
  const cookie = cookieOf(answer, "session_id")
  assert.match(cookie?.value ?? "", /^[0-9a-f]{64}$/)
  assert.equal(cookie?.attributes, attributes)
  const headers = { cookie: `a=b; session_id=${cookie?.value}` }
  const page = await check({ path: "/sessions", headers, status: 200 })
  assert.is(cookieOf(page, "session_id"), null)
})

test("htmx gets a header with the page to go to", async () => {
  const form = await makeUser()
  const headers = { "hx-request": "true" }
  const answer = await check({
    path: "/api/auth/login",
    form,
    headers,
    status: 204,
    gives: { "hx-redirect": "/dashboard" },
  })
  assert.equal(cookieOf(answer, "session_id")?.attributes, attributes)
  const out = { path: "/api/auth/logout", method: "POST", headers }
  const left = await check({ ...out, status: 204, gives: { "hx-redirect": "/login" } })
  assert.equal(cookieOf(left, "session_id"), cleared)
})

test("wrong credentials and an unknown account get the same 401 without a cookie", async () => {
  const { email } = await makeUser()
  for (const form of [
    { email, password: "wrong" },
    { email: "x@y.z", password: "wrong" },
    { email },
    {},
  ] as Record<string, string>[]) {
    const answer = await check({
      path: "/api/auth/login",
      form,
      status: 401,
      data: { error: "invalid credentials" },
    })
    assert.equal(answer.headers.getSetCookie(), [])
  }
})

test("the login answers with 500 if the session cannot be created", async () => {
  const form = await makeUser()
  const { batch } = db
  const { error } = console
  db.batch = () => Promise.reject(new Error("the disk is full"))
  console.error = () => {}
  try {
    const failed = { status: 500, data: { error: "session could not be created" } }
    const answer = await check({ path: "/api/auth/login", form, ...failed })
    assert.equal(answer.headers.getSetCookie(), [])
  } finally {
    db.batch = batch
    console.error = error
  }
})

test("a request without a session is redirected to the login page, and no cookie is deleted", async () => {
  for (const path of ["/sessions", "/dashboard"]) {
    const answer = await check({ path, status: 302, gives: { location: "/login" } })
    assert.is(cookieOf(answer, "session_id"), null)
  }
  await check({ path: "/sessions", ...toLogin })
})

test("an unknown, expired or malformed session is redirected to the login page, and the cookie is deleted", async () => {
  const { id } = await signIn()
  await db.execute("UPDATE sessions SET expires_at = 1")
  const handle = await db.execute("SELECT handle, digest FROM sessions")
  const { digest } = { ...handle.rows[0] }
  for (const wrong of [
    id,
    "0".repeat(64),
    "x",
    id.slice(1),
    `${id}0`,
    id.toUpperCase(),
    "../../x",
    String(digest),
    "%00",
    "' OR 1",
  ]) {
    const answer = await check({ path: "/sessions", headers: { cookie: `session_id=${wrong}` }, ...toLogin })
    assert.equal(cookieOf(answer, "session_id"), cleared, wrong)
  }
})

test("a session ends a day after it began", async () => {
  const { id } = await signIn()
  const session = await findSession(id)
  const left = (session?.expiresAt.getTime() ?? 0) - Date.now()
  assert.ok(left > 86_390_000 && left <= 86_400_000, String(left))
  const { now } = Date
  try {
    Date.now = () => now() + 86_399_000
    assert.ok(await findSession(id))
    Date.now = () => now() + 86_401_000
    assert.is(await findSession(id), null)
  } finally {
    Date.now = now
  }
})

test("signing out ends the session for good, and deletes the cookie", async () => {
  const { headers } = await signIn()
  await check({ path: "/sessions", headers, status: 200 })
  const left = await check({
    path: "/api/auth/logout",
    method: "POST",
    headers,
    status: 200,
    data: { message: "signed out" },
  })
  assert.equal(cookieOf(left, "session_id"), cleared)
  await check({ path: "/sessions", headers, ...toLogin })
  await check({ path: "/api/auth/logout", method: "POST", status: 200 })
})

test("a session is removed only by its ID", async () => {
  const [one, other] = [await signIn(), await signIn()]
  await removeSession(one.id)
  await removeSession("")
  await check({ path: "/sessions", headers: one.headers, ...toLogin })
  await check({ path: "/sessions", headers: other.headers, status: 200 })
})

test("signing in again creates a new session and ends the one before", async () => {
  const first = await signIn()
  const form = { email: first.email, password: first.password }
  const answer = await check({ path: "/api/auth/login", form, headers: first.headers, status: 200 })
  const id = cookieOf(answer, "session_id")?.value
  assert.is.not(id, first.id)
  await check({ path: "/sessions", headers: first.headers, ...toLogin })
  await check({ path: "/sessions", headers: { cookie: `session_id=${id}` }, status: 200 })
  // A session ID that an attacker planted is not used.
  const planted = "f".repeat(64)
  const fixed = await check({
    path: "/api/auth/login",
    form,
    headers: { cookie: `session_id=${planted}` },
    status: 200,
  })
  assert.is.not(cookieOf(fixed, "session_id")?.value, planted)
})

test("users can list their sessions and end one or all others, but not those of other users", async () => {
  const here = await signIn()
  const login = { email: here.email, password: here.password }
  const [there, away, stranger] = [await signIn(login), await signIn(login), await signIn()]
  const page = await (await check({ path: "/sessions", headers: here.headers, status: 200 })).text()
  assert.match(page, "(this one)")
  const handles = [...page.matchAll(/name="end" value="([0-9a-f]{16})"/g)].map(
    ([, handle]) => handle as string,
  )
  assert.is(handles.length, 2)
  assert.not.ok([here, there, away].some(({ id }) => page.includes(id)))
  const end = (value: string, { headers }: { headers: { cookie: string } }) =>
    check({ path: "/sessions", form: { end: value }, headers, status: 303, gives: { location: "/sessions" } })
  for (const handle of handles) await end(handle, stranger)
  for (const one of [there, away]) await check({ path: "/sessions", headers: one.headers, status: 200 })
  await end(handles[0] as string, here)
  const ended = await Promise.all([there, away].map(({ headers }) => send({ path: "/sessions", headers })))
  assert.equal(ended.map(({ status }) => status).sort(), [200, 302])
  await end("others", here)
  for (const one of [there, away]) await check({ path: "/sessions", headers: one.headers, ...toLogin })
  for (const one of [here, stranger]) await check({ path: "/sessions", headers: one.headers, status: 200 })
})

test("a session has the current role of its user", async () => {
  const { id, email } = await signIn()
  assert.is((await findSession(id))?.role, "user")
  await db.execute({ sql: "UPDATE users SET role = 'admin' WHERE email = ?", args: [email] })
  assert.is((await findSession(id))?.role, "admin")
  await db.execute({ sql: "DELETE FROM users WHERE email = ?", args: [email] })
  assert.is(await findSession(id), null)
})

test("the middleware sets the values that handlers read", async () => {
  const { id, email, headers } = await signIn()
  const probe = new App({ logger: false })
  probe.use(requireSession())
  const keys = ["user_id", "user_email", "user_role", "claims", "session", "service_name"]
  probe.get("/", (c) => c.json(200, Object.fromEntries(keys.map((key) => [key, c.get(key)]))))
  const said = (await (await probe.request("/", { headers })).json()) as Record<string, unknown>
  const session = await findSession(id)
  assert.equal(said, {
    user_id: session?.userID,
    user_email: email,
    user_role: "user",
    session: { ...session, expiresAt: session?.expiresAt.toISOString() },
  })
})

test("the next login deletes expired sessions, and the database has only digests", async () => {
  await signIn()
  await db.execute("UPDATE sessions SET expires_at = 1")
  const { id } = await signIn()
  const { rows } = await db.execute("SELECT * FROM sessions")
  assert.is(rows.length, 1)
  assert.not.ok(JSON.stringify(rows).includes(id))
})

test("htmx is led to the login page by a header", async () => {
  for (const headers of [{}, { "hx-boosted": "true" }, { cookie: `session_id=${"0".repeat(64)}` }]) {
    await check({
      path: "/sessions",
      headers: { ...headers, "hx-request": "true" },
      status: 401,
      gives: {
        "hx-redirect": "/login",
        "www-authenticate": "Cookie",
        location: null,
        "cache-control": "no-store",
      },
    })
  }
})

/** Origins, and if the cookies are secure there in development. */
const origins: Readonly<Record<string, boolean>> = {
  "http://localhost:3000": true,
  "http://shop.localhost": true,
  "http://127.0.0.1:3000": true,
  "https://shop.example": true,
  "http://192.0.2.7:3000": false,
  "http://my-machine.local:3000": false,
}
for (const [origin, isSecure] of Object.entries(origins)) {
  test(`at ${origin} the cookies of development are ${isSecure ? "" : "not "}secure, and all are in production`, async () => {
    const { email, password } = await makeUser()
    const secure = async () => {
      const body = new URLSearchParams({ email, password })
      const request = new Request(`${origin}/login`, { method: "POST", body })
      const answer = await app.fetch(request, { clientIP: "192.0.2.1" })
      return cookieOf(answer, "session_id")?.attributes.includes("Secure")
    }
    const { NODE_ENV } = process.env
    try {
      assert.is(await secure(), isSecure)
      process.env.NODE_ENV = "production"
      assert.is(await secure(), true)
    } finally {
      process.env.NODE_ENV = NODE_ENV ?? ""
    }
  })
}

test.run()
