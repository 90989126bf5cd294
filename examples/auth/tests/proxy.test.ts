/** Tests of the check before routing: open paths, sessions, tokens, and all other requests. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { check, makeUser } from "./support/app.ts"
import { signIn } from "./support/sessions.ts"
import { bearer, claims, forge, header } from "./support/tokens.ts"

const test = suite("proxy")
const refused = {
  status: 401,
  data: { error: "unauthorized", message: "sign in, or send a token" },
  responseHeaders: { "www-authenticate": "Bearer, Cookie" },
}

test("the login and the health check are open", async () => {
  await check({ path: "/api/health", status: 200, data: { status: "ok" } })
  const login = await makeUser()
  await check({ path: "/api/auth", json: login, status: 200 })
})

test("a session or a token gives access, and the route knows the user", async () => {
  const { headers, email } = await signIn()
  const answer = await check({ path: "/api/me", headers, status: 200 })
  const { user_id, ...rest } = (await answer.json()) as { user_id: string }
  assert.equal(rest, { email, role: "user" })
  const token = forge(header, claims({ user_id, role: "admin" }))
  await check({
    path: "/api/me",
    headers: bearer(token),
    status: 200,
    data: { user_id, email: "ada@example.com", role: "admin" },
  })
  // A valid credential is enough, even next to an invalid one.
  await check({ path: "/api/me", headers: { cookie: "session=x", ...bearer(token) }, status: 200 })
  await check({ path: "/api/me", headers: { ...headers, ...bearer("x") }, status: 200 })
})

test("other requests get 401 below /api and the login page elsewhere, also without a route", async () => {
  const nobody = [
    {},
    bearer("x"),
    bearer(forge(header, claims({ exp: 0 }))),
    { authorization: "Basic eDp5" },
    { cookie: "session=x" },
    { "x-api-key": "x" },
  ]
  for (const headers of nobody as Record<string, string>[]) {
    for (const path of [
      "/api/me",
      "/api/me/",
      "/api",
      "/api/",
      "/api/none",
      "/api/healthy",
      "/api/authors",
      "/api/auth%2Fx",
    ])
      await check({ path, headers, ...refused })
    await check({ path: "/dashboard", headers, status: 303, responseHeaders: { location: "/login" } })
    await check({ path: "/dashboard/none", headers, status: 303, responseHeaders: { location: "/login" } })
    // htmx loads the login page itself, instead of putting it into a part of this page.
    for (const path of ["/dashboard", "/api/me"]) {
      const htmx = { ...headers, "hx-request": "true" }
      await check({
        path,
        headers: htmx,
        status: 401,
        responseHeaders: { "hx-redirect": "/login", location: null },
      })
    }
  }
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
    const answer = await check({ method, path: "/api/me", status: 401 })
    assert.not.ok(answer.headers.has("allow"))
  }
})

test("paths outside the matcher are not checked", async () => {
  await check({ path: "/login", status: 200 })
  await check({ path: "/apis", status: 404 })
})

test.run()
