/** Tests of which account a user of a provider gets: a new one, or the existing one with the same address. */
import "./support/provider.ts"

import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { check, makeUser, send } from "./support/app.ts"
import { signingIn, startSignIn, users, withProvider } from "./support/oauth.ts"
import { readSession, signIn } from "./support/sessions.ts"

const test = suite("oauth-accounts")

withProvider(test)

test("an unverified address is answered with 403, unless the account is known", async () => {
  for (const email_verified of [false, undefined, 1, "yes"]) {
    signingIn.person = { ...signingIn.person, email_verified }
    const { path, headers } = await startSignIn()
    const error = "Google does not vouch for this email address"
    const { accept } = { accept: email_verified === false ? "text/html" : "*/*" }
    const text = new RegExp(error)
    await check({ path, headers: { ...headers, accept }, status: 403, text })
  }
})

test("the owner of an address gets an account that somebody else created with it", async () => {
  const squatter = await signIn()
  signingIn.person = { ...signingIn.person, email: squatter.email.toUpperCase() }
  const { path, headers } = await startSignIn()
  const answer = await check({ path, headers, status: 303, responseHeaders: { location: "/dashboard" } })
  await check({ path: "/sessions", headers: squatter.headers, status: 303 })
  const form = { email: squatter.email, password: squatter.password }
  await check({ path: "/login", form, status: 422 })
  await check({ path: "/sessions", headers: readSession(answer), status: 200 })
})

test("an account with a verified address keeps its password", async () => {
  const user = await makeUser()
  await db.sql`UPDATE users SET email_verified = 1 WHERE id = ${user.id}`
  signingIn.person = { ...signingIn.person, email: user.email }
  const { path, headers } = await startSignIn()
  await check({ path, headers, status: 303, responseHeaders: { location: "/dashboard" } })
  await signIn(user)
})

test("two first sign-ins of a person at the same time create one user", async () => {
  const before = await users()
  const [one, two] = [await startSignIn(), await startSignIn()]
  const answers = await Promise.all([one, two].map(({ path, headers }) => send({ path, headers })))
  assert.equal(
    answers.map(({ status }) => status),
    [303, 303],
  )
  assert.is(await users(), before + 1)
})

test.run()
