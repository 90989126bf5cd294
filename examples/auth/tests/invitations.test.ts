/** Tests of invitations: who may invite, what the link does, and signing up only with an invitation. */
import "./support/env.ts"
import { testClient } from "fw/testing"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { rules } from "../lib/auth/rules.ts"
import { app, check, mailsTo, makeUser } from "./support/app.ts"
import { signIn } from "./support/sessions.ts"

const test = suite("invitations")

/** Returns the link of the invitation to an address. */
async function invite(email: string): Promise<string> {
  const user = await makeUser()
  const { headers } = await signIn(user)
  const form = { email }
  await check({ path: "/invitations", form, headers, status: 403 })
  await db.sql`UPDATE users SET email_verified = 1 WHERE id = ${user.id}`
  await check({
    path: "/invitations",
    form: { email: "x" },
    headers,
    status: 422,
    text: /not an email address/,
  })
  const later: Promise<unknown>[] = []
  const init = { method: "POST", body: new URLSearchParams(form), headers }
  await app.request("/invitations", init, { waitUntil: (promise) => void later.push(promise) })
  await Promise.all(later)
  const { text = "" } = mailsTo(email.toLowerCase()).at(-1) ?? {}
  assert.match(text, `${user.email} invites you`)
  return /\/invitation\?token=\w{64}/.exec(text)?.[0] ?? ""
}

test("the link of an invitation creates a verified account with the invited address", async () => {
  const link = await invite("Ada@Invited.example")
  rules.needsInvitation = true
  try {
    await check({ path: "/signup", status: 200, text: /You need an invitation/ })
    const form = { email: "eve@example.com", password: "a few good words" }
    await check({ path: "/signup", form, status: 403 })
    await check({ path: "/api/auth/signup", json: form, status: 403, text: /an invitation is needed/ })
    const visitor = testClient(app)
    assert.is((await visitor.request(link)).headers.get("location"), "/signup")
    assert.match(await (await visitor.request("/signup")).text(), "You are invited as ada@invited.example.")
    assert.is((await visitor.request("/signup", { form })).headers.get("location"), "/dashboard")
    const page = await (await visitor.request("/dashboard")).text()
    assert.match(page, "ada@invited.example")
    assert.not.match(page, "is not verified yet")
    const again = testClient(app)
    await again.request(link)
    assert.is((await again.request("/signup", { form })).status, 422, "there is the account already")
    const unknown = testClient(app)
    await unknown.request("/invitation?token=x")
    assert.is((await unknown.request("/signup", { form })).status, 403)
  } finally {
    rules.needsInvitation = false
  }
})

test.run()
