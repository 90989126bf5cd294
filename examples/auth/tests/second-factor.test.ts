/** Tests of the second factor: turning it on, signing in with it, recovery codes, and what is refused. */
import "./support/env.ts"
import { testClient } from "fw/testing"
import { TOTP } from "otpauth"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { app, check, makeUser } from "./support/app.ts"

const test = suite("second factor")

type Client = ReturnType<typeof testClient>
const enter = (client: Client, code: string) => client.request("/login/code", { form: { code } })
const textOf = async (client: Client, path: string) => (await client.request(path)).text()

/** Creates a user with a second factor. Its codes belong to later steps than the code that turned it on. */
async function withFactor() {
  const user = await makeUser()
  const client = testClient(app)
  const signIn = (one = client) =>
    one.request("/login", { form: { email: user.email, password: user.password } })
  await signIn()
  const page = await textOf(client, "/second-factor")
  assert.match(page, "<svg")
  const totp = new TOTP({ secret: /select-all[^>]*>([A-Z2-7]{32})</.exec(page)?.[1] ?? "" })
  const wrong = await client.request("/second-factor", { form: { code: "x" } })
  assert.is(wrong.status, 422)
  const used = totp.generate()
  assert.is((await client.request("/second-factor", { form: { code: used } })).status, 303)
  const shown = await textOf(client, "/second-factor")
  const codes = /recovery codes: each works once[^.]*\. ([0-9a-f ]+)</.exec(shown)?.[1]?.split(" ") ?? []
  assert.is(codes.length, 8)
  await client.request("/logout", { method: "POST" })
  const next = () => totp.generate({ timestamp: Date.now() + 30_000 })
  return { user, client, signIn, used, next, codes }
}

test("the password alone does not sign in, and a code works once", async () => {
  const { client, signIn, used, next } = await withFactor()
  assert.is((await client.request("/sessions", { headers: { accept: "text/html" } })).status, 303)
  assert.is((await signIn()).headers.get("location"), "/login/code")
  assert.is((await client.request("/dashboard")).status, 303)
  assert.is((await enter(client, used)).status, 422, "it was used to turn it on")
  assert.is((await enter(client, "000 000 0")).status, 422)
  const code = next()
  assert.is(
    (await enter(client, ` ${code.slice(0, 3)} ${code.slice(3)}`)).headers.get("location"),
    "/sessions",
  )
  assert.is((await client.request("/dashboard")).status, 200)
  const other = testClient(app)
  await signIn(other)
  assert.is((await enter(other, code)).status, 422)
  assert.is((await enter(testClient(app), next())).headers.get("location"), "/login")
})

test("a recovery code works once, and the page says how many are left", async () => {
  const { client, signIn, codes } = await withFactor()
  await signIn()
  assert.is((await enter(client, ` ${codes[3]?.toUpperCase()} `)).headers.get("location"), "/dashboard")
  assert.match(await textOf(client, "/second-factor"), "Recovery codes that are left: 7.")
  const other = testClient(app)
  await signIn(other)
  assert.is((await enter(other, codes[3] ?? "")).status, 422)
  const rows = JSON.stringify(await db.sql`SELECT recovery_codes FROM second_factors`)
  assert.not.ok(codes.some((code) => rows.includes(code)))
})

test("a token needs a code too, and so does turning the second factor off", async () => {
  const { user, client, signIn, next, codes } = await withFactor()
  const { email, password } = user
  const path = "/api/auth"
  for (const code of [undefined, "", "000000"])
    await check({ path, json: { email, password, code }, status: 401, data: { error: "invalid code" } })
  await check({ path, json: { email, password, code: next() }, status: 200 })
  await signIn()
  await enter(client, codes[0] ?? "")
  assert.is((await client.request("/second-factor", { form: { code: "" } })).status, 422)
  assert.is((await client.request("/second-factor", { form: { code: codes[1] ?? "" } })).status, 303)
  await check({ path, json: { email, password }, status: 200 })
})

test("after ten wrong codes even the right one is refused, from any address", async () => {
  const { client, signIn, next } = await withFactor()
  await signIn()
  for (let number = 0; number < 10; number++) assert.is((await enter(client, "000000")).status, 422)
  assert.is((await enter(client, next())).status, 429)
})

test("the user has to send the code in time", async () => {
  const { client, signIn, next } = await withFactor()
  await signIn()
  const { now } = Date
  Date.now = () => now() + 601_000
  try {
    assert.is((await enter(client, next())).headers.get("location"), "/login")
  } finally {
    Date.now = now
  }
})

test.run()
