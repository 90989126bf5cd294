/**
 * Tests of links in mails: a new password, which sessions it ends, that nothing is revealed, and a verified
 * address.
 */
import "./support/env.ts"
import { testClient } from "fw/testing"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { app, check, mailsTo, makeUser } from "./support/app.ts"
import { readCookie, readSession, signIn } from "./support/sessions.ts"

const test = suite("resets")
const password = "a new password"

/** Sends a form, and waits until the application has finished its work after the answer. */
async function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const later: Promise<unknown>[] = []
  const init = { method: "POST", body: new URLSearchParams(form), headers }
  const answer = await app.request(path, init, { waitUntil: (promise) => void later.push(promise) })
  await Promise.all(later)
  return answer
}

/** Requests a link, and returns its token. */
async function forgot(email: string): Promise<string> {
  const answer = await post("/forgot", { email })
  assert.equal([answer.status, answer.headers.get("location")], [303, "/forgot"])
  const [, token = ""] = /\/reset\/link\?token=(\w+)/.exec(mailsTo(email).at(-1)?.text ?? "") ?? []
  return token
}

/** Opens a link, and returns the cookie of the page. */
async function opened(token: string) {
  const responseHeaders = {
    location: "/reset",
    "referrer-policy": "no-referrer",
    "cache-control": /no-store|private/,
  }
  return readSession(await check({ path: `/reset/link?token=${token}`, status: 303, responseHeaders }))
}

const login = (form: Record<string, string>, status: number) => check({ path: "/login", form, status })
const setPassword = async (link: { cookie: string }, to: string, text = password) =>
  assert.is((await post("/reset", { password: text }, link)).headers.get("location"), to)

test("the link sets a new password once, ends all sessions, and sends a notice", async () => {
  const user = await makeUser()
  const { headers, email } = await signIn(user)
  const made = { email, password: user.password, refresh: true }
  const tokens = await (await check({ path: "/api/auth", json: made, status: 200 })).json()
  const token = await forgot(email)
  assert.match(token, /^[0-9a-f]{64}$/)
  await check({ path: "/dashboard", headers, status: 200 })
  const link = await opened(token)
  await check({ path: "/reset", headers: link, status: 200, text: /name="password"/ })
  await setPassword(link, "/login")
  await check({ path: "/dashboard", headers, status: 303 })
  await check({ path: "/dashboard", headers: link, status: 303 })
  const { refresh_token } = tokens as { refresh_token: string }
  await check({ path: "/api/auth/refresh", json: { refresh_token }, status: 401 })
  await login({ email, password: user.password }, 422)
  await login({ email, password }, 303)
  assert.match(mailsTo(email).at(-1)?.subject ?? "", /was changed$/)
  await setPassword(link, "/forgot", "yet another one")
  await setPassword(await opened(token), "/forgot", "yet another one")
  await check({ path: "/reset", headers: link, status: 200, text: /used already/ })
  await login({ email, password }, 303)
})

test("only one of two requests with the same token sets the password, and the use of one link ends the others", async () => {
  const { email } = await makeUser()
  const [link, other] = [await opened(await forgot(email)), await opened(await forgot(email))]
  const answers = await Promise.all(
    ["one new password", "another password"].map((text) => post("/reset", { password: text }, link)),
  )
  assert.equal(answers.map(({ headers }) => headers.get("location")).sort(), ["/forgot", "/login"])
  await setPassword(other, "/forgot")
})

test("the database contains no token, and a link works for half an hour", async () => {
  const { email } = await makeUser()
  const token = await forgot(email)
  const link = await opened(token)
  const rows = await db.sql<{ key: string; expires: number }>`SELECT * FROM fw_value`
  assert.not.ok(JSON.stringify(rows).includes(token))
  const expires = rows.filter(({ key }) => key.startsWith("reset ")).map((row) => Number(row.expires))
  const left = Math.max(...expires) - Date.now()
  assert.ok(left > 1_700_000 && left <= 1_800_000, String(left))
  await db.sql`UPDATE fw_value SET expires = 1 WHERE key LIKE 'reset %'`
  await setPassword(link, "/forgot")
  await login({ email, password }, 422)
})

test("the link still works after a refused password", async () => {
  const { email } = await makeUser()
  const link = await opened(await forgot(email))
  for (const short of ["", "short", "x".repeat(257)])
    assert.is((await post("/reset", { password: short }, link)).status, 422)
  await setPassword(link, "/login")
})

