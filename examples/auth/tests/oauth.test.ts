/**
 * Tests of the redirect flow with a provider, step by step, and of wrong values in the callback. A test with
 * a strict provider is in tests/slow of the repository.
 */
import "./support/provider.ts"

import { createHash } from "node:crypto"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../lib/auth/database.ts"
import { check, send } from "./support/app.ts"
import { away, clears, signingIn, users, withProvider } from "./support/oauth.ts"
import { callback, provider } from "./support/provider.ts"
import { cookieOf } from "./support/sessions.ts"

const test = suite("oauth")
const wrongState = { status: 400, data: { error: "invalid state" } }

withProvider(test)

test("the redirect to the provider has the right cookie and query", async () => {
  const { state, to } = await away()
  assert.match(state?.value ?? "", /^[0-9a-f]{32}$/)
  assert.equal(state?.attributes, ["Path=/", "Max-Age=300", "HttpOnly", "Secure", "SameSite=Lax"])
  assert.is(to.origin + to.pathname, `${provider.issuer.url}/authorize`)
  const { nonce, code_challenge, ...asked } = Object.fromEntries(to.searchParams)
  assert.equal(asked, {
    response_type: "code",
    client_id: "the client",
    redirect_uri: callback,
    scope: "openid email profile",
    state: state?.value,
    code_challenge_method: "S256",
  })
  assert.match(nonce ?? "", /^[0-9a-f]{32}$/)
  assert.match(code_challenge ?? "", /^[\w-]{43}$/)
})

test("the callback creates a session, and the user only once", async () => {
  const before = Number(await users())
  for (const _ of [1, 2]) {
    const { path, headers } = await away()
    const answer = await check({ path, headers, status: 302, gives: { location: "/dashboard" } })
    assert.ok(clears(answer))
    const session = cookieOf(answer, "session_id")
    assert.equal(session?.attributes, ["Path=/", "Max-Age=86400", "HttpOnly", "Secure", "SameSite=Lax"])
    const cookie = `session_id=${session?.value}`
    await check({
      path: "/dashboard",
      headers: { cookie },
      status: 200,
      text: new RegExp(signingIn.person.email),
    })
    assert.is(await users(), before + 1)
    // The email address may change; the identifier does not.
    signingIn.person = { ...signingIn.person, email_verified: false }
  }
})

test("the PKCE verifier is sent with the code and matches the challenge", async () => {
  const { path, headers, to } = await away()
  const sent = new Promise<string>((resolve) => {
    provider.service.once("beforeResponse", (_answer, request) => resolve(String(request.body.code_verifier)))
  })
  await check({ path, headers, status: 302 })
  const challenge = createHash("sha256")
    .update(await sent)
    .digest("base64url")
  assert.is(challenge, to.searchParams.get("code_challenge"))
})

test("a state that is missing, empty, different, in another case or sent twice is refused", async () => {
  const { path, headers, state } = await away()
  const value = state?.value ?? ""
  const other = await away()
  const withState = (text: string) => path.replace(`state=${value}`, `state=${text}`)
  await check({ path, ...wrongState })
  await check({ path, headers: { cookie: "oauth_state=" }, ...wrongState })
  await check({ path, headers: { cookie: `state=${value}` }, ...wrongState })
  await check({ path, headers: other.headers, ...wrongState })
  await check({ path: withState(""), headers, ...wrongState })
  await check({ path: withState(""), headers: { cookie: "oauth_state=" }, ...wrongState })
  await check({ path: withState(other.state?.value ?? ""), headers, ...wrongState })
  await check({ path: withState(value.toUpperCase()), headers, ...wrongState })
  await check({ path: "/api/auth/google/callback", ...wrongState })
  // A state that cookie and query agree on, but that was never issued.
  const made = "0".repeat(32)
  await check({ path: withState(made), headers: { cookie: `oauth_state=${made}` }, ...wrongState })
  // None of these requests has used up the right state.
  await check({ path, headers, status: 302, gives: { location: "/dashboard" } })
  await check({ path, headers, ...wrongState })
})

test("sign-ins in several tabs of one browser end in any order, each once", async () => {
  const [one, two, three] = [await away(), await away(), await away()]
  const states: string[] = []
  let cookie = ""
  for (const _ of [one, two, three]) {
    const begun = await check({ path: "/api/auth/google", headers: { cookie }, status: 302 })
    cookie = `oauth_state=${cookieOf(begun, "oauth_state")?.value}`
    states.unshift(new URL(begun.headers.get("location") as string).searchParams.get("state") as string)
    assert.is(cookie, `oauth_state=${states.join(".")}`)
  }
  // The first tab, the last one, and the one between.
  for (const at of [2, 0, 0]) {
    const state = states.splice(at, 1)[0] as string
    const path = `/api/auth/google/callback?code=x&state=${state}`
    const wrong = path.replace(state, `${state}.${state}`)
    await check({ path: wrong, headers: { cookie }, ...wrongState })
    const done = await check({ path, headers: { cookie }, status: 500 })
    await check({ path, headers: { cookie }, ...wrongState })
    const left = cookieOf(done, "oauth_state")
    assert.is(left?.value, states.join("."))
    assert.is(left?.attributes.includes("Max-Age=-1"), states.length === 0)
    cookie = `oauth_state=${left?.value}`
  }
  // A browser that begins very many keeps the last ones.
  const many = Array.from({ length: 30 }, (_, at) => String(at % 10).repeat(32)).join(".")
  const begun = await check({
    path: "/api/auth/google",
    headers: { cookie: `oauth_state=${many}` },
    status: 302,
  })
  assert.is(cookieOf(begun, "oauth_state")?.value.split(".").length, 8)
})

test("a callback after the flow has expired is refused", async () => {
  const { path, headers } = await away()
  const { now } = Date
  try {
    Date.now = () => now() + 301_000
    await check({ path, headers, ...wrongState })
  } finally {
    Date.now = now
  }
})

test("a cancelled sign-in leads to the login page, and a callback without a code or of another provider is a 400", async () => {
  const [one, two, three] = [await away(), await away(), await away()]
  const withoutCode = (path: string) => path.replace(/code=[^&]*&?/, "")
  const denied = `${withoutCode(one.path)}&error=access_denied`
  const answer = await check({
    path: denied,
    headers: one.headers,
    status: 302,
    gives: { location: "/login" },
  })
  assert.ok(clears(answer))
  assert.is(cookieOf(answer, "session_id"), null)
  await check({
    path: withoutCode(two.path),
    headers: two.headers,
    status: 400,
    data: { error: "missing code" },
  })
  const foreign = `${three.path}&iss=https%3A%2F%2Felsewhere.example`
  await check({ path: foreign, headers: three.headers, status: 400, data: { error: "invalid issuer" } })
})

test("a browser gets the error page", async () => {
  const headers = { accept: "text/html" }
  await check({
    path: "/api/auth/google/callback",
    headers,
    status: 400,
    text: /invalid state/i,
    gives: { "content-type": /html/ },
  })
})

test("only one of two callbacks with the same state succeeds", async () => {
  const { path, headers } = await away()
  const answers = await Promise.all([send({ path, headers }), send({ path, headers })])
  assert.equal(answers.map(({ status }) => status).sort(), [302, 400])
})

test("the login page links to the provider, and the stored flows contain no secret", async () => {
  await check({ path: "/login", status: 200, text: /href="\/api\/auth\/google"[^>]*>Continue with Google/ })
  const { state } = await away()
  const { rows } = await db.execute("SELECT * FROM oauth_flows")
  assert.not.ok(JSON.stringify(rows).includes(state?.value ?? ""))
})

test.run()
