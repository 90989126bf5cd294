/** Tests of a provider that fails: no session and no user are created, and the log contains the reason. */
import "./support/provider.ts"

import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { check } from "./support/app.ts"
import { errors, startSignIn, users, withProvider } from "./support/oauth.ts"
import { callback, provider } from "./support/provider.ts"

const test = suite("oauth-provider")
const { service } = provider
const failed = {
  status: 500,
  data: { error: "internal_server_error", message: "signing in with Google failed" },
}

withProvider(test)

/** Invalid responses of the token endpoint. */
const exchanges: Readonly<Record<string, { statusCode: number; body: Record<string, unknown> | "" }>> = {
  "500": { statusCode: 500, body: { error: "server_error" } },
  "500 without a body": { statusCode: 500, body: "" },
  "an expired or replayed code": { statusCode: 400, body: { error: "invalid_grant" } },
  "the wrong secret": { statusCode: 401, body: { error: "invalid_client" } },
  "no tokens": { statusCode: 200, body: {} },
  "invalid tokens": { statusCode: 200, body: { access_token: 1, id_token: {} } },
  "an invalid ID token": { statusCode: 200, body: { access_token: "x", id_token: "x.y.z" } },
}
for (const [name, answer] of Object.entries(exchanges)) {
  test(`if the code exchange returns ${name}, the answer is 500 without a session, and the log has the reason`, async () => {
    const before = await users()
    const { path, headers } = await startSignIn()
    service.once("beforeResponse", (response) => Object.assign(response, answer))
    await check({ path, headers, ...failed })
    await check({ path: "/dashboard", headers, status: 303 })
    assert.is(await users(), before)
    assert.match(String(errors[0]?.[0]), /^signing in with Google failed: it/)
    const code = new URL(path, callback).searchParams.get("code") ?? ""
    for (const secret of ["the secret", code]) assert.not.match(String(errors), secret)
  })
}

/** Invalid claims of an ID token. */
const idTokens: Readonly<Record<string, Record<string, unknown>>> = {
  "another nonce": { nonce: "0".repeat(32) },
  "no nonce": { nonce: undefined },
  "another audience": { aud: "another client" },
  "two audiences, issued to the other": { aud: ["the client", "other"], azp: "other" },
  "another issuer": { iss: "https://elsewhere.example" },
  "no subject": { sub: undefined },
  "another subject than the record": { sub: "somebody else" },
  "an expiry in the past": { exp: 1 },
  "a start in the future": { nbf: 9_999_999_999 },
}
for (const [name, wrong] of Object.entries(idTokens)) {
  test(`if the ID token has ${name}, the answer is 500`, async () => {
    const before = await users()
    const { path, headers } = await startSignIn()
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

/** Invalid user records. */
const records: Readonly<Record<string, { statusCode?: number; body: Record<string, unknown> | "" }>> = {
  "500": { statusCode: 500, body: { error: "server_error" } },
  "401": { statusCode: 401, body: { error: "invalid_token" } },
  "no body": { body: "" },
  nobody: { body: {} },
  "no email": { body: { sub: "x" } },
  "another subject": { body: { sub: "somebody else", email: "ada@example.com", email_verified: true } },
}
for (const [name, wrong] of Object.entries(records)) {
  test(`if the user record is ${name}, the answer is 500`, async () => {
    const before = await users()
    const { path, headers } = await startSignIn()
    service.once("beforeUserinfo", (response) => Object.assign(response, wrong))
    await check({ path, headers, ...failed })
    assert.is(await users(), before)
  })
}

test("if the user cannot be created, the answer is 500", async () => {
  const { transaction } = db
  const { path, headers } = await startSignIn()
  db.transaction = () => Promise.reject(new Error("disk full"))
  try {
    await check({ path, headers, ...failed })
  } finally {
    db.transaction = transaction
  }
})

test("while the provider is down the answer is 500, and signing in works when it is up again", async () => {
  const { path, headers } = await startSignIn()
  const { port } = provider.address()
  await provider.stop()
  await check({ path, headers, ...failed })
  await provider.start(port, "127.0.0.1")
  const again = await startSignIn()
  await check({ path: again.path, headers: again.headers, status: 303 })
})

test.run()
