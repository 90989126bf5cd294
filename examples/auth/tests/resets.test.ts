/** Tests of resetting a password by mail: the link, what it ends, and what it does not reveal. */
import "./support/env.ts"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../lib/auth/database.ts"
import { app, check, makeUser } from "./support/app.ts"
import { cookieOf, signIn } from "./support/sessions.ts"

const test = suite("resets")
const password = "a new password"

/** Returns the mails to an address, oldest first. */
function mailsTo(email: string): { subject: string; text: string }[] {
  return readdirSync(".fw/mail")
    .sort()
    .map((name) => JSON.parse(readFileSync(join(".fw/mail", name), "utf8")))
    .filter(({ to }) => to === email)
}

/** Sends a form, and waits for what the application does after its answer. */
async function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const later: Promise<unknown>[] = []
  const init = { method: "POST", body: new URLSearchParams(form), headers }
  const answer = await app.request(path, init, { waitUntil: (promise) => void later.push(promise) })
  await Promise.all(later)
  return answer
}

/** Asks for a link, and returns its token and its address. */
async function forgot(email: string) {
  const answer = await post("/forgot", { email })
  assert.equal([answer.status, answer.headers.get("location")], [303, "/forgot"])
  const [, origin, token = ""] =
    /(\S+)\/reset\/link\?token=(\w+)/.exec(mailsTo(email).at(-1)?.text ?? "") ?? []
  return { origin, token }
}

/** Opens a link, and returns the cookie that the page then has. */
async function opened(token: string) {
  const answer = await check({
    path: `/reset/link?token=${token}`,
    status: 303,
    gives: { location: "/reset" },
  })
  assert.is(answer.headers.get("referrer-policy"), "no-referrer")
  assert.is(answer.headers.get("cache-control"), "no-store")
  const cookie = cookieOf(answer, "reset_token")
  assert.equal(cookie?.attributes, ["Path=/reset", "Max-Age=1800", "HttpOnly", "Secure", "SameSite=Lax"])
  return { cookie: `reset_token=${cookie?.value}` }
}

const login = (form: Record<string, string>, status: number) =>
  check({ path: "/api/auth/login", form, status })

test("the link sets a new password once, ends all sessions, and sends a notice", async () => {
  const user = await signIn()
  const { headers, email } = user
  const made = { email, password: user.password, refresh: true }
  const tokens = await (await check({ path: "/api/auth", json: made, status: 200 })).json()
  const { token } = await forgot(email)
  assert.match(token, /^[0-9a-f]{64}$/)
  await check({ path: "/dashboard", headers, status: 200 })
  const link = await opened(token)
  await check({ path: "/reset", headers: link, status: 200, text: /name="password"/ })
  const answer = await post("/reset", { password }, link)
  assert.equal([answer.status, answer.headers.get("location")], [303, "/login"])
  assert.equal(cookieOf(answer, "reset_token")?.value, "")
  assert.is(cookieOf(answer, "session_id"), null)
  await check({ path: "/dashboard", headers, status: 302 })
  const { refresh_token } = tokens as { refresh_token: string }
  await check({ path: "/api/auth/refresh", json: { refresh_token }, status: 401 })
  await login({ email, password: user.password }, 401)
  await login({ email, password }, 200)
  assert.match(mailsTo(email).at(-1)?.subject ?? "", /was changed$/)
  const again = await post("/reset", { password: "yet another one" }, link)
  assert.is(again.headers.get("location"), "/forgot")
  await check({ path: "/reset", headers: link, status: 200, text: /used already/ })
  await login({ email, password }, 200)
})

test("only one of two requests with the same token sets the password", async () => {
  const { email } = await makeUser()
  const link = await opened((await forgot(email)).token)
  const answers = await Promise.all(
    ["one new password", "another password"].map((password) => post("/reset", { password }, link)),
  )
  assert.equal(answers.map(({ headers }) => headers.get("location")).sort(), ["/forgot", "/login"])
})

test("a second link works too, and the use of one ends both", async () => {
  const { email } = await makeUser()
  const links = [await opened((await forgot(email)).token), await opened((await forgot(email)).token)]
  assert.is((await post("/reset", { password }, links[0])).headers.get("location"), "/login")
  assert.is((await post("/reset", { password }, links[1])).headers.get("location"), "/forgot")
})

test("tokens are stored as digests, and expire after half an hour", async () => {
  const { email } = await makeUser()
  const before = Date.now()
  const { token } = await forgot(email)
  const { rows } = await db.execute(
    "SELECT digest, expires_at FROM password_resets ORDER BY expires_at DESC LIMIT 1",
  )
  assert.is.not(rows[0]?.digest, token)
  assert.ok(
    Number(rows[0]?.expires_at) >= before + 1_800_000 &&
      Number(rows[0]?.expires_at) <= Date.now() + 1_800_000,
  )
  const link = await opened(token)
  await db.execute({ sql: "UPDATE password_resets SET expires_at = ?", args: [Date.now()] })
  assert.is((await post("/reset", { password }, link)).headers.get("location"), "/forgot")
  await login({ email, password }, 401)
})

test("the link still works after a password that is not allowed", async () => {
  const { email } = await makeUser()
  const link = await opened((await forgot(email)).token)
  for (const short of ["", "short", "x".repeat(257)])
    assert.is((await post("/reset", { password: short }, link)).headers.get("location"), "/reset")
  assert.is((await post("/reset", { password }, link)).headers.get("location"), "/login")
})

test("the answer does not say if there is an account, and does not wait for the mail", async () => {
  const { email } = await makeUser()
  const seen = []
  for (const address of [email, "nobody@example.com", "no address", ""]) {
    let later = 0
    const init = { method: "POST", body: new URLSearchParams({ email: address }) }
    const answer = await app.request("/forgot", init, { waitUntil: () => void later++ })
    const flash = cookieOf(answer, "flash")
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

test("the reset of an account that somebody else created deletes that person's keys and passkeys", async () => {
  const { email } = await makeUser()
  const keep = async (table: string) =>
    (
      await db.execute({
        sql: `SELECT count(*) AS n FROM ${table} WHERE user_id = (SELECT id FROM users WHERE email = ?)`,
        args: [email],
      })
    ).rows[0]?.n
  const plant = async () => {
    const id = crypto.randomUUID()
    await db.batch([
      {
        sql: "INSERT INTO api_keys SELECT ?, ?, 'x', id, 0 FROM users WHERE email = ?",
        args: [id, id, email],
      },
      {
        sql: "INSERT INTO passkeys SELECT ?, id, 'x', 0, '', 0, 0, 'x', 0, NULL FROM users WHERE email = ?",
        args: [id, email],
      },
    ])
  }
  for (const [left, why] of [
    [0, "the address was not verified"],
    [1, "now it is"],
  ] as const) {
    await plant()
    assert.is((await post("/reset", { password }, await opened((await forgot(email)).token))).status, 303)
    assert.equal([await keep("api_keys"), await keep("passkeys")], [left, left], why)
  }
})

test("invalid tokens and pages of other sites are refused", async () => {
  for (const token of ["", "x", "0".repeat(64), "%00", "x".repeat(1000), `${"x".repeat(99)}\u{1f511}`]) {
    const link = await opened(encodeURIComponent(token))
    await check({ path: "/reset", headers: link, status: 200, text: /Get a new one/ })
    assert.is((await post("/reset", { password }, link)).headers.get("location"), "/forgot")
  }
  const other = { "sec-fetch-site": "cross-site", origin: "https://evil.example" }
  for (const path of ["/forgot", "/reset"]) assert.is((await post(path, { email: "x" }, other)).status, 403)
})

test.run()
