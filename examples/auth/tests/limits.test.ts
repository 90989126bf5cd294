/** Tests of rate limits, and of protection against forms of other sites. */
import "./support/few.ts"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { app, check, send } from "./support/app.ts"
import { signIn } from "./support/sessions.ts"

const test = suite("limits")
const login = { email: "ada@example.com", password: "a few good words" }

/** Every request with which a page of another site might change data here. */
const forms = [
  ["/api/auth", {}],
  ["/api/auth/signup", {}],
  ["/login", {}],
  ["/signup", {}],
  ["/logout", {}],
  ["/sessions", {}],
  ["/keys", {}],
  ["/forgot", {}],
  ["/reset", {}],
  ["/verify", {}],
  ["/invitations", {}],
  ["/login/code", {}],
  ["/second-factor", {}],
  ["/api/auth/passkey", {}],
] as const

test("a page of another site cannot use a session for the API", async () => {
  const { headers } = await signIn()
  const foreign = { ...headers, origin: "https://evil.example" }
  await check({ path: "/api/me", form: login, headers: foreign, status: 403 })
  await check({ path: "/api/me", headers: foreign, status: 200 })
})

for (const [path, headers] of forms) {
  test(`a page of another site cannot post to ${path}`, async () => {
    for (const foreign of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
    ] as Record<string, string>[]) {
      const answer = await check({
        path,
        form: login,
        headers: { ...headers, ...foreign },
        status: 403,
      })
      assert.is(answer.headers.getSetCookie().filter((set) => !set.includes("Max-Age=-1")).length, 0)
    }
  })
}

const late = { status: 429, responseHeaders: { "retry-after": /^\d+$/ } }

test("after too many attempts at an account every way to sign in is answered with 429, and pages still work", async () => {
  const json = { ...login, email: " Grace@Example.com" }
  const form = { ...login, email: "grace@example.com" }
  await check({ path: "/api/auth", json, status: 401 })
  await check({ path: "/login", form, status: 422 })
  await check({ path: "/login", form, status: 422 })
  await check({ path: "/api/auth", json, ...late, text: /too_many_requests/ })
  for (const path of ["/login", "/signup"]) await check({ path, form, ...late })
  await check({ path: "/api/auth/signup", json, ...late })
  for (const path of ["/login", "/signup", "/api/health"]) await check({ path, status: 200 })
})

/** Sends the login form of a person at an address. */
const attempt = async (email: string, clientIP: string) => {
  const init = { method: "POST", body: new URLSearchParams({ email, password: "wrong" }) }
  return (await app.request("/login", init, { clientIP })).status
}

test("one account accepts few attempts from all addresses, and one address may make many attempts at all accounts", async () => {
  const statuses: number[] = []
  for (let number = 0; number < 31; number++)
    statuses.push(await attempt("target@example.com", `192.0.2.${number}`))
  assert.equal([statuses.indexOf(429), statuses.length], [30, 31])
  // A class that signs in at nine from the address of its school.
  const school: number[] = []
  for (let number = 0; number < 91; number++)
    school.push(await attempt(`pupil${number}@example.com`, "198.51.100.1"))
  assert.is(school.indexOf(429), 90)
  assert.is(await attempt("pupil1@example.com", "203.0.113.9"), 422, "at home")
})

test("a user gets only a few mails per hour", async () => {
  const { headers } = await signIn()
  for (const status of [303, 303, 429]) await check({ method: "POST", path: "/verify", headers, status })
})

test("rate-limited requests do not reach the provider", async () => {
  const answers: number[] = []
  for (let i = 0; i < 91; i++) answers.push((await send({ path: "/api/auth/google/callback" })).status)
  assert.equal([...new Set(answers)].at(-1), 429)
  assert.is(answers.filter((status) => status === 429).length, 1)
})

test.run()
