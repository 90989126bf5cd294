/**
 * Tests of the redirect flow with a provider, step by step, and of wrong values in the callback. A test with
 * a strict provider is in tests/slow of the repository.
 */
import "./support/provider.ts"

import { createHash } from "node:crypto"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { check, send } from "./support/app.ts"
import { signingIn, startSignIn, users, withProvider } from "./support/oauth.ts"
import { callback, provider } from "./support/provider.ts"
import { readCookie, readSession } from "./support/sessions.ts"

const test = suite("oauth")
const wrongState = { status: 400, data: { error: "bad_request", message: "invalid state" } }
const signedIn = { status: 303, responseHeaders: { location: "/dashboard" } }

withProvider(test)

test("the redirect to the provider has the right query", async () => {
  const { state, to } = await startSignIn()
  assert.match(state, /^[0-9a-f]{32}$/)
  assert.is(to.origin + to.pathname, `${provider.issuer.url}/authorize`)
  const { nonce, code_challenge, ...asked } = Object.fromEntries(to.searchParams)
  assert.equal(asked, {
    response_type: "code",
    client_id: "the client",
    redirect_uri: callback,
    scope: "openid email profile",
    state,
    code_challenge_method: "S256",
  })
  assert.match(nonce ?? "", /^[0-9a-f]{32}$/)
  assert.match(code_challenge ?? "", /^[\w-]{43}$/)
})

test("the callback creates a session each time, and the user only once", async () => {
  const before = await users()
  for (const _ of [1, 2]) {
    const { path, headers } = await startSignIn()
    const answer = await check({ path, headers, ...signedIn })
    await check({
      path: "/dashboard",
      headers: readSession(answer),
      status: 200,
      text: new RegExp(signingIn.person.email),
    })
    assert.is(await users(), before + 1)
    // The email address may change; the identifier does not.
    signingIn.person = { ...signingIn.person, email_verified: false }
  }
})

test("the PKCE verifier is sent with the code and matches the challenge", async () => {
  const { path, headers, to } = await startSignIn()
  const sent = new Promise<string>((resolve) => {
    provider.service.once("beforeResponse", (_answer, request) => resolve(String(request.body.code_verifier)))
  })
  await check({ path, headers, ...signedIn })
  const challenge = createHash("sha256")
    .update(await sent)
    .digest("base64url")
  assert.is(challenge, to.searchParams.get("code_challenge"))
})

test("a state that is missing, empty, different, in another case or sent twice is refused", async () => {
  const { path, headers, state } = await startSignIn()
  const other = await startSignIn()
  const withState = (text: string) => path.replace(`state=${state}`, `state=${text}`)
  await check({ path, ...wrongState })
  await check({ path, headers: { cookie: `state=${state}; session=${state}` }, ...wrongState })
  await check({ path, headers: other.headers, ...wrongState })
  for (const wrong of ["", other.state, state.toUpperCase(), "0".repeat(32), `${state}.${state}`])
    await check({ path: withState(wrong), headers, ...wrongState })
  await check({ path: "/api/auth/google/callback", headers, ...wrongState })
  // None of these requests has used the right state.
  await check({ path, headers, ...signedIn })
  await check({ path, headers, ...wrongState })
})

test("sign-ins in several tabs of one browser can be finished in any order, each once", async () => {
  const one = await startSignIn()
  const tabs = [one, await startSignIn(one.headers), await startSignIn(one.headers)]
  // Signs in from the first tab, the last one, and one in between. A wrong code does not sign in, so the session
  // stays the same.
  for (const at of [0, 2, 1]) {
    const { state = "" } = { ...tabs[at] }
    const path = `/api/auth/google/callback?code=x&state=${state}`
    await check({ path, headers: one.headers, status: 500 })
    await check({ path, headers: one.headers, ...wrongState })
  }
  // A browser that starts very many sign-ins keeps only the latest ones.
  for (let tab = 0; tab < 8; tab++)
    await check({ path: "/api/auth/google", headers: one.headers, status: 302 })
  const first = await startSignIn(one.headers)
  await check({ path: first.path, headers: one.headers, ...signedIn })
})

test("a callback after the flow has expired is refused", async () => {
  const { path, headers } = await startSignIn()
  const { now } = Date
  try {
    Date.now = () => now() + 301_000
    await check({ path, headers, ...wrongState })
  } finally {
    Date.now = now
  }
})

test("a cancelled sign-in leads to the login page, and a callback without a code or from another provider is a 400", async () => {
  const [one, two, three] = [await startSignIn(), await startSignIn(), await startSignIn()]
  const withoutCode = (path: string) => path.replace(/code=[^&]*&?/, "")
  const denied = `${withoutCode(one.path)}&error=access_denied`
  const answer = await check({
    path: denied,
    headers: one.headers,
    status: 302,
    responseHeaders: { location: "/login" },
  })
  assert.is(readCookie(answer, "session"), null)
  await check({
    path: withoutCode(two.path),
    headers: two.headers,
    status: 400,
    data: { error: "bad_request", message: "missing code" },
  })
  const foreign = `${three.path}&iss=https%3A%2F%2Felsewhere.example`
  const data = { error: "bad_request", message: "invalid issuer" }
  await check({ path: foreign, headers: three.headers, status: 400, data })
})

test("a browser gets the error page", async () => {
  const headers = { accept: "text/html" }
  await check({
    path: "/api/auth/google/callback",
    headers,
    status: 400,
    text: /invalid state/i,
    responseHeaders: { "content-type": /html/ },
  })
})

test("only one of two callbacks with the same state succeeds", async () => {
  const { path, headers } = await startSignIn()
  const answers = await Promise.all([send({ path, headers }), send({ path, headers })])
  assert.equal(answers.map(({ status }) => status).sort(), [303, 400])
})

test("the login page links to the provider, and the stored flows contain no secret", async () => {
  await check({ path: "/login", status: 200, text: /href="\/api\/auth\/google"[^>]*>Continue with Google/ })
  const { state } = await startSignIn()
  assert.not.ok(JSON.stringify(await db.sql`SELECT * FROM fw_value`).includes(state))
})

test.run()
