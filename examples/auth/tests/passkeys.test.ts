/** Tests of passkeys: adding, signing in, removing, and answers that are not accepted. */
import "./support/env.ts"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { db } from "../db/index.ts"
import { check, send } from "./support/app.ts"
import { type Answer, Authenticator, verified } from "./support/authenticator.ts"
import { readCookie, readSession, signIn } from "./support/sessions.ts"

const test = suite("passkeys")

type Headers = Readonly<Record<string, string>>
interface Options {
  readonly challenge: string
  readonly rpId: string
  readonly userVerification: string
}
interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string; readonly name: string }
  readonly excludeCredentials: readonly { readonly id: string }[]
  readonly authenticatorSelection: Readonly<Record<string, unknown>>
  readonly attestation: string
}

async function creation(headers: Headers): Promise<CreationOptions> {
  const answer = await check({ path: "/passkeys/options", method: "POST", headers, status: 200 })
  return (await answer.json()) as CreationOptions
}

/** Creates a user with a passkey. */
async function withPasskey() {
  const user = await signIn()
  const device = new Authenticator()
  const answer = device.create(await creation(user.headers))
  await check({ path: "/passkeys/new", json: answer, headers: user.headers, status: 201 })
  return { user, device }
}

/** Requests the options to sign in, as one browser. */
async function request(browser?: Headers) {
  const asked = { path: "/api/auth/passkey/options", method: "POST", ...(browser && { headers: browser }) }
  const answer = await check({ ...asked, status: 200, responseHeaders: { "cache-control": "no-store" } })
  return { options: (await answer.json()) as Options, headers: browser ?? readSession(answer) }
}

const enter = (json: unknown, headers: Headers) => send({ path: "/api/auth/passkey", json, headers })

test("a passkey can be added, listed, used to sign in, and removed", async () => {
  const { user, device } = await withPasskey()
  const page = await check({ path: "/passkeys", headers: user.headers, status: 200, text: /not used yet/ })
  assert.match(await page.text(), "On one device")
  const { options, headers } = await request()
  assert.equal([options.rpId, options.userVerification], ["localhost", "required"])
  const answer = await enter(device.get(options), headers)
  assert.equal([answer.status, await answer.json()], [200, { next: "/dashboard" }])
  const signedIn = readSession(answer)
  await check({ path: "/dashboard", headers: signedIn, status: 200, text: new RegExp(user.email) })
  await check({ path: "/passkeys", headers: signedIn, status: 200, text: /, used <time/ })

  const stranger = await signIn()
  const form = { remove: device.id.toString("base64url") }
  await check({ path: "/passkeys", form, headers: stranger.headers, status: 303 })
  const { headers: again, options: next } = await request()
  assert.is((await enter(device.get(next), again)).status, 200, "another user cannot remove it")
  await check({ path: "/passkeys", form, headers: user.headers, status: 303 })
  const last = await request()
  const refused = await enter(device.get(last.options), last.headers)
  assert.equal([refused.status, await refused.json()], [401, { error: "invalid passkey" }])
})

test("the options contain no personal data, exclude known passkeys, and request a discoverable one", async () => {
  const { user, device } = await withPasskey()
  const options = await creation(user.headers)
  assert.is(options.user.name, user.email)
  assert.not.match(Buffer.from(options.user.id, "base64url").toString(), user.email)
  assert.equal(
    options.excludeCredentials.map(({ id }) => id),
    [device.id.toString("base64url")],
  )
  const { residentKey, userVerification } = options.authenticatorSelection
  assert.equal([residentKey, userVerification, options.attestation], ["required", "required", "none"])
})

const lies: ReadonlyArray<readonly [name: string, lie: Partial<Answer>]> = [
  ["another origin", { origin: "https://evil.example" }],
  ["another port", { origin: "http://localhost:1" }],
  ["another domain", { rpID: "evil.example" }],
  ["a user that was not verified", { flags: 0x01 }],
  ["no user present", { flags: 0x04 }],
  ["another challenge", { challenge: "AAAA" }],
  ["another type", { type: "webauthn.other" }],
]

for (const [name, lie] of lies) {
  test(`an answer with ${name} neither adds a passkey nor signs in`, async () => {
    const { user, device } = await withPasskey()
    const added = new Authenticator().create(await creation(user.headers), lie)
    const json = { path: "/passkeys/new", json: added, headers: user.headers }
    await check({ ...json, status: 400, data: { error: "invalid passkey" } })
    const { options, headers } = await request()
    const answer = await enter(device.get(options, lie), headers)
    assert.is(answer.status, 401)
    assert.is(readCookie(answer, "session"), null)
  })
}

test("an answer is accepted only once", async () => {
  const { user, device } = await withPasskey()
  const { options, headers } = await request()
  const answer = device.get(options)
  const both = await Promise.all([enter(answer, headers), enter(answer, headers)])
  assert.equal(both.map(({ status }) => status).sort(), [200, 401])
  assert.is((await enter(answer, headers)).status, 401)
  const made = new Authenticator().create(await creation(user.headers))
  const add = { path: "/passkeys/new", json: made, headers: user.headers }
  await check({ ...add, status: 201 })
  await check({ ...add, status: 400 })
})

