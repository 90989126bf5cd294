/** Tests of bearer tokens: which are accepted, and that all others are refused. */
import "./support/env.ts"
import { App } from "fw"
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { bearer as guard } from "../lib/auth/jwt.ts"
import { check, makeUser, send } from "./support/app.ts"
import { jwtSecret } from "./support/env.ts"
import { bearer, claims, forge, header, part } from "./support/tokens.ts"

const test = suite("jwt")
const profile = "/api/protected/profile"

test("login returns a token for a day, which gives access to the profile", async () => {
  const login = await makeUser()
  const answer = await check({
    path: "/api/auth",
    json: login,
    status: 200,
    responseHeaders: { "cache-control": "no-store" },
  })
  const { token, ...rest } = (await answer.json()) as { token: string }
  assert.equal(rest, { expires_in: 86_400 })
  assert.equal(decodeProtectedHeader(token), { alg: "HS256", typ: "JWT" })
  const { iat = 0, user_id, ...said } = decodeJwt(token)
  assert.ok(Math.abs(iat - Date.now() / 1000) < 60)
  assert.equal(said, { email: login.email, role: "user", iss: "fw-auth", exp: iat + 86_400 })
  await check({
    path: profile,
    headers: bearer(token),
    status: 200,
    data: { user_id, email: login.email, role: "user" },
  })
})

test("login ignores the case of the address, and refuses wrong credentials", async () => {
  const { email, password } = await makeUser()
  await check({ path: "/api/auth", json: { email: ` ${email.toUpperCase()} `, password }, status: 200 })
  for (const json of [
    { email, password: `${password}!` },
    { email, password: "" },
    { email: "nobody@example.com", password },
    { email: "' OR 1=1 --", password: "' OR 1=1 --" },
  ])
    await check({ path: "/api/auth", json, status: 401, data: { error: "invalid credentials" } })
  const headers = { "content-type": "application/json" }
  for (const body of ["", "{", '{"email":'])
    await check({ method: "POST", path: "/api/auth", headers, body, status: 400 })
  await check({ path: "/api/auth", form: { email, password }, status: 415 })
})

test("signing up refuses invalid addresses and passwords, and a taken address", async () => {
  const { email, password } = await makeUser()
  for (const [json, error] of [
    [{ email: "invalid address", password }, "invalid email"],
    [{ email: "a@b", password }, "invalid email"],
    [{ email: `${"a".repeat(250)}@example.com`, password }, "invalid email"],
    [{ email: "new@example.com", password: "short" }, "invalid password length"],
    [{ email: "new@example.com", password: "x".repeat(257) }, "invalid password length"],
  ] as const)
    await check({ path: "/api/auth/signup", json, status: 400, data: { error } })
  const taken = { status: 409, data: { error: "email is taken" } }
  await check({ path: "/api/auth/signup", json: { email: email.toUpperCase(), password }, ...taken })
})

test("an Authorization header with another format is refused", async () => {
  const token = forge(header, claims())
  await check({ path: profile, headers: bearer(token), status: 200 })
  const missing = { status: 401, text: /missing authorization header/ }
  await check({ path: profile, ...missing, responseHeaders: { "www-authenticate": "Bearer" } })
  for (const authorization of [
    "Bearer",
    token,
    `Bearer ${token} x`,
    `Basic ${token}`,
    `Token ${token}`,
    `DPoP ${token}`,
    `Bearer\t${token}`,
    `Bearer,${token}`,
  ])
    await check({
      path: profile,
      headers: { authorization },
      status: 401,
      text: /invalid authorization format/,
    })
  for (const headers of [
    { "x-api-key": token },
    { cookie: `session=${token}` },
    { "x-authorization": `Bearer ${token}` },
    { "proxy-authorization": `Bearer ${token}` },
  ])
    await check({ path: profile, headers, ...missing })
  await check({ path: `${profile}?access_token=${token}&authorization=Bearer%20${token}`, ...missing })
})

const { privateKey } = await generateKeyPair("RS256")
const rsa = await new SignJWT(claims()).setProtectedHeader({ alg: "RS256" }).sign(privateKey)
const now = Math.floor(Date.now() / 1000)

