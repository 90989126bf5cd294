/** Tests of short access tokens, which need refresh tokens. */
import "./support/short.ts"
import { decodeJwt } from "jose"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { check, makeUser } from "./support/app.ts"

interface Pair {
  readonly token: string
  readonly expires_in: number
  readonly refresh_token: string
}

const test = suite("short tokens")

test("a token lasts a quarter of an hour, at login and after every refresh", async () => {
  const login = { ...(await makeUser()), refresh: true }
  let sent: { readonly path: string; readonly json: unknown } = { path: "/api/auth", json: login }
  for (let i = 0; i < 3; i++) {
    const answer = await check({ ...sent, status: 200 })
    const { token, expires_in, refresh_token } = (await answer.json()) as Pair
    const { exp = 0, iat = 0 } = decodeJwt(token)
    assert.equal([expires_in, exp - iat], [900, 900])
    sent = { path: "/api/auth/refresh", json: { refresh_token } }
  }
})

test.run()