test("a challenge cannot be used again after a failed answer", async () => {
  const { device } = await withPasskey()
  const { options, headers } = await request()
  assert.is((await enter(device.get(options, { flags: 0x01 }), headers)).status, 401)
  assert.is((await enter(device.get(options), headers)).status, 401)
})

test("a challenge is valid for one browser and one session only", async () => {
  const { user, device } = await withPasskey()
  const { options, headers } = await request()
  const other = await request()
  assert.is((await enter(device.get(options), other.headers)).status, 401)
  assert.is((await enter(device.get(options), {})).status, 401)
  assert.is((await enter(device.get(options), headers)).status, 200)
  const stranger = await signIn()
  const made = new Authenticator().create(await creation(user.headers))
  await check({ path: "/passkeys/new", json: made, headers: stranger.headers, status: 400 })
  const register = await creation(user.headers)
  assert.is((await enter(device.get(register), headers)).status, 401)
})

test("two tabs of one browser can sign in, in any order", async () => {
  const { device } = await withPasskey()
  const first = await request()
  const second = await request(first.headers)
  assert.equal(first.headers, second.headers)
  // The session of the first sign-in has another id and other challenges.
  const answer = await enter(device.get(second.options), first.headers)
  assert.is(answer.status, 200)
  assert.is((await enter(device.get(first.options), readSession(answer))).status, 200)
})

test("a challenge expires", async () => {
  const { device } = await withPasskey()
  const { options, headers } = await request()
  await db.sql`UPDATE fw_value SET expires = 1 WHERE key LIKE 'challenge %'`
  assert.is((await enter(device.get(options), headers)).status, 401)
})

test("a lower counter is refused, and the backup flags are stored", async () => {
  const { device } = await withPasskey()
  const id = device.id.toString("base64url")
  const stored = async () => {
    const [row] = await db.sql`SELECT counter, backed_up FROM passkeys WHERE id = ${id}`
    return [Number(row?.counter), Number(row?.backed_up)]
  }
  assert.equal(await stored(), [0, 0])
  for (const [counter, status] of [
    [5, 200],
    [5, 401],
    [4, 401],
    [6, 200],
  ] as const) {
    const { options, headers } = await request()
    assert.is((await enter(device.get(options, { counter }), headers)).status, status, String(counter))
  }
  const { options, headers } = await request()
  assert.is((await enter(device.get(options, { counter: 7, flags: verified | 0x18 }), headers)).status, 200)
  assert.equal(await stored(), [7, 1])
})

test("another user's handle and another device's key are not accepted", async () => {
  const { device } = await withPasskey()
  const { device: other } = await withPasskey()
  const handle = await request()
  const { userHandle } = other
  assert.is((await enter(device.get(handle.options, { userHandle }), handle.headers)).status, 401)
  const key = await request()
  const answer = {
    ...other.get(key.options, { userHandle: device.userHandle }),
    id: device.id.toString("base64url"),
  }
  assert.is((await enter(answer, key.headers)).status, 401)
})

test("a passkey cannot be added to a second account", async () => {
  const { device } = await withPasskey()
  const stranger = await signIn()
  const made = device.create(await creation(stranger.headers))
  await check({ path: "/passkeys/new", json: made, headers: stranger.headers, status: 400 })
})

test("a body that is not a whole credential is refused", async () => {
  const { user } = await withPasskey()
  const { headers } = await request()
  const cut = { id: "x", response: { clientDataJSON: "x" } }
  assert.is((await enter(cut, headers)).status, 401)
  await check({ path: "/passkeys/new", json: cut, headers: user.headers, status: 400 })
})

test("pages of other sites can neither sign in nor add a passkey, and adding one needs a session", async () => {
  const { user } = await withPasskey()
  const other = { "sec-fetch-site": "cross-site", origin: "https://evil.example" }
  for (const path of ["/api/auth/passkey", "/api/auth/passkey/options", "/passkeys/options", "/passkeys/new"])
    await check({ path, json: {}, headers: { ...user.headers, ...other }, status: 403 })
  for (const path of ["/passkeys/options", "/passkeys/new"])
    await check({ path, json: {}, status: 303, responseHeaders: { location: "/login" } })
})

test("the login page loads the script for passkeys from the application", async () => {
  const page = await (await check({ path: "/login", status: 200 })).text()
  assert.match(page, /<div\s+hidden\s+data-passkey="sign-in"/)
  assert.match(page, 'autocomplete="username webauthn"')
  const [, src = ""] = /<script type="module" src="([^"]+)"><\/script>/.exec(page) ?? []
  await check({ path: src, status: 200, responseHeaders: { "content-type": /javascript/ } })
})

test.run()
