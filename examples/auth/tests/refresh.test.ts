/** Tests of refresh tokens: rotation, and the second use of a token. */
import "./support/env.ts"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { check, makeUser, send } from "./support/app.ts"
import { bearer } from "./support/tokens.ts"

const test = suite("refresh")
const path = "/api/auth/refresh"
const invalid = { status: 401, data: { error: "invalid refresh token" } }

interface Pair {
  readonly token: string
  readonly expires_in: number
  readonly refresh_token: string
  readonly refresh_expires_in: number
}

async function login(): Promise<Pair> {
  const user = await makeUser()
  const answer = await check({ path: "/api/auth", json: { ...user, refresh: true }, status: 200 })
  return (await answer.json()) as Pair
}

async function refresh(token: string): Promise<Pair> {
  return (await (await check({ path, json: { refresh_token: token }, status: 200 })).json()) as Pair
}

test("a refresh returns the next refresh token and a valid token, and a login returns none unless asked", async () => {
  let pair = await login()
  assert.equal([pair.expires_in, pair.refresh_expires_in], [86_400, 14 * 86_400])
  for (let i = 0; i < 3; i++) {
    const next = await refresh(pair.refresh_token)
    assert.is.not(next.refresh_token, pair.refresh_token)
    assert.ok(next.refresh_expires_in <= pair.refresh_expires_in)
    await check({ path: "/api/protected/profile", headers: bearer(next.token), status: 200 })
    pair = next
  }
})

test("the second use of a token ends all tokens of its login, and no others", async () => {
  const [stolen, other] = [await login(), await login()]
  const next = await refresh(stolen.refresh_token)
  const last = await refresh(next.refresh_token)
  await check({ path, json: { refresh_token: stolen.refresh_token }, ...invalid })
  await check({ path, json: { refresh_token: last.refresh_token }, ...invalid })
  await refresh(other.refresh_token)
})

test("if many requests use one token, one gets the next token, which then ends too", async () => {
  const { refresh_token } = await login()
  const answers = await Promise.all(Array.from({ length: 20 }, () => send({ path, json: { refresh_token } })))
  const good = answers.filter(({ status }) => status === 200)
  assert.is(good.length, 1)
  const next = (await good[0]?.json()) as Pair
  await check({ path, json: { refresh_token: next.refresh_token }, ...invalid })
})

test("revoking a token ends it and its successors", async () => {
  const first = await login()
  const next = await refresh(first.refresh_token)
  await check({ path: "/api/auth/revoke", json: { refresh_token: next.refresh_token }, status: 204 })
  await check({ path, json: { refresh_token: next.refresh_token }, ...invalid })
  await check({ path: "/api/auth/revoke", json: { refresh_token: "unknown" }, status: 204 })
})

test("expired and invalid tokens are refused", async () => {
  const { refresh_token, token } = await login()
  await db.sql`UPDATE refresh_tokens SET expires_at = 1`
  for (const wrong of [refresh_token, token, "", "x", "0".repeat(64)])
    await check({ path, json: { refresh_token: wrong }, ...invalid })
})

test("the database has only digests of tokens", async () => {
  const { refresh_token } = await login()
  const rows = await db.sql`SELECT * FROM refresh_tokens`
  assert.ok(rows.length > 0)
  assert.not.ok(JSON.stringify(rows).includes(refresh_token))
})

test.run()
