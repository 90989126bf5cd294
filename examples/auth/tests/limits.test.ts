/** Tests of rate limits, and of protection against forms of other sites. */
import "./support/few.ts"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { check, send } from "./support/app.ts"

const test = suite("limits")
const login = { email: "ada@example.com", password: "a few good words" }
const session = { cookie: `session_id=${"0".repeat(64)}` }

/** Every request with which a page of another site might change data here. */
const forms = [
  ["/api/auth", {}],
  ["/api/auth/login", {}],
  ["/api/auth/signup", {}],
  ["/api/auth/logout", {}],
  ["/login", {}],
  ["/signup", {}],
  ["/logout", {}],
  ["/sessions", {}],
  ["/keys", {}],
  ["/api/me", session],
] as const

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

test("after too many attempts every way to sign in is answered with 429, and pages still work", async () => {
  for (let i = 0; i < 3; i++)
    await check({ path: "/api/auth", json: { ...login, email: `${i}@example.com` }, status: 401 })
  const late = { status: 429, gives: { "retry-after": /^\d+$/ } }
  await check({ path: "/api/auth", json: login, ...late, text: /too_many_requests/ })
  for (const path of ["/api/auth/login", "/login", "/signup"]) await check({ path, form: login, ...late })
  await check({ path: "/api/auth/signup", json: login, ...late })
  for (const path of ["/login", "/signup", "/api/health"]) await check({ path, status: 200 })
})

test("rate-limited requests do not reach the provider", async () => {
  const answers: number[] = []
  for (let i = 0; i < 10; i++) answers.push((await send({ path: "/api/auth/google/callback" })).status)
  assert.equal([...new Set(answers)].at(-1), 429)
  assert.is(answers.filter((status) => status === 429).length, 1)
})

test.run()
