/** The redirect flow with a provider that fails in every way, and what must come of it. A strict provider's is in tests/slow of the repository. */
import "./support/provider.ts"

import { createHash, randomUUID } from "node:crypto"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../lib/auth/database.ts"
import { app, check, makeUser, send } from "./support/app.ts"
import { callback, provider } from "./support/provider.ts"
import { cookieOf, signIn } from "./support/sessions.ts"

const test = suite("oauth")
const start = "/api/auth/google"
const failed = { status: 500, data: { error: "signing in with Google failed" } }
const wrongState = { status: 400, data: { error: "invalid state" } }

/** What the provider says of whoever signs in there next. */
interface Person {
  readonly sub: string
  readonly email: string
  readonly email_verified?: unknown
  readonly name?: string
  readonly picture?: string
}
let next: Person
const { service } = provider
// Its record of the user, and the same user in its ID token.
service.on("beforeUserinfo", (answer) => Object.assign(answer, { body: { ...next } }))
service.on("beforeTokenSigning", ({ payload }) => {
  payload.sub = next.sub
})

let people = 0
const errors: unknown[][] = []
const { error } = console

test.before.each(() => {
  people += 1
  next = {
    sub: randomUUID(),
    email: `person${people}@example.com`,
    email_verified: true,
    name: "Ada",
    picture: "",
  }
  errors.length = 0
  console.error = (...parts) => errors.push(parts)
})
test.after.each(() => {
  console.error = error
})
test.after(() => provider.stop())

/** Goes to the provider and comes back to where it leads. */
async function away() {
  const answer = await check({ path: start, status: 302 })
  const state = cookieOf(answer, "oauth_state")
  const to = answer.headers.get("location") as string
  const back = (await fetch(to, { redirect: "manual" })).headers.get("location") as string
  assert.ok(back.startsWith(`${callback}?`), back)
  return {
    path: back.slice(callback.indexOf("/api")),
    state,
    to: new URL(to),
    headers: { cookie: `oauth_state=${state?.value}` },
  }
}

const users = async () => (await db.execute("SELECT count(*) AS n FROM users")).rows[0]?.n
const clears = (answer: Response) => cookieOf(answer, "oauth_state")?.attributes.includes("Max-Age=-1")