/** Invalid tokens. Each is signed with the right key if possible. */
const invalid: Readonly<Record<string, string>> = {
  "no token": "x",
  "alg none without a signature": `${part({ alg: "none" })}.${part(claims())}.`,
  "alg none with one": forge({ alg: "none" }, claims()),
  "alg None": `${part({ alg: "None" })}.${part(claims())}.`,
  "alg nOnE, no dot": `${part({ alg: "nOnE" })}.${part(claims())}`,
  "alg hs256": forge({ alg: "hs256" }, claims()),
  "alg missing": forge({ typ: "JWT" }, claims()),
  "alg null": forge({ alg: null }, claims()),
  "alg is a list": forge({ alg: ["HS256"] }, claims()),
  RS256: rsa,
  "RS256, signed with the secret": forge({ alg: "RS256" }, claims()),
  HS512: forge({ alg: "HS512" }, claims(), { hash: "sha512" }),
  HS384: forge({ alg: "HS384" }, claims(), { hash: "sha384" }),
  "HS512 that says HS256": forge(header, claims(), { hash: "sha512" }),
  "another key": forge(header, claims(), { key: "another secret, of 32 bytes as well" }),
  "an empty key": forge(header, claims(), { key: "" }),
  "a key in the header": forge({ ...header, jwk: { kty: "oct", k: part("x".repeat(32)) } }, claims(), {
    key: "x".repeat(32),
  }),
  "unknown crit": forge({ ...header, crit: ["exp"] }, claims()),
  "b64 false": forge({ ...header, b64: false, crit: ["b64"] }, claims()),
  "exp 0": forge(header, claims({ exp: 0 })),
  "exp is null": forge(header, claims({ exp: null })),
  "exp is a string": forge(header, claims({ exp: String(now + 3600) })),
  "exp is true": forge(header, claims({ exp: true })),
  "exp is in a list": forge(header, claims({ exp: [now + 3600] })),
  "exp missing": forge(header, claims({ exp: undefined })),
  "exp is negative": forge(header, claims({ exp: -1 })),
  "exp is a minute ago": forge(header, claims({ exp: now - 60 })),
  "exp is Infinity": forge(header, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":"Infinity"')),
  "exp 1e400": forge(header, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e400')),
  "exp 2e20": forge(header, claims({ exp: 2e20 })),
  "iat -1e400": forge(header, JSON.stringify(claims()).replace(/"iat":\d+/, '"iat":-1e400')),
  "nbf -1e400": forge(header, JSON.stringify(claims({ nbf: 1 })).replace(/"nbf":\d+/, '"nbf":-1e400')),
  "nbf is in the future": forge(header, claims({ nbf: now + 600 })),
  "iat is a string": forge(header, claims({ iat: String(now) })),
  "another iss": forge(header, claims({ iss: "elsewhere" })),
  "iss missing": forge(header, claims({ iss: undefined })),
  "iss with a space": forge(header, claims({ iss: "fw-auth " })),
  "user_id missing": forge(header, claims({ user_id: undefined })),
  "user_id is empty": forge(header, claims({ user_id: "" })),
  "user_id is a number": forge(header, claims({ user_id: 7 })),
  "email missing": forge(header, claims({ email: undefined })),
  "role is unknown": forge(header, claims({ role: "root" })),
  "role is a list": forge(header, claims({ role: ["admin"] })),
  "role missing": forge(header, claims({ role: undefined })),
  "claims are a list": forge(header, [claims()]),
  "claims are a string": forge(header, '"claims"'),
  "claims are null": forge(header, "null"),
  "claims are not JSON": forge(header, "{"),
  "claims are not UTF-8": forge(header, "\xff\xfe"),
  "header is not JSON": forge("{", claims()),
  "header is null": forge("null", claims()),
  "empty parts": "..",
  dots: "........",
  "five parts": `${forge(header, claims())}.a.b`,
}
for (const [name, token] of Object.entries(invalid)) {
  test(`a token with ${name} is answered with 401`, async () => {
    const responseHeaders = { "www-authenticate": 'Bearer error="invalid_token"' }
    await check({
      path: profile,
      headers: bearer(token),
      status: 401,
      text: /invalid token|the token has expired/,
      responseHeaders,
    })
  })
}

test("a token with any changed character is refused", async () => {
  const token = forge(header, claims())
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  for (let at = 0; at < token.length; at++) {
    const next = alphabet[(alphabet.indexOf(token[at] as string) + 32) % 64]
    const changed = token.slice(0, at) + next + token.slice(at + 1)
    const { status } = await send({ path: profile, headers: bearer(changed) })
    assert.is(status, 401, `character ${at} of ${token}`)
  }
})

test("a token with changed bits that decoders skip is refused", async () => {
  const token = forge(header, claims())
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  // 43 characters contain two more bits than 32 bytes need.
  const last = alphabet.indexOf(token.at(-1) as string)
  for (const bits of [1, 2, 3]) {
    const other = token.slice(0, -1) + alphabet[last | bits]
    assert.equal(Buffer.from(other, "base64url"), Buffer.from(token, "base64url"))
    assert.is((await send({ path: profile, headers: bearer(other) })).status, 401)
  }
  for (const end of ["=", "%3D", "\u00e4"]) {
    assert.is((await send({ path: profile, headers: bearer(token + end) })).status, 401)
  }
})

test("the middleware sets the values that handlers read", async () => {
  const said = claims({ role: "admin" })
  const probe = new App({ logger: false })
  probe.use(guard())
  const keys = ["user_id", "user_email", "user_role", "jwt", "session", "service_name"]
  probe.get("/", (c) => c.json(200, Object.fromEntries(keys.map((key) => [key, c.get(key)]))))
  const answer = await probe.request("/", { headers: bearer(forge(header, said)) })
  assert.equal(await answer.json(), {
    user_id: said.user_id,
    user_email: said.email,
    user_role: "admin",
    jwt: said,
  })
})

test("no response contains the secret", async () => {
  const login = await makeUser()
  const answer = await check({ path: "/api/auth", json: login, status: 200 })
  const all = [...answer.headers].flat().join() + (await answer.text())
  assert.not.ok(all.includes(jwtSecret))
})

test.run()