test("the answer does not reveal whether there is an account, and does not wait for the mail", async () => {
  const { email } = await makeUser()
  const seen = []
  for (const address of [email, "nobody@example.com", "no address", ""]) {
    let later = 0
    const init = { method: "POST", body: new URLSearchParams({ email: address }) }
    const answer = await app.request("/forgot", init, { waitUntil: () => void later++ })
    const flash = readCookie(answer, "fw_flash")
    seen.push([answer.status, answer.headers.get("location"), flash, await answer.text(), later])
  }
  for (const one of seen) assert.equal(one, seen[0])
  assert.equal(mailsTo("nobody@example.com"), [])
})

test("links lead to the configured address, whatever Host the client sends", async () => {
  const { email } = await makeUser()
  const later: Promise<unknown>[] = []
  await app.request(
    "http://evil.example/forgot",
    {
      method: "POST",
      body: new URLSearchParams({ email }),
      headers: { host: "evil.example", "x-forwarded-host": "evil.example" },
    },
    { waitUntil: (promise) => void later.push(promise) },
  )
  await Promise.all(later)
  const [mail] = mailsTo(email)
  assert.match(mail?.text ?? "", "\nhttp://localhost/reset/link?token=")
  assert.not.match(JSON.stringify(mail), "evil")
})

test("resetting an account that somebody else created deletes that person's access", async () => {
  const { email, id } = await makeUser()
  const tables = ["api_keys", "passkeys", "second_factors"] as const
  const counts = async () => {
    const rows = await db.sql`SELECT (SELECT count(*) FROM api_keys WHERE user_id = ${id}) AS api_keys,
      (SELECT count(*) FROM passkeys WHERE user_id = ${id}) AS passkeys,
      (SELECT count(*) FROM second_factors WHERE user_id = ${id}) AS second_factors`
    return tables.map((table) => Number(rows[0]?.[table]))
  }
  const plant = async () => {
    const key = crypto.randomUUID()
    await db.sql`INSERT INTO api_keys VALUES (${key}, 'x', 'x', ${id}, 0)`
    await db.sql`INSERT INTO passkeys VALUES (${key}, ${id}, 'x', 0, 0, 'x', 0, NULL)`
    await db.sql`INSERT INTO second_factors VALUES (${id}, 'x', 0, '')`
  }
  for (const [left, why] of [
    [[0, 0, 0], "the address was not verified"],
    [[1, 1, 1], "now it is"],
  ] as const) {
    await plant()
    await setPassword(await opened(await forgot(email)), "/login")
    assert.equal(await counts(), left, why)
  }
})

test("invalid tokens and pages of other sites are refused", async () => {
  for (const token of ["", "x", "0".repeat(64), "%00", "x".repeat(1000), `${"x".repeat(99)}\u{1f511}`]) {
    const link = await opened(encodeURIComponent(token))
    await check({ path: "/reset", headers: link, status: 200, text: /Get a new one/ })
    await setPassword(link, "/forgot")
  }
  const other = { "sec-fetch-site": "cross-site", origin: "https://evil.example" }
  for (const path of ["/forgot", "/reset"]) assert.is((await post(path, { email: "x" }, other)).status, 403)
})

test("a new user verifies the address with a link, which works only for that user, and returns to it after signing in", async () => {
  const form = { email: `new${Date.now()}@example.com`, password }
  const visitor = readSession(await post("/signup", form))
  await check({ path: "/dashboard", headers: visitor, status: 200, text: /is not verified yet/ })
  assert.is((await post("/verify", {}, visitor)).headers.get("location"), "/dashboard")
  const [link = "", other] = mailsTo(form.email).map(({ text }) => /\/verify\?token=\w{64}/.exec(text)?.[0])
  assert.ok(other)
  const stranger = await signIn()
  await check({
    path: link,
    headers: stranger.headers,
    status: 303,
    responseHeaders: { location: "/dashboard" },
  })
  await check({ path: "/dashboard", headers: visitor, status: 200, text: /is not verified yet/ })
  const elsewhere = testClient(app)
  const html = { headers: { accept: "text/html" } }
  assert.is((await elsewhere.request(link, html)).headers.get("location"), "/login")
  const back = (await elsewhere.request("/login", { form })).headers.get("location")
  assert.is(back, link)
  await elsewhere.request(back ?? "")
  assert.match(await (await elsewhere.request("/dashboard")).text(), "Your email address is verified.")
  assert.not.match(await (await elsewhere.request("/dashboard")).text(), "is not verified yet")
  await elsewhere.request(back ?? "")
  assert.match(await (await elsewhere.request("/dashboard")).text(), "too old, or it was used already")
})

test.run()