test("to the provider: the cookie, and what the address asks for", async () => {
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

test("back: a session, and the user is made once", async () => {
  const before = Number(await users())
  for (const _ of [1, 2]) {
    const { path, headers } = await away()
    const answer = await check({ path, headers, status: 302, gives: { location: "/dashboard" } })
    assert.ok(clears(answer))
    const session = cookieOf(answer, "session_id")
    assert.equal(session?.attributes, ["Path=/", "Max-Age=86400", "HttpOnly", "Secure", "SameSite=Lax"])
    const cookie = `session_id=${session?.value}`
    await check({ path: "/dashboard", headers: { cookie }, status: 200, text: new RegExp(next.email) })
    assert.is(await users(), before + 1)
    // Addresses change; who it is does not.
    next = { ...next, email_verified: false }
  }
})

test("PKCE: the verifier goes with the code, and is what the challenge was made of", async () => {
  const { path, headers, to } = await away()
  const sent = new Promise<string>((resolve) => {
    service.once("beforeResponse", (_answer, request) => resolve(String(request.body.code_verifier)))
  })
  await check({ path, headers, status: 302 })
  const challenge = createHash("sha256")
    .update(await sent)
    .digest("base64url")
  assert.is(challenge, to.searchParams.get("code_challenge"))
})

test("the state: missing, empty, another, in another case, twice", async () => {
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
  // One that both sides agree on, and that nobody was given.
  const made = "0".repeat(32)
  await check({ path: withState(made), headers: { cookie: `oauth_state=${made}` }, ...wrongState })
  // None of these has spent the right one.
  await check({ path, headers, status: 302, gives: { location: "/dashboard" } })
  await check({ path, headers, ...wrongState })
})

test("a flow that took too long", async () => {
  const { path, headers } = await away()
  const { now } = Date
  try {
    Date.now = () => now() + 301_000
    await check({ path, headers, ...wrongState })
  } finally {
    Date.now = now
  }
})

test("given up at the provider: to the login; no code: 400; another provider's answer: 400", async () => {
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

/** What the provider's token endpoint may answer. */
const exchanges: Readonly<Record<string, { statusCode: number; body: Record<string, unknown> | "" }>> = {
  "500": { statusCode: 500, body: { error: "server_error" } },
  "500 without a body": { statusCode: 500, body: "" },
  "an expired or replayed code": { statusCode: 400, body: { error: "invalid_grant" } },
  "the wrong secret": { statusCode: 401, body: { error: "invalid_client" } },
  "no tokens": { statusCode: 200, body: {} },
  "tokens that are none": { statusCode: 200, body: { access_token: 1, id_token: {} } },
  "an ID token that is none": { statusCode: 200, body: { access_token: "x", id_token: "x.y.z" } },
}
for (const [name, answer] of Object.entries(exchanges)) {
  test(`the exchange gives ${name}: 500, no session, and the log says why`, async () => {
    const before = await users()
    const { path, headers } = await away()
    service.once("beforeResponse", (response) => Object.assign(response, answer))
    const refused = await check({ path, headers, ...failed })
    assert.is(cookieOf(refused, "session_id"), null)
    assert.ok(clears(refused))
    assert.is(await users(), before)
    assert.match(String(errors[0]?.[0]), /^signing in with Google failed: it/)
    const code = new URL(path, callback).searchParams.get("code") ?? ""
    for (const secret of ["the secret", code]) assert.not.match(String(errors), secret)
  })
}

/** What an ID token may say that is not right. */
const idTokens: Readonly<Record<string, Record<string, unknown>>> = {
  "another nonce": { nonce: "0".repeat(32) },
  "no nonce": { nonce: undefined },
  "another audience": { aud: "another client" },
  "two audiences, made for the other": { aud: ["the client", "other"], azp: "other" },
  "another issuer": { iss: "https://elsewhere.example" },
  "no subject": { sub: undefined },
  "another subject than the record": { sub: "somebody else" },
  "an end in the past": { exp: 1 },
  "a beginning to come": { nbf: 9_999_999_999 },
}
for (const [name, wrong] of Object.entries(idTokens)) {
  test(`the ID token has ${name}: 500`, async () => {
    const before = await users()
    const { path, headers } = await away()
    const change = ({ payload }: { payload: Record<string, unknown> }) => void Object.assign(payload, wrong)
    service.on("beforeTokenSigning", change)
    try {
      await check({ path, headers, ...failed })
      assert.is(await users(), before)
    } finally {
      service.off("beforeTokenSigning", change)
    }
  })
}

/** What the user record may be. */
const records: Readonly<Record<string, { statusCode?: number; body: Record<string, unknown> | "" }>> = {
  "500": { statusCode: 500, body: { error: "server_error" } },
  "401": { statusCode: 401, body: { error: "invalid_token" } },
  "no body": { body: "" },
  nobody: { body: {} },
  "no email": { body: { sub: "x" } },
  "another subject": { body: { sub: "somebody else", email: "ada@example.com", email_verified: true } },
}
for (const [name, wrong] of Object.entries(records)) {
  test(`the user record is ${name}: 500`, async () => {
    const before = await users()
    const { path, headers } = await away()
    service.once("beforeUserinfo", (response) => Object.assign(response, wrong))
    await check({ path, headers, ...failed })
    assert.is(await users(), before)
  })
}

test("the user or the session cannot be made: 500", async () => {
  const { batch } = db
  for (const after of [0, 1]) {
    const { path, headers } = await away()
    let calls = 0
    db.batch = (...args) => (calls++ < after ? batch.apply(db, args) : Promise.reject(new Error("disk full")))
    try {
      const answer = await check({ path, headers, ...failed })
      assert.is(cookieOf(answer, "session_id"), null)
    } finally {
      db.batch = batch
    }
  }
})

test("the provider is away: 500, and there again: it works", async () => {
  const { path, headers } = await away()
  const { port } = provider.address()
  await provider.stop()
  await check({ path, headers, ...failed })
  await provider.start(port, "127.0.0.1")
  const again = await away()
  await check({ path: again.path, headers: again.headers, status: 302 })
})

test("a browser gets the page for errors", async () => {
  const headers = { accept: "text/html" }
  await check({
    path: "/api/auth/google/callback",
    headers,
    status: 400,
    text: /invalid state/i,
    gives: { "content-type": /html/ },
  })
})

test("an address that nobody vouches for: 403, unless the account is known", async () => {
  for (const email_verified of [false, undefined, 1, "yes"]) {
    next = { ...next, email_verified }
    const { path, headers } = await away()
    const error = "Google does not vouch for this email address"
    const { accept } = { accept: email_verified === false ? "text/html" : "*/*" }
    const text = new RegExp(error)
    await check({ path, headers: { ...headers, accept }, status: 403, text })
  }
})

test("an account that somebody made with the address beforehand: theirs no more", async () => {
  const squatter = await signIn()
  next = { ...next, email: squatter.email.toUpperCase() }
  const { path, headers } = await away()
  const answer = await check({ path, headers, status: 302, gives: { location: "/dashboard" } })
  await check({ path: "/sessions", headers: squatter.headers, status: 302 })
  const form = { email: squatter.email, password: squatter.password }
  await check({ path: "/api/auth/login", form, status: 401 })
  const cookie = `session_id=${cookieOf(answer, "session_id")?.value}`
  await check({ path: "/sessions", headers: { cookie }, status: 200 })
})

test("an account whose address was proved keeps its password", async () => {
  const user = await makeUser()
  await db.execute({ sql: "UPDATE users SET email_verified = 1 WHERE email = ?", args: [user.email] })
  next = { ...next, email: user.email }
  const { path, headers } = await away()
  await check({ path, headers, status: 302, gives: { location: "/dashboard" } })
  await signIn(user)
})

test("two callbacks at once with the same state: one", async () => {
  const { path, headers } = await away()
  const answers = await Promise.all([send({ path, headers }), send({ path, headers })])
  assert.equal(answers.map(({ status }) => status).sort(), [302, 400])
})

test("two first sign-ins of one person at once: one user", async () => {
  const before = Number(await users())
  const [one, two] = [await away(), await away()]
  const answers = await Promise.all([one, two].map(({ path, headers }) => send({ path, headers })))
  assert.equal(
    answers.map(({ status }) => status),
    [302, 302],
  )
  assert.is(await users(), before + 1)
})

test("the login page offers it; no secret is in the database's flows", async () => {
  await check({ path: "/login", status: 200, text: /href="\/api\/auth\/google"[^>]*>Continue with Google/ })
  const { state } = await away()
  const { rows } = await db.execute("SELECT * FROM oauth_flows")
  assert.not.ok(JSON.stringify(rows).includes(state?.value ?? ""))
  assert.ok(app)
})

test.run()
