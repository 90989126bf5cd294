/** Tests of API keys: which are accepted, and that a revoked key is not. */
import "./support/env.ts"
import { App } from "fw"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { createKey, listKeys, parseAPIKeys, requireKey, revokeKey } from "../lib/auth/api-keys.ts"
import { identityOf } from "../lib/auth/identity.ts"
import { check, makeUser } from "./support/app.ts"
import { fixedKey } from "./support/env.ts"

const test = suite("api key")
const path = "/api/service/whoami"
const responseHeaders = { "www-authenticate": "APIKey" }
const invalid = { status: 401, data: { error: "unauthorized", message: "invalid API key" }, responseHeaders }

/** Creates a key for a new user. */
const makeKey = async () => createKey("reports", (await makeUser()).id)

test("the response names the key's service and its owner, who is the user of the request", async () => {
  const user = await makeUser()
  const key = await createKey("reports", user.id)
  assert.match(key, /^ak_[0-9a-f]{16}_[0-9a-f]{64}$/)
  await check({
    path,
    headers: { "x-api-key": key },
    status: 200,
    data: { service_name: "reports", owner: user.email },
  })
  const fixed = { service_name: "billing", owner: null }
  await check({ path, headers: { "x-api-key": fixedKey }, status: 200, data: fixed })
  const probe = new App({ logger: false })
  probe.get("/", requireKey(), (c) => c.json(200, identityOf(c)))
  const answer = await probe.request("/", { headers: { "x-api-key": key } })
  assert.equal(await answer.json(), { userID: user.id, email: user.email, role: "user" })
})

test("missing and unknown keys are refused", async () => {
  const key = await makeKey()
  const missing = {
    status: 401,
    data: { error: "unauthorized", message: "missing API key" },
    responseHeaders,
  }
  await check({ path, ...missing })
  await check({ path: `${path}?X-API-Key=${key}`, ...missing })
  await check({ path, headers: { authorization: `Bearer ${key}`, cookie: `X-API-Key=${key}` }, ...missing })
  const rows = await db.sql`SELECT id, digest FROM api_keys`
  const { id, digest } = { ...rows[0] }
  for (const wrong of [
    "x",
    key.slice(0, -1),
    `${key}0`,
    key.toUpperCase(),
    `ak_${id}_`,
    `ak_${id}_${"0".repeat(64)}`,
    String(digest),
    String(id),
    "undefined",
    "null",
    fixedKey.slice(1),
    `${fixedKey} `.repeat(2),
    `billing=${fixedKey}`,
  ])
    await check({ path, headers: { "x-api-key": wrong }, ...invalid })
})

test("a key with one changed character is refused", async () => {
  const key = await makeKey()
  for (let at = 0; at < key.length; at += 7) {
    const wrong = key.slice(0, at) + (key[at] === "a" ? "b" : "a") + key.slice(at + 1)
    await check({ path, headers: { "x-api-key": wrong }, ...invalid })
  }
})

test("a revoked key is refused, other keys stay valid, and users cannot revoke keys of others", async () => {
  const [mine, theirs] = [await makeUser(), await makeUser()]
  const [one, other] = [await createKey("one", mine.id), await createKey("other", theirs.id)]
  const [listed] = await listKeys(mine.id)
  assert.is(listed?.service_name, "one")
  assert.is(await revokeKey(theirs.id, listed?.id ?? ""), false)
  await check({ path, headers: { "x-api-key": one }, status: 200 })
  assert.is(await revokeKey(mine.id, listed?.id ?? ""), true)
  await check({ path, headers: { "x-api-key": one }, ...invalid })
  await check({ path, headers: { "x-api-key": other }, status: 200 })
})

test("the database contains only digests of keys", async () => {
  const key = await makeKey()
  const rows = await db.sql`SELECT * FROM api_keys`
  assert.not.ok(JSON.stringify(rows).includes(key.slice(-64)))
})

test("keys from the environment have a format and a minimum length, and no error message repeats a key", () => {
  const good = "0".repeat(32)
  process.env.KEYS_OF_A_TEST = `a=${good}, b=x${good}=`
  assert.equal(parseAPIKeys("KEYS_OF_A_TEST"), [
    { name: "a", key: good },
    { name: "b", key: `x${good}=` },
  ])
  for (const text of ["secret", "=secret", "a=", "a=secret", `a=${good},secret`, ","]) {
    process.env.KEYS_OF_A_TEST = text
    assert.throws(
      () => parseAPIKeys("KEYS_OF_A_TEST"),
      (error: Error) =>
        error.message.startsWith("KEYS_OF_A_TEST, entry") && !error.message.includes("secret"),
    )
  }
  process.env.KEYS_OF_A_TEST = ""
  assert.equal(parseAPIKeys("KEYS_OF_A_TEST"), [])
})

test.run()
