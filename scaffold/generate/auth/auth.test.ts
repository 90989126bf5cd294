/** Tests of the accounts: signing up, signing in and out, and returning to the page that the user wanted to open. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { testClient } from "fw/testing"
import { app } from "./support/app.ts"

const form = { email: "ada@example.com", password: "a few good words" }
const html = { headers: { accept: "text/html" } }

/** Sends a form as a visitor, follows the redirect, and returns the page. */
async function send(visitor: ReturnType<typeof testClient>, path: string, fields: Record<string, string>) {
  const answer = await visitor.request(path, { form: fields })
  assert.equal(answer.status, 303)
  return answer.headers.get("location")
}

test("a new user is signed in, and a wrong password signs nobody in", async () => {
  const visitor = testClient(app)
  assert.equal(await send(visitor, "/signup", form), "/dashboard")
  assert.match(await (await visitor.request("/dashboard")).text(), /ada@example\.com/)
  assert.match(visitor.mails[0]?.text ?? "", /\/verify\?token=/)
  const stranger = testClient(app)
  const refused = await stranger.request("/login", { form: { ...form, password: "wrong" } })
  assert.equal(refused.status, 422)
  assert.equal((await stranger.request("/dashboard")).status, 303)
})

test("signing in leads to the page that was asked for, and signing out ends the session", async () => {
  const visitor = testClient(app)
  const asked = await visitor.request("/sessions?from=mail", html)
  assert.equal(asked.headers.get("location"), "/login")
  assert.equal(await send(visitor, "/login", form), "/sessions?from=mail")
  assert.equal((await visitor.request("/sessions")).status, 200)
  assert.equal(await send(visitor, "/logout", {}), "/login")
  assert.equal((await visitor.request("/sessions")).status, 303)
})

test("a page of another site cannot sign anybody in or out", async () => {
  for (const path of ["/login", "/signup", "/logout"]) {
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
    const answer = await testClient(app).request(path, { form, headers })
    assert.equal(answer.status, 403)
  }
})
